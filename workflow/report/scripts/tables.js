// Tables sort by a column: ascending, descending, as they were. Groups of rows stay together.
{
  const ORDERS = ["none", "ascending", "descending"];
  const letters = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  // Words that are a number: nothing saved, any ratio from 0 on, no score or every score positive.
  const SAID = { nothing: 0, all: 0, never: Infinity, always: -Infinity };
  Object.assign(SAID, { "always negative": Infinity, "always positive": -Infinity });

  // The number that words begin with or from; a ratio a:b is a quotient. What is no number is NaN.
  const numberIn = (words) => {
    if (words in SAID) return SAID[words];
    if (words.startsWith("below")) return 0;
    const plain = words.replace(/[\u202f\u00a0]/g, "").replace(/\u2212/g, "-");
    const found = plain.match(/([<>])?([+-]?\d[\d.]*(?:e[+-]?\d+)?)(?::(\d[\d.]*))?/);
    if (!found) return NaN;
    const value = Number(found[2]) / Number(found[3] ?? 1);
    const beyond = { "<": 1 - 1e-9, ">": 1 + 1e-9 }[found[1]] ?? 1;
    return (plain.startsWith("-<") ? -beyond : beyond) * value;
  };

  // What a cell is sorted by: words, or in a column of numbers a number. A threshold is the score
  // behind its sign, or a constant decision; of a member without a score there is the name. Of two
  // decisions, each for a part of the cases, the first counts.
  const keyOf = (cell, kinds) => {
    const words = cell.textContent.trim();
    if (kinds.contains("score")) {
      const [name, score] = words.split(", and in ")[0].split(/\u2265|threshold/);
      return score || name in SAID ? numberIn((score ?? name).trim()) : words;
    }
    return kinds.contains("n") || kinds.contains("numbers") ? numberIn(words) : words;
  };

  // Numbers come before words, and what is neither comes last, in either direction.
  const compared = (a, b, sign) => {
    const rank = (key) => (key === "" || Number.isNaN(key) ? 2 : Number(typeof key === "string"));
    if (rank(a) !== rank(b) || rank(a) === 2) return rank(a) - rank(b);
    return sign * (rank(a) ? letters.compare(a, b) : Number(a > b) - Number(a < b));
  };

  const sorted = (rows, column, order, kinds) => {
    if (order === "none") return rows;
    const sign = order === "ascending" ? 1 : -1;
    const keyed = rows.map((row) => [row, keyOf(row.cells[column], kinds)]);
    keyed.sort((one, other) => compared(one[1], other[1], sign));
    return keyed.map(([row]) => row);
  };

  const sortable = (table) => {
    const [head, ...more] = table.tHead ? table.tHead.rows : [];
    const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
    const whole = rows.every(
      (row) => row.cells.length === head?.cells.length || row.cells[0].scope === "rowgroup",
    );
    const several = [...table.tBodies].some(
      (body) => [...body.rows].filter((row) => row.cells.length > 1).length > 1,
    );
    return head && !more.length && whole && several && [...head.cells].every((it) => it.textContent);
  };

  const prepare = (table) => {
    const groups = [...table.tBodies].map((body) => {
      const rows = [...body.rows];
      return [body, rows, rows.filter((row) => row.cells[0].scope !== "rowgroup" && !row.classList.contains("set"))];
    });
    const heads = [...table.tHead.rows[0].cells];

    const sort = (head, column, order) => {
      for (const one of heads) one.removeAttribute("aria-sort");
      if (order !== "none") head.setAttribute("aria-sort", order);
      for (const [body, rows, moving] of groups) {
        const fixed = rows.filter((row) => !moving.includes(row));
        body.append(...fixed, ...sorted(moving, column, order, head.classList));
      }
    };

    const worded = (column) =>
      groups.some(([, , moving]) => moving.some((row) => row.cells[column].textContent.trim()));

    heads.forEach((head, column) => {
      if (!worded(column)) return; // pictures have no order
      const button = make.html("button", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = ORDERS.indexOf(head.getAttribute("aria-sort") ?? "none");
        sort(head, column, ORDERS[(now + 1) % ORDERS.length]);
      });
    });
  };

  // On a phone the columns of a table that is too wide stand beneath each other, each with its name.
  const stacking = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      target.classList.remove("stacked");
      target.classList.toggle("stacked", target.scrollWidth > target.clientWidth);
    }
  });
  for (const table of document.querySelectorAll(".scroll:not(.use *) > table")) {
    const heads = [...(table.tHead?.rows[0].cells ?? [])].map((head) => head.textContent);
    for (const { cells } of table.rows)
      heads.forEach((head, column) => cells[column]?.setAttribute("data-head", head));
    stacking.observe(table.parentNode);
  }
  [...document.querySelectorAll("main table")].filter(sortable).forEach(prepare);
}
