// What the tables say of configured conditions, for the reader's own: by the same curves, bands,
// standings and thresholds.
const answers = {
  TRIVIAL: [[0, 0], [0.5, 0.5], [1, 0]],
  NAMED: 3, // decisions that are not ruled out (answer.html.j2)

  judged(model, pc) {
    const [cost, low, high] = [model.curve, model.lower, model.upper].map((curve) =>
      geometry.height(curve, pc),
    );
    return { ...model, cost, low, high, constant: false };
  },

  // Every decision at a PC(+): the models, and behind them both constant ones.
  decisions({ models }, pc) {
    const constant = (name, cost) => ({ name, cost, low: NaN, high: NaN, constant: true });
    const judged = models.map((model) => answers.judged(model, pc));
    return [...judged, constant("always negative", pc), constant("always positive", 1 - pc)];
  },

  // The cheapest, its cost and interval, and what is not ruled out. Where a
  // constant decision costs no more than any model, it is the one to use.
  at(dataset, pc) {
    const decisions = answers.decisions(dataset, pc);
    const here = dataset.standings.filter(([, low, high]) => geometry.within(pc, low, high));
    const places = here.filter((row) => row[3]).map(([place]) => place);
    const best = decisions[places.find((place) => decisions[place].constant) ?? places[0]];
    const out = dataset.named.find(([named]) => Math.abs(named - pc) < 1e-9)?.[1] ?? [];
    const left = here.filter(([place]) => !out.includes(place));
    const others = left.map(([place]) => decisions[place]).filter((one) => one !== best);
    others.sort(({ cost }, other) => (Math.abs(cost - other.cost) < 2e-5 ? 0 : cost - other.cost));
    const stays = answers.stays(dataset, decisions, best, pc);
    const { use, rates } = answers;
    return { best, ...best, stays, others, use: use(dataset, best, pc), rates: rates(dataset, best, pc) };
  },

  // Of mistakes of the cheapest: a constant decision makes those of one kind alone.
  rates: ({ rates }, { name, constant }, pc) =>
    constant
      ? { fp: Number(name === "always positive"), fn: Number(name === "always negative") }
      : rates.find(({ to }) => pc < to) ?? rates.at(-1),

  // From where to where its estimate stays the lowest.
  stays({ standings }, decisions, best, pc) {
    const rows = standings.filter(([place, , , lowest]) => lowest && decisions[place] === best);
    return rows.findLast(([, ...ends]) => geometry.within(pc, ...ends)).slice(1, 3);
  },

  // The least expected cost over the range. Bands say nothing of a mean: it has neither interval
  // nor verdict.
  over(dataset) {
    const prior = condition.prior(dataset);
    const [low, high] = condition.range.map((ratio) => geometry.pcOfRatio(ratio, prior));
    const mean = (curve) => geometry.mean(curve, low, high, condition.byRatio);
    const constant = mean(answers.TRIVIAL);
    const decisions = [
      { name: "a constant decision", constant: true, cost: constant },
      ...dataset.models.map((model) => ({ ...model, constant: false, cost: mean(model.curve) })),
    ];
    const best = decisions.reduce((one, other) => (other.cost < one.cost ? other : one));
    return { best, low, high, cost: best.cost };
  },

  use({ uses }, { number, constant }, pc) {
    if (!uses || constant) return "";
    return uses[number].words[uses[number].to.findIndex((end) => pc <= end)];
  },

  // Names that others are called by; constant decisions are no names of a user's.
  named(others) {
    const names = others.map(({ name, constant }) => (constant ? name : { name }));
    const hidden = names.length - answers.NAMED;
    const shown = hidden > 0 ? [...names.slice(0, answers.NAMED), `${hidden} more`] : names;
    return shown.length ? numbers.joined(shown) : ["none"];
  },
};

// The row of "What to use" that answers for the condition that is set, above a dataset's others.
// At first that is one of the study's, which has a row and a column.
class AnswerRow {
  constructor(dataset, body) {
    this.dataset = dataset;
    const like = [...body.rows].find((row) => row.cells.length > 1);
    this.cells = [...like.cells].map((like) => like.cloneNode());
    this.root = make.html("tr", { class: this instanceof RangeRow ? "set range" : "set" }, ...this.cells);
    body.rows[0].after(this.root);
    condition.listen(() => this.show(), body);
  }

  show() {
    this.root.hidden = !condition.hasMoved;
    const pc = condition.pc(this.dataset);
    const { best, cost, low, high, stays, others, use } = answers.at(this.dataset, pc);
    const inSample = numbers.estimate(this.dataset.models) === "in-sample selection";
    this.open(condition.inWords(condition.ratio), numbers.pc(pc), best);
    if (this.dataset.price) this.cells[0].append(" ", small("a false alarm: ", ...this.priced(1)));
    this.cells[1].append(" ", small(AnswerRow.stays(...stays, this.dataset)));
    const rest = this.cells.slice(2);
    rest[0].replaceChildren(...this.costs(cost, low, high));
    make.write(rest[1], inSample ? ["not compared: in-sample"] : answers.named(others));
    rest[2]?.replaceChildren(use);
  }

  // Say what the row answers for, and name the cheapest.
  open(words, pc, best) {
    const [place, name] = this.cells;
    place.replaceChildren(`yours, ${words} `, small(`PC(+) ${pc}`));
    name.replaceChildren(...AnswerRow.named(best));
  }

