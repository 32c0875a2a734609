// Sections fold at their headings, some at first. What a link leads to unfolds; paper shows all.
{
  const sections = [...document.querySelectorAll("main section section, main > section:not(.verdict)")];
  const all = make.html("button", { type: "button" });

  const show = (section, open) => {
    section.classList.toggle("folded", !open);
    section.querySelector(".fold").setAttribute("aria-expanded", String(open));
    const any = sections.some((one) => !one.classList.contains("folded"));
    all.textContent = any ? "Fold all" : "Unfold all";
  };

  // Unfold an element and whatever it lies in, and say whether anything had to be.
  const reveal = (element) => {
    const folded = sections.filter(
      (section) => section.contains(element) && section.classList.contains("folded"),
    );
    for (const section of folded) show(section, true);
    return folded.length > 0;
  };

  const target = (hash) => {
    try {
      return document.getElementById(decodeURIComponent(hash.slice(1).split("?")[0]));
    } catch {
      // "#%E0" is no address of this page
      return null;
    }
  };

  const arrive = () => {
    const element = target(location.hash);
    const asked = location.hash.includes("?"); // an address that browsers do not follow
    if (element && (reveal(element) || asked)) element.scrollIntoView();
  };

  for (const section of sections) {
    const button = make.html("button", { type: "button", class: "fold" });
    const heading = section.firstElementChild;
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => show(section, section.classList.contains("folded")));
    show(section, section.dataset.folded === undefined);
  }
  all.addEventListener("click", () => {
    const open = all.textContent !== "Fold all";
    for (const section of sections) show(section, open);
  });
  tools.append(all);

  document.addEventListener("reveal", (event) => reveal(event.target));
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    const element = link && target(link.hash);
    if (element) reveal(element);
  });
  addEventListener("hashchange", arrive);
  arrive();
}
