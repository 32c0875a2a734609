// What a reader has set of one explorer, and what the address says of it. The operating condition is
// the page's: p(+) is the share of positives, PC(+) is what everything is drawn at.
class ExplorerState {
  constructor(dataset) {
    this.dataset = dataset;
    this.reset();
  }

  reset() {
    Object.assign(this, { reid: false, promised: true, bands: false });
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

  shows(place) {
    return !this.off.has(place);
  }

  get place() {
    return this.dataset.place.id;
  }

  get said() {
    const said = [];
    if (this.reid) said.push(["axes", "reid"]);
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
    this.reid = said.get("axes") === "reid";
    this.promised = said.get("promised") !== "off";
    this.bands = said.get("bands") === "on";
    const places = (said.get("off") ?? "").split("-").filter(Boolean).map(Number);
    this.off = new Set(places.filter((place) => this.dataset.models[place]));
    this.own = (said.get("points") ?? "").split("-").map(ExplorerState.point).filter(Boolean);
    return true;
  }

  static pair({ fp, tp }) {
    return `${condition.short(fp)}_${condition.short(tp)}`;
  }

  static point(text) {
    const [fp, tp] = text.split("_").map((rate) => ExplorerState.share(rate, 0));
    return fp === null || tp === null || tp === undefined ? null : { fp, tp };
  }

  // A number from `least` to 1 - `least`, or null.
  static share(text, least) {
    const value = text === null || text.trim() === "" ? NaN : Number(text);
    return value >= least && value <= 1 - least ? value : null;
  }
}
