// A point in ROC space is a line in cost space: both side by side. A slider or a press moves the cost
// ratio, a pointer on a point lights its line, a press beside points adds one of the reader's own.
const AXES = [
  {
    choice: "PC(+) and normalized cost",
    across: "PC(+), probability cost",
    up: "normalized expected cost",
    x: (pc) => pc,
    y: (nec) => nec,
    top: (prior, most) => (most <= 0.5 ? 0.5 : 1),
  },
  {
    choice: "Reid (2009): c and loss",
    across: "c, the cost of a false alarm where a miss costs 1 \u2212 c",
    up: "expected loss",
    x: geometry.reidOfPc,
    y: geometry.loss,
    top: (prior) => [0.01, 0.02, 0.05, 0.1].find((end) => end >= prior * (1 - prior)) ?? 0.25,
  },
];
const HEADS = ["Model", "Cost", "In hindsight", "Lowest line", "FP rate", "TP rate"];
const HINT = "Point at a point in ROC space: its line lights up in cost space.";

class Explorer {
  constructor(root, content) {
    Object.assign(this, { root, prior: content.prior, pc: content.pc, axes: AXES[0], own: [] });
    this.models = content.models.map((model) => Explorer.model(model, content.grain));
    this.off = new Set();
    this.most = Math.max(...this.models.flatMap(({ curve }) => curve.map(([, nec]) => nec)));
    this.roc = new RocPlot();
    this.cost = new CostPlot();
    this.point = make.html("p", { class: "at" }, HINT);
    const plots = make.html("div", { class: "plots" }, this.roc.box, this.cost.box);
    root.append(this.controls(), plots, this.point, this.table(), this.ownPoints());
    this.listen();
    root.hidden = false;
    this.draw();
  }

  // A model with rates in place of counts, and its curve as vertices.
  static model({ points, curve, ...model }, grain) {
    const { negatives, positives, fp, tp, holder } = points;
    const inner = fp.map((count, place) => ({
      fp: count / negatives,
      tp: tp[place] / positives,
      words: `${model.name}, ${holder[place]}`,
      holder: holder[place],
    }));
    const ends = ["always negative", "always positive"].map((holder, rate) => {
      return { fp: rate, tp: rate, words: holder, holder };
    });
    let [pc, nec] = [0, 0];
    const vertices = curve.pc.map((step, place) => {
      return [(pc += step) * grain, (nec += curve.nec[place]) * grain];
    });
    const colour = model.colour === "#000000" ? "var(--ink)" : model.colour;
    return { ...model, colour, points: [ends[0], ...inner, ends[1]], curve: vertices };
  }

  controls() {
    const { id } = this.root;
    const choices = AXES.map((axes, place) => {
      const input = make.html("input", { type: "radio", name: `${id}/axes` });
      input.checked = !place;
      input.addEventListener("change", () => this.set({ axes }));
      return make.html("label", {}, input, ` ${axes.choice}`);
    });
    this.slider = make.html("input", { type: "range", min: 0.001, max: 0.999, step: 0.001 });
    this.slider.addEventListener("input", () => this.set({ pc: this.slider.valueAsNumber }));
    this.said = make.html("output");
    const place = make.html("label", {}, "PC(+) ", this.slider);
    return make.html("p", { class: "row" }, place, this.said, ...choices);
  }

  table() {
    const rows = this.models.map((model) => {
      const box = make.html("input", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => {
        this.off[box.checked ? "delete" : "add"](model);
        this.draw();
      });
      const key = make.svg("svg", { class: "key", viewBox: "0 0 28 8", "aria-hidden": true });
      const line = make.svg("path", { d: "M1 4h26", class: "line" });
      line.style.setProperty("--model", model.colour);
      if (model.dash) line.setAttribute("stroke-dasharray", model.dash.join(" "));
      key.append(line);
      const label = make.html("label", {}, box, key, make.html("bdi", {}, model.name));
      model.cells = HEADS.slice(1).map((_, place) => make.html("td", place === 2 ? {} : { class: "n" }));
      return make.html("tr", {}, make.html("th", { scope: "row" }, label), ...model.cells);
    });
    const heads = HEADS.map((words, place) => {
      return make.html("th", { scope: "col", class: [0, 3].includes(place) ? "" : "n" }, words);
    });
    const named = { class: "scroll", role: "region", tabindex: 0, "aria-label": "At this cost ratio" };
    const head = make.html("thead", {}, make.html("tr", {}, ...heads));
    return make.html("div", named, make.html("table", {}, head, make.html("tbody", {}, ...rows)));
  }

