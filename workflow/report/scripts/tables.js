// Tables sort by a column: ascending, descending, as they were. Groups of rows stay together.
{
  const ORDERS = ["none", "ascending", "descending"];
  const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  // Read the number that a cell begins with; a ratio a:b is a quotient, no number is NaN.
  const numberIn = (cell) => {
    const plain = cell.textContent.replace(/[\u202f\u00a0]/g, "").replace(/[\u2212]/g, "-");
    if (plain.includes("\u221e")) return plain.includes("-") ? -Infinity : Infinity;
    const found = plain.match(/([+-]?\d[\d.]*(?:e[+-]?\d+)?)(?::([\d.]+))?/);
    if (!found) return NaN;
    return found[2] === undefined ? Number(found[1]) : Number(found[1]) / Number(found[2]);
  };

  // What is compared: missing numbers come last in either direction.
  const byNumber = (a, b, sign) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return a === b ? 0 : sign * (a < b ? -1 : 1);
  };

  const sorted = (rows, column, order, numeric) => {
    if (order === "none") return rows;
    const sign = order === "ascending" ? 1 : -1;
    const keyed = rows.map((row) => {
      const cell = row.cells[column];
      return [row, numeric ? numberIn(cell) : cell.textContent.trim()];
    });
    const compare = numeric ? byNumber : (a, b) => sign * words.compare(a, b);
    keyed.sort((one, other) => compare(one[1], other[1], sign));
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
        body.append(...fixed, ...sorted(moving, column, order, head.classList.contains("n")));
      }
    };

    const worded = (column) =>
      groups.some(([, , moving]) => moving.some((row) => row.cells[column].textContent.trim()));

    heads.forEach((head, column) => {
      if (!worded(column)) return; // pictures have no order
      const button = made("button", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = ORDERS.indexOf(head.getAttribute("aria-sort") ?? "none");
        sort(head, column, ORDERS[(now + 1) % ORDERS.length]);
      });
    });
  };

  [...document.querySelectorAll("main table")].filter(sortable).forEach(prepare);
}
