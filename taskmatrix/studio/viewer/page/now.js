// What runs now and why the last thing failed, in plain words; the first thing that anybody reads.

import { byId, setAttribute, setClass, setText } from "./dom.js";
import { last, seconds, sentence, short, trail, within, words } from "./format.js";
import { reads, store } from "./store.js";

const DOING = { planning: "planning", control: "moving" };
const STATUS = {
  running: "running", paused: "paused", ended: "ended", idle: "idle", recorded: "replay",
};

const NOBODY = new Set(["you", "a viewer"]); // who paused it, when that need not be said

/** Paths that run and have nothing inside that runs: what goes on and on (it has goals) last, else the longest running first. */
export function leaves(machine) {
  const active = Object.keys(machine).filter((path) => DOING[machine[path].phase]);
  return active
    .filter((path) => !active.some((other) => other !== path && within(other, path)))
    .sort((a, b) => Boolean(machine[a].goal) - Boolean(machine[b].goal) || machine[a].since - machine[b].since || a.localeCompare(b));
}

/** What runs, as in "pickup › reach: moving, 1.2 s". */
export function running(machine, time) {
  const said = leaves(machine).map((path) => {
    const { phase, since } = machine[path];
    return { path, phase: DOING[phase], lasts: short(time - since) };
  });
  if (!said.length) return "";
  const [first, ...others] = said;
  const beside = others.map(({ path, phase }) => `${last(path)} (${phase})`).join(", ");
  return `${trail(first.path)}: ${first.phase}, ${first.lasts}${beside ? `, beside ${beside}` : ""}`;
}

/** The failures of a chain, from the first told to the root. */
export function chain(failure) {
  const links = [];
  for (let here = failure; here; here = here.cause) links.push(here);
  return links;
}

/**
 * Why something failed, in one sentence: the innermost state, and the root cause with the pair that it does not say.
 * @param {Object} entry One of the failures.
 * @param {boolean} when Whether the sentence says the time, too.
 */
export function why(entry, when = false) {
  const links = chain(entry.failure);
  const root = links.at(-1);
  if (!root) return sentence(entry.text ?? "something failed");
  const outer = links[0].where;
  const state = links.findLast(({ where }) => within(where, outer.split("/")[0]))?.where ?? outer;
  const unsaid = Object.entries(root.facts ?? {}).filter(([, value]) => Array.isArray(value) && value.every((item) => typeof item === "string") && value.length === 2);
  const pair = unsaid.find(([, value]) => !value.every((name) => root.message.includes(name)));
  return sentence(`${last(state)} failed${when ? ` at ${seconds(entry.time)}` : ""}: ${root.message}${pair ? ` (${words(pair[1])})` : ""}`);
}

/** Status, headline and failure of a state of the page. */
export function now({ sections, time, connected, live, hello }) {
  const { run = {}, machine = {}, failures = [], program } = sections;
  const name = program?.behavior ?? "The behavior";
  const past = run.status === "recorded" || run.status === "ended" || run.status === "idle";
  const doing = running(machine, time);
  const failed = failures.at(-1) ?? null;
  let headline = doing || "Nothing runs";
  if (!connected) headline = "No connection: what is shown is the last that was known";
  else if (run.outcome && !doing) headline = `${name} ${run.outcome.success ? "succeeded" : "failed"}`;
  else if (run.status === "paused") headline = doing ? `Paused in ${doing}` : time > 0 ? "Paused" : "Paused before the first step: ▶ or Space lets it run";
  else if (!doing && !past) headline = `${name} is about to start`;
  else if (!doing && run.status === "idle") headline = "Nothing runs: choose a behavior with Start";
  const halted = connected && run.status === "paused" && !NOBODY.has(run.paused_by) ? run.paused_by ?? "" : "";
  let status = STATUS[run.status] ?? "waiting";
  if (run.outcome && !doing) status = run.outcome.success ? "succeeded" : "failed";
  if (hello?.live && !live) status = "looking back";
  if (!connected) status = "offline";
  const over = run.outcome?.success && !doing; // what failed before was recovered from
  return { status, headline, halted: halted && sentence(`paused by ${halted}`), failed: over ? null : failed, why: failed && !over ? why(failed, true) : "" };
}

/** @param {function(Object): void} show Opens a failure. */
export function startNow(show) {
  const box = byId("why");
  box.addEventListener("click", () => show(store.sections.failures?.at(-1)));
  reads(["time", "run", "machine", "failures", "program", "status"], () => {
    const { status, headline, halted, failed, why: reason } = now(store);
    setText(byId("status"), status);
    setClass(byId("status"), `pill pill-${status.replace(" ", "-")}`);
    setText(byId("running"), headline);
    setAttribute(byId("running"), "title", headline);
    byId("halted").hidden = !halted;
    setText(byId("halted"), halted);
    box.hidden = !failed;
    if (failed) {
      setText(box, reason);
      setAttribute(box, "title", failed.text);
    }
    document.title = `${headline} · taskmatrix`;
  });
}
