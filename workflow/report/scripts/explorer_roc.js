// ROC space: hulls, their points, the reader's own points, and the line of equal cost.
class RocPlot extends ExplorerPlot {
  constructor() {
    const layers = ["ground", "axes", "hulls", "iso", "best", "lit", "stops"];
    super("ROC space: a classifier is a point", layers);
    make.set(this.layers.stops, {
      role: "listbox",
      "aria-label": "Operating points: arrow keys walk along a model and from model to model",
    });
    make.set(this.root, { role: "group", "aria-label": "ROC space" });
  }

  frameUp() {
    const { left, top, width, height } = this.frame;
    const ground = make.svg("rect", { x: left, y: top, width, height, class: "paper" });
    const diagonal = [0, 1].map((rate) => [rate, rate]);
    this.layers.ground.replaceChildren(ground, this.line(diagonal, { class: "trivial" }));
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
      model.points
        .slice(1, -1)
        .map(({ fp, tp }) => this.owned(this.dot(fp, tp, 2.4, "vertex"), model)),
    );
    this.layers.hulls.replaceChildren(...lines, ...dots);
  }

  // What keys can reach: a transparent circle for each point, the reader's own among them.
  stops(stops) {
    const circles = stops.map(({ point, words, key, own }) => {
      const circle = this.dot(point.fp, point.tp, 9, own ? "stop own" : "stop");
      const named = { role: "option", "aria-label": make.plain(words), "aria-selected": false };
      make.set(circle, { tabindex: -1, "data-key": key, ...named });
      return circle;
    });
    circles[0]?.setAttribute("tabindex", 0);
    this.layers.stops.replaceChildren(...circles);
  }

  // Each model's best point, and the line of points that promise as much as that of the cheapest.
  condition(best, least, pc, words) {
    const marks = best.map((it) => this.mark(it, least, it.point.fp, it.point.tp));
    this.layers.best.replaceChildren(...marks);
    this.layers.iso.replaceChildren(...(least ? this.iso(least.point, pc, words) : []));
  }

  iso(point, pc, words) {
    const ends = geometry.isoPerformance(point, pc).map(({ fp, tp }) => [fp, tp]);
    const [x, y] = this.place(0.985, 0.025);
    const label = make.svg("text", { x, y, class: "mark end" }, words);
    return [this.line(ends, { class: "condition" }), label];
  }

  light(lit, colour, number, own) {
    this.bring(number);
    const crosses = own.map((point, place) => this.cross(point, place));
    const ring = lit ? [this.dot(lit.point.fp, lit.point.tp, 6.5, "lit-point", colour)] : [];
    this.layers.lit.replaceChildren(...crosses, ...ring);
  }

  cross({ fp, tp }, place) {
    const [x, y] = this.place(fp, tp);
    const cross = make.svg("path", { class: "cross", d: `M${x - 5} ${y}h10M${x} ${y - 5}v10` });
    const number = make.svg("text", { x: x + 7, y: y - 6, class: "mark halo" }, String(place + 1));
    return make.svg("g", {}, cross, number);
  }
}
