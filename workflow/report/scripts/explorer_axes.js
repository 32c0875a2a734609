// The axes that cost space can be drawn on. `x` leads from PC(+) to the axis of conditions and, being its
// own inverse, back; `y` is what a cost comes to there, `ends` those of its axis, `write` its words.
const COSTS = {
  from: 0, // the PC(+) where curves begin
  title: "Cost space: a classifier is a line",
  floor: 1, // the end of the axis where what is worse than trivial decisions lies
  missed: ({ tp }) => `1 \u2212 TP ${numbers.cost(1 - tp)}`,
  better: "cheaper",
  best: "cheapest",
  heads: ["Cheaper than", "Costs more than"],
  called: (name) => name,
  write: numbers.cost,
};

const treated = (name) =>
  name.replace(/^always negative$/, "treat none").replace(/^always positive$/, "treat all");

const AXES = [
  {
    ...COSTS,
    key: "ours",
    choice: "PC(+), normalized",
    name: "PC(+)",
    along: "PC(+), the probability cost",
    up: () => "normalized expected cost",
    value: "cost",
    x: (pc) => pc,
    y: (nec) => nec,
    ends: (prior, highest) => [0, highest],
  },
  {
    ...COSTS,
    key: "reid",
    choice: "Reid: cost c, loss",
    name: "c",
    along: "c, the cost of a false positive",
    up: () => "expected loss",
    value: "loss",
    x: geometry.reidOfPc,
    y: geometry.loss,
    // A loss is at most as high as the tent of the trivial classifiers, which follows the prior.
    ends: (prior) => [0, [0.01, 0.02, 0.05, 0.1].find((end) => end >= prior * (1 - prior)) ?? 0.25],
  },
  {
    ...COSTS,
    key: "benefit",
    choice: "decision curves: threshold t, net benefit",
    name: "t",
    along: "t, the threshold probability",
    up: (prior) => `net benefit at p(+) = ${numbers.cost(prior)}`,
    value: "net benefit",
    x: geometry.reidOfPc, // who treats from a risk of t on takes a false positive to cost t, too
    y: (nec, pc, prior) => prior * (1 - nec / pc),
    ends: (prior) => [-0.25 * prior, 1.05 * prior],
    // Below, net benefit is known to no more than a fortieth of the prior; a line is not straight here.
    from: 0.02,
    title: "Decision curves: higher is better",
    floor: 0,
    missed: ({ tp }) => `TP ${numbers.cost(tp)}`,
    better: "better",
    best: "best",
    heads: ["Better than", "Worse than"],
    called: treated,
    write: (benefit, pc, prior, error) => numbers.known(benefit, (error * prior) / pc, prior),
  },
];
