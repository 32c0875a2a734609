// The two spaces, drawn at their real size so that words and lines keep theirs on every screen.
class ExplorerPlot {
  constructor(title, names) {
    this.title = make.html("p", { class: "plot-title" }, make.html("b", {}, title));
    this.root = make.svg("svg", { class: "plot" });
    this.layers = {};
    for (const name of names) {
      this.layers[name] = make.svg("g", { class: name });
      this.root.append(this.layers[name]);
    }
    this.box = make.html("div", { class: "plot-box" }, this.title, this.root);
  }

  // Take the width that the page gives; as high as wide, with room for words around.
  measure() {
    const width = Math.max(240, Math.min(this.root.parentElement.clientWidth, 520));
    const [left, right, top, bottom] = [40, 12, 36, 40];
    const side = width - left - right;
    this.frame = { left, top, width: side, height: Math.round(0.94 * side) };
    const height = top + this.frame.height + bottom;
    make.set(this.root, { width, height, viewBox: `0 0 ${width} ${height}` });
  }

  // From shares of the axes to places in the drawing, and back.
  place(x, y) {
    const { left, top, width, height } = this.frame;
    return [left + x * width, top + (1 - y) * height];
  }

  share(event) {
    const { left, top, width, height } = this.frame;
    const box = this.root.getBoundingClientRect();
    const x = (event.clientX - box.left - left) / width;
    const y = 1 - (event.clientY - box.top - top) / height;
    return [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
  }

  pixels(event) {
    const box = this.root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // Hairline axes with ticks; `words` and `up` name them.
  axes(words, up, ticks, decimals) {
    const { left, top, width, height } = this.frame;
    const [bottom, right] = [top + height, left + width];
    const lines = make.svg("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` });
    const label = (x, y, text, attributes) => make.svg("text", { x, y, ...attributes }, text);
    const along = [0, 0.2, 0.4, 0.6, 0.8, 1].map((x) =>
      label(this.place(x, 0)[0], bottom + 16, x === 0 || x === 1 ? String(x) : x.toFixed(1), {
        class: "tick middle",
      }),
    );
    const upward = ticks.map(([y, value]) =>
      label(left - 6, this.place(0, y)[1] + 4, value === 0 ? "0" : value.toFixed(decimals), {
        class: "tick end",
      }),
    );
    const named = [
      label(left + width / 2, bottom + 34, words, { class: "axis-name middle" }),
      label(0, 10, up, { class: "axis-name" }),
    ];
    this.layers.axes.replaceChildren(lines, ...along, ...upward, ...named);
  }

  line(places, attributes) {
    return make.svg("path", {
      d: make.path(places.map(([x, y]) => this.place(x, y))),
      ...attributes,
    });
  }

  model(model, places, name) {
    const line = this.line(places, { class: `line ${name}` });
    if (model.dash.length) line.setAttribute("stroke-dasharray", make.dashes(model, 1.5));
    line.style.setProperty("--model", model.colour);
    return line;
  }

  dot(x, y, radius, name, colour) {
    const [cx, cy] = this.place(x, y);
    const dot = make.svg("circle", { cx, cy, r: radius, class: name });
    if (colour) dot.style.setProperty("--model", colour);
    return dot;
  }
}

// ROC space: hulls, their points, the reader's own points, and the line of equal cost.
class RocPlot extends ExplorerPlot {
  constructor() {
    super("ROC space: a classifier is a point", [
      "ground",
      "axes",
      "hulls",
      "iso",
      "best",
      "lit",
      "stops",
    ]);
    make.set(this.layers.stops, {
      role: "listbox",
      "aria-label": "Operating points: arrow keys walk along a model and from model to model",
    });
    make.set(this.root, { role: "group", "aria-label": "ROC space" });
  }

  frameUp() {
    const { left, top, width, height } = this.frame;
    const ground = make.svg("rect", { x: left, y: top, width, height, class: "paper" });
    const diagonal = this.line(
      [
        [0, 0],
        [1, 1],
      ],
      { class: "trivial" },
    );
    this.layers.ground.replaceChildren(ground, diagonal);
    const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((y) => [y, y]);
    this.axes("false positive rate", "true positive rate", ticks, 1);
  }

  hulls(models) {
    const lines = models.map((model) =>
      this.model(
        model,
        model.points.map(({ fp, tp }) => [fp, tp]),
        "hull",
      ),
    );
    const dots = models.flatMap((model) =>
      model.points.slice(1, -1).map(({ fp, tp }) => this.dot(fp, tp, 2.4, "vertex", model.colour)),
    );
    this.layers.hulls.replaceChildren(...lines, ...dots);
  }

  // What keys can reach: a transparent circle for each point, the reader's own among them.
  stops(stops) {
    const circles = stops.map((stop) => {
      const circle = this.dot(stop.point.fp, stop.point.tp, 9, stop.own ? "stop own" : "stop");
      make.set(circle, { role: "option", tabindex: -1, "aria-label": stop.label });
      make.set(circle, { "aria-selected": false, "data-key": stop.key });
      return circle;
    });
    circles[0]?.setAttribute("tabindex", 0);
    this.layers.stops.replaceChildren(...circles);
  }

  own(points, lit) {
    return points.map(({ fp, tp }, place) => {
      const [x, y] = this.place(fp, tp);
      const cross = make.svg("path", { class: "cross", d: `M${x - 5} ${y}h10M${x} ${y - 5}v10` });
      if (place === lit) cross.classList.add("bold");
      return make.svg(
        "g",
        {},
        cross,
        make.svg("text", { x: x + 7, y: y - 6, class: "mark" }, String(place + 1)),
      );
    });
  }

  iso(point, pc, words) {
    const ends = geometry.isoPerformance(point, pc).map(({ fp, tp }) => [fp, tp]);
    const line = this.line(ends, { class: "condition" });
    const { left, top, width, height } = this.frame;
    const label = make.svg(
      "text",
      { x: left + width - 6, y: top + height - 10, class: "mark end" },
      words,
    );
    this.layers.iso.replaceChildren(line, label);
  }
}

// Cost space: lower envelopes, cross-fitted curves, bands, lines; on Drummond and Holte's axes or on
// Reid's. Lines are straight and curves are made of straight pieces on both.
class CostPlot extends ExplorerPlot {
  constructor() {
    super("Cost space: a classifier is a line", [
      "ground",
      "bands",
      "curves",
      "lines",
      "axes",
      "cursor",
      "best",
      "lit",
    ]);
    make.set(this.root, {
      role: "img",
      "aria-label": "Cost space; the read-out below says what it shows",
    });
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

  scale(state, highest) {
    this.state = state;
    const tent = state.prior * (1 - state.prior);
    const ends = [0.01, 0.02, 0.05, 0.1, 0.25];
    this.top = state.reid ? (ends.find((end) => end >= tent) ?? 0.25) : highest;
  }

  frameUp() {
    const tent = [
      [0, 0],
      [0.5, 0.5],
      [1, 0],
    ].map((vertex) => this.at(vertex));
    const right = this.state.reid ? 0 : 1;
    const outside = [[1 - right, 1], ...tent, [right, 1]];
    const paper = this.clipped(outside, "shade");
    const { left, top, width, height } = this.frame;
    const ground = make.svg("rect", { x: left, y: top, width, height, class: "paper" });
    this.layers.ground.replaceChildren(ground, paper, this.clipped(tent, "trivial"));
    const step = this.step();
    const count = Math.round(this.top / step);
    const ticks = Array.from({ length: count + 1 }, (_, place) => [place / count, place * step]);
    const decimals = Math.max(1, -Math.floor(Math.log10(step) + 1e-9));
    if (this.state.reid)
      this.axes("c, the cost of a false positive", "expected loss", ticks, decimals);
    else this.axes("PC(+), the probability cost", "normalized expected cost", ticks, decimals);
  }

  step() {
    const steps = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
    return steps.find((step) => this.top / step <= 5.01);
  }

  // A line that ends where the plot does.
  clipped(places, name) {
    return this.line(places, { class: name, "clip-path": `url(#${this.clip})` });
  }

  // The element that cuts off what is too high, by an id of its own.
  clipAt(id) {
    this.clip = id;
    const { left, top, width, height } = this.frame;
    const room = make.svg("rect", { x: left, y: top, width, height });
    this.root.querySelector("defs")?.remove();
    this.root.prepend(make.svg("defs", {}, make.svg("clipPath", { id }, room)));
    for (const name of ["bands", "curves", "lines"]) {
      this.layers[name].setAttribute("clip-path", `url(#${id})`);
    }
  }

  curves(models, state) {
    const lines = models.flatMap((model) => {
      const envelope = this.model(
        model,
        this.envelope(model).map((it) => this.at(it)),
        "envelope",
      );
      if (!state.honest) return [envelope];
      const places = model.curve.map((it) => this.at(it));
      const honest = this.line(places, { class: "line honest" });
      honest.style.setProperty("--model", model.colour);
      return [honest, envelope];
    });
    this.layers.curves.replaceChildren(...lines);
    this.layers.bands.replaceChildren(...(state.bands ? models.map((it) => this.band(it)) : []));
  }

  envelope({ points }) {
    const breaks = points.slice(1).map((_, place) => geometry.range(points, place)[1]);
    const inner = breaks.map((pc, place) => [pc, geometry.cost(points[place], pc)]);
    return [[0, 0], ...inner, [1, 0]];
  }

  band(model) {
    const around = [...model.lower, ...[...model.upper].reverse()].map((it) => this.at(it));
    const band = this.line(around, { class: "band" });
    band.style.setProperty("--model", model.colour);
    return band;
  }

  ends({ fp, tp }) {
    return [
      [0, fp],
      [1, 1 - tp],
    ].map((end) => this.at(end));
  }

  // Words beside the condition, well below a place: there the curves are far apart.
  remark([x, y], words) {
    const [px, py] = this.place(x, 0.3 * y);
    const right = x <= 0.5;
    const at = { x: px + (right ? 8 : -8), y: py + 4 };
    return make.svg("text", { ...at, class: `mark halo ${right ? "start" : "end"}` }, words);
  }

  cursor(pc, words) {
    const [x] = this.at([pc, 0]);
    const [[px, bottom], [, top]] = [this.place(x, 0), this.place(x, 1)];
    const line = make.svg("path", { class: "condition", d: `M${px} ${bottom}V${top}` });
    const side = x < 0.15 ? "start" : x > 0.85 ? "end" : "middle";
    const label = make.svg("text", { x: px, y: top - 5, class: `mark bold ${side}` }, words);
    this.layers.cursor.replaceChildren(line, label);
  }
}
