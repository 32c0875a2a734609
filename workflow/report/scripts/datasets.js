// What the page says of each dataset (explorer.py), with its curves as lists of vertices [pc, nec].
const datasets = {
  THINNED: 2.5e-4, // how far a curve may be from what it was made from, as a cost
  THINNED_BAND: 5.5e-4,

  all() {
    datasets.found ??= [...document.querySelectorAll("script.explored")].map(datasets.read);
    return datasets.found;
  },

  read(element) {
    const content = JSON.parse(element.textContent);
    const models = content.models.map((model, number) => ({
      ...datasets.model(model, content.grain),
      number,
    }));
    // An end is known to half a grain; just there the threshold before it is meant, as in tables.
    const uses = content.uses?.map(({ pc, words }) => {
      let end = 0;
      return { words, to: pc.map((step) => ((end += step) + 0.5) * content.grain) };
    });
    // Rates of mistakes of the cheapest model up to each end, as quotients: rounded as in tables.
    const whole = Math.round(1 / content.grain);
    const summed = (steps, sum = 0) => steps.map((step) => (sum += step) / whole);
    const [ends, fp, fn] = ["pc", "fp", "fn"].map((name) => summed(content.rates[name]));
    const rates = ends.map((to, at) => ({ to, fp: fp[at], fn: fn[at] }));
    const place = document.getElementById(element.dataset.explorer); // null: it has no explorer
    return { ...content, models, uses, rates, place };
  },

  model(model, grain) {
    const [curve, lower, upper] = [model.curve, model.lower, model.upper].map((steps) =>
      datasets.vertices(steps, grain),
    );
    // Black is as dark as the page's ink: on a dark page that is light.
    const colour = model.colour === "#000000" ? "var(--ink)" : model.colour;
    return { ...model, colour, points: datasets.points(model.points), curve, lower, upper };
  },

  vertices(steps, grain) {
    let [pc, nec] = [0, 0];
    return steps.pc.map((step, place) => [(pc += step) * grain, (nec += steps.nec[place]) * grain]);
  },

  // The hull from "always negative" to "always positive".
  points({ negatives, positives, fp, tp, holder }) {
    const point = (fpCount, tpCount, words) => ({
      fp: fpCount / negatives,
      tp: tpCount / positives,
      counts: { fp: fpCount, tp: tpCount, negatives, positives },
      holder: words,
    });
    const inner = fp.map((count, place) => point(count, tp[place], holder[place]));
    const last = point(negatives, positives, "always positive");
    return [point(0, 0, "always negative"), ...inner, last];
  },

  // Who is cheaper than whom at a PC(+): pairs of places, the cheaper first, or equivalent.
  decided({ verdicts }, pc, shown) {
    const here = verdicts.filter(
      ([a, b, low, high]) => shown(a) && shown(b) && geometry.within(pc, low, high),
    );
    const pairs = (who) => here.filter((row) => row[4] === who).map(([a, b]) => [a, b]);
    const won = [...pairs("A"), ...pairs("B").map(([a, b]) => [b, a])];
    return { won: won.sort((a, b) => a[0] - b[0] || a[1] - b[1]), equivalent: pairs("=") };
  },
};
