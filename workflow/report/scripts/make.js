// Elements without markup: names are attributes and text, never read as HTML.
const make = {
  html: (name, attributes = {}, ...children) =>
    make.filled(document.createElement(name), attributes, children),

  svg: (name, attributes = {}, ...children) =>
    make.filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children),

  filled(element, attributes, children) {
    make.set(element, attributes);
    element.append(...children);
    return element;
  },

  set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  },

  // Words with names between them, each name isolated from the direction of the text around it.
  write(element, parts) {
    element.replaceChildren(
      ...parts.map((part) => (part.name === undefined ? part : make.html("bdi", {}, part.name))),
    );
  },

  plain: (parts) => parts.map((part) => part.name ?? part).join(""),

  // A piece of a model's line, as in the figures.
  swatch(model) {
    const line = make.svg("path", { d: "M1 4h26", class: "line" });
    if (model.dash.length) line.setAttribute("stroke-dasharray", make.dashes(model, 2));
    return make.svg("svg", { class: "key", width: 28, height: 8, "aria-hidden": true }, line);
  },

  dashes: (model, width) => model.dash.map((length) => length * width).join(" "),

  path: (places) =>
    places.length ? `M${places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : "",
};
