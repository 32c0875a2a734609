// A point in ROC space is a line in cost space: both, side by side, for a reader to touch. The
// static figure in the appendix says the same of one operating condition to those without scripts.
class Explorer {
  constructor(dataset) {
    this.dataset = dataset;
    this.state = new ExplorerState(dataset);
    this.roc = new RocPlot();
    this.cost = new CostPlot();
    this.controls = new ExplorerControls(dataset, (set) => this.change(set));
    this.ownPoints = new OwnPoints(dataset, (set) => this.change(set));
    this.readout = new ExplorerReadout(dataset, this);
    this.stops = [];
    this.pointing = new ExplorerPointing(this);
    this.compose();
    addEventListener("hashchange", () => this.restore());
    condition.listen(() => this.draw(), this.dataset.place);
    new ResizeObserver(() => this.draw(this.roc.box.clientWidth)).observe(this.roc.box);
  }

  compose() {
    const { place } = this.dataset;
    const plots = make.html("div", { class: "plots" }, this.roc.box, this.cost.box);
    const { point, verdict, live, table } = this.readout;
    place.append(this.controls.root, plots, point, table, verdict, this.ownPoints.root, live);
    make.set(place, { role: "group", "aria-label": `Explore ${this.dataset.title}` });
  }

  // Change what is set, by a reader: everything follows, the address too.
  change(set) {
    const before = this.state.own.length;
    const { pc } = this.state;
    set(this.state);
    this.pointing.pc = null;
    if (this.state.pc === pc) this.draw();
    else condition.tell();
    condition.keep(this.state);
    const more = Math.sign(this.state.own.length - before);
    this.readout.say({ 1: "Point added. ", "-1": "Point removed. ", 0: "" }[more] + this.spoken());
  }

  // Take over what the address says, if it speaks of this dataset.
  restore() {
    if (!this.state.restore(location.hash)) return;
    condition.explorer = this.state;
    this.draw();
    this.dataset.place.scrollIntoView();
  }

  get pc() {
    return this.pointing.pc ?? this.state.pc;
  }

  get shown() {
    return this.dataset.models.filter((_, place) => this.state.shows(place));
  }

  // Lay out and draw all that does not follow the operating condition, then what does. The width is
  // not asked for at every step: that would lay out the page each time.
  draw(width = this.width ?? this.roc.box.clientWidth) {
    const { state } = this;
    this.width = width;
    const said = [width, state.prior, ...state.said].join();
    if (said !== this.said) this.drawGround();
    this.said = said;
    this.step();
  }

  drawGround() {
    const { roc, cost, state, pointing } = this;
    this.controls.show(state);
    roc.measure();
    cost.measure();
    cost.scale(state, this.highest());
    cost.clipAt(`${this.dataset.place.id}/clip`);
    roc.frameUp();
    cost.frameUp();
    roc.hulls(this.shown);
    cost.curves(this.shown, state);
    this.stops = [...this.hullStops(), ...this.ownStops()];
    const key = roc.layers.stops.contains(document.activeElement) ? pointing.focused : null;
    roc.stops(this.stops);
    pointing.keep(key);
  }

  // The end of the cost axis: above all curves of all models, so that it stays where it is.
  highest() {
    const heights = this.dataset.models.flatMap((model) =>
      [...model.curve, ...this.cost.envelope(model)].map(([, nec]) => nec),
    );
    const most = Math.max(...heights);
    return Math.min(most <= 0.5 ? 0.5 : 1, Math.ceil(11.5 * most) / 10);
  }

  // The points that keys and pointers can be on: of the shown models' hulls, and the reader's own.
  hullStops() {
    return this.dataset.models.flatMap(({ name, points }, number) => {
      const stops = points.map((point, place) => {
        const words = ExplorerReadout.hullWords(name, points, place, this.state);
        return { point, place, number, words, key: `${number}.${place}` };
      });
      return this.state.shows(number) ? stops.slice(1, -1) : [];
    });
  }

  ownStops() {
    const number = this.dataset.models.length;
    return this.state.own.map((point, place) => {
      const words = ExplorerReadout.ownWords(point, place);
      return { point, place, number, words, key: `own.${place}`, own: true };
    });
  }

  // What follows the operating condition: light, because it is drawn at every step of a slider.
  step() {
    const { state, pc } = this;
    this.ownPoints.show(state, pc);
    this.readout.show(state, pc);
    const best = this.shown.map((model) => this.judged(model));
    const least = (this.cheapest = this.least(best));
    const all = best.includes(least) || !least ? best : [...best, least];
    this.roc.condition(all, least, pc, least && this.promiseWords(least));
    this.cost.condition(all, least, pc, least && this.cheapestWords(least));
    this.light();
  }

  // A model at the operating condition: the cost by which it is judged, and its hull's best point
  // with the cost that this promises.
  judged(model) {
    const point = model.points[geometry.cheapest(model.points, this.pc)];
    const cost = geometry.height(model.curve, this.pc);
    return { ...model, point, cost, promised: geometry.cost(point, this.pc) };
  }

  // What is cheapest: the constant decision if no model costs less, null if no model is shown. Of all
  // models the tables say it.
  least(best) {
    const constant = geometry.constant(this.pc, this.state.axes.called);
    if (!this.state.off.size) {
      const { number } = answers.at(this.dataset, this.pc).best;
      return best[number] ?? constant;
    }
    const first = best.reduce((one, two) => (one && one.cost <= two.cost ? one : two), null);
    return first && constant.cost <= first.cost + datasets.THINNED ? constant : first;
  }

  promiseWords({ promised, estimate }) {
    return `dashed: ${this.state.told(promised, this.pc)} all along${estimate ? ", in-sample" : ""}`;
  }

  // The name with what stands before and behind it.
  cheapestWords({ name, cost, estimate }) {
    const kind = `${this.state.axes.best}${estimate === "in-sample selection" ? " in-sample" : ""}`;
    return [`${kind}: `, name, `, ${this.state.told(cost, this.pc, datasets.THINNED)}`];
  }

  // Light up a point and its line, or else a model: what a pointer is on, or keys.
  light() {
    const { lit, model } = this.pointing;
    const number = lit ? lit.number : model;
    const colour = this.dataset.models[number]?.colour ?? "var(--ink)";
    this.roc.light(lit, colour, number, this.state.own);
    this.cost.light(lit, colour, number, this.state.own);
    make.write(this.readout.point, lit ? lit.words : [ExplorerReadout.HINT]);
  }

  // What a screen reader says after a change.
  spoken() {
    const { cheapest, state, pc } = this;
    if (!cheapest) return "No model is shown.";
    const ends = cheapest.lower && state.knows(pc) ? state.interval(cheapest, pc) : null;
    const interval = ends ? `, interval ${ends.join(" to ")}` : "";
    const words = `${this.cheapestWords(cheapest).join("")}${interval}.`;
    const { name } = state.axes;
    return `${name} ${numbers.pc(state.x(pc))}, ${words} ${make.plain(this.readout.parts)}`;
  }

  // One after the other, when nothing else is to be done: the one that the address names first.
  static start() {
    const named = ({ place }) => location.hash.startsWith(`#${place.id}`);
    const all = datasets.all().filter(({ place }) => place);
    const waiting = [...all.filter(named), ...all.filter((dataset) => !named(dataset))];
    for (const { place } of all) place.hidden = false;
    const idle = window.requestIdleCallback ?? setTimeout;
    const next = () => {
      if (!waiting.length) return;
      new Explorer(waiting.shift()).restore();
      idle(next);
    };
    idle(next);
  }
}

Explorer.start();
