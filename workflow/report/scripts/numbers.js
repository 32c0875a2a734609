// How numbers read: as everywhere in the report (see formats.py).
const numbers = {
  cost(value) {
    const sign = value < 0 ? "\u2212" : "";
    const size = Math.abs(value);
    if (size < 1e-12) return "0.000";
    if (size < 1e-6) return `${sign}<0.000001`;
    if (size < 0.00995) return sign + Number(size.toPrecision(2)).toFixed(7).replace(/0+$/, "");
    // A half goes to the even digit, as in the tables: only odd sixteenths end in one.
    return sign + (size - ((16 * size) % 4 === 1 ? 1e-9 : 0)).toFixed(3);
  },

  // As far as it is known: the last digit is off by one at most. Three digits of `whole` are enough.
  known(value, error, whole) {
    const most = 2 + Math.ceil(-Math.log10(whole));
    const said = value.toFixed(Math.min(most, Math.floor(-Math.log10(2 * error))));
    return said.replace(/^-(?=[0.]+$)/, "").replace("-", "\u2212");
  },

  interval: (low, high) =>
    [numbers.cost(low), numbers.cost(high)].join(low <= -1e-12 ? " to " : "\u2013"),

  // Three decimals always, so that what is read out keeps its width while a pointer moves.
  pc: (value) => value.toFixed(3),

  // Rounded to a number of digits, a half to the even one.
  rounded(value, digits) {
    const more = value.toPrecision(digits + 1);
    const isHalf = Number.isInteger(1024 * value) && Number(more) === value;
    const down = isHalf && /[02468]\.?5(e|$)/.test(more) ? 1e-9 : 0;
    return Number((value * (1 - down)).toPrecision(digits));
  },

  times: (value) => numbers.grouped(numbers.rounded(value, 2)),

  // In groups of three from ten thousand on.
  grouped: (value) =>
    value < 10000 ? String(value) : value.toLocaleString("en").replaceAll(",", "\u202f"),

  // An amount of money, in four digits as in tables, or fewer.
  amount: (value, digits = 4) =>
    (value < 0 ? "\u2212" : "") + numbers.grouped(numbers.rounded(Math.abs(value), digits)),

  ratio(value) {
    if (value === 0 || value === Infinity) return value === 0 ? "0:1" : "1:0";
    return value >= 1 ? `${numbers.times(value)}:1` : `1:${numbers.times(1 / value)}`;
  },

  // A range as in tables, of which one end alone is given as such.
  ratios(low, high = low) {
    if (low === high) return numbers.ratio(low);
    if (low === 0) return high === Infinity ? "all" : `below ${numbers.ratio(high)}`;
    if (high === Infinity) return `above ${numbers.ratio(low)}`;
    const ends = [low, high].map(numbers.ratio);
    return ends[0] === ends[1] ? `about ${ends[0]}` : ends.join(" to ");
  },

  percent: (share) => `${Number((100 * share).toPrecision(4))}\u202f%`,

  // Show a number in a field, without the noise of binary fractions, unless it is being typed into.
  type(field, value) {
    if (document.activeElement === field) return;
    field.value = Number.isFinite(value) ? Number(value.toPrecision(4)) : "";
  },

  // What kind the headline curves are of models that have anything to choose from.
  estimate(models) {
    const kinds = models.map(({ estimate }) => estimate);
    return kinds.find((kind) => kind !== "fixed in advance") ?? "fixed in advance";
  },

  shortened(name, most = 28) {
    const letters = Array.from(name);
    return letters.length > most ? `${letters.slice(0, most - 1).join("")}\u2026` : name;
  },

  // A name among words that are not elements, isolated from their direction.
  isolated: (name) => `\u2068${name}\u2069`,

  // Names in a row, each an object so that it can be told from the words around it.
  listed(names, most = 5) {
    const shown = names.length <= most ? names : names.slice(0, most - 1);
    const more = names.length - shown.length;
    const items = shown.map((name) => ({ name }));
    return numbers.joined(more ? [...items, `${more} more`] : items);
  },

  // Items with commas and a last "and" between them.
  joined: (items) =>
    items.flatMap((item, place) => {
      const last = place === items.length - 1;
      return [place === 0 ? "" : last ? " and " : ", ", item];
    }),
};
