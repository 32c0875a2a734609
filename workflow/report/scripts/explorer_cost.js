// Cost space: headline curves (thick), lower envelopes (thin), bands, lines; on Drummond and Holte's axes or on
// others. A curve, like a line, is a list of vertices in PC(+) and cost with straight pieces between them.
const STEPS = 400; // of a curve on axes where its pieces are not straight

class CostPlot extends ExplorerPlot {
  constructor() {
    const layers = ["ground", "bands", "curves", "lines", "axes", "upright", "best", "lit"];
    super("", layers);
    const name = "Cost space; the read-out below says what it shows";
    make.set(this.root, { role: "img", "aria-label": name });
  }

  // Both axes as shares of their ends.
  at([pc, nec]) {
    return [this.state.x(pc), this.height(this.state.y(nec, pc))];
  }

  height(y) {
    return (y - this.low) / (this.top - this.low);
  }

  // The places that a curve goes through, up to where the axes know it.
  trace(curve) {
    const { from } = this.state.axes;
    if (!from) return curve.map((it) => this.at(it));
    const far = this.state.x(from);
    return Array.from({ length: STEPS + 1 }, (_, step) => {
      const pc = this.state.x(far * (1 - step / STEPS));
      return this.at([pc, geometry.height(curve, pc)]);
    });
  }

  scale(state, highest) {
    this.state = state;
    [this.low, this.top] = state.axes.ends(state.prior, highest);
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
    const { title, floor, from } = this.state.axes;
    this.title.firstChild.textContent = title;
    const tent = this.trace(answers.TRIVIAL);
    const outside = [[tent[0][0], floor], ...tent, [tent.at(-1)[0], floor]];
    const trivial = from ? [0, 1].map((rate) => this.straight({ fp: rate, tp: rate })) : [tent];
    this.layers.ground.replaceChildren(
      make.svg("rect", { x: left, y: top, width, height, class: "paper" }),
      this.line(outside, { class: "shade", ...this.clip }),
      ...trivial.map((it) => this.line(it, { class: "trivial", ...this.clip })),
    );
    this.ticks();
    if (from) this.treated(...trivial);
    else
      this.layers.ground.append(
        this.trivial(tent[1], tent[0], "always negative"),
        this.trivial(tent[1], tent[2], "always positive"),
      );
  }

  // Names where the lines of treating nobody and all end.
  treated(none, all) {
    const named = (line, words) => {
      const end = line.find((place) => place[1] >= 0);
      const [[x, y], late] = [this.place(...end), end[0] > 0.8];
      const at = { x, y, dx: late ? -6 : 6, dy: -5 };
      return make.svg("text", { ...at, class: `mark halo ${late ? "end" : "start"}` }, words);
    };
    this.layers.axes.append(named(none, "treat none"), named(all, "treat all"));
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
    const { axes, prior } = this.state;
    const power = 10 ** Math.floor(Math.log10(this.top / 5.01));
    const step = [power, 2 * power, 5 * power, 10 * power].find((one) => this.top / one <= 5.01);
    const count = Math.floor(this.top / step + 0.01);
    const ticks = Array.from({ length: count + 1 }, (_, it) => [this.height(it * step), it * step]);
    const decimals = Math.max(1, -Math.floor(Math.log10(step) + 1e-9));
    this.axes(axes.along, axes.up(prior), ticks, decimals);
  }

  curves(models, { promised, bands }) {
    const [thin, shaded] = [promised, bands].map((on) => (on ? models : []));
    const around = ({ lower, upper }) => [...this.trace(lower), ...this.trace(upper).reverse()];
    this.layers.curves.replaceChildren(
      ...thin.map((it) => this.plain(it, this.trace(this.envelope(it)), "line envelope")),
      ...models.map((it) => this.model(it, this.trace(it.curve), "headline")),
    );
    this.layers.bands.replaceChildren(...shaded.map((it) => this.plain(it, around(it), "band")));
  }

  envelope({ points }) {
    const inner = points.slice(1).map((_, place) => {
      const [, pc] = geometry.range(points, place);
      return [pc, geometry.cost(points[place], pc)];
    });
    return [[0, 0], ...inner, [1, 0]];
  }

  plain(model, places, name) {
    return this.owned(this.line(places, { class: name }), model);
  }

  // A point's cost line.
  straight({ fp, tp }) {
    return this.trace([
      [0, fp],
      [1, 1 - tp],
    ]);
  }

  condition(best, least, pc, words) {
    const [x] = this.at([pc, 0]);
    this.layers.upright.replaceChildren(...this.upright(x));
    const known = this.state.knows(pc) ? best : [];
    const place = (nec) => Math.min(1, Math.max(0, this.at([pc, nec])[1]));
    const promised = known.map(({ promised: nec, colour }) =>
      this.dot(x, place(nec), 3, "promised", colour),
    );
    const marks = known.map((it) => this.mark(it, least, x, place(it.cost)));
    const remark = known.includes(least) ? [this.remark([x, place(least.cost)], words)] : [];
    this.layers.best.replaceChildren(...(this.state.promised ? promised : []), ...marks, ...remark);
    const lowest = least ? [this.line(this.straight(least.point), { class: "lowest" })] : [];
    const own = this.state.own.map((it) => this.line(this.straight(it), { class: "own-line" }));
    this.layers.lines.replaceChildren(...lowest, ...own);
  }

  upright(x) {
    const [[px, bottom], [, top]] = [this.place(x, 0), this.place(x, 1)];
    const line = make.svg("path", { class: "condition", d: `M${px} ${bottom}V${top}` });
    const words = `${this.state.axes.name} = ${numbers.pc(x)}`;
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
    const places = this.straight(point);
    const seen = places.filter(([, y]) => y >= 0);
    const line = this.line(places, { class: "lit-line", ...this.clip });
    line.style.setProperty("--model", colour);
    const words = [`FP ${numbers.cost(point.fp)}`, this.state.axes.missed(point)];
    const named = [seen[0], seen.at(-1)].map(([x, y], place) => {
      const [px, py] = this.place(x, Math.min(y, 0.96));
      const at = { x: px + (x > 0.5 ? -5 : 5), y: py - 7 };
      const name = `mark halo ${x > 0.5 ? "end" : "start"}`;
      return make.svg("text", { ...at, class: name }, words[place]);
    });
    return [line, ...named];
  }
}
