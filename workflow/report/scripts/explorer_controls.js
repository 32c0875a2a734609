// What a reader can set. Each control shows the state and hands changes on; a field that is being
// typed into is left alone.
class ExplorerControls {
  constructor(dataset, change) {
    this.id = `${dataset.place.id}/`;
    this.change = change;
    this.root = make.html("div", { class: "controls" });
    this.estimate = numbers.estimate(dataset.models);
    this.confidence = dataset.confidence;
    this.condition();
    this.axes();
    this.layers();
    const reset = make.html("button", { type: "button" }, "Reset");
    reset.addEventListener("click", () => this.change((state) => state.reset()));
    this.choices.firstChild.append(reset);
  }

  condition() {
    const setX = (state, value) => this.setX(state, value);
    this.xName = make.html("label", { for: `${this.id}x-slider` });
    this.slider = this.range("x-slider", setX);
    this.x = this.field("x", 0, 1, setX);
    const setting = make.html("div", { class: "setting wide" }, this.xName, this.slider, this.x);
    this.root.append(make.html("div", { class: "settings" }, setting));
  }

  setX(state, value) {
    state.pc = state.x(value);
  }

  axes() {
    this.drawnOn = AXES.map((axes) => {
      const id = `${this.id}axes-${axes.key}`;
      const input = make.html("input", { type: "radio", name: `${this.id}axes`, id });
      input.addEventListener("change", () => this.change((state) => (state.axes = axes)));
      return input;
    });
    const labels = this.drawnOn.map((input, place) =>
      make.html("label", { for: input.id, class: "choice" }, input, AXES[place].choice),
    );
    const group = make.html(
      "fieldset",
      { class: "setting" },
      make.html("legend", {}, "Axes of cost space"),
      ...labels,
    );
    this.choices = make.html("div", { class: "settings" }, group);
    this.root.append(this.choices);
  }

  layers() {
    const box = (name, words) => {
      const id = this.id + name;
      const input = make.html("input", { type: "checkbox", id });
      input.addEventListener("change", () => this.change((state) => (state[name] = input.checked)));
      this[name] = input;
      return make.html("label", { for: id, class: "choice" }, input, words);
    };
    const group = make.html(
      "fieldset",
      { class: "setting" },
      make.html("legend", {}, `Beside the ${this.estimate} curves`),
    );
    group.append(
      box("promised", "in hindsight, all predictions pooled (thin, rings)"),
      box("bands", `their ${numbers.percent(this.confidence)} bands`),
    );
    this.choices.append(group);
  }

  range(name, set) {
    const input = make.html("input", {
      type: "range",
      id: this.id + name,
      min: 0,
      max: 1,
      step: 0.005,
    });
    input.addEventListener("input", () => this.change((state) => set(state, Number(input.value))));
    return input;
  }

  field(name, least, most, set) {
    const input = make.html("input", {
      type: "number",
      id: this.id + name,
      step: "any",
      min: least,
      max: most,
    });
    input.addEventListener("input", () => {
      const value = input.valueAsNumber;
      if (value >= least && value <= most) this.change((state) => set(state, value));
    });
    input.addEventListener("blur", () => this.show(...this.shown));
    return input;
  }

  // Show a state, as it is drawn at a PC(+).
  show(state, pc) {
    this.shown = [state, pc];
    const x = state.x(pc);
    this.xName.textContent = state.axes.field;
    this.slider.value = x;
    this.slider.setAttribute(
      "aria-valuetext",
      `${x.toFixed(3)}, cost ratio ${numbers.ratio(condition.ratioAt(pc, state.dataset))}`,
    );
    numbers.type(this.x, x);
    this.x.setAttribute("aria-label", `${this.xName.textContent} in digits`);
    this.drawnOn.forEach((input, place) => (input.checked = AXES[place] === state.axes));
    [this.promised.checked, this.bands.checked] = [state.promised, state.bands];
  }
}
