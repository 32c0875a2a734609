// Figures along PC(+) share a cursor: where a reader points in one, a line stands in all figures of
// the dataset, and a box says what every model costs there. Figures say themselves where PC(+) runs
// (`data-pc`: x at 0 and at 1, y above and below).
class FigurePanel {
  constructor(group) {
    this.group = group;
    this.lines = {};
    [this.zero, this.one, this.top, this.bottom] = group.dataset.pc.split(",").map(Number);
  }

  // The PC(+) of a place in the drawing; null outside.
  pc({ x, y }, around = 4) {
    const [low, high] = [Math.min(this.zero, this.one), Math.max(this.zero, this.one)];
    const inside =
      x >= low - around && x <= high + around && y >= this.top && y <= this.bottom;
    return inside ? Math.min(1, Math.max(0, (x - this.zero) / (this.one - this.zero))) : null;
  }

  // Put a line at a PC(+): the cursor, or the condition that is set.
  point(pc, kind = "cursor") {
    const x = (this.zero + pc * (this.one - this.zero)).toFixed(2);
    this.lines[kind] ??= this.drawn(kind);
    make.set(this.lines[kind], { x1: x, x2: x });
  }

  drawn(kind) {
    const line = make.svg("line", { class: kind, y1: this.top, y2: this.bottom });
    this.group.append(line);
    return line;
  }
}

class FigureCursor {
  constructor(dataset, drawings) {
    this.dataset = dataset;
    this.drawings = drawings;
    this.panels = new Map(drawings.map((svg) => [svg, FigureCursor.panels(svg)]));
    this.box = make.html("div", { class: "costs-here", "aria-hidden": true });
    for (const [svg, panels] of this.panels)
      condition.listen(() => panels.forEach((it) => it.point(condition.pc(dataset), "set")), svg);
    for (const svg of drawings) {
      svg.addEventListener("pointermove", (event) => this.follow(svg, event));
      svg.addEventListener("pointerdown", (event) => this.follow(svg, event));
      svg.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.hide());
    }
  }

  static panels(svg) {
    return [...svg.querySelectorAll("[data-pc]")].map((group) => new FigurePanel(group));
  }

  // Once a frame at most, however often a pointer moves.
  follow(svg, event) {
    this.next = { svg, x: event.clientX, y: event.clientY };
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.show(this.next);
    });
  }

  show({ svg, x, y }) {
    const place = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
    const here = this.panels.get(svg).find((panel) => panel.pc(place) !== null);
    if (!here) return this.hide();
    const pc = here.pc(place);
    for (const panel of [...this.panels.values()].flat()) panel.point(pc);
    for (const drawing of this.drawings) drawing.classList.add("pointed");
    this.say(pc);
    this.put(svg, here, x);
  }

  hide() {
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
    for (const drawing of this.drawings) drawing.classList.remove("pointed");
    this.box.remove();
  }

  // The models, the cheapest first, as many as a box may hold.
  say(pc, most = 12) {
    const { models } = this.dataset;
    const costs = models.map((model) => [model, geometry.height(model.curve, pc)]);
    const rows = costs.sort((a, b) => a[1] - b[1]).slice(0, most);
    const ratio = numbers.ratio(condition.ratioAt(pc, this.dataset));
    const others = `and ${models.length - most} more expensive`;
    const more = models.length > most ? [make.html("p", {}, others)] : [];
    this.box.replaceChildren(
      make.html("p", {}, `PC(+) ${numbers.pc(pc)}, cost ratio ${ratio}`),
      ...rows.map(([model, cost]) => FigureCursor.row(model, cost, pc)),
      ...more,
    );
  }

  static row(model, cost, pc) {
    const ends = [model.lower, model.upper].filter((edge) => edge.length);
    const interval = numbers.interval(...ends.map((edge) => geometry.height(edge, pc)));
    return make.html(
      "p",
      {},
      make.html("span", { class: `swatch model-${model.index}` }),
      make.html("bdi", {}, numbers.shortened(model.name)),
      make.html("b", {}, numbers.cost(cost)),
      make.html("span", { class: "at" }, ends.length === 2 ? interval : ""),
    );
  }

  // Beneath the axes that are pointed at, or above them where the window ends: never on them.
  put(svg, panel, x, gap = 6) {
    const card = svg.parentElement;
    if (this.box.parentElement !== card) card.append(this.box);
    const [room, own] = [card.getBoundingClientRect(), this.box.getBoundingClientRect()];
    const edge = (y) => new DOMPoint(0, y).matrixTransform(svg.getScreenCTM()).y;
    const [above, below] = [edge(panel.top) - gap - own.height, edge(panel.bottom) + gap];
    const top = below + own.height > innerHeight && above >= 0 ? above : below;
    const left = Math.min(x - room.left - own.width / 2, room.width - own.width);
    this.box.style.left = `${Math.max(0, left) + card.scrollLeft}px`;
    this.box.style.top = `${top - room.top}px`;
  }
}

for (const dataset of datasets.all()) {
  const own = [...document.querySelectorAll("figure[data-dataset] svg")].filter(
    (svg) => svg.closest("figure").dataset.dataset === dataset.slug && svg.querySelector("[data-pc]"),
  );
  const cursor = new FigureCursor(dataset, own);
  document.addEventListener("pointerdown", ({ target }) => target.closest("svg") ?? cursor.hide());
}

// Where a figure is wider than its card, as on a phone, keys move it, too.
const reach = new ResizeObserver((cards) => {
  for (const { target: card } of cards)
    if (card.scrollWidth > card.clientWidth) card.setAttribute("tabindex", 0);
    else card.removeAttribute("tabindex");
});
for (const card of document.querySelectorAll(".card")) reach.observe(card);
