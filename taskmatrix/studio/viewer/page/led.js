// This page in a frame of another that shows two runs side by side: that one leads it through time.

import { byId } from "./dom.js";
import { relayTo, sendHere } from "./stream.js";

const OF_TIME = new Set(["seek", "play"]);

/** The page around this one, which leads it; null where it stands alone. */
const leader = () => (parent === globalThis ? null : parent.taskmatrix?.leader ?? null);

/** Let the leader say which time it is: what asks for another one here goes to it, and so comes to both runs. */
export function followLeader() {
  if (!leader()) return;
  document.body.classList.add("led");
  byId("title").dataset.side = leader().sideOf(globalThis);
  relayTo((message) => (OF_TIME.has(message.type) ? leader().lead(message) : sendHere(message)));
}

/** Show a panel below the scene, where there is room for one only. */
export const showBelow = (panel) => leader()?.showBelow(panel);
