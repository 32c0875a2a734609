// The one control of the page, which stays in sight. A field that is being typed into is left alone.
class ConditionBar {
  constructor(all) {
    this.all = all;
    this.slider = this.input("slider", { type: "range", min: -2, max: 2, step: 0.05 });
    this.ratio = this.input("ratio", { type: "number", min: 0, step: "any" });
    this.positives = this.input("positives", { type: "number", min: 0, max: 100, step: "any" });
    this.ends = ["from", "to"].map((name) =>
      this.input(name, { type: "number", min: 0, step: "any" }),
    );
    this.likely = make.html(
      "select",
      { id: "condition/likely", "aria-label": "What is equally likely" },
      make.html("option", { value: "ratio" }, "factor of the ratio"),
      make.html("option", { value: "pc" }, "PC(+)"),
    );
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
    make.set(this.slider, { "aria-label": "What a miss costs to a false alarm" });
    make.set(this.positives, { placeholder: "as given" });
    this.root = make.html(
      "div",
      { class: "condition-bar", role: "group", "aria-label": "Operating condition of this page" },
      part(label(this.ratio, "A miss costs"), this.ratio, " false alarms"),
      part(this.slider, this.said),
      part(label(this.positives, "Positives"), this.positives, " %"),
      reset,
      this.unsure(label),
      this.live,
    );
    document.querySelector("main > header").after(this.root);
  }

  // What those set who know a range only.
  unsure(label) {
    const [from, to] = this.ends;
    const ends = [label(from, "From"), from, label(to, "to"), to, " false alarms, every ", this.likely];
    const said = " equally likely, and known when deciding: the table of what to use gives expected costs.";
    const summary = make.html("summary", {}, "Unsure?");
    return make.html("details", {}, summary, make.html("p", {}, ...ends, said));
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
    const between = () => PageCondition.between(...this.ends.map((end) => end.valueAsNumber));
    for (const end of this.ends) on(end, () => condition.change({ range: between() }));
    this.likely.addEventListener("change", () =>
      this.change(() => condition.change({ byRatio: this.likely.value === "ratio" })),
    );
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
    this.slider.setAttribute("aria-valuetext", `${words}, a miss to a false alarm`);
    this.said.textContent = words;
    numbers.type(this.ratio, ratio);
    numbers.type(this.positives, share === null ? NaN : 100 * share);
    this.likely.value = condition.byRatio ? "ratio" : "pc";
    if (condition.range) {
      this.root.querySelector("details").open = true;
      condition.range.forEach((end, place) => numbers.type(this.ends[place], end));
    } else if (!this.ends.includes(document.activeElement))
      for (const end of this.ends) end.value = "";
  }

  // What a screen reader says after a change.
  spoken() {
    const said = this.all.slice(0, 6).map((dataset) => {
      const { best, cost } = condition.range
        ? answers.over(dataset)
        : answers.at(dataset, condition.pc(dataset));
      return `${dataset.title}: ${best.name}, cost ${numbers.cost(cost)}.`;
    });
    const more = this.all.length - said.length;
    if (more) said.push(`And ${more} more dataset${more === 1 ? "" : "s"}.`);
    const where = condition.inWords(...(condition.range ?? [condition.ratio]));
    return `${where}. Cheapest: ${said.join(" ")}`;
  }
}
