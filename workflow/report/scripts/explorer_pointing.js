// What a pointer or a key is on: a PC(+) in cost space, a point in ROC space. A mouse looks, a
// press sets; keys walk from point to point.
class ExplorerPointing {
  constructor(explorer) {
    this.explorer = explorer;
    this.pc = null; // looked at, not set
    this.pointed = null; // keys of points, which stay while points are drawn anew
    this.focused = null;
    this.dragged = null;
    this.model = null;
    this.listenToCost();
    this.listenToRoc();
    this.listenToKeys();
  }

  get lit() {
    return this.stops.find(({ key }) => key === (this.pointed ?? this.focused)) ?? null;
  }

  get stops() {
    return this.explorer.stops;
  }

  listenToCost() {
    const { root } = this.explorer.cost;
    root.addEventListener("pointerdown", (event) => {
      root.setPointerCapture(event.pointerId);
      this.set(event);
    });
    root.addEventListener("pointermove", (event) => {
      if (event.buttons) this.set(event);
      else this.look(this.pcAt(event));
    });
    root.addEventListener("pointerleave", () => this.look(null));
  }

  // As it is read out: in steps of a thousandth of the axis.
  pcAt(event) {
    const { cost, state } = this.explorer;
    return state.x(ExplorerPointing.rounded(cost.share(event)[0]));
  }

  set(event) {
    const pc = this.pcAt(event);
    this.explorer.change((state) => (state.pc = pc));
  }

  look(pc) {
    this.pc = pc;
    this.explorer.step();
  }

  listenToRoc() {
    const { root } = this.explorer.roc;
    root.addEventListener("pointermove", (event) => {
      if (this.dragged) this.put(this.dragged.place, event);
      else this.point(this.near(event)?.key ?? null);
    });
    root.addEventListener("pointerleave", () => this.point(null));
    root.addEventListener("pointerdown", (event) => {
      const stop = this.near(event);
      this.dragged = stop?.own ? stop : null;
      if (this.dragged) root.setPointerCapture(event.pointerId);
    });
    root.addEventListener("pointerup", () => (this.dragged = null));
    root.addEventListener("click", (event) => {
      const stop = this.near(event);
      if (stop) this.focus(stop);
      else this.put(this.explorer.state.own.length, event);
    });
  }

  // The point at a pointer; a finger needs more room than a mouse.
  near(event) {
    const { roc } = this.explorer;
    const places = this.stops.map(({ point }) => roc.place(point.fp, point.tp));
    const within = event.pointerType === "touch" ? 22 : 12;
    return this.stops[geometry.nearest(places, roc.pixels(event), within)] ?? null;
  }

  // Put a point of the reader's own, a new one or one that is there, to where a pointer is.
  put(place, event) {
    const [fp, tp] = this.explorer.roc.share(event).map(ExplorerPointing.rounded);
    this.explorer.change((state) => (state.own[place] = { fp, tp }));
  }

  point(key) {
    if (key === this.pointed) return;
    this.pointed = key;
    this.explorer.light();
  }

  listenToKeys() {
    const { stops } = this.explorer.roc.layers;
    stops.addEventListener("focusin", ({ target }) => this.arrive(target));
    stops.addEventListener("focusout", () => this.arrive(null));
    stops.addEventListener("keydown", (event) => {
      const here = this.stops.find(({ key }) => key === event.target.dataset.key);
      if (here && this.keyed(event, here)) event.preventDefault();
    });
  }

  // One point at a time is where the tab key leads: the last that keys were on.
  arrive(target) {
    this.focused = target?.dataset.key ?? null;
    for (const stop of target?.parentElement.children ?? []) {
      make.set(stop, { tabindex: stop === target ? 0 : -1, "aria-selected": stop === target });
    }
    this.explorer.light();
  }

  // Points were drawn anew: keys stay where they were.
  keep(key) {
    this.focused = null;
    this.focus(this.stops.find((stop) => stop.key === key));
  }

  focus(stop) {
    const circles = [...this.explorer.roc.layers.stops.children];
    const circle = stop && circles.find((it) => it.dataset.key === stop.key);
    circle?.focus({ preventScroll: true });
  }

  keyed({ key }, here) {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[key];
    const across = { ArrowUp: 1, ArrowDown: -1 }[key];
    if (along) this.focus(this.beside(here, along));
    else if (across) this.focus(this.nextModel(here, -across));
    else if (key === "Home" || key === "End") this.focus(this.stops.at(key === "Home" ? 0 : -1));
    else return false;
    return true;
  }

  beside(here, step) {
    const same = this.stops.filter(({ number }) => number === here.number);
    return same[same.indexOf(here) + step];
  }

  // The nearest point of the next model, or of the reader's own points after the last.
  nextModel(here, step) {
    const order = [...new Set(this.stops.map(({ number }) => number))];
    const next = order[order.indexOf(here.number) + step];
    const there = this.stops.filter(({ number }) => number === next);
    const places = there.map(({ point }) => [point.fp, point.tp]);
    return there[geometry.nearest(places, [here.point.fp, here.point.tp], Infinity)];
  }

  static rounded = (share) => Number(share.toFixed(3));
}
