// Cost space in pure functions. A point is {fp, tp}, two rates; its cost line is as high as fp
// where PC(+) = 0 and as fn = 1 - tp where PC(+) = 1. A curve is a list of vertices [pc, nec].
const geometry = {
  cost: (point, pc) => (1 - point.tp) * pc + point.fp * (1 - pc),

  // The ratio is C(-|+) / C(+|-): how many false alarms a missed positive costs.
  pcOfRatio(ratio, prior) {
    return ratio === Infinity ? 1 : (prior * ratio) / (prior * ratio + 1 - prior);
  },

  ratioOfPc(pc, prior) {
    return pc === 1 ? Infinity : (pc / (1 - pc)) * ((1 - prior) / prior);
  },

  // Reid's axes: c is the cost of a false positive, that of a false negative is 1 - c. The same
  // formula leads back.
  reidOfPc(pc, prior) {
    return (prior * (1 - pc)) / (prior * (1 - pc) + (1 - prior) * pc);
  },

  loss(nec, pc, prior) {
    return (nec * prior * (1 - prior)) / (prior * (1 - pc) + (1 - prior) * pc);
  },

  // Of points of equal cost the last counts, as in the tables: the one to the right of a break.
  // Equal is what differs by the rounding of rates alone.
  cheapest(points, pc) {
    const costs = points.map((point) => geometry.cost(point, pc));
    const least = Math.min(...costs) + 1e-12;
    return costs.findLastIndex((cost) => cost <= least);
  },

  // A straight piece of all ROC points that cost as much as this one, as long as the unit square
  // allows. Its direction is (pc, 1 - pc), so it is upright where pc = 0.
  isoPerformance(point, pc) {
    const reach = (at, step) => (step > 0 ? [-at / step, (1 - at) / step] : [-Infinity, Infinity]);
    const [across, up] = [reach(point.fp, pc), reach(point.tp, 1 - pc)];
    const ends = [Math.max(across[0], up[0]), Math.min(across[1], up[1])];
    return ends.map((t) => ({ fp: point.fp + t * pc, tp: point.tp + t * (1 - pc) }));
  },

  // The cheaper constant decision, as a model that promises what it costs.
  constant(pc, called) {
    const [name, rate] = pc > 0.5 ? ["always positive", 1] : ["always negative", 0];
    const cost = Math.min(pc, 1 - pc);
    const point = { fp: rate, tp: rate };
    return { name: called(name), colour: "var(--ink)", point, cost, promised: cost };
  },

  // Where each point of a hull is the cheapest of the hull: the ends of its range of PC(+).
  range(points, place) {
    const meet = (one, other) => (other.fp - one.fp) / (other.fp - one.fp + other.tp - one.tp);
    const [before, after] = [points[place - 1], points[place + 1]];
    const point = points[place];
    return [before ? meet(before, point) : 0, after ? meet(point, after) : 1];
  },

  // The height of a curve; where it jumps, the one to the right.
  height(curve, pc) {
    let [low, high] = [0, curve.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (curve[middle][0] <= pc) low = middle;
      else high = middle;
    }
    const [[x, y], [right, top]] = [curve[low], curve[high]];
    return pc >= right ? top : y + ((top - y) * (pc - x)) / (right - x);
  },

  // The mean of a curve between two PC(+): each PC(+) is as likely as another, or each factor
  // between cost ratios. Pieces are straight, so it is exact.
  mean(curve, low, high, byRatio) {
    const odds = (pc) => Math.log(pc / (1 - pc));
    const width = byRatio ? odds(high) - odds(low) : high - low;
    let sum = 0;
    for (let place = 1; place < curve.length; place++) {
      const [[left, y], [right, top]] = [curve[place - 1], curve[place]];
      const [from, to] = [Math.max(left, low), Math.min(right, high)];
      if (!(to > from)) continue;
      const slope = (top - y) / (right - left);
      const at = (pc) => y + slope * (pc - left);
      if (byRatio)
        sum += at(0) * (odds(to) - odds(from)) - slope * Math.log((1 - to) / (1 - from));
      else sum += ((at(from) + at(to)) / 2) * (to - from);
    }
    return sum / width;
  },

  // Whether a stretch holds a PC(+): where two meet, the later one counts.
  within: (pc, low, high) => low <= pc && (pc < high || (high === 1 && pc === 1)),

  nearest(places, at, within) {
    const distances = places.map(([x, y]) => Math.hypot(x - at[0], y - at[1]));
    const least = Math.min(...distances);
    return least <= within ? distances.indexOf(least) : -1;
  },
};
