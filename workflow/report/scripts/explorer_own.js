// Points that the reader adds: by these fields, or by a click in ROC space.
class OwnPoints {
  constructor(dataset, change) {
    this.id = `${dataset.place.id}/own-`;
    this.change = change;
    this.fp = this.field("fp", "FP rate");
    this.tp = this.field("tp", "TP rate");
    const add = make.html("button", { type: "button" }, "Add a point");
    add.addEventListener("click", () => this.add());
    this.list = make.html("ul", { class: "own-points" });
    const fields = [this.fp, this.tp].flatMap((field) => [field.label, field.input]);
    this.root = make.html(
      "div",
      { class: "own" },
      make.html("p", {}, "Points of your own: click into ROC space, or "),
      this.list,
    );
    this.root.firstChild.append(...fields, add);
  }

  field(name, words) {
    const id = this.id + name;
    const input = make.html("input", { type: "number", id, min: 0, max: 1, step: "any" });
    return { input, label: make.html("label", { for: id }, words) };
  }

  add() {
    const [fp, tp] = [this.fp.input, this.tp.input].map((input) => input.valueAsNumber);
    const wrong = [
      [fp, this.fp],
      [tp, this.tp],
    ].find(([value]) => !(value >= 0 && value <= 1));
    if (wrong) wrong[1].input.focus();
    else this.change((state) => state.own.push({ fp, tp }));
  }

  show(state, pc) {
    const said = JSON.stringify(state.own);
    if (said !== this.said)
      this.list.replaceChildren(...state.own.map((_, place) => this.item(place)));
    this.said = said;
    state.own.forEach((point, place) => {
      const rates = `FP ${numbers.cost(point.fp)}, TP ${numbers.cost(point.tp)}`;
      const words = `${place + 1}: ${rates}, ${state.told(geometry.cost(point, pc), pc)} here`;
      this.list.children[place].firstChild.textContent = words;
    });
  }

  item(place) {
    const remove = make.html(
      "button",
      { type: "button", "aria-label": `Remove point ${place + 1}` },
      "\u00d7",
    );
    remove.addEventListener("click", () => this.remove(place));
    return make.html("li", {}, make.html("span"), remove);
  }

  // The button that was pressed is gone: the next one takes its place, for keys.
  remove(place) {
    this.change((state) => state.own.splice(place, 1));
    const next = this.list.children[place] ?? this.list.lastChild;
    (next ? next.lastChild : this.fp.input).focus();
  }
}
