// A point in ROC space is a line in cost space: both, side by side, for a reader to touch. The static
// figure below says the same of one operating condition to those without scripts.
class Explorer {
  constructor(dataset) {
    this.dataset = dataset;
    this.state = new ExplorerState(dataset);
    this.roc = new RocPlot();
    this.cost = new CostPlot();
    this.controls = new ExplorerControls(dataset, (set) => this.change(set));
    this.ownPoints = new OwnPoints(dataset, (set) => this.change(set));
    this.readout = new ExplorerReadout(dataset, (place, on) => this.toggle(place, on));
    this.compose();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.roc.box);
  }

  compose() {
    const { place } = this.dataset;
    const plots = make.html("div", { class: "plots" }, this.roc.box, this.cost.box);
    const { point, verdict, live, table } = this.readout;
    place.append(this.controls.root, plots, point, table, verdict, this.ownPoints.root, live);
    make.set(place, { role: "group", "aria-label": `Explore ${this.dataset.title}` });
    place.hidden = false;
  }

  // Change what is set, by a reader: everything follows, the address too.
  change(set) {
    set(this.state);
    this.hovered = null;
    this.draw();
    this.readout.say(this.spoken());
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => history.replaceState(null, "", this.state.fragment), 250);
  }

  toggle(place, on) {
    this.change(({ off }) => (on ? off.delete(place) : off.add(place)));
  }

  get pc() {
    return this.hovered ?? this.state.pc;
  }

  get shown() {
    return this.dataset.models.filter((_, place) => this.state.shows(place));
  }

  // Lay out and draw all that does not follow the operating condition, then what does.
  draw() {
    const said = [this.roc.box.clientWidth, this.state.fragment.replace(/pc=[^&]*/, "")].join();
    if (said !== this.said) this.drawGround();
    this.said = said;
    this.step();
  }

  drawGround() {
    const { roc, cost, state } = this;
    roc.measure();
    cost.measure();
    cost.scale(state, this.highest());
    cost.clipAt(`${this.dataset.place.id}/clip`);
    roc.frameUp();
    cost.frameUp();
    roc.hulls(this.shown);
    cost.curves(this.shown, state);
    this.stops = this.allStops();
    const inside = roc.layers.stops.contains(document.activeElement) && this.focused;
    roc.stops(this.stops);
    this.focused = null;
    if (inside) this.focus(this.stops.find(({ key }) => key === inside));
  }

  // The end of the cost axis: above all curves of all models, so that it stays where it is.
  highest() {
    const heights = this.dataset.models.flatMap(({ curve, points }) => [
      ...curve.map(([, nec]) => nec),
      ...this.cost.envelope({ points }).map(([, nec]) => nec),
    ]);
    const wanted = 1.15 * Math.max(...heights);
    return wanted > 0.5 && Math.max(...heights) <= 0.5
      ? 0.5
      : Math.min(1, Math.ceil(wanted * 10) / 10);
  }

  allStops() {
    const { models } = this.dataset;
    const hulls = models.flatMap(({ name, points }, number) =>
      points.map((point, place) => ({
        point,
        points,
        place,
        name,
        number,
        key: `${number}.${place}`,
      })),
    );
    const inner = hulls.filter(
      ({ place, points, number }) =>
        place > 0 && place < points.length - 1 && this.state.shows(number),
    );
    const number = models.length;
    const own = this.state.own.map((point, place) => ({
      point,
      place,
      number,
      own: true,
      key: `own.${place}`,
    }));
    const stops = [...inner, ...own];
    return stops.map((stop) => ({ ...stop, label: make.plain(ExplorerReadout.pointWords(stop)) }));
  }

  // What follows the operating condition: light, because it is drawn at every step of a slider.
  step() {
    const { state, pc, roc, cost } = this;
    this.controls.show(state, pc);
    this.ownPoints.show(state, pc);
    this.readout.show(state, pc);
    const best = this.shown.map((model) => model.points[geometry.cheapest(model.points, pc)]);
    const costs = best.map((point) => geometry.cost(point, pc));
    const least = costs.indexOf(Math.min(...costs));
    const x = cost.at([pc, 0])[0];
    cost.cursor(pc, state.reid ? `c = ${numbers.pc(x)}` : `PC(+) = ${numbers.pc(pc)}`);
    this.markBest(best, least);
    if (least >= 0)
      roc.iso(best[least], pc, `dashed: ${this.costWords(costs[least], x)} all along`);
    else roc.layers.iso.replaceChildren();
    cost.layers.lines.replaceChildren(...this.lines(best[least]));
    this.light();
  }

  costWords(nec, x) {
    const loss = this.state.reid
      ? `, loss ${numbers.cost(geometry.loss(nec, x, this.state.prior))}`
      : "";
    return `cost ${numbers.cost(nec)}${loss}`;
  }

  markBest(best, least) {
    const { roc, cost, pc, shown } = this;
    const radius = (place) => (place === least ? 6 : 4.5);
    const name = (place) => (place === least ? "best least" : "best");
    const inRoc = best.map(({ fp, tp }, place) =>
      roc.dot(fp, tp, radius(place), name(place), shown[place].colour),
    );
    const inCost = best.map((point, place) => {
      const [x, y] = cost.at([pc, geometry.cost(point, pc)]);
      return cost.dot(x, y, radius(place), name(place), shown[place].colour);
    });
    const honest = shown.map((model) => {
      const [x, y] = cost.at([pc, geometry.height(model.curve, pc)]);
      return cost.dot(x, Math.min(1, y), 3, "judged", model.colour);
    });
    roc.layers.best.replaceChildren(...inRoc);
    cost.layers.best.replaceChildren(...(this.state.honest ? honest : []), ...inCost);
    if (least < 0) return;
    const nec = geometry.cost(best[least], pc);
    const words = `${numbers.shortened(shown[least].name)} ${numbers.cost(nec)}`;
    cost.layers.best.append(cost.remark(cost.at([pc, nec]), words));
  }

  // The lowest line, and those of the reader's own points.
  lines(best) {
    const lowest = best ? [this.cost.line(this.cost.ends(best), { class: "lowest" })] : [];
    const own = this.state.own.map((point) =>
      this.cost.line(this.cost.ends(point), { class: "own-line" }),
    );
    return [...lowest, ...own];
  }

  // Light up a point and its line: the one under the pointer, else the one that keys are on.
  light() {
    const { roc, cost } = this;
    const stop = this.pointed ?? this.focused ?? null;
    const found = stop && this.stops.find(({ key }) => key === stop);
    roc.root.classList.toggle("lighting", Boolean(found));
    cost.root.classList.toggle("lighting", Boolean(found));
    roc.layers.lit.replaceChildren(...roc.own(this.state.own, found?.own ? found.place : -1));
    cost.layers.lit.replaceChildren();
    if (!found) {
      this.readout.point.textContent = Explorer.HINT;
      return;
    }
    const colour = this.dataset.models[found.number]?.colour ?? "var(--ink)";
    const { fp, tp } = found.point;
    roc.layers.lit.append(roc.dot(fp, tp, 6.5, "lit-point", colour));
    const line = cost.clipped(cost.ends(found.point), "lit-line");
    line.style.setProperty("--model", colour);
    cost.layers.lit.append(line);
    make.write(this.readout.point, ExplorerReadout.pointWords(found));
  }

  // What a screen reader says after a change.
  spoken() {
    const { shown, pc } = this;
    const costs = shown.map((model) => geometry.height(model.curve, pc));
    const least = costs.indexOf(Math.min(...costs));
    if (least < 0) return "No model is shown.";
    const { name, lower, upper } = shown[least];
    const ends = [lower, upper].map((curve) => numbers.cost(geometry.height(curve, pc)));
    const cheapest = `Cheapest: ${name}, cost ${numbers.cost(costs[least])}, interval ${ends.join(" to ")}.`;
    return `PC(+) ${numbers.pc(pc)}. ${cheapest} ${make.plain(this.readout.parts)}`;
  }

  listen() {
    this.listenToCost();
    this.listenToRoc();
    this.listenToKeys();
    addEventListener("hashchange", () => this.restore());
  }

  restore() {
    if (!this.state.restore(location.hash)) return;
    this.draw();
    this.dataset.place.dispatchEvent(new Event("reveal", { bubbles: true }));
    this.dataset.place.scrollIntoView();
  }

  // A mouse looks, a press sets; a finger that moves sideways sets all along.
  listenToCost() {
    const { root } = this.cost;
    const at = (event) => Number(this.cost.pc(this.cost.share(event)[0]).toFixed(4));
    const set = (event) => this.change((state) => (state.pc = at(event)));
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      set(event);
    });
    root.addEventListener("pointermove", (event) => {
      if (event.buttons) set(event);
      else this.look(at(event));
    });
    root.addEventListener("pointerleave", () => this.look(null));
  }

  look(pc) {
    this.hovered = pc;
    this.step();
  }

  listenToRoc() {
    const { root } = this.roc;
    const near = (event) => {
      const places = this.stops.map(({ point }) => this.roc.place(point.fp, point.tp));
      const found = geometry.nearest(
        places,
        this.roc.pixels(event),
        event.pointerType === "touch" ? 22 : 12,
      );
      return this.stops[found] ?? null;
    };
    root.addEventListener("pointermove", (event) => {
      if (this.dragged) this.drag(event);
      else this.point(near(event)?.key ?? null);
    });
    root.addEventListener("pointerleave", () => this.point(null));
    root.addEventListener("pointerdown", (event) => {
      const stop = near(event);
      event.preventDefault();
      this.focus(stop);
      this.dragged = stop?.own ? stop : null;
      if (this.dragged) root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointerup", () => (this.dragged = null));
    root.addEventListener("click", (event) => {
      if (!near(event)) this.add(this.roc.share(event));
    });
  }

  add([fp, tp]) {
    const point = { fp: Number(fp.toFixed(3)), tp: Number(tp.toFixed(3)) };
    this.change((state) => state.own.push(point));
  }

  drag(event) {
    const [fp, tp] = this.roc.share(event).map((rate) => Number(rate.toFixed(3)));
    this.change((state) => (state.own[this.dragged.place] = { fp, tp }));
  }

  point(key) {
    if (key === (this.pointed ?? null)) return;
    this.pointed = key;
    this.light();
  }

  element(stop) {
    return [...this.roc.layers.stops.children].find((it) => it.dataset.key === stop.key);
  }

  focus(stop) {
    if (stop) this.element(stop)?.focus({ preventScroll: true });
  }

  // Left and right walk along a model, up and down go to the nearest point of the next one.
  listenToKeys() {
    const { stops } = this.roc.layers;
    stops.addEventListener("focusin", ({ target }) => this.arrive(target));
    stops.addEventListener("focusout", () => this.arrive(null));
    stops.addEventListener("keydown", (event) => {
      const here = this.stops.find(({ key }) => key === event.target.dataset.key);
      if (!here || !this.keyed(event, here)) return;
      event.preventDefault();
    });
  }

  arrive(target) {
    this.focused = target?.dataset.key ?? null;
    if (target) {
      for (const stop of target.parentElement.children) {
        make.set(stop, { tabindex: stop === target ? 0 : -1, "aria-selected": stop === target });
      }
    }
    this.light();
  }

  keyed({ key, shiftKey }, here) {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const across = { ArrowUp: 1, ArrowDown: -1 }[key];
    if (here.own && shiftKey && (along || across)) this.nudge(here, along ?? 0, across ?? 0);
    else if (here.own && (key === "Delete" || key === "Backspace")) this.remove(here);
    else if (along) this.focus(this.beside(here, along));
    else if (across) this.focus(this.nextModel(here, -across));
    else if (key === "Home" || key === "End") this.focus(this.stops.at(key === "Home" ? 0 : -1));
    else return false;
    return true;
  }

  beside(here, step) {
    const same = this.stops.filter(({ number }) => number === here.number);
    return same[same.indexOf(here) + step];
  }

  nextModel(here, step) {
    const orders = [...new Set(this.stops.map(({ number }) => number))];
    const next = orders[orders.indexOf(here.number) + step];
    const there = this.stops.filter(({ number }) => number === next);
    const places = there.map(({ point }) => [point.fp, point.tp]);
    return there[geometry.nearest(places, [here.point.fp, here.point.tp], Infinity)];
  }

  nudge(here, right, up) {
    const moved = (rate, step) => Number(Math.min(1, Math.max(0, rate + 0.01 * step)).toFixed(3));
    const { fp, tp } = here.point;
    this.change((state) => (state.own[here.place] = { fp: moved(fp, right), tp: moved(tp, up) }));
    this.focus(here);
  }

  remove(here) {
    this.change((state) => state.own.splice(here.place, 1));
    this.focus(this.stops.at(-1));
  }

  static HINT =
    "Point at an operating point in ROC space, or walk from point to point with the arrow keys: its line lights up in cost space. Point at cost space to move the operating condition, press to keep it.";

  static start() {
    const found = datasets.all().map((dataset) => new Explorer(dataset));
    found.forEach((explorer) => explorer.restore());
  }
}

Explorer.start();
