// Going through time: what buttons, keys, the time line and rows of lists ask of the server.

import { store } from "./store.js";
import { send } from "./stream.js";

/** Whether this page controls a run that is going on, and sees its present. */
export const commands = () => Boolean(store.hello?.controls) && store.live && ["running", "paused"].includes(store.sections.run?.status);

/** Whether time goes on by itself for this page. */
export function moves() {
  if (store.playing) return true;
  return store.live && store.sections.run?.status === "running";
}

/** Go to a time [s]; beyond the ends is the end. */
export function seek(time) {
  send({ type: "seek", time: Math.min(Math.max(0, time), store.end) });
}

/** Follow what happens now. */
export const goLive = () => send({ type: "live" });

/** Pause what goes on, or let it go on: the run when this page controls it, else the replay. */
export function toggle(speed) {
  if (commands()) return send({ type: store.sections.run?.status === "paused" ? "resume" : "pause" });
  if (store.playing) return send({ type: "seek", time: store.time });
  if (store.live && store.hello?.live) send({ type: "seek", time: 0 }); // nothing goes on: all of it once more
  return send({ type: "play", speed: speed || 10 });
}

/** Go on by one control step of the run. */
export const step = () => send({ type: "step" });

/** Go on to the next transition: of the run, or of the recording. */
export function nextTransition(rows = store.rows) {
  if (commands()) return send({ type: "step-transition" });
  const next = rows.find(([, time, , kind]) => kind === "transition" && time > store.time + 1e-6);
  return seek(next ? next[1] : store.end);
}

/** Go to the transition before. */
export function previousTransition(rows = store.rows) {
  const before = rows.filter(([, time, , kind]) => kind === "transition" && time < store.time - 1e-6);
  seek(before.length ? before.at(-1)[1] : 0);
}
