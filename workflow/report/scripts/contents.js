// The contents follow the reader: the entry of what is on the screen is marked and kept in sight.
{
  const links = new Map();
  for (const link of document.querySelectorAll(".contents a")) {
    links.set(decodeURIComponent(link.hash.slice(1)), link);
  }
  const sections = [...links.keys()].map((id) => document.getElementById(id));
  const seen = new Set();
  let marked = null;

  const keepInSight = (link) => {
    const list = link.closest(".contents");
    const [place, frame] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    if (place.top < frame.top || place.bottom > frame.bottom) {
      list.scrollTop += place.top - frame.top - frame.height / 3;
    }
  };

  const mark = (link) => {
    if (link === marked) return;
    if (marked) marked.removeAttribute("aria-current");
    marked = link;
    link.setAttribute("aria-current", "location");
    keepInSight(link);
  };

  // Of the sections that cross a line near the top of the window, the last is the innermost.
  const watcher = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      const innermost = sections.findLast((section) => seen.has(section));
      if (innermost) mark(links.get(innermost.id));
    },
    { rootMargin: "-20% 0px -79% 0px" },
  );
  for (const section of sections) watcher.observe(section);
  mark(links.get(sections[0].id));
}

// What an address leads to is opened; browsers do not follow one with a query: "#methods?ratio=7".
{
  const arrive = () => {
    const [place, query] = location.hash.slice(1).split("?");
    const element = document.getElementById(place);
    const closed =
      element?.closest("details:not([open])") ??
      element?.querySelector(":scope > details:not([open])");
    if (closed) closed.open = true;
    if (closed || query) element?.scrollIntoView();
  };
  addEventListener("hashchange", arrive);
  arrive();
}
