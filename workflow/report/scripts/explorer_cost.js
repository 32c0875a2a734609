// Cost space: headline curves (thick), lower envelopes (thin), bands, lines; on Drummond and Holte's axes or on
// Reid's. Lines are straight and curves are made of straight pieces on both.
class CostPlot extends ExplorerPlot {
  constructor() {
    const layers = ["ground", "bands", "curves", "lines", "axes", "upright", "best", "lit"];
    super("Cost space: a classifier is a line", layers);
    const name = "Cost space; the read-out below says what it shows";
    make.set(this.root, { role: "img", "aria-label": name });
  }

  // Both axes as shares of their ends.
  at([pc, nec]) {
    const { reid, prior } = this.state;
    const x = reid ? geometry.reidOfPc(pc, prior) : pc;
    return [x, (reid ? geometry.loss(nec, x, prior) : nec) / this.top];
  }

  pc(x) {
    return this.state.reid ? geometry.pcOfReid(x, this.state.prior) : x;
  }

  // Reid's loss is at most as high as the tent of the trivial classifiers, which follows the prior.
  scale(state, highest) {
    this.state = state;
    const tent = state.prior * (1 - state.prior);
    const ends = [0.01, 0.02, 0.05, 0.1, 0.25];
    this.top = state.reid ? (ends.find((end) => end >= tent) ?? 0.25) : highest;
  }

  // The element that cuts off what is too high, by an id of its own.
  clipAt(id) {
    const { left, top, width, height } = this.frame;
    const room = make.svg("rect", { x: left, y: top, width, height });
    this.root.querySelector("defs")?.remove();
    this.root.prepend(make.svg("defs", {}, make.svg("clipPath", { id }, room)));
    this.clip = { "clip-path": `url(#${id})` };
    for (const name of ["bands", "curves", "lines"]) make.set(this.layers[name], this.clip);
  }

  frameUp() {
    const { left, top, width, height } = this.frame;
    const tent = [
      [0, 0],
      [0.5, 0.5],
      [1, 0],
    ].map((vertex) => this.at(vertex));
    const first = this.state.reid ? 1 : 0;
    const outside = [[first, 1], ...tent, [1 - first, 1]];
    this.layers.ground.replaceChildren(
      make.svg("rect", { x: left, y: top, width, height, class: "paper" }),
      this.line(outside, { class: "shade", ...this.clip }),
      this.line(tent, { class: "trivial", ...this.clip }),
      this.trivial(tent[1], tent[0], "always negative"),
      this.trivial(tent[1], tent[2], "always positive"),
    );
    this.ticks();
  }

  // The name of a trivial classifier, along the outer side of its line.
  trivial(apex, foot, words) {
    const seen = Math.min(1, 1 / apex[1]);
    const share = 0.8 * seen;
    const [x, y] = this.place(foot[0] + share * (apex[0] - foot[0]), share * apex[1]);
    const [[x0, y0], [x1, y1]] = [this.place(...foot), this.place(...apex)];
    const steep = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
    const angle = x1 > x0 ? steep : steep + 180;
    if (Math.hypot(x1 - x0, y1 - y0) * seen < 150) return "";
    const turned = { transform: `translate(${x} ${y}) rotate(${angle})`, y: -5 };
    return make.svg("text", { ...turned, class: "mark middle" }, words);
  }

  ticks() {
    const steps = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
    const step = steps.find((one) => this.top / one <= 5.01);
    const count = Math.round(this.top / step);
    const ticks = Array.from({ length: count + 1 }, (_, it) => [it / count, it * step]);
    const decimals = Math.max(1, -Math.floor(Math.log10(step) + 1e-9));
    const { reid } = this.state;
    const along = reid ? "c, the cost of a false positive" : "PC(+), the probability cost";
    this.axes(along, reid ? "expected loss" : "normalized expected cost", ticks, decimals);
  }

