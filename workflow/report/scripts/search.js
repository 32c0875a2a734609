// Search within the page: sections, captions of figures and tables, models. The key / leads to it.
{
  const MOST = 12;
  const field = make.html("input", {
    type: "search",
    role: "combobox",
    placeholder: "Search  /",
    "aria-label": "Search this report",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "found",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = make.html("ul", { id: "found", role: "listbox", "aria-label": "What was found" });
  const count = make.html("p", { role: "status" });
  const panel = make.html("div", { class: "found", hidden: "" });
  let entries = null;
  let shown = [];
  let active = -1;

  const plain = (text) =>
    text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();

  // The sections that an element lies in, from the outside: "Sonar, Differences".
  const place = (element) => {
    const names = [];
    for (let at = element.closest("section"); at; at = at.parentElement.closest("section")) {
      names.unshift(at.firstElementChild.textContent.trim());
    }
    return names.join(", ");
  };

  const entry = (target, text, where) => ({ target, text, where, plain: plain(text) });

  // One entry for each section, figure and table, and for a model one in each section.
  const collected = () => {
    const found = [];
    for (const title of document.querySelectorAll("main h2, main h3, main h4")) {
      const section = title.parentElement;
      const own = section.firstElementChild === title;
      const around = own ? section.parentElement.closest("section") : section;
      found.push(entry(own ? section : title, title.textContent.trim(), around ? place(around) : ""));
    }
    for (const figure of document.querySelectorAll("main figure[id]")) {
      found.push(entry(figure, figure.querySelector("figcaption p").textContent.trim(), place(figure)));
    }
    for (const caption of document.querySelectorAll("main caption")) {
      found.push(entry(caption.parentElement, caption.textContent.trim(), place(caption)));
    }
    const models = new Map();
    for (const name of document.querySelectorAll("main th.model bdi")) {
      const key = `${name.textContent}\n${place(name)}`;
      if (!models.has(key)) models.set(key, entry(name.closest("tr"), name.textContent, place(name)));
    }
    return [...found, ...models.values()];
  };

  const matching = (query) => {
    const words = plain(query).split(" ").filter(Boolean);
    if (!words.length) return [];
    const behind = ({ plain: text }) => (text.startsWith(words.join(" ")) ? 0 : 1e6) + text.length;
    const all = entries.filter(({ plain: text, where }) =>
      words.every((word) => text.includes(word) || plain(where).includes(word)) &&
      words.some((word) => text.includes(word)),
    );
    return all.sort((one, other) => behind(one) - behind(other)); // names before long captions
  };

  const choose = (index) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = index;
    const option = list.children[active];
    if (!option) return field.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  const close = () => {
    panel.hidden = true;
    field.setAttribute("aria-expanded", "false");
    list.replaceChildren();
    choose(-1);
  };

  const go = ({ target }) => {
    field.value = "";
    close();
    target.dispatchEvent(new Event("reveal", { bubbles: true }));
    const ends = target.matches("a, button, [tabindex]");
    if (!ends) target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    target.scrollIntoView();
    if (!ends) target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
  };

  const option = (found, index) => {
    const item = make.html("li", { role: "option", id: `found-${index}`, "aria-selected": "false" });
    item.append(make.html("span", { class: "what" }, found.text), make.html("span", { class: "where" }, found.where));
    item.addEventListener("click", () => go(found));
    return item;
  };

  const search = () => {
    entries ??= collected();
    const all = matching(field.value);
    shown = all.slice(0, MOST);
    choose(-1);
    list.replaceChildren(...shown.map(option));
    panel.hidden = !field.value.trim();
    field.setAttribute("aria-expanded", String(!panel.hidden && shown.length > 0));
    const more = all.length > MOST ? `, the first ${MOST} shown` : "";
    count.textContent = all.length ? `${all.length} found${more}` : "Nothing found";
    if (shown.length) choose(0);
  };

  const keys = {
    ArrowDown: () => choose((active + 1) % shown.length),
    ArrowUp: () => choose((active + shown.length - 1) % shown.length),
    Enter: () => active >= 0 && go(shown[active]),
  };

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      if (field.value) field.value = "";
      else field.blur();
      close();
    } else if (keys[event.key] && !panel.hidden && shown.length) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  field.addEventListener("focus", () => field.value && search());
  field.addEventListener("blur", close);
  panel.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus

  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || writing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });

  const box = make.html("div", { class: "search" });
  panel.append(list, count);
  box.append(field, panel);
  tools.prepend(box);
}
