// What a reader can set of one explorer: the axes, and what is drawn beside the curves. The operating
// condition has its one control above.
class ExplorerControls {
  constructor(dataset, change) {
    this.id = `${dataset.place.id}/`;
    this.change = change;
    this.axes = AXES.map((axes) =>
      this.choice("radio", `axes-${axes.key}`, axes.choice, (state) => (state.axes = axes)),
    );
    const layer = (name, words) =>
      this.choice("checkbox", name, words, (state, on) => (state[name] = on));
    this.promised = layer("promised", "in hindsight, all predictions pooled (thin, rings)");
    this.bands = layer("bands", `their ${numbers.percent(dataset.confidence)} bands`);
    const reset = make.html("button", { type: "button" }, "Reset");
    reset.addEventListener("click", () => this.change((state) => state.reset()));
    const beside = `Beside the ${numbers.estimate(dataset.models)} curves`;
    this.root = make.html(
      "div",
      { class: "controls" },
      ExplorerControls.group("Axes of cost space", ...this.axes.map((it) => it.parentElement)),
      ExplorerControls.group(beside, this.promised.parentElement, this.bands.parentElement, reset),
    );
  }

  // A radio button or check box in its label.
  choice(type, name, words, set) {
    const id = this.id + name;
    const input = make.html("input", { type, id, name: this.id + type });
    input.addEventListener("change", () => this.change((state) => set(state, input.checked)));
    make.html("label", { for: id, class: "choice" }, input, words);
    return input;
  }

  static group(legend, ...parts) {
    return make.html("fieldset", { class: "setting" }, make.html("legend", {}, legend), ...parts);
  }

  show({ axes, promised, bands }) {
    this.axes.forEach((input, place) => (input.checked = AXES[place] === axes));
    [this.promised.checked, this.bands.checked] = [promised, bands];
  }
}
