// The two spaces of the explorer, drawn anew whenever anything is set.
const SIDE = 460;
const FRAME = { left: 40, right: SIDE - 10, top: 22, bottom: SIDE - 44 };

class Plot {
  constructor(title, label) {
    this.root = make.svg("svg", {
      class: "plot",
      viewBox: `0 0 ${SIDE} ${SIDE}`,
      role: "img",
      "aria-label": label,
    });
    this.box = make.html("div", {}, make.html("p", { class: "plot-title" }, title), this.root);
  }

  // From shares of the axes to places in the drawing, and back from a pointer.
  place([x, y]) {
    const { left, right, top, bottom } = FRAME;
    return [left + x * (right - left), bottom + y * (top - bottom)];
  }

  share({ clientX, clientY }) {
    const { left, right, top, bottom } = FRAME;
    const box = this.root.getBoundingClientRect();
    const scale = SIDE / box.width;
    const shares = [
      ((clientX - box.left) * scale - left) / (right - left),
      ((clientY - box.top) * scale - bottom) / (top - bottom),
    ];
    return shares.map((share) => Number(Math.min(1, Math.max(0, share)).toFixed(3)));
  }

  line(places, name, model, dashed = false) {
    const d = places.map((it) => this.place(it).map((at) => at.toFixed(1)).join(" ")).join("L");
    const line = make.svg("path", { d: `M${d}`, class: name });
    if (model) line.style.setProperty("--model", model.colour);
    if (dashed && model.dash) line.setAttribute("stroke-dasharray", model.dash.join(" "));
    return line;
  }

  dot(at, radius, name, model) {
    const [cx, cy] = this.place(at);
    const dot = make.svg("circle", { cx, cy, r: radius, class: name });
    if (model) dot.style.setProperty("--model", model.colour);
    return dot;
  }

  words(at, words, name, dx = 0, dy = 0) {
    const [x, y] = this.place(at);
    return make.svg("text", { x: x + dx, y: y + dy, class: name }, words);
  }

  // Axes from 0 to 1 and from 0 to `highest`, with their names.
  axes(across, up, highest) {
    const power = 10 ** Math.floor(Math.log10(highest / 4));
    const step = [1, 2, 5, 10].map((size) => size * power).find((one) => highest / one <= 5.01);
    const upward = Array.from({ length: Math.floor(highest / step + 0.01) + 1 }, (_, it) => it * step);
    const { left, right, top, bottom } = FRAME;
    return [
      make.svg("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "axis" }),
      ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((x) => this.words([x, 0], String(x), "tick middle", 0, 16)),
      ...upward.map((y) =>
        this.words([0, y / highest], String(Number(y.toFixed(4))), "tick end", -5, 4),
      ),
      this.words([0.5, 0], across, "tick middle", 0, 34),
      this.words([0, 1], up, "tick", -36, -10),
    ];
  }
}

class RocPlot extends Plot {
  constructor() {
    super("ROC space: a threshold is a point", "ROC space; the table below has its numbers");
  }

  draw({ shown, pc, own, lowest }) {
    const at = ({ fp, tp }) => [fp, tp];
    const hulls = shown.flatMap((model) => [
      this.line(model.points.map(at), "line", model, true),
      ...model.points.slice(1, -1).map((point) => this.dot(at(point), 2.4, "point", model)),
      this.dot(at(geometry.lowest(model.points, pc)), 5, "point best", model),
    ]);
    const crosses = own.flatMap((point, place) => [
      this.words(at(point), "\u00d7", "own middle", 0, 5),
      this.words(at(point), String(place + 1), "tick", 7, -4),
    ]);
    this.root.replaceChildren(
      this.line([[0, 0], [1, 1]], "quiet"),
      ...this.axes("false positive rate", "true positive rate", 1),
      ...hulls,
      ...(lowest ? [this.line(geometry.isoPerformance(lowest, pc), "condition")] : []),
      ...crosses,
    );
  }

  light(point) {
    this.root.querySelector(".lit")?.remove();
    if (point) this.root.append(this.dot([point.fp, point.tp], 7, "lit"));
  }
}

class CostPlot extends Plot {
  constructor() {
    super("Cost space: a threshold is a line", "Cost space; the table below has its numbers");
  }

  // Pieces are straight on both kinds of axes, so vertices are enough.
  trace(curve) {
    const { x, y } = this.view.axes;
    const { prior, highest } = this.view;
    return curve.map(([pc, nec]) => [x(pc, prior), y(nec, pc, prior) / highest]);
  }

  straight({ fp, tp }) {
    return this.trace([[0, fp], [1, 1 - tp]]);
  }

  draw(view) {
    this.view = view;
    const { shown, pc, own, lowest, axes, prior, highest } = view;
    const tent = this.trace([[0, 0], [0.5, 0.5], [1, 0]]);
    const outside = [[tent[0][0], 1], ...tent, [tent[2][0], 1]];
    const [[x]] = this.trace([[pc, 0]]);
    const clip = { id: `${view.id}/clip` };
    const { left, right, top, bottom } = FRAME;
    const room = { x: left, y: top, width: right - left, height: bottom - top };
    const inside = make.svg(
      "g",
      { "clip-path": `url(#${clip.id})` },
      this.line(outside, "shade"),
      ...shown.map((model) => this.line(this.trace(geometry.envelope(model.points)), "thin", model)),
      ...shown.map((model) => this.line(this.trace(model.curve), "line", model, true)),
      ...(lowest ? [this.line(this.straight(lowest), "condition")] : []),
      ...own.map((point) => this.line(this.straight(point), "own-line")),
    );
    this.root.replaceChildren(
      make.svg("clipPath", clip, make.svg("rect", room)),
      inside,
      ...this.axes(axes.across, axes.up, highest),
      this.line([[x, 0], [x, 1]], "upright"),
      ...shown.map((model) => {
        const cost = geometry.height(model.curve, pc);
        return this.dot([x, axes.y(cost, pc, prior) / highest], 4, "point best", model);
      }),
    );
  }

  light(point) {
    this.root.querySelector(".lit")?.remove();
    if (point) this.root.append(this.line(this.straight(point), "lit"));
  }
}
