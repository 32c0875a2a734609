// What goes into someone's own text: a recommendation in two sentences.
{
  const button = (words, content) => {
    const one = make.html("button", { type: "button", class: "copy" }, words);
    one.addEventListener("click", async () => {
      const [kind, copied] = content();
      const done = navigator.clipboard.write([new ClipboardItem({ [kind]: copied })]);
      one.textContent = await done.then(() => "Copied", () => "The browser refused");
      setTimeout(() => (one.textContent = words), 2000);
    });
    return one;
  };

  // The words of a cell, with what is small in brackets.
  const said = (cell) => {
    const parts = [...cell.childNodes].map((part) => [part.textContent, part.className === "at"]);
    const words = (small, between) =>
      parts.filter((part) => part[1] === small).map(([text]) => text).join(between);
    const small = words(true, ", ");
    return `${words(false, "")}${small && ` (${small})`}`.replace(/\s+/g, " ").trim();
  };

  // The first row that is shown: the reader's, or else the study's.
  const recommendation = (body, { title, confidence, amounts }) => {
    const shown = (row) => row.cells.length > 1 && !row.hidden && !row.classList.contains("range");
    const row = [...body.rows].find(shown);
    const [place, best, cost, others, use] = [...row.cells].map(said);
    const here = row.classList.contains("set") ? place.replace("yours, ", "") : place;
    const threshold = use ? `; ${/^(\u2265|never|always|as)/.test(use) ? "threshold" : "use"} ${use}` : "";
    const of = `normalized expected cost${amounts ? ", amounts of 1000 cases" : ""}`;
    const intervals = `${numbers.percent(confidence)} intervals`;
    const compared = others.startsWith("not compared")
      ? "In hindsight: too low, not compared."
      : `Not ruled out: ${others}.`;
    return `${title}, ${here}: ${best} has the lowest estimate, ${cost} (${of}, ${intervals})${threshold}. ${compared}`;
  };

  for (const dataset of datasets.all()) {
    const body = document.querySelector(`.use tbody[data-dataset="${dataset.slug}"]`);
    const copy = button("Copy", () => ["text/plain", recommendation(body, dataset)]);
    body?.rows[0].cells[0].append(" ", copy);
  }
}
