// All about one state: what it does, its parameters, its conditions, its last failure, and a breakpoint.

import { button, h } from "./dom.js";
import { label, seconds, trail, within, words } from "./format.js";
import { breakpointOn, setBreakpoint } from "./breakpoints.js";
import { why } from "./now.js";
import { select, selection } from "./selection.js";
import { reads, store } from "./store.js";

const PHASES = { planning: "planning", control: "moving", done: "done", failed: "failed", stopped: "stopped" };
let box, told = "";

/** @param {HTMLElement} parent Gets the sheet at its lower end. */
export function openDetail(parent) {
  box = h("aside", { class: "detail", hidden: true, aria: { label: "State" } });
  parent.append(box);
  reads(["selection", "machine", "parameters", "conditions", "failures", "run", "hello"], update);
}

function update() {
  const path = selection.state;
  box.hidden = !path;
  if (!path) return;
  const { machine = {}, parameters = {}, conditions = [], failures = [] } = store.sections;
  const facts = {
    path,
    run: machine[path],
    values: parameters[path] ?? {},
    conditions: conditions.filter(({ source }) => source === path),
    failure: failures.findLast(({ source, failure }) => source === path || within(failure?.cause?.where ?? "", path)) ?? null,
    stops: breakpointOn("state", path),
    controls: Boolean(store.hello?.controls),
  };
  const text = JSON.stringify(facts);
  if (text === told) return;
  told = text;
  box.replaceChildren(...content(facts));
}

function content({ path, run, values, conditions, failure, stops, controls }) {
  const phase = run ? `${PHASES[run.phase] ?? run.phase} since ${seconds(run.since)}${run.runs > 1 ? `, run ${run.runs} times` : ""}` : "did not run yet";
  const head = h("div", { class: "detail-head" }, h("strong", {}, trail(path)), h("span", { class: `phase phase-${run?.phase ?? "none"}` }, phase));
  if (controls) {
    head.append(button(stops ? "Breakpoint on" : "Break here", () => setBreakpoint("state", path, !stops), { class: "toggle", aria: { pressed: String(stops) }, title: "Pause the run when this state starts" }));
  }
  head.append(button("×", () => select({ state: null, turn: false }), { class: "close", aria: { label: "Close" } }));
  const rows = Object.entries(values).flatMap(([key, value]) => [h("dt", {}, label(key)), h("dd", {}, words(value))]);
  return [
    head,
    ...(failure ? [h("p", { class: "reason" }, why(failure))] : []),
    rows.length ? h("dl", { class: "values" }, ...rows) : h("p", { class: "quiet" }, "No parameters told yet."),
    ...conditions.map((condition) => h("p", { class: "condition-line" },
      h("span", { class: `dot ${condition.holds ? "holds" : "fails"}` }), `${condition.role}: ${condition.condition}${condition.holds || !condition.why ? "" : ` — ${condition.why}`}`)),
  ];
}
