// The operating condition of the whole page, which a reader sets once: what a missed positive costs
// to a false alarm, and the share of positives (null: each dataset's own). Those who are unsure set
// a range of cost ratios beside it (null: none). The address keeps it.
class PageCondition {
  constructor(all) {
    // A ratio such as 1:5 is the same number on every dataset, without the rounding of PC(+).
    const ratio = all.length ? geometry.ratioOfPc(all[0].pc, all[0].prior) : 1;
    this.start = Number(ratio.toPrecision(12));
    this.byRatio = true; // what is equally likely in the range: factors of the ratio, or PC(+)
    this.listeners = [];
    this.late = new Set(); // listeners whose place is out of sight, while a slider is dragged
    this.near = new Set(); // places in sight
    this.explorer = null; // the one that the address speaks of
    this.restore();
    addEventListener("hashchange", () => this.arrive());
    addEventListener("input", ({ target }) => (this.isDragged = target.type === "range"), true);
    // A slider is released, perhaps where it began.
    for (const ended of ["change", "pointerup", "pointercancel", "beforeprint"])
      addEventListener(ended, () => this.follow(), true);
    this.sight = new IntersectionObserver((seen) => this.see(seen), { rootMargin: "200px" });
  }

  prior(dataset) {
    return this.share ?? dataset.prior;
  }

  pc(dataset) {
    return geometry.pcOfRatio(this.ratio, this.prior(dataset));
  }

  // The cost ratio of a PC(+) at the share that is set, or else at a dataset's.
  ratioAt(pc, dataset) {
    return geometry.ratioOfPc(pc, this.share ?? dataset.prior);
  }

  // A ratio, or the ends of a range, in words; with the share of positives if a reader has set one.
  inWords(...ratios) {
    const said = ratios.map(numbers.ratio).join(" to ");
    return this.share === null ? said : `${said} at ${numbers.percent(this.share)}`;
  }

  get hasMoved() {
    return this.share !== null || this.hasOtherRatio;
  }

  get hasOtherRatio() {
    return this.ratio !== this.start && !(Math.abs(this.ratio / this.start - 1) < 1e-9);
  }

  // Change what is set, by a reader: all that listens follows, then the address.
  change(set) {
    Object.assign(this, set);
    this.tell();
    this.keep();
  }

  reset() {
    this.change({ ratio: this.start, share: null, range: null, byRatio: true });
  }

  // A listener that draws gives its place: out of sight it follows a slider when that is released.
  listen(listener, place) {
    this.listeners.push([listener, place]);
    if (place) this.sight.observe(place);
    listener();
  }

  tell() {
    for (const [listener, place] of this.listeners) {
      if (this.isDragged && place && !this.near.has(place)) this.late.add(listener);
      else listener();
    }
  }

  follow() {
    this.isDragged = false;
    for (const listener of this.late) listener();
    this.late.clear();
  }

  see(seen) {
    for (const { target, isIntersecting } of seen)
      this.near[isIntersecting ? "add" : "delete"](target);
    if (seen.some(({ isIntersecting }) => isIntersecting)) this.follow();
  }

  // The address follows a while after the last change: browsers limit how often it may.
  keep(explorer = this.explorer) {
    this.explorer = explorer;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => history.replaceState(null, "", this.fragment), 250);
  }

  // "#data/sonar/explorer?ratio=5&axes=reid": before the question mark stands an element's id.
  get fragment() {
    const place = this.explorer?.place ?? location.hash.slice(1).split("?")[0];
    const query = new URLSearchParams([...this.said, ...(this.explorer?.said ?? [])]).toString();
    return `#${place}${query && "?"}${query}`;
  }

  get said() {
    const said = [];
    if (this.hasOtherRatio) said.push(["ratio", this.short(this.ratio)]);
    if (this.share !== null) said.push(["positives", this.short(this.share)]);
    if (this.range) said.push(...this.range.map((end, at) => [["from", "to"][at], this.short(end)]));
    if (!this.byRatio) said.push(["equally", "pc"]);
    return said;
  }

  short(value) {
    return String(Number(value.toPrecision(9)));
  }

  // Take over what the address says; what makes no sense is passed over.
  restore() {
    const said = new URLSearchParams(location.hash.split("?")[1]);
    const number = (name) => (said.get(name)?.trim() ? Number(said.get(name)) : NaN);
    const [ratio, share] = [number("ratio"), number("positives")];
    this.ratio = ratio >= 0 ? ratio : this.start;
    this.share = share > 0 && share < 1 ? share : null;
    this.range = PageCondition.between(number("from"), number("to"));
    this.byRatio = said.get("equally") !== "pc";
  }

  // A range of ratios between two ends, or none.
  static between(...ends) {
    const [low, high] = ends.sort((one, other) => one - other);
    return low > 0 && low < high && high < Infinity ? [low, high] : null;
  }

  // A link within the page keeps what is set; an address with a query sets it.
  arrive() {
    this.explorer = null;
    if (location.hash.includes("?")) this.restore();
    else if (this.said.length) this.keep();
    this.tell();
  }
}

const condition = new PageCondition(datasets.all());
