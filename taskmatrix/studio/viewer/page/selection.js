// What a person looks at: links and objects, a joint, a state. One click shows it everywhere.

import { tell } from "./store.js";

export const selection = { names: [], joint: null, state: null, turn: true };

/**
 * Change the selection; what is not given stays.
 * @param {{names?: string[], joint?: string|null, state?: string|null, turn?: boolean}} change `turn`: the camera, too.
 */
export function select(change) {
  Object.assign(selection, { turn: true }, change);
  tell("selection");
}
