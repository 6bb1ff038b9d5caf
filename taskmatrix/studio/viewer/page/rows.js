// Rows of the log: [number, time, step, kind, source, text, level].

import { trail } from "./format.js";

const LEVELS = new Set(["quiet", "info", "change", "plan", "success", "warning", "failure"]);

/** Whether a row has a text, in lower case, in its source, kind or words. */
export const matches = ([, , , kind, source, text], wanted) =>
  !wanted || text.toLowerCase().includes(wanted) || source.toLowerCase().includes(wanted) || kind.includes(wanted);

/** The cells of a row. */
export function facts([, time, step, kind, source, text, level]) {
  return {
    time: time.toFixed(2),
    source: trail(source),
    text,
    level: LEVELS.has(level) ? level : "info",
    title: `${kind} of ${source}, at ${time.toFixed(3)} s, control step ${step}\n${text}`,
  };
}

/** Number of the last row that is not later than a time; -1 when all are. Rows are in the order of time. */
export function lastUntil(rows, time) {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][1] <= time + 1e-9) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
