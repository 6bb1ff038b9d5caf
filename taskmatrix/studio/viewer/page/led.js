// This page in a frame of another that shows two runs side by side: that one leads it through time.

import { byId } from "./dom.js";
import { relayTo, sendHere } from "./stream.js";

const OF_TIME = new Set(["seek", "play", "step"]);

/** The page around this one, which leads it; null where it stands alone. */
const leader = () => (parent === globalThis ? null : parent.taskmatrix?.leader ?? null);

/** Let the leader say which time it is: what asks for another one here goes to it, and so comes to both runs. */
export function followLeader() {
  if (!leader()) return;
  document.body.classList.add("led");
  byId("title").dataset.side = leader().sideOf(globalThis);
  relayTo((message) => (OF_TIME.has(message.type) ? leader().lead(message) : sendHere(message)));
}

/** The speed that is chosen there; null where this page stands alone. */
export const leadersSpeed = () => leader()?.chosenSpeed() ?? null;

/** Show a panel below the scene, where there is room for one only. */
export const showBelow = (panel) => leader()?.showBelow(panel);

/** The camera of this page for the one beside it; see {@link shareCamera}. */
export const camera = { begin: () => {}, follow: () => {} };

/** Let what a person does with the camera be done in the other run, too: the same turn, as much nearer, the same way aside. */
export function shareCamera(stage) {
  if (!leader()) return;
  const { camera: eye, controls } = stage;
  const here = () => ({ target: controls.target.clone(), away: eye.position.clone().sub(controls.target) });
  let from = null, at = null;
  controls.addEventListener("start", () => {
    from = here();
    for (const page of leader().others(globalThis)) page.camera.begin();
  });
  controls.addEventListener("change", () => {
    if (!from) return;
    const { target, away } = here();
    const shift = target.sub(from.target).divideScalar(from.away.length());
    const change = { nearer: away.length() / from.away.length(), shift: shift.toArray(), direction: away.normalize().toArray() };
    for (const page of leader().others(globalThis)) page.camera.follow(change);
  });
  controls.addEventListener("end", () => (from = null));
  camera.begin = () => {
    stage.turn = null;
    at = here();
  };
  camera.follow = ({ nearer, shift, direction }) => {
    const distance = at.away.length();
    controls.target.fromArray(shift).multiplyScalar(distance).add(at.target);
    eye.position.fromArray(direction).multiplyScalar(distance * nearer).add(controls.target);
    controls.update();
    stage.invalidate();
  };
}
