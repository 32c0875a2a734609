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
    const [x, y] = this.pixels(event);
    const shares = [(x - left) / width, 1 - (y - top) / height];
    return shares.map((share) => Math.min(1, Math.max(0, share)));
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
    return this.owned(line, model);
  }

  // A model's own: in its colour, and found by its number when it is brought to the front.
  owned(element, model) {
    make.set(element, { "data-model": model.number });
    element.style.setProperty("--model", model.colour);
    return element;
  }

  // Let one model stand out; null: none.
  bring(number) {
    this.root.classList.toggle("lighting", number !== null);
    for (const element of this.root.querySelectorAll("[data-model]")) {
      element.classList.toggle("forward", element.dataset.model === String(number));
    }
  }

  // The mark of a model at the operating condition; that of the cheapest stands out.
  mark(model, least, x, y) {
    const [radius, name] = model === least ? [6, "best least"] : [4.5, "best"];
    return this.dot(x, y, radius, name, model.colour);
  }

  dot(x, y, radius, name, colour) {
    const [cx, cy] = this.place(x, y);
    const dot = make.svg("circle", { cx, cy, r: radius, class: name });
    if (colour) dot.style.setProperty("--model", colour);
    return dot;
  }
}
