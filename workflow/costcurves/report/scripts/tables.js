// On a phone the columns of a table that is too wide stand beneath each other, each with its name.
{
  const stacking = new ResizeObserver((seen) => {
    for (const { target } of seen) {
      target.classList.remove("stacked");
      target.classList.toggle("stacked", target.scrollWidth > target.clientWidth);
    }
  });
  for (const table of document.querySelectorAll(".scroll > table")) {
    const heads = [...(table.tHead?.rows[0].cells ?? [])].map((head) => head.textContent);
    for (const { cells } of table.rows)
      heads.forEach((head, column) => cells[column]?.setAttribute("data-head", head));
    stacking.observe(table.parentNode);
  }
}
