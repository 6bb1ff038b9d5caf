// What runs and how fast: pause, step, speed, live, emergency stop; by button and by key.

import { button, byId, h, icon, setAttribute, setText, toast } from "./dom.js";
import { began, openForm, refuse } from "./form.js";
import { commands, goLive, moves, nextTransition, previousTransition, seek, step, toggle } from "./playback.js";
import { select } from "./selection.js";
import { reads, store } from "./store.js";
import { onMessage, send } from "./stream.js";

const SPEEDS = [["0.1", "0.1 ×"], ["0.25", "¼ ×"], ["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"], ["5", "5 ×"], ["10", "10 ×"], ["0", "fastest"]];
const NUDGE = 0.05, LEAP = 1.0; // [s] that the arrow keys go
let play, back, one, next, speed, live, start, again;

/** The speed that is chosen for playing; the fastest is ten times that of the clock. */
export const chosenSpeed = () => Number(speed?.value) || 10;

export function startControls() {
  back = button(icon("back"), () => previousTransition(), { title: "To the transition before", aria: { label: "Previous transition" } });
  play = button(icon("play"), () => toggle(Number(speed.value)), { class: "play", title: "Space" });
  one = button(icon("step"), step, { title: "One control step (→)", aria: { label: "Step" } });
  next = button(icon("next"), () => nextTransition(), { title: "To the next transition (n)", aria: { label: "Next transition" } });
  speed = h("select", { aria: { label: "Speed" }, title: "Simulated seconds a second", on: { change: changeSpeed } }, ...SPEEDS.map(([value, text]) => h("option", { value }, text)));
  speed.value = "1";
  live = button("Live", goLive, { class: "toggle", title: "Follow what happens now (l)" });
  start = button("Start…", openForm, { class: "accent", title: "Start a behavior" });
  again = button("Again", () => send({ type: "again", from: "start" }), { title: "Put everything back to where this run began, and run it again" });
  byId("transport").append(back, play, one, next, speed);
  byId("ends").append(live, again, start);
  byId("stop").addEventListener("click", () => {
    send({ type: "stop" });
    if (store.live && !commands()) toast("Nothing runs.");
  });
  onMessage("refused", ({ why }) => refuse(why) || toast(`Refused: ${why}`));
  reads(["program"], began);
  addEventListener("keydown", keys);
  reads(["hello", "time", "run", "status"], update);
}

function changeSpeed() {
  const value = Number(speed.value);
  if (store.hello?.controls && store.live) send({ type: "speed", value }); // between two runs, too
  else if (store.playing) send({ type: "play", speed: value || 10 });
}

function update() {
  const { run = {} } = store.sections;
  const controls = Boolean(store.hello?.controls);
  const going = moves();
  if (play.going !== going) play.replaceChildren(icon(going ? "pause" : "play"));
  play.going = going;
  setAttribute(play, "aria-label", going ? "Pause" : commands() ? "Resume" : "Play");
  play.disabled = !store.connected;
  one.disabled = !store.connected || !(commands() || store.hello?.live === false);
  back.disabled = next.disabled = !store.connected;
  live.hidden = !store.hello?.live;
  setAttribute(live, "aria-pressed", store.live);
  start.hidden = again.hidden = !controls;
  again.disabled = !store.connected || commands() || !run.again;
  start.disabled = !store.connected || commands();
  play.classList.toggle("accent", commands() && !going);
  byId("stop").hidden = !controls;
  byId("stop").disabled = !store.connected;
  const ours = controls && store.live;
  const value = ours ? run.speed : store.playing;
  if (document.activeElement !== speed && value !== undefined && (ours || store.playing)) {
    const text = String(value ?? 0);
    if (!SPEEDS.some(([known]) => known === text)) speed.append(h("option", { value: text }, `${text} ×`));
    if (speed.value !== text) speed.value = text;
  }
  byId("connection").hidden = store.connected;
  setText(byId("connection"), store.hello ? "Connection lost. Trying again…" : "Connecting…");
  document.body.classList.toggle("offline", !store.connected);
}

const TYPES = new Set(["INPUT", "SELECT", "TEXTAREA"]);

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || TYPES.has(event.target.tagName) || document.querySelector("dialog[open]")) return;
  if (event.key === " " && event.target.tagName === "BUTTON") return; // presses the button
  const reach = event.shiftKey ? LEAP : NUDGE;
  const actions = {
    " ": () => toggle(Number(speed.value)),
    ArrowRight: () => (event.shiftKey || one.disabled ? seek(store.time + reach) : step()),
    ArrowLeft: () => seek(store.time - reach),
    n: () => nextTransition(),
    p: () => previousTransition(),
    l: () => store.hello?.live && goLive(),
    Escape: () => select({ names: [], joint: null, state: null, turn: false }),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
