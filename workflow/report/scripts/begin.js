// The page is complete without scripts. They add ways to look at it, and mark that they run.
"use strict";

document.documentElement.classList.add("scripted");

// Make an element with these attributes and this text, which is never read as markup.
const made = (tag, attributes = {}, text = "") => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
};

// Where search, folding and colours have their controls: above the contents.
const tools = made("div", { class: "tools" });
document.getElementById("contents").after(tools);
