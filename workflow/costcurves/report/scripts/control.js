// The control of page 1. Python wrote the lines at every cost ratio and share of positives (control.py):
// here they are only exchanged, and a line is moved in each figure.
class Front {
  constructor({ slug, steps }) {
    this.root = document.getElementById(`front/${slug}`);
    this.steps = steps;
    this.places = [...this.root.querySelectorAll(".where, dt:first-child, dd")];
    this.first = this.places.map((place) => place.cloneNode(true));
    this.line = make.svg("path");
    this.name = make.svg("text");
    this.reader = make.svg("g", { class: "reader" }, this.line, this.name);
    this.svg = this.root.querySelector(".card svg");
    this.svg?.append(this.reader);
  }

  // Show the texts of a step, and its ratio in the figure.
  show(step, texts, ratio) {
    const [pc, ...numbers] = this.steps[step];
    this.write(numbers.map((number) => texts[number]));
    if (this.svg) this.move(pc, ratio);
  }

  write(elements) {
    const copies = elements.map((element) => element.cloneNode(true).childNodes);
    this.places.forEach((place, at) => place.replaceChildren(...copies[at]));
  }

  move(pc, ratio) {
    const [left, right, top, bottom, low, high] = this.svg.dataset.axes.split(" ").map(Number);
    const x = left + ((pc - low) / (high - low)) * (right - left);
    make.set(this.line, { d: `M${x} ${bottom}V${top}` });
    make.set(this.name, { x: Math.min(Math.max(x, left + 8), right - 8), y: top - 12.5 });
    this.name.textContent = ratio;
    this.reader.classList.toggle("outside", pc < low || pc > high);
  }

  reset() {
    this.write(this.first);
    this.reader.classList.add("outside");
  }

  get words() {
    const title = this.root.querySelector(".finding a").textContent;
    const [term, decision] = this.root.querySelectorAll("dt, dd");
    return `${title}: ${term.textContent.toLowerCase()}, ${decision.textContent}.`;
  }
}

class Control {
  constructor(root, content) {
    Object.assign(this, content);
    this.texts = root.nextElementSibling.content.children;
    this.fronts = this.datasets.map((dataset) => new Front(dataset));
    const named = { "aria-label": "Cost of a miss relative to a false alarm" };
    const range = { type: "range", max: this.ratios.length - 1, value: this.start, ...named };
    this.slider = make.html("input", range);
    this.output = make.html("output");
    const options = ["as in the data", ...this.shares].map((it) => make.html("option", {}, it));
    this.select = make.html("select", {}, ...options);
    this.note = make.html(
      "span",
      { class: "at" },
      "Ratios along the axes, and all below, stay at the data\u2019s own share; PC(+) holds at any.",
    );
    this.live = make.html("span", { class: "unseen", "aria-live": "polite" });
    this.select.selectedIndex = this.share;
    const reset = make.html("button", { type: "button" }, "Reset");
    root.append(
      make.html("label", {}, "Cost ratio ", this.slider),
      this.output,
      make.html("label", {}, "Positives ", this.select),
      reset,
      this.note,
      this.live,
    );
    for (const input of [this.slider, this.select])
      input.addEventListener("input", () => this.show());
    reset.addEventListener("click", () => this.reset());
    this.name();
  }

  show() {
    const ratio = this.slider.valueAsNumber;
    const step = this.select.selectedIndex * this.ratios.length + ratio;
    for (const front of this.fronts) front.show(step, this.texts, this.ratios[ratio]);
    this.name();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.live.textContent = this.fronts.map((front) => front.words).join(" ");
    }, 600);
  }

  reset() {
    this.slider.value = this.start;
    this.select.selectedIndex = this.share;
    for (const front of this.fronts) front.reset();
    this.name();
  }

  name() {
    const words = this.ratios[this.slider.valueAsNumber];
    this.output.textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    this.note.hidden = !this.select.selectedIndex;
  }
}

for (const root of document.querySelectorAll(".control"))
  new Control(root, JSON.parse(document.getElementById("steps").textContent));