  ownPoints() {
    const fields = ["FP rate", "TP rate"].map((words) => {
      const input = make.html("input", { type: "number", min: 0, max: 1, step: "any" });
      return make.html("label", {}, `${words} `, input);
    });
    const add = make.html("button", { type: "button" }, "Add a point");
    add.addEventListener("click", () => {
      const inputs = fields.map((label) => label.lastChild);
      const wrong = inputs.find(({ valueAsNumber: rate }) => !(rate >= 0 && rate <= 1));
      if (wrong) wrong.focus();
      else this.add(...inputs.map(({ valueAsNumber }) => valueAsNumber));
    });
    this.list = make.html("ol", { class: "row" });
    const line = make.html("p", { class: "row" }, "Your own points: press in ROC space, or", ...fields, add);
    return make.html("div", {}, line, this.list);
  }

  add(fp, tp) {
    this.set({ own: [...this.own, { fp, tp, words: `Your point ${this.own.length + 1}` }] });
  }

  listen() {
    const { roc, cost } = this;
    const press = (event) => {
      const x = Math.min(0.999, Math.max(0.001, cost.share(event)[0]));
      this.set({ pc: this.axes.x(x, this.prior) });
    };
    cost.root.addEventListener("pointerdown", press);
    cost.root.addEventListener("pointermove", (event) => event.buttons && press(event));
    roc.root.addEventListener("pointermove", (event) => this.light(this.near(event)));
    roc.root.addEventListener("pointerleave", () => this.light(null));
    roc.root.addEventListener("click", (event) => {
      if (!this.near(event)) this.add(...roc.share(event));
    });
  }

  // The point at a pointer, of a model that is shown or of the reader's own.
  near(event) {
    const [x, y] = this.roc.share(event);
    const points = [...this.own, ...this.shown.flatMap(({ points }) => points.slice(1, -1))];
    const away = points.map(({ fp, tp }) => Math.hypot(fp - x, tp - y));
    const least = Math.min(...away);
    return least < 0.03 ? points[away.indexOf(least)] : null;
  }

  light(point) {
    this.roc.light(point);
    this.cost.light(point);
    const rates = point && `: FP rate ${point.fp.toFixed(3)}, TP rate ${point.tp.toFixed(3)}.`;
    this.point.textContent = point ? point.words + rates : HINT;
  }

  get shown() {
    return this.models.filter((model) => !this.off.has(model));
  }

  set(values) {
    Object.assign(this, values);
    this.draw();
  }

  draw() {
    const { pc, prior, axes, own, shown } = this;
    const best = shown.map(({ points }) => geometry.lowest(points, pc));
    const lowest = best.length ? geometry.lowest(best, pc) : null;
    const highest = axes.top(prior, this.most);
    const view = { id: this.root.id, shown, pc, prior, axes, own, lowest, highest };
    this.roc.draw(view);
    this.cost.draw(view);
    const odds = geometry.ratioOfPc(pc, prior);
    const whole = (value) => Number(value.toPrecision(2));
    const ratio = odds < 1 ? `1:${whole(1 / odds)}` : `${whole(odds)}:1`;
    this.slider.value = pc;
    this.said.textContent = `${pc.toFixed(3)}, cost ratio ${ratio}`;
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
    for (const model of this.models) this.read(model);
    this.list.replaceChildren(...own.map((point) => this.item(point)));
  }

  // Write what a model comes to here on the axes that are set.
  read({ cells, points, curve }) {
    const { pc, prior, axes } = this;
    const point = geometry.lowest(points, pc);
    const costs = [geometry.height(curve, pc), geometry.cost(point, pc)];
    const [cost, hindsight] = costs.map((nec) => axes.y(nec, pc, prior).toFixed(3));
    const words = [cost, hindsight, point.holder, point.fp.toFixed(3), point.tp.toFixed(3)];
    cells.forEach((cell, place) => (cell.textContent = words[place]));
  }

  item(point) {
    const { pc, prior, axes } = this;
    const cost = axes.y(geometry.cost(point, pc), pc, prior).toFixed(3);
    const remove = make.html("button", { type: "button", "aria-label": "Remove this point" }, "\u00d7");
    remove.addEventListener("click", () => this.set({ own: this.own.filter((one) => one !== point) }));
    return make.html("li", {}, `FP ${point.fp}, TP ${point.tp}: ${cost} here `, remove);
  }
}

for (const element of document.querySelectorAll("script.explored"))
  new Explorer(document.getElementById(element.dataset.explorer), JSON.parse(element.textContent));
