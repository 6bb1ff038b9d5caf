// Joints over time, as plots need them: what was asked of the server, and what came since.

const MOST = 6000; // points of a joint that are kept

/** Desired and true of some joints over time. */
export class Series {
  constructor() {
    this.clear();
  }

  /** Forget everything. */
  clear() {
    this.time = [];
    this.joints = {};
  }

  /** Take an answer of the server. */
  set({ time, joints }) {
    this.time = [...time];
    this.joints = Object.fromEntries(Object.entries(joints).map(([name, { q, commanded }]) => [name, { q: [...q], commanded: [...(commanded ?? [])] }]));
  }

  /** Add what is now, when it is later than what is known. */
  add(time, names, q, commanded) {
    if (this.time.length && time <= this.time.at(-1)) return;
    this.time.push(time);
    for (const [name, line] of Object.entries(this.joints)) {
      const number = names.indexOf(name);
      line.q.push(q[number]);
      line.commanded.push(commanded?.[number] ?? null);
    }
    if (this.time.length > MOST) this.#thin();
  }

  /** Every second point of the older half goes. */
  #thin() {
    const half = this.time.length / 2;
    const keep = (_, i) => i > half || i % 2 === 0;
    this.time = this.time.filter(keep);
    for (const line of Object.values(this.joints)) {
      line.q = line.q.filter(keep);
      line.commanded = line.commanded.filter(keep);
    }
  }

  /** Least and greatest value of a joint, with room around it. */
  range(name) {
    let low = Infinity, high = -Infinity;
    const { q, commanded } = this.joints[name] ?? { q: [], commanded: [] };
    for (const value of [...q, ...commanded]) {
      if (value === null || value === undefined) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low > high) return [-1, 1];
    const room = Math.max(0.08 * (high - low), 0.01);
    return [low - room, high + room];
  }

  /** Value of a joint at a time: of the last point that is not later. */
  at(name, time, key = "q") {
    let low = 0, high = this.time.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time + 1e-9) low = middle + 1;
      else high = middle;
    }
    return this.joints[name]?.[key][low - 1];
  }
}

/** The joints that move most along samples (k, n), the base left out: names in the order of the robot's. */
export function busiest(samples, names, count) {
  const spread = (i) => Math.max(...samples.map((q) => q[i])) - Math.min(...samples.map((q) => q[i]));
  const joints = names.map((name, i) => ({ name, i, moved: spread(i) })).filter(({ name }) => !name.startsWith("base_"));
  return joints.sort((a, b) => b.moved - a.moved).slice(0, count).sort((a, b) => a.i - b.i).map(({ name }) => name);
}
