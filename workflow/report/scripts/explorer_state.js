// What a reader has set, and the fragment of the address that says so. The prior is p(+); PC(+) is
// what everything is drawn at. A new prior keeps the costs of mistakes, so PC(+) moves with it.
class ExplorerState {
  constructor(dataset) {
    this.dataset = dataset;
    this.reset();
  }

  reset() {
    const { pc, prior } = this.dataset;
    Object.assign(this, { pc, prior, reid: false, promised: true, bands: false });
    this.off = new Set();
    this.own = [];
  }

  get ratio() {
    return geometry.ratioOfPc(this.pc, this.prior);
  }

  setRatio(ratio) {
    this.pc = geometry.pcOfRatio(ratio, this.prior);
  }

  setPrior(prior) {
    const ratio = this.ratio;
    this.prior = prior;
    this.setRatio(ratio);
  }

  shows(place) {
    return !this.off.has(place);
  }

  // "#data/sonar/explorer?pc=0.35&axes=reid": the part before the question mark is an element's id,
  // so without a question mark it is an anchor like any other.
  get fragment() {
    const { pc, prior } = this.dataset;
    const said = new URLSearchParams();
    if (this.pc !== pc) said.set("pc", ExplorerState.short(this.pc));
    if (this.prior !== prior) said.set("prior", ExplorerState.short(this.prior));
    if (this.reid) said.set("axes", "reid");
    if (!this.promised) said.set("promised", "off");
    if (this.bands) said.set("bands", "on");
    if (this.off.size) said.set("off", [...this.off].sort((a, b) => a - b).join("-"));
    if (this.own.length) said.set("points", this.own.map(ExplorerState.pair).join("-"));
    const query = said.toString();
    return `#${this.dataset.place.id}${query && "?"}${query}`;
  }

  // Take over what a fragment says of this dataset; what makes no sense is passed over.
  restore(fragment) {
    const [place, query] = fragment.slice(1).split("?");
    if (place !== this.dataset.place.id || query === undefined) return false;
    const said = new URLSearchParams(query);
    this.reset();
    this.prior = ExplorerState.share(said.get("prior"), 1e-6) ?? this.prior;
    this.pc = ExplorerState.share(said.get("pc"), 0) ?? this.pc;
    this.reid = said.get("axes") === "reid";
    this.promised = said.get("promised") !== "off";
    this.bands = said.get("bands") === "on";
    const places = (said.get("off") ?? "").split("-").filter(Boolean).map(Number);
    this.off = new Set(places.filter((place) => this.dataset.models[place]));
    this.own = (said.get("points") ?? "").split("-").map(ExplorerState.point).filter(Boolean);
    return true;
  }

  static short(value) {
    return String(Number(value.toPrecision(5)));
  }

  static pair({ fp, tp }) {
    return `${ExplorerState.short(fp)}_${ExplorerState.short(tp)}`;
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
