// Cost space in pure functions. A point is {fp, tp}, two rates; its cost line is as high as fp
// where PC(+) = 0 and as fn = 1 - tp where PC(+) = 1. A curve is a list of vertices [pc, nec].
const geometry = {
  cost: (point, pc) => (1 - point.tp) * pc + point.fp * (1 - pc),

  ratioOfPc: (pc, prior) => (pc / (1 - pc)) * ((1 - prior) / prior),

  // Reid's axes: c is the cost of a false alarm, that of a miss is 1 - c. The same formula leads back.
  reidOfPc: (pc, prior) => (prior * (1 - pc)) / (prior * (1 - pc) + (1 - prior) * pc),

  loss: (nec, pc, prior) => (nec * prior * (1 - prior)) / (prior * (1 - pc) + (1 - prior) * pc),

  // Of points of equal cost the last counts, as in the tables: the one to the right of a break.
  lowest(points, pc) {
    const costs = points.map((point) => geometry.cost(point, pc));
    const least = Math.min(...costs) + 1e-12; // equal but for the rounding of rates
    return points[costs.findLastIndex((cost) => cost <= least)];
  },

  // A straight piece of all ROC points that cost as much as this one, as long as the unit square
  // allows. Its direction is (pc, 1 - pc), so it is upright where pc = 0.
  isoPerformance(point, pc) {
    const reach = (at, step) => (step > 0 ? [-at / step, (1 - at) / step] : [-Infinity, Infinity]);
    const [across, up] = [reach(point.fp, pc), reach(point.tp, 1 - pc)];
    const ends = [Math.max(across[0], up[0]), Math.min(across[1], up[1])];
    return ends.map((t) => [point.fp + t * pc, point.tp + t * (1 - pc)]);
  },

  // The lower envelope of a hull's lines, from vertex to vertex.
  envelope(points) {
    const inner = points.slice(1).map((point, place) => {
      const before = points[place];
      const pc = (point.fp - before.fp) / (point.fp - before.fp + point.tp - before.tp);
      return [pc, geometry.cost(before, pc)];
    });
    return [[0, 0], ...inner, [1, 0]];
  },

  // The height of a curve; where it jumps, the one to the right.
  height(curve, pc) {
    const place = Math.min(Math.max(curve.findLastIndex(([x]) => x <= pc), 0), curve.length - 2);
    const [[x, y], [right, top]] = [curve[place], curve[place + 1]];
    return pc >= right ? top : y + ((top - y) * (pc - x)) / (right - x);
  },
};
