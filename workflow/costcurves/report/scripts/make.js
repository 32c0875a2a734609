// The page is complete without scripts. Elements are made without markup: names are never read as HTML.
"use strict";

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
};
