// Every cost ratio that the page says of a PC(+), and the share of positives that ratios are read at: as
// they are written, until a reader sets a share; then at that one. Figures say them in elements of their own.
{
  const written = ({ ratio, times }, own) => {
    const at = (pc) => condition.ratioAt(pc);
    if (ratio !== undefined) return numbers.ratios(...ratio.split(" ").map(Number).map(at));
    if (times !== undefined) return numbers.times(at(Number(times)));
    const inWords = (_, percent) => (percent ? numbers.percent : numbers.cost)(condition.share);
    return own.replace(/[\d.]+(\u202f%)?$/, inWords);
  };

  const said = [...document.querySelectorAll("[data-ratio], [data-times], [data-share]")].map((element) => {
    const place = element.querySelector("text") ?? element;
    return { place, own: place.textContent, of: element.dataset };
  });
  let share = null;
  condition.listen(() => {
    if (condition.share === share) return;
    share = condition.share;
    for (const { place, own, of } of said) place.textContent = share === null ? own : written(of, own);
  });
}