  // A cost, and what that is of 1000 cases where a false alarm has a price: it stays as the ratio moves.
  costs(value, low, high) {
    const said = AnswerRow.estimate(value, low, high);
    if (!this.dataset.price) return said;
    const share = condition.prior(this.dataset);
    const worst = 1000 * (share * condition.ratio + 1 - share); // in false alarms
    if (!Number.isFinite(worst)) return said;
    said.push(" ", small(...this.priced(worst * value)));
    const ends = [low, high].map((end) => this.priced(worst * end)[0]).join(" to ");
    return Number.isNaN(low) ? said : [...said, " ", small(ends)];
  }

  // So many false alarms in their unit, in the digits that are known of curves.
  priced(alarms) {
    const [price, unit] = this.dataset.price;
    return [numbers.amount(price * alarms, 3), " ", make.html("bdi", {}, unit)];
  }

  static named(best) {
    const swatch = make.html("span", { class: best.constant ? "" : `swatch model-${best.index}` });
    return [swatch, best.constant ? best.name : make.html("bdi", {}, best.name)];
  }

  static stays(low, high, dataset) {
    if (low === 0 && high === 1) return "everywhere";
    const words = numbers.ratios(...[low, high].map((end) => condition.ratioAt(end, dataset)));
    return low > 0 && high < 1 ? `at ${words}` : words;
  }

  static estimate(value, low, high) {
    const interval = Number.isNaN(low) ? [] : [" ", small(numbers.interval(low, high))];
    return [numbers.cost(value), ...interval];
  }
}

// The row that answers for a range, of which nothing is decided.
class RangeRow extends AnswerRow {
  show() {
    this.root.hidden = !condition.range;
    if (!condition.range) return;
    const { best, low, high, cost } = answers.over(this.dataset);
    const [from, to] = [low, high].map(numbers.pc);
    this.open(condition.inWords(...condition.range), `${from}\u2013${to}`, best);
    const inSample = numbers.estimate(this.dataset.models) === "in-sample selection";
    const others = inSample ? "not compared: in-sample" : "no verdict on a mean";
    const said = [numbers.cost(cost), others, "by condition"];
    this.cells.slice(2).forEach((cell, place) => cell.replaceChildren(said[place]));
  }
}

// The row of what happens of 1000 cases.
class CountRow extends AnswerRow {
  show() {
    this.root.hidden = !condition.hasMoved;
    const pc = condition.pc(this.dataset);
    const { best, rates } = answers.at(this.dataset, pc);
    this.open(condition.inWords(condition.ratio), numbers.pc(pc), best);
    const positives = 1000 * condition.prior(this.dataset);
    const misses = Math.round(positives * rates.fn);
    const alarms = Math.round((1000 - positives) * rates.fp);
    const here = Math.round(positives);
    const counts = [here - misses, misses, alarms, 1000 - here - alarms];
    this.cells.slice(2).forEach((cell, place) => cell.replaceChildren(String(counts[place])));
  }
}

// A column of a table for the condition that is set: each row has its dataset, and words for a PC(+).
class AnswerColumn {
  constructor(table, rows) {
    this.rows = rows;
    const kind = { class: `${[...table.tBodies[0].rows[0].cells].at(-1).className} set` };
    this.head = make.html("th", { scope: "col", ...kind });
    table.tHead.rows[0].append(this.head);
    this.cells = rows.map(([row]) => {
      const cell = make.html("td", kind);
      row?.append(cell);
      return cell;
    });
    condition.listen(() => this.show(), table);
  }

  show() {
    for (const cell of [this.head, ...this.cells]) cell.hidden = !condition.hasMoved;
    const head = this.head.querySelector("button") ?? this.head; // by which it is sorted
    head.replaceChildren(`yours, ${condition.inWords(condition.ratio)}`);
    for (const cell of this.cells) cell.dataset.head = head.textContent;
    this.rows.forEach(([, dataset, said], place) =>
      this.cells[place].replaceChildren(...said(condition.pc(dataset))),
    );
  }

  // The rows of a dataset's models.
  static models(table, dataset, said) {
    const of = ({ name }) => ({ cells }) => cells[0].querySelector("bdi")?.textContent === name;
    const row = (model) => [...table.tBodies[0].rows].find(of(model));
    return dataset.models.map((model) => [row(model), dataset, (pc) => said(model, pc)]);
  }
}

const small = (...words) => make.html("span", { class: "at" }, ...words);

for (const dataset of datasets.all()) {
  const own = `tbody[data-dataset="${dataset.slug}"]`;
  const sections = document.getElementById(`data/${dataset.slug}`);
  const table = (part) => sections?.querySelector(`[id="data/${dataset.slug}/${part}"] table`);
  for (const body of document.querySelectorAll(`.use ${own}`)) 
    [RangeRow, AnswerRow].forEach((Row) => new Row(dataset, body));
  const happens = document.querySelector(`.happens[data-dataset="${dataset.slug}"] tbody`);
  if (happens) new CountRow(dataset, happens);
  const [thresholds, costs] = [table("thresholds"), table("cost-curves")];
  const column = (table, said) => new AnswerColumn(table, AnswerColumn.models(table, dataset, said));
  if (thresholds && dataset.uses) column(thresholds, (model, pc) => [answers.use(dataset, model, pc)]);
  if (costs)
    column(costs, (model, pc) => {
      const { cost, low, high } = answers.judged(model, pc);
      return AnswerRow.estimate(cost, low, high);
    });
}
if (datasets.all().length) new ConditionBar(datasets.all());