  curves(models, { promised, bands }) {
    const thin = models.map((model) => this.plain(model, this.envelope(model), "line envelope"));
    const thick = models.map((model) => {
      const vertices = model.curve.map((it) => this.at(it));
      return this.model(model, vertices, "headline");
    });
    const lines = promised ? [...thin, ...thick] : thick;
    const around = ({ lower, upper }) => [...lower, ...[...upper].reverse()];
    this.layers.curves.replaceChildren(...lines);
    this.layers.bands.replaceChildren(
      ...(bands ? models.map((model) => this.plain(model, around(model), "band")) : []),
    );
  }

  envelope({ points }) {
    const inner = points.slice(1).map((_, place) => {
      const [, pc] = geometry.range(points, place);
      return [pc, geometry.cost(points[place], pc)];
    });
    return [[0, 0], ...inner, [1, 0]];
  }

  plain(model, vertices, name) {
    const line = this.line(
      vertices.map((it) => this.at(it)),
      { class: name },
    );
    return this.owned(line, model);
  }

  // The ends of a point's cost line.
  ends({ fp, tp }) {
    return [
      [0, fp],
      [1, 1 - tp],
    ].map((end) => this.at(end));
  }

  condition(best, least, pc, words) {
    const [x] = this.at([pc, 0]);
    this.layers.upright.replaceChildren(...this.upright(x));
    const promised = best.map(({ promised: nec, colour }) =>
      this.dot(...this.at([pc, nec]), 3, "promised", colour),
    );
    const marks = best.map((it) => {
      const name = it === least ? "best least" : "best";
      const [, y] = this.at([pc, it.cost]);
      return this.dot(x, Math.min(1, y), it === least ? 6 : 4.5, name, it.colour);
    });
    const remark = least ? [this.remark(this.at([pc, least.cost]), words)] : [];
    this.layers.best.replaceChildren(...(this.state.promised ? promised : []), ...marks, ...remark);
    const lowest = least ? [this.line(this.ends(least.point), { class: "lowest" })] : [];
    const own = this.state.own.map((it) => this.line(this.ends(it), { class: "own-line" }));
    this.layers.lines.replaceChildren(...lowest, ...own);
  }

  upright(x) {
    const [[px, bottom], [, top]] = [this.place(x, 0), this.place(x, 1)];
    const line = make.svg("path", { class: "condition", d: `M${px} ${bottom}V${top}` });
    const words = `${this.state.reid ? "c" : "PC(+)"} = ${numbers.pc(x)}`;
    const side = x < 0.15 ? "start" : x > 0.85 ? "end" : "middle";
    const label = make.svg("text", { x: px, y: top - 5, class: `mark bold ${side}` }, words);
    return [line, label];
  }

  // Words beside the condition, well below a place: there the curves are far apart.
  remark([x, y], [before, name, after]) {
    const [px, py] = this.place(x, 0.18 * y);
    const right = x <= 0.5;
    const at = { x: px + (right ? 8 : -8), y: py + 4 };
    const letters = Math.floor((this.frame.width * Math.max(x, 1 - x)) / 6.9);
    const room = Math.max(8, letters - before.length - after.length);
    const words = `${before}${numbers.isolated(numbers.shortened(name, room))}${after}`;
    return make.svg("text", { ...at, class: `mark halo ${right ? "start" : "end"}` }, words);
  }

  // A point's line, with what its ends say of the point.
  light(lit, colour, number) {
    this.bring(number);
    this.layers.lit.replaceChildren(...(lit ? this.litLine(lit.point, colour) : []));
  }

  litLine(point, colour) {
    const ends = this.ends(point);
    const line = this.line(ends, { class: "lit-line", ...this.clip });
    line.style.setProperty("--model", colour);
    const words = [`FP ${numbers.cost(point.fp)}`, `1 \u2212 TP ${numbers.cost(1 - point.tp)}`];
    const named = ends.map(([x, y], place) => {
      const [px, py] = this.place(x, Math.min(y, 0.96));
      const at = { x: px + (x > 0.5 ? -5 : 5), y: py - 7 };
      const name = `mark halo ${x > 0.5 ? "end" : "start"}`;
      return make.svg("text", { ...at, class: name }, words[place]);
    });
    return [line, ...named];
  }
}
