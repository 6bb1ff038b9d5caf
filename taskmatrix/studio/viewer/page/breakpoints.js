// Breakpoints: on the start of a state, a message, a condition or a failure; the run pauses there.

import { button, h, keyed, setText } from "./dom.js";
import { trail } from "./format.js";
import { reads, store } from "./store.js";
import { send } from "./stream.js";

const KINDS = { state: "state starts", message: "message", condition: "condition changes", failure: "failure" };
const MESSAGES = [
  "planning-started", "planning-ended", "controlloop-started", "controlloop-ended", "task-successful", "task-failed",
  "task-failed-to-start", "task-complete", "goal-achieved", "goal-failed", "parameter-set", "force-quit",
];

/** Whether there is a breakpoint. */
export const breakpointOn = (on, what) => (store.sections.run?.breakpoints ?? []).some((point) => point.on === on && point.what === what && point.enabled !== false);

/** Set or remove a breakpoint. */
export const setBreakpoint = (on, what, enabled) => send({ type: "break", on, what, enabled });

/** @param {function(): boolean} visible */
export function startBreakpoints(parent, visible) {
  const list = h("ul", { class: "plain" });
  const none = h("p", { class: "empty" }, "The run stops nowhere. Add a place here, or click a state of the machine.");
  const choices = h("datalist", { id: "break-choices" });
  const on = h("select", { aria: { label: "Break on" } }, ...Object.entries(KINDS).map(([value, text]) => h("option", { value }, text)));
  const what = h("input", { type: "text", placeholder: "which one", list: "break-choices", aria: { label: "Which one" }, maxLength: 200 });
  const offer = () => choices.replaceChildren(...offers(on.value).map((value) => h("option", { value })));
  on.addEventListener("change", () => {
    what.placeholder = on.value === "failure" ? "any kind" : "which one";
    offer();
  });
  const form = h("form", { class: "add", on: { submit: (event) => {
    event.preventDefault();
    if (what.value.trim() || on.value === "failure") setBreakpoint(on.value, what.value.trim(), true);
    what.value = "";
  } } }, "Pause when", on, what, h("button", { type: "submit" }, "Add"), choices);
  parent.append(form, none, list);
  reads(["run", "program", "conditions", "hello", "shown"], () => {
    const points = store.sections.run?.breakpoints ?? [];
    form.hidden = !store.hello?.controls;
    none.hidden = points.length > 0;
    if (!store.hello?.controls) setText(none, "Breakpoints are for runs that this page controls, not for recordings.");
    if (document.activeElement !== what) offer();
    keyed(list, points, ({ on: kind, what: name }) => `${kind} ${name}`, makePoint, fillPoint);
  }, visible);
}

function makePoint({ on, what }) {
  return h("li", {}, h("span", { class: "kind" }, KINDS[on] ?? on), h("span", { class: "grow" }), button("Remove", () => setBreakpoint(on, what, false)));
}

const fillPoint = (element, { on, what }) => setText(element.children[1], on === "state" ? trail(what) : what || "any");

function offers(on) {
  const { program, conditions = [], machine = {} } = store.sections;
  if (on === "message") return MESSAGES;
  if (on === "condition") return [...new Set(conditions.map(({ condition }) => condition))];
  if (on === "failure") return ["collision", "joint_limit", "ik_exhausted", "planner_exhausted", "precondition", "incondition", "timeout", "no_grasp", "lost_object", "exception"];
  return [...new Set([...pathsOf(program), ...Object.keys(machine)])];
}

/** Paths of all states that are drawn. */
function pathsOf(program) {
  const layouts = [program?.layout, ...Object.values(program?.drawings ?? {}).map(({ layout }) => layout)];
  return layouts.flatMap((layout) => layout?.boxes ?? []).map(({ path }) => path).filter(Boolean);
}
