// What a reader has set of one explorer, and what the address says of it. The operating condition is
// the page's: p(+) is the share of positives, PC(+) is what everything is drawn at.
class ExplorerState {
  constructor(dataset) {
    this.dataset = dataset;
    this.reset();
  }

  reset() {
    Object.assign(this, { axes: AXES[0], promised: true, bands: false });
    this.off = new Set();
    this.own = [];
  }

  get prior() {
    return condition.prior(this.dataset);
  }

  get pc() {
    return condition.pc(this.dataset);
  }

  set pc(pc) {
    condition.ratio = geometry.ratioOfPc(pc, this.prior);
  }

  // A PC(+) on the axis of conditions, or such a place as a PC(+).
  x(pc) {
    return this.axes.x(pc, this.prior);
  }

  // What a cost comes to on these axes, and the same in words; a cost may be known to an error only.
  y(nec, pc) {
    return this.axes.y(nec, pc, this.prior);
  }

  write(nec, pc, error = 0) {
    return this.knows(pc) ? this.axes.write(this.y(nec, pc), pc, this.prior, error) : "\u2014";
  }

  knows(pc) {
    return pc >= this.axes.from;
  }

  get beyond() {
    const { name, value, from } = this.axes;
    const end = `${name} = ${numbers.pc(this.x(from))}`;
    return `Beyond ${end} this page knows costs too coarsely to say a ${value}.`;
  }

  told(nec, pc, error) {
    return `${this.axes.value} ${this.write(nec, pc, error)}`;
  }

  // The ends of a model's interval, in words; the lower first.
  interval(model, pc) {
    const written = [model.lower, model.upper].map((curve) =>
      this.write(geometry.height(curve, pc), pc, datasets.THINNED_BAND),
    );
    return this.axes.floor ? written : written.reverse();
  }

  shows(place) {
    return !this.off.has(place);
  }

  get place() {
    return this.dataset.place.id;
  }

  get said() {
    const said = [];
    if (this.axes !== AXES[0]) said.push(["axes", this.axes.key]);
    if (!this.promised) said.push(["promised", "off"]);
    if (this.bands) said.push(["bands", "on"]);
    if (this.off.size) said.push(["off", [...this.off].sort((a, b) => a - b).join("-")]);
    if (this.own.length) said.push(["points", this.own.map(ExplorerState.pair).join("-")]);
    return said;
  }

  // Take over what a fragment says of this dataset; what makes no sense is passed over.
  restore(fragment) {
    const [place, query] = fragment.slice(1).split("?");
    if (place !== this.place || query === undefined) return false;
    const said = new URLSearchParams(query);
    this.reset();
    this.axes = AXES.find(({ key }) => key === said.get("axes")) ?? AXES[0];
    this.promised = said.get("promised") !== "off";
    this.bands = said.get("bands") === "on";
    const places = (said.get("off") ?? "").split("-").filter(Boolean).map(Number);
    this.off = new Set(places.filter((place) => this.dataset.models[place]));
    this.own = (said.get("points") ?? "").split("-").map(ExplorerState.point).filter(Boolean);
    return true;
  }

  // Two rates without an exponent: a hyphen stands between points.
  static pair({ fp, tp }) {
    return [fp, tp].map((rate) => String(Number(rate.toFixed(6)))).join("_");
  }

  static point(text) {
    const [fp, tp] = text.split("_").map((rate) => (rate.trim() ? Number(rate) : NaN));
    return [fp, tp].every((rate) => rate >= 0 && rate <= 1) ? { fp, tp } : null;
  }
}
