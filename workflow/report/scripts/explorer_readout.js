// What is read out at a PC(+): a table with a row a model, whose cells keep their places, and
// sentences under it.
const SENTENCES = 3; // about who is cheaper; the table counts them all
const COLUMNS = ["name", "n", "n wide", "n", "n", "holder", "n", "n", "n"]; // what each holds

class ExplorerReadout {
  constructor(dataset, explorer) {
    this.dataset = dataset;
    this.explorer = explorer;
    this.point = make.html("p", { class: "read-point" });
    this.verdict = make.html("p", { class: "read-verdict" });
    this.live = make.html("p", { class: "unseen", "aria-live": "polite" });
    this.rows = dataset.models.map((model, place) => this.row(model, place));
    this.heads = COLUMNS.map((kind) => make.html("th", { scope: "col", class: kind }));
    this.table = this.framed();
  }

  framed() {
    const { models } = this.dataset;
    const group = (words, span) =>
      make.html("th", { scope: "colgroup", colspan: span, class: "group" }, words);
    const groups = [
      group(ExplorerReadout.capital(numbers.estimate(models)), 2),
      group("Against the others", 2),
      group("Chosen on all predictions pooled", 4),
    ];
    const columns = COLUMNS.map((kind) => make.html("col", { class: kind }));
    const lines = [[make.html("td"), ...groups], this.heads];
    const head = lines.map((cells) => make.html("tr", {}, ...cells));
    const named = { "aria-label": `${this.dataset.title}: the models here` };
    const table = make.html(
      "table",
      { class: "read", ...named },
      make.html("colgroup", {}, ...columns),
      make.html("thead", {}, ...head),
      make.html("tbody", {}, ...this.rows.map((row) => row.root)),
    );
    return make.html("div", { class: "scroll", role: "region", tabindex: 0, ...named }, table);
  }

  words({ value, heads }) {
    const level = numbers.percent(this.dataset.confidence);
    const judged = [ExplorerReadout.capital(value), `${level} interval`, ...heads];
    return ["Model", ...judged, "Best line", "FP rate", "TP rate", `In-sample ${value}`];
  }

  static capital(words) {
    return words[0].toUpperCase() + words.slice(1);
  }

  row(model, place) {
    const box = make.html("input", { type: "checkbox" });
    box.addEventListener("change", () => this.toggle(place, box.checked));
    const name = make.html("bdi", {}, model.name);
    const label = make.html("label", {}, box, make.swatch(model), name);
    label.style.setProperty("--model", model.colour);
    const cells = COLUMNS.slice(1).map((kind) => make.html("td", { class: kind }));
    const root = make.html("tr", {}, make.html("th", { scope: "row" }, label), ...cells);
    root.addEventListener("pointerenter", () => this.bringForward(place));
    root.addEventListener("pointerleave", () => this.bringForward(null));
    return { root, box, cells };
  }

  show(state, pc) {
    const { models } = this.dataset;
    this.words(state.axes).forEach((words, column) => (this.heads[column].textContent = words));
    const decided = datasets.decided(this.dataset, pc, (place) => state.shows(place));
    models.forEach((model, place) => {
      const { root, box, cells } = this.rows[place];
      box.checked = state.shows(place);
      root.classList.toggle("off", !box.checked);
      const said = ExplorerReadout.cells(model, place, decided, state, pc);
      said.forEach((words, column) => (cells[column].textContent = words));
    });
    this.decided(state, pc, decided);
  }

  toggle(place, on) {
    this.explorer.change(({ off }) => (on ? off.delete(place) : off.add(place)));
  }

  // The model whose row a pointer is on stands out in the plots.
  bringForward(place) {
    this.explorer.pointing.model = place;
    this.explorer.light();
  }

  static cells(model, place, { won }, state, pc) {
    const point = model.points[geometry.cheapest(model.points, pc)];
    const [low, high] = state.interval(model, pc);
    const count = (side) => won.filter((pair) => pair[side] === place).length;
    return [
      state.write(geometry.height(model.curve, pc), pc, datasets.THINNED),
      state.knows(pc) ? `${low}${low.startsWith("\u2212") ? " to " : "\u2013"}${high}` : low,
      String(count(0)),
      String(count(1)),
      state.axes.called(point.holder),
      numbers.cost(point.fp),
      numbers.cost(point.tp),
      state.write(geometry.cost(point, pc), pc),
    ];
  }

  // Who is cheaper than whom, whoever is cheaper than most first.
  decided(state, pc, { won, equivalent }) {
    const { models, familywise } = this.dataset;
    const shown = models.filter((_, place) => state.shows(place)).length;
    const pairs = (shown * (shown - 1)) / 2;
    const open = pairs - won.length - equivalent.length;
    this.parts = [
      ...this.wins(won, state.axes.better),
      equivalent.length ? `${equivalent.length} of the pairs are equal, as far as it matters. ` : "",
      ExplorerReadout.open(open, pairs, familywise),
      state.knows(pc) ? "" : ` ${state.beyond}`,
    ];
    make.write(this.verdict, this.parts);
  }

  wins(won, better) {
    const { models } = this.dataset;
    const losers = new Map(won.map(([winner]) => [winner, []]));
    for (const [winner, loser] of won) losers.get(winner).push(models[loser].name);
    const ranked = [...losers].sort((one, two) => two[1].length - one[1].length);
    const sentences = ranked.slice(0, SENTENCES).flatMap(([winner, names]) => {
      return [{ name: models[winner].name }, ` is ${better} than `, ...numbers.listed(names), ". "];
    });
    const more = ranked.length - SENTENCES;
    if (more > 0) sentences.push(`${more} more ${more === 1 ? "is" : "are"} ${better} than some. `);
    return sentences;
  }

  static open(open, pairs, familywise) {
    if (pairs === 0) return "";
    if (familywise === null)
      return "These models were not judged on the same cases: no pair is compared.";
    const level = ` (familywise ${numbers.percent(familywise)}).`;
    if (open === pairs) return `The data decide no pair of models here${level}`;
    if (open === 0) return `Every pair is decided here${level}`;
    return `The data do not decide the other ${open === 1 ? "pair" : `${open} pairs`} here${level}`;
  }

  // What a point of a hull is: rates, counts, and where its line is the lowest of its model's.
  static hullWords(name, points, place, state) {
    const { fp, tp, counts, holder } = points[place];
    const ends = geometry.range(points, place).map((pc) => state.x(pc));
    const range = ends.sort((one, other) => one - other).map(numbers.pc);
    return [
      { name },
      `, ${holder}: FP rate ${numbers.cost(fp)} (${counts.fp} of ${counts.negatives} predictions `,
      `of negatives), TP rate ${numbers.cost(tp)} (${counts.tp} of ${counts.positives} of `,
      "positives). ",
      `Its line is the best of this model for ${state.axes.name} from ${range.join(" to ")}.`,
    ];
  }

  static ownWords({ fp, tp }, place) {
    return [`Your point ${place + 1}: FP rate ${numbers.cost(fp)}, TP rate ${numbers.cost(tp)}.`];
  }

  static HINT =
    "Point at an operating point in ROC space, or walk from point to point with the arrow keys: " +
    "its line lights up in cost space. Point at cost space to look at another operating " +
    "condition, press to keep it.";

  say(words) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => (this.live.textContent = words), 400);
  }
}
