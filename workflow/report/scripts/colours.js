// Light or dark: as the system has it, until the reader chooses for this visit.
{
  const DARK = "(prefers-color-scheme: dark)";
  const system = matchMedia(DARK);
  const button = make.html("button", { type: "button" });
  let chosen = null;

  // Every rule for dark pages asks the system. A choice answers in its place.
  const asking = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule.media && rule.media.mediaText.includes(DARK))
    .map((rule) => [rule.media, rule.media.mediaText]);

  const show = () => {
    const dark = chosen === null ? system.matches : chosen === "dark";
    button.textContent = dark ? "Light" : "Dark";
    button.setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
    if (chosen === null) return;
    const answer = dark ? "(min-width: 0px)" : "(max-width: 0px)";
    for (const [media, text] of asking) media.mediaText = text.replace(DARK, answer);
    document.documentElement.setAttribute("data-colours", chosen);
  };

  button.addEventListener("click", () => {
    chosen = button.textContent.toLowerCase();
    show();
  });
  system.addEventListener("change", show);
  tools.append(button);
  show();
}
