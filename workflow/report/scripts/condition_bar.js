// The one control of the page, which stays in sight. A field that is being typed into is left alone.
class ConditionBar {
  constructor(all) {
    this.all = all;
    this.slider = this.input("slider", { type: "range", min: -2, max: 2, step: 0.05 });
    this.ratio = this.input("ratio", { type: "number", min: 0, step: "any" });
    this.positives = this.input("positives", { type: "number", min: 0, max: 100, step: "any" });
    this.said = make.html("output", { for: this.ratio.id });
    this.live = make.html("p", { class: "unseen", "aria-live": "polite" });
    this.compose();
    this.listen();
    condition.listen(() => this.show());
  }

  input(name, attributes) {
    return make.html("input", { id: `condition/${name}`, ...attributes });
  }

  compose() {
    const part = (...parts) => make.html("span", { class: "part" }, ...parts);
    const label = (input, words) => make.html("label", { for: input.id }, words);
    const reset = make.html("button", { type: "button" }, "Reset");
    reset.addEventListener("click", () => this.change(() => condition.reset()));
    make.set(this.slider, { "aria-label": "What a missed positive costs to a false alarm" });
    make.set(this.positives, { placeholder: "as in data" });
    this.root = make.html(
      "div",
      { class: "condition-bar", role: "group", "aria-label": "Operating condition of this page" },
      part(label(this.ratio, "A missed positive costs"), this.ratio, " false alarms"),
      part(this.slider, this.said),
      part(label(this.positives, "Positives"), this.positives, " %"),
      reset,
      this.live,
    );
    document.querySelector("main > header").after(this.root);
  }

  listen() {
    const on = (input, set) =>
      input.addEventListener("input", () => this.change(() => set(input.valueAsNumber)));
    on(this.slider, (value) => condition.change({ ratio: ConditionBar.rounded(value) }));
    on(this.ratio, (ratio) => ratio >= 0 && condition.change({ ratio }));
    on(this.positives, (percent) => {
      if (Number.isNaN(percent) && !this.positives.validity.badInput)
        condition.change({ share: null });
      else if (percent > 0 && percent < 100) condition.change({ share: percent / 100 });
    });
    for (const input of [this.ratio, this.positives])
      input.addEventListener("blur", () => this.show());
  }

  change(set) {
    set();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => (this.live.textContent = this.spoken()), 400);
  }

  // The ratio of a place of the slider, which is a logarithm: one that can be said, such as 1:5.
  static rounded(place) {
    const size = Number((10 ** Math.abs(place)).toPrecision(2));
    return place < 0 ? 1 / size : size;
  }

  show() {
    const { ratio, share } = condition;
    const words = numbers.ratio(ratio);
    this.slider.value = Math.log10(Math.min(100, Math.max(0.01, ratio)));
    this.slider.setAttribute("aria-valuetext", `${words}, a missed positive to a false alarm`);
    this.said.textContent = words;
    numbers.type(this.ratio, ratio);
    numbers.type(this.positives, share === null ? NaN : 100 * share);
  }

  // What a screen reader says after a change.
  spoken() {
    const said = this.all.slice(0, 6).map((dataset) => {
      const { best, cost } = answers.at(dataset, condition.pc(dataset));
      return `${dataset.title}: ${best.name}, cost ${numbers.cost(cost)}.`;
    });
    return `${numbers.ratio(condition.ratio)}. Cheapest: ${said.join(" ")}`;
  }
}
