// Points that the reader adds: by these fields, or by a click in ROC space.
class OwnPoints {
  constructor(dataset, change) {
    this.change = change;
    this.fields = ["fp", "tp"].map((name) => {
      const id = `${dataset.place.id}/own-${name}`;
      return make.html("input", { type: "number", id, min: 0, max: 1, step: "any" });
    });
    const labels = this.fields.flatMap((input, place) => [
      make.html("label", { for: input.id }, ["FP rate", "TP rate"][place]),
      input,
    ]);
    const add = make.html("button", { type: "button" }, "Add a point");
    add.addEventListener("click", () => this.add());
    this.list = make.html("ul", { class: "own-points" });
    const words = "Points of your own: click into ROC space, or ";
    const line = make.html("p", {}, words, ...labels, add);
    this.root = make.html("div", { class: "own" }, line, this.list);
  }

  add() {
    const wrong = this.fields.find(({ valueAsNumber: rate }) => !(rate >= 0 && rate <= 1));
    const [fp, tp] = this.fields.map((input) => input.valueAsNumber);
    if (wrong) wrong.focus();
    else this.change((state) => state.own.push({ fp, tp }));
  }

  show(state, pc) {
    if (this.list.children.length !== state.own.length)
      this.list.replaceChildren(...state.own.map((_, place) => this.item(place)));
    state.own.forEach((point, place) => {
      const rates = `FP ${numbers.cost(point.fp)}, TP ${numbers.cost(point.tp)}`;
      const words = `${place + 1}: ${rates}, ${state.told(geometry.cost(point, pc), pc)} here`;
      this.list.children[place].firstChild.textContent = words;
    });
  }

  item(place) {
    const named = { type: "button", "aria-label": `Remove point ${place + 1}` };
    const remove = make.html("button", named, "\u00d7");
    remove.addEventListener("click", () => this.remove(place));
    return make.html("li", {}, make.html("span"), remove);
  }

  // The button that was pressed is gone: the next one takes its place, for keys.
  remove(place) {
    this.change((state) => state.own.splice(place, 1));
    const next = this.list.children[place] ?? this.list.lastChild;
    (next ? next.lastChild : this.fields[0]).focus();
  }
}
