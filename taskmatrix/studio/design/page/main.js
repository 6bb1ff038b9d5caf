// The designer's page: what the server tells is shown, what people do is asked of it.

import { byId, area, checks, fill, h, picked } from "./dom.js";
import * as component from "./component.js";
import * as sheet from "./sheet.js";
import { EditorState, EditorView, basicSetup, indentUnit, languages } from "./codemirror/index.js";


let program = { states: [], transitions: [], parameters: [], modes: [], parts: [], machines: [], text: "" };
let known = { catalogue: [], components: [], robots: [], worlds: [] };
const kept = new URLSearchParams(location.hash.slice(1)); // what a reload is not to lose
let chosen = kept.get("state") ?? ""; // the state whose parameters are shown
let wished = ""; // what is to be chosen when what was asked for is done
let asking = null; // the dialog that waits for an answer
let base = ""; // the text from which typing began
let socket = null;
let shown = ""; // the program as it was told last

const KEPT = ["robot", "world", "sim", "seed"];

function remember() {
  if (!program.machine) return;
  for (const name of KEPT) kept.set(name, byId(name).value);
  for (const { name, value } of byId("run-parameters").querySelectorAll("input")) value ? kept.set(`parameter.${name}`, value) : kept.delete(`parameter.${name}`);
  kept.set("machine", program.machine);
  kept.set("state", chosen);
  kept.delete("break");
  for (const path of breakpoints) kept.append("break", path);
  history.replaceState(null, "", `#${kept}`);
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/stream`);
  socket.onopen = () => show(kept.get("machine") ?? "");
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    if (told.kind === "program" && data === shown) return; // what somebody is typing stays
    if (told.kind === "program") shown = data;
    if (told.kind === "refused") shown = ""; // fields go back to what is written
    hear(told);
  };
  socket.onclose = () => {
    note("The designer has ended, or cannot be reached; what you typed is still here.");
    setTimeout(connect, 1000);
  };
}

const wish = (name) => (wished = name);
const ask = (facts) => socket.send(JSON.stringify(facts));
const show = (machine) => ask({ do: "show", machine, depth: byId("unfold").checked ? 9 : 0 });
const edit = (...edits) => ask({ do: "edit", machine: program.machine, edits: edits.map(([name, given, named]) => [name, given, named ?? {}]) });

function hear(told) {
  if (told.kind === "program") take(told);
  else if (told.kind === "refused") refused(told.why);
  else if (told.kind === "run") ran(told);
  else if (told.kind === "outside") note("The file was changed from outside; that was taken up. Undo brings back what was there before.");
  else if (told.kind === "known") {
    known = told;
    fill(byId("robot"), told.robots, kept.get("robot") ?? "mannequin");
    fill(byId("world"), told.worlds, kept.get("world") ?? "sparse");
    fill(byId("sim"), told.sims, kept.get("sim") ?? "kinematic");
  }
}

let typed = null; // the field of text that was changed last: its label and what was typed
let again = null; // what was refused, and stays in its field
addEventListener("change", ({ target }) => {
  const text = target.matches("#side-panel textarea, #side-panel input:not([type=checkbox])");
  typed = text ? { label: target.getAttribute("aria-label"), value: target.value } : null;
}, true);

/** Put back what was refused, to be mended: Escape gives what is written. */
function putBack() {
  const field = again && [...byId("side-panel").querySelectorAll("textarea, input")].find((each) => each.getAttribute("aria-label") === again.label);
  if (field && field.value !== again.value) {
    const written = field.value;
    field.value = again.value;
    field.setAttribute("aria-invalid", "true");
    field.addEventListener("keydown", (event) => event.key === "Escape" && ((field.value = written), field.removeAttribute("aria-invalid"), note("")));
    field.focus();
  }
  again = null;
}

let noted = ""; // what a note is about

function note(text, about = "") {
  noted = about;
  byId("note-text").textContent = text;
  byId("note").hidden = !text;
}

function refused(why) {
  wished = "";
  again = typed;
  if (asking) asking.querySelector(".refusal").textContent = why;
  else note(why, "refused");
}

/** Take in what the file says now. */
function take(told) {
  const wanted = kept.get("machine");
  if (!program.machine && wanted !== told.machine && told.machines.includes(wanted)) return; // it is asked for, and comes
  const grew = told.text !== program.text;
  if (grew && !running) lights = {};
  if (told.machine !== program.machine) group.clear();
  if (told.machine !== program.machine && program.machine && !running) sayRun("");
  program = told;
  if (grew && asking) closed(asking);
  if (grew && ["refused", "hint"].includes(noted)) note("");
  byId("file").textContent = told.file.split("/").pop();
  document.title = `${told.machine} · ${byId("file").textContent}`;
  fill(byId("machine"), told.machines, told.machine);
  byId("machine").value = told.machine;
  for (const id of ["add", "connect", "declare"]) byId(id).disabled = !told.machine;
  byId("run-now").disabled = running || !told.machine;
  byId("undo").disabled = !told.undo;
  byId("redo").disabled = !told.redo;
  if (names().includes(wished)) chosen = wished;
  wished = "";
  followNames();
  if (!names().includes(chosen)) chosen = "";
  byId("names").replaceChildren(...names().map((name) => h("option", { value: name })));
  component.take(told, known, page);
  remember();
  draw();
  sayProblem();
  showState();
  showDeclared();
  showTransitions();
  showRunParameters();
  takeText();
  putBack();
}

function sayProblem() {
  const words = [];
  if (program.unreadable) words.push(`${program.unreadable}\nThe drawing shows what could be read last.`);
  if (isComponent()) words.push(...component.lacks());
  else if (program.machine && !program.states.length) words.push(`${program.machine} has no states yet: add one.`);
  if (program.refused && (isComponent() || program.states.length)) words.push(`This class is refused: ${program.refused}`);
  if (program.unread?.length) words.push(`Not of the library, so their parameters and outputs are not checked: ${program.unread.join(", ")}`);
  if (!program.machine) words.push("There is no machine in this file yet: press New machine, or write a class of tm.Machine or of a component.");
  byId("problem").textContent = words.join("\n");
  byId("problem").hidden = !words.length;
}

// The drawing

function draw() {
  const focused = document.activeElement?.dataset?.state;
  const drawn = new DOMParser().parseFromString(program.svg || "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml").documentElement;
  sheet.lay(drawn);
  for (const state of [...program.states, ...program.modes, ...(program.modes.length ? [] : program.parts)]) {
    const box = drawn.querySelector(`[data-id="${CSS.escape(`${program.machine.toLowerCase()}_${state.name}`)}"]`);
    if (!box) continue;
    box.classList.add("own");
    box.dataset.state = state.name;
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "button");
    const flags = [state.final && "final", state.optional && "optional", state.achieved && "achieved", breakpoints.has(pathOf(state.name)) && "breakpoint"].filter(Boolean);
    box.setAttribute("aria-label", [state.name, state.behavior ?? state.component, ...flags].filter(Boolean).join(", "));
    if (breakpoints.has(pathOf(state.name))) mark(box);
    box.classList.toggle("chosen", state.name === chosen);
    if (state.name === focused) box.focus({ preventScroll: true });
  }
  showGroup();
  light();
}

// Breakpoints

const breakpoints = new Set(kept.getAll("break")); // paths of states at whose start a run is paused
const pathOf = (name) => byId("picture").querySelector(`[data-id="${CSS.escape(`${program.machine.toLowerCase()}_${name}`)}"]`)?.dataset.path ?? name;

function breakAt(name, wanted = !breakpoints.has(pathOf(name))) {
  if (wanted) breakpoints.add(pathOf(name));
  else breakpoints.delete(pathOf(name));
  remember();
  draw();
  showState();
}

function mark(box) {
  const frame = box.querySelector("rect");
  if (!frame) return;
  const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  dot.setAttribute("class", "breakpoint");
  for (const [name, value] of [["cx", Number(frame.getAttribute("x"))], ["cy", Number(frame.getAttribute("y"))], ["r", 6]]) dot.setAttribute(name, value);
  box.append(dot);
}

// What a run has done, on the drawing

let running = false;
let lights = {}; // by the path of a behavior in the run
const LIT = { "planning-started": "running", "controlloop-started": "running", "task-successful": "succeeded", "task-failed": "failed", "task-failed-to-start": "failed", "force-quit": "ended" };
const BADGES = { running: "\u25b6", succeeded: "\u2713", failed: "\u2717", ended: "\u25a0" };

/** What each behavior came to, as the lines of a run tell: time, path, message. */
function understood(text) {
  const found = {};
  const modes = [];
  for (const [, path, message, rest] of text.matchAll(/^ *[\d.]+ s +(\S+) +(\S+)(.*)/gm)) {
    if (LIT[message]) found[path] = LIT[message];
    const [, start, stop] = (message === "on" && rest.match(/: start (\w+); stop (\w+)$/)) || [];
    if (start) [found[`${path}/${stop}`], found[`${path}/${start}`]] = ["ended", "running"];
    if (start) modes.push([path, start]);
  }
  for (const [path, mode] of modes) if (found[path] && found[path] !== "running" && found[`${path}/${mode}`] === "running") found[`${path}/${mode}`] = found[path];
  return found;
}

function light() {
  for (const box of byId("picture").querySelectorAll("[data-path]")) {
    const now = lights[box.dataset.path] ?? "";
    box.classList.remove(...Object.values(LIT));
    box.querySelector(".badge")?.remove();
    if (!now) continue;
    box.classList.add(now);
    const frame = box.querySelector("rect");
    if (!frame) continue;
    const badge = document.createElementNS("http://www.w3.org/2000/svg", "text");
    badge.setAttribute("class", "badge");
    badge.setAttribute("x", Number(frame.getAttribute("x")) + Number(frame.getAttribute("width")) - 2);
    badge.setAttribute("y", Number(frame.getAttribute("y")) + 4);
    badge.textContent = BADGES[now];
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = now;
    badge.append(title);
    box.append(badge);
  }
}

const stateAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-state]");
let from = null;

byId("picture").addEventListener("pointerdown", (event) => {
  from = event.target.closest("[data-state]");
  if (from) event.preventDefault();
});
/** The line that is drawn meanwhile, from the middle of the state where it began. */
function pull(event) {
  byId("pull").toggleAttribute("hidden", !event);
  if (!event) return;
  const [box, all] = [from.getBoundingClientRect(), byId("picture-panel").getBoundingClientRect()];
  const ends = { x1: (box.left + box.right) / 2 - all.left, y1: (box.top + box.bottom) / 2 - all.top, x2: event.clientX - all.left, y2: event.clientY - all.top };
  for (const [name, value] of Object.entries(ends)) byId("pull").querySelector("line").setAttribute(name, value);
}

addEventListener("pointermove", (event) => {
  if (!from) return;
  if (!from.contains(event.target)) pull(event);
  for (const each of document.querySelectorAll(".target")) each.classList.remove("target");
  const to = stateAt(event);
  if (to && to !== from) to.classList.add("target");
});
addEventListener("pointerup", (event) => {
  if (!from) return;
  const to = stateAt(event);
  const name = from.dataset.state;
  if (to === from && event.shiftKey) pick(name);
  else if (to === from) choose(name);
  else if (to) connectStates(name, to.dataset.state);
  to?.classList.remove("target");
  from = null;
  pull(null);
});

const group = new Set(); // states that are picked to become a machine

function pick(name) {
  if (isComponent()) return;
  if (noted === "hint") note("");
  if (!group.delete(name)) group.add(name);
  showGroup();
}

function showGroup() {
  for (const name of group) if (!program.states.some((state) => state.name === name)) group.delete(name);
  for (const box of byId("picture").querySelectorAll("[data-state]")) {
    box.classList.toggle("picked", group.has(box.dataset.state));
    if (!isComponent()) box.setAttribute("aria-pressed", String(group.has(box.dataset.state)));
  }
  byId("group").disabled = group.size < 2;
  byId("group").hidden = isComponent();
}

function openGroup() {
  if (group.size < 2) return note("Pick the states that are to become a machine first: with Shift and a click, or Shift+Enter.", "hint");
  byId("group-form").reset();
  delete byId("group-state").dataset.own;
  byId("group-states").textContent = [...group].join(", ");
  opened(byId("group-dialog"));
}

byId("group").addEventListener("click", openGroup);
byId("group-machine").addEventListener("input", ({ target }) => {
  if (byId("group-state").dataset.own !== "yes") byId("group-state").value = target.value.trim().replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
});
byId("group-state").addEventListener("input", ({ target }) => (target.dataset.own = "yes"));
byId("group-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [machine, state, doc] = ["machine", "state", "doc"].map((id) => byId(`group-${id}`).value.trim());
  wish(state);
  edit(["group", [program.states.map((each) => each.name).filter((name) => group.has(name)), state, machine, doc]]);
});

function choose(name) {
  chosen = name;
  group.clear();
  showGroup();
  for (const box of document.querySelectorAll("[data-state]")) box.classList.toggle("chosen", box.dataset.state === name);
  const box = document.querySelector(`[data-state="${name}"]`);
  if (box) box.focus({ preventScroll: true });
  else document.activeElement?.blur();
  sheet.bring(box);
  remember();
  showState();
  showTransitions();
  const state = [...program.states, ...program.modes, ...program.parts].find((each) => each.name === name);
  if (state) reveal(state.line);
}

/** Show a line of the source, unless somebody types in it. */
function reveal(line) {
  if (!editor || typedSomething()) return;
  const at = editor.state.doc.line(Math.min(line, editor.state.doc.lines)).from;
  editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
}

/** Of what can be chosen. */
const names = () => [...program.states, ...program.modes, ...program.parts].map((each) => each.name);
const isComponent = () => program.of === "component";
const addState = () => (isComponent() ? component.add() : openPalette());
const connectStates = (from, to) => (isComponent() ? component.openSwitch(from, to) : openWire(from, to));
const removeState = (name) => edit([isComponent() ? component.removal(name) : "remove_state", [name]]);

// The state

function hint(parameter) {
  const bounds = [parameter.minimum !== null ? `from ${parameter.minimum}` : "", parameter.maximum !== null ? `to ${parameter.maximum}` : ""];
  const rest = parameter.required ? "needed" : `otherwise ${parameter.default}`;
  return [parameter.type, ...bounds, rest].filter(Boolean).join(", ") + (parameter.doc ? ` · ${parameter.doc}` : "");
}

function field(parameter, value, change) {
  const input = h("input", { value: value ?? "", placeholder: parameter.required ? "" : parameter.default, spellcheck: false, name: parameter.name });
  input.setAttribute("list", "sources");
  input.setAttribute("aria-label", parameter.name);
  input.addEventListener("change", () => change(input.value.trim()));
  return h("div", { className: "parameter" }, h("span", { textContent: parameter.name }), input, h("span", { className: "quiet", textContent: hint(parameter) }));
}

function showState() {
  const place = byId("state");
  if (isComponent()) return component.show(place, chosen);
  const state = program.states.find((each) => each.name === chosen);
  if (!state) {
    place.replaceChildren(h("p", { className: "quiet", textContent: "Choose a state to see its parameters. Drag from one state to another to draw a transition." }));
    return;
  }
  const sources = [...program.parameters.map((each) => each.name), ...program.states.filter((each) => each !== state).flatMap((each) => each.outputs.map((output) => `${each.name}.${output}`))];
  const flag = (name) => {
    const box = h("input", { type: "checkbox", checked: state[name] });
    box.addEventListener("change", () => edit(["set_argument", [state.name, name, box.checked ? "True" : null]]));
    return h("label", {}, box, ` ${name} `);
  };
  const name = h("input", { id: "state-name", value: state.name, spellcheck: false, "aria-label": "Name of the state" });
  name.addEventListener("change", () => rename(state.name, name.value.trim()));
  place.replaceChildren(
    h("div", { className: "bar" }, name, h("button", { type: "button", textContent: "Copy", title: "Begin a state like this one (c)", on: { click: () => copy(state.name) } }), h("button", { type: "button", textContent: "Delete state", on: { click: () => edit(["remove_state", [state.name]]) } })),
    h("p", { className: "doc", textContent: `${state.behavior}: ${state.doc}` }),
    h("datalist", { id: "sources" }, ...sources.map((each) => h("option", { value: each }))),
    h("div", {}, flag("final"), flag("optional"), h("label", { title: "A run is paused when this state starts (b)" }, h("input", { id: "breakpoint", type: "checkbox", checked: breakpoints.has(pathOf(state.name)), on: { change: (event) => breakAt(state.name, event.target.checked) } }), " breakpoint ")),
    ...state.parameters.map((each) => field(each, state.arguments[each.name], (value) => edit(["set_argument", [state.name, each.name, value || null]]))),
  );
}

const renamed = []; // names that somebody changed, the old and the new one

function rename(old, name) {
  if (!name || name === old) return;
  wish(name);
  renamed.push([old, name]);
  edit(["rename", [old, name]]);
}

/** What is chosen, and breakpoints, follow a name that is changed, or changed back. */
function followNames() {
  const there = names();
  const now = (name) => there.includes(name) ? name : renamed.flatMap(([old, fresh]) => (fresh === name ? [old] : old === name ? [fresh] : [])).findLast((each) => there.includes(each)) ?? name;
  chosen = now(chosen);
  for (const path of [...breakpoints]) {
    const [, head, name] = path.match(/^(.*\/)?([^/]*)$/);
    if (now(name) !== name && breakpoints.delete(path)) breakpoints.add(`${head ?? ""}${now(name)}`);
  }
}

// Parameters of the machine

function showDeclared() {
  byId("declared").replaceChildren(
    ...program.parameters.map(({ name }) => {
      const text = program.written[name];
      const gone = h("button", { type: "button", textContent: "Delete", "aria-label": `Delete parameter ${name}`, disabled: !text, on: { click: () => edit(["remove_parameter", [name]]) } });
      const own = h("input", { value: name, spellcheck: false, "aria-label": `Name of parameter ${name}`, disabled: !text });
      own.addEventListener("change", () => edit(["rename", [name, own.value.trim()]]));
      const input = area(text ?? "inherited", `Declaration of parameter ${name}`, (value) => edit(["set_parameter", [name, value]]));
      input.disabled = !text;
      return h("li", {}, own, gone, input);
    }),
  );
}

const wires = () => [...program.states, ...program.parts].flatMap((state) => state.parameters.map((each) => `${state.name}.${each.name}`));

function openParameter() {
  byId("parameter-form").reset();
  fill(byId("parameter-wire"), ["(nothing yet)", ...wires()], "(nothing yet)");
  byId("parameter-wire").value = "(nothing yet)";
  byId("parameter-kind").parentElement.hidden = !isComponent();
  opened(byId("parameter-dialog"));
}

byId("parameter-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const value = (id) => byId(`parameter-${id}`).value.trim();
  const words = [value("type")];
  const plain = value("default");
  if (plain) words.push(`default=${value("type") === "str" && !/^["'].*["']$/.test(plain) && plain !== "None" ? JSON.stringify(plain) : plain}`);
  for (const bound of ["minimum", "maximum"]) if (value(bound)) words.push(`${bound}=${value(bound)}`);
  if (value("doc")) words.push(`doc=${JSON.stringify(value("doc"))}`);
  const name = value("name");
  const [state, wired] = value("wire").split(".");
  edit(["set_parameter", [name, `${value("kind")}(${words.join(", ")})`]], ...(wired ? [["set_argument", [state, wired, name]]] : []));
});

byId("machine-form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask({ do: "class", of: byId("machine-of").value, name: byId("machine-name").value.trim(), doc: byId("machine-doc").value.trim() });
});

// Transitions

function showTransitions() {
  if (isComponent()) component.showSwitches(byId("transitions"), chosen);
  else byId("transitions").replaceChildren(
    ...program.transitions.map((each) => {
      const input = area(each.text, `Transition ${each.number + 1}`, (value) => edit(["change_transition", [each.number, value]]));
      const gone = h("button", { type: "button", textContent: "Delete", "aria-label": `Delete transition ${each.number + 1}`, on: { click: () => edit(["remove_transition", [each.number]]) } });
      const about = chosen && new RegExp(`\\b${chosen}\\b`).test(each.text);
      return h("li", { className: about ? "about" : "" }, input, gone);
    }),
  );
  const code = program.code ?? [];
  byId("code").replaceChildren(
    ...(code.length ? [h("h2", { textContent: "Shown as code" })] : []),
    ...code.flatMap((each) => [h("span", { className: "quiet", textContent: `line ${each.line}: ${each.why}` }), h("pre", { textContent: each.text })]),
  );
}

function openWire(source = chosen, target = "") {
  byId("wire-form").reset();
  fill(byId("wire-from"), ["(start of the machine)", "(a condition)", ...program.states.map((state) => state.name)], "");
  byId("wire-from").value = source || "(start of the machine)";
  fill(byId("wire-message"), program.messages, "");
  byId("wire-message").value = "task_successful";
  checks(byId("wire-start"), program.states.map((state) => state.name), [target]);
  checks(byId("wire-stop"), program.states.map((state) => state.name));
  wireFields();
  opened(byId("wire-dialog"));
}

/** Show only what the kind of the transition has. */
function wireFields() {
  const source = byId("wire-from").value;
  const message = !source.startsWith("(");
  byId("wire-message").parentElement.hidden = !message;
  byId("wire-kinds").parentElement.hidden = !message || !["failed", "task_failed", "task_failed_to_start"].includes(byId("wire-message").value);
  byId("wire-monitor").parentElement.hidden = source !== "(a condition)";
  byId("wire-when").parentElement.hidden = source === "(a condition)";
  for (const id of ["wire-times", "wire-fail"]) byId(id).parentElement.hidden = source.startsWith("(start");
  byId("wire-stop").parentElement.hidden = source.startsWith("(start");
}

function opened(dialog) {
  asking = dialog;
  dialog.querySelector(".refusal").textContent = "";
  dialog.showModal();
}

/** Close a dialog whose wish was granted. */
function closed(dialog) {
  asking = null;
  dialog.close();
}

byId("wire-from").addEventListener("change", wireFields);
byId("wire-message").addEventListener("change", wireFields);
byId("wire-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const source = byId("wire-from").value;
  const kinds = byId("wire-kinds").value.split(",").map((each) => each.trim()).filter(Boolean);
  const kind = kinds.length > 1 ? `(kind=[${kinds.map((each) => JSON.stringify(each)).join(", ")}])` : kinds.length ? `(kind=${JSON.stringify(kinds[0])})` : "";
  const condition = source === "(a condition)";
  ask({
    do: "transition",
    machine: program.machine,
    transition: {
      trigger: source.startsWith("(") ? "" : `${source}.${byId("wire-message").value}${byId("wire-kinds").parentElement.hidden ? "" : kind}`,
      start: picked(byId("wire-start")),
      stop: picked(byId("wire-stop")),
      when: byId("wire-when").value.trim(),
      times: byId("wire-times").value.trim(),
      fail: byId("wire-fail").value.trim(),
      monitor: condition ? byId("wire-monitor").value.trim() || "None" : "",
    },
  });
});

// New states

let wanted = null;

function openPalette() {
  wanted = null;
  byId("search").value = "";
  byId("new-state").replaceChildren();
  byId("palette-ok").disabled = true;
  search();
  opened(byId("palette-dialog"));
  byId("search").focus();
}

const matching = () => {
  const words = byId("search").value.toLowerCase().split(/\s+/);
  return [...program.behaviors ?? [], ...known.catalogue].filter((each) => words.every((word) => `${each.name} ${each.state} ${each.doc}`.toLowerCase().includes(word)))
    .sort((one, other) => other.state.startsWith(words[0]) - one.state.startsWith(words[0]));
};

function search() {
  byId("behaviors").replaceChildren(
    ...matching().map((each) =>
      h("button", { type: "button", role: "option", "aria-selected": String(each === wanted), on: { click: () => want(each) } }, each.name, h("small", { textContent: each.doc })),
    ),
  );
}

/** The final state after which a new one is started: the machine would be over by then, so that it cannot stay final. */
function lastBefore() {
  const [name, message] = byId("new-started").value.split(".");
  return program.states.find((state) => state.name === name && state.final && !/failed|started|set/.test(message));
}

function sayFinal() {
  const last = lastBefore();
  byId("new-final").checked = Boolean(last) || !program.states.some((state) => state.final);
  byId("new-final-words").textContent = last ? `final, in place of ${last.name}` : "final";
}

/** What a parameter of a new state is probably wired to: what has the same name. */
function guessed(parameter, needed) {
  const before = program.states.find((state) => state.name === chosen);
  const outputs = [...(before ? [before] : []), ...program.states].filter((state) => state.outputs.includes(parameter.name));
  if (outputs.length) return `${outputs[0].name}.${parameter.name}`;
  if (!needed) return "";
  const same = program.parameters.find((each) => each.name === parameter.name) ?? (parameter.name === "target" && program.parameters.find((each) => each.name === "object"));
  return same ? same.name : "";
}

/** Begin a state like one that is there. */
function copy(name) {
  if (isComponent()) return component.copy(name);
  const state = program.states.find((each) => each.name === name);
  const behavior = [...program.behaviors ?? [], ...known.catalogue].find((each) => each.name === state?.behavior.split(".").pop());
  if (!behavior) return note(`${state?.behavior ?? name} is not offered here: copy its line in the source.`);
  chosen = name;
  openPalette();
  want(behavior);
  for (const input of byId("new-state").querySelectorAll("[data-parameter]")) input.value = state.arguments[input.dataset.parameter] ?? "";
  byId("new-optional").checked = state.optional;
}

function want(behavior) {
  wanted = behavior;
  search();
  const names = new Set(program.states.map((state) => state.name));
  let name = behavior.state;
  for (let number = 2; names.has(name); number++) name = `${behavior.state}_${number}`;
  const triggers = ["(start of the machine)", ...program.states.flatMap((state) => program.messages.map((message) => `${state.name}.${message}`))];
  const started = h("select", { id: "new-started" }, ...triggers.map((each) => h("option", { value: each, textContent: each })));
  started.value = chosen ? `${chosen}.task_successful` : triggers[0];
  const inputs = (needed) => behavior.parameters.filter((each) => each.required === needed).map((each) => {
    const input = field(each, guessed(each, needed), () => {});
    input.querySelector("input").dataset.parameter = each.name;
    return input;
  });
  const sources = [...program.parameters.map((each) => each.name), ...program.states.flatMap((each) => each.outputs.map((output) => `${each.name}.${output}`))];
  const more = inputs(false);
  byId("new-state").replaceChildren(
    h("label", {}, "Name", h("input", { id: "new-name", value: name, spellcheck: false })),
    ...inputs(true),
    h("label", {}, "Started on", started),
    h("div", {}, h("label", {}, h("input", { type: "checkbox", id: "new-final" }), h("span", { id: "new-final-words" })), h("label", {}, h("input", { type: "checkbox", id: "new-optional" }), "optional")),
    h("datalist", { id: "new-sources" }, ...sources.map((each) => h("option", { value: each }))),
    ...(more.length ? [h("details", { open: more.some((each) => each.querySelector("input").value) }, h("summary", { textContent: "More parameters" }), ...more)] : []),
  );
  for (const input of byId("new-state").querySelectorAll("[data-parameter]")) input.setAttribute("list", "new-sources");
  started.addEventListener("change", sayFinal);
  sayFinal();
  byId("palette-ok").disabled = false;
  byId("new-name").focus();
  byId("new-name").select();
}

byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const [first] = matching();
  if (first) want(first);
});
byId("palette-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = byId("new-name").value.trim();
  const named = { module: wanted.module };
  for (const input of byId("new-state").querySelectorAll("[data-parameter]")) if (input.value.trim()) named[input.dataset.parameter] = input.value.trim();
  for (const flag of ["optional", "final"]) if (byId(`new-${flag}`).checked) named[flag] = "True";
  const trigger = byId("new-started").value;
  const last = lastBefore();
  wish(name);
  ask({
    do: "transition",
    machine: program.machine,
    edits: [["add_state", [name, wanted.name], named], ...(last && named.final ? [["set_argument", [last.name, "final", null], {}]] : [])],
    transition: { trigger: trigger.startsWith("(") ? "" : trigger, start: [name] },
  });
});
for (const each of document.querySelectorAll("dialog .cancel")) each.addEventListener("click", () => closed(each.closest("dialog")));
for (const each of document.querySelectorAll("dialog")) {
  each.addEventListener("close", () => (asking = null));
  each.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input[type=checkbox], select")) return;
    event.preventDefault(); // a browser takes Enter for the whole form in fields of text only
    each.querySelector("form").requestSubmit();
  });
}

// The source

let editor = null;

function typedSomething() {
  return editor !== null && editor.state.doc.toString() !== base;
}

function setText(text) {
  base = text;
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  base = editor.state.doc.toString();
}

function takeText() {
  const text = program.text.replaceAll("\r\n", "\n");
  if (editor === null) {
    const root = byId("source").attachShadow({ mode: "open" }); // where styles of a script need no permission
    const extensions = [basicSetup, EditorView.theme({ "&": { height: "100%" } }), EditorView.updateListener.of((update) => update.docChanged && sayTyped()), EditorView.contentAttributes.of({ "aria-label": "Source of the program", tabindex: "0" })];
    editor = new EditorView({ state: EditorState.create({ doc: text, extensions: [...extensions, ...language] }), parent: root, root });
    base = editor.state.doc.toString();
  } else if (!typedSomething() || editor.state.doc.toString() === text) {
    if (editor.state.doc.toString() !== text) setText(text);
    base = text;
  }
  sayTyped();
}

/** Say whether something was typed that is not in the file yet, and whether the file went on meanwhile. */
function sayTyped() {
  const typed = typedSomething();
  const conflict = typed && base !== program.text.replaceAll("\r\n", "\n");
  byId("write").disabled = !typed || conflict;
  byId("take").hidden = !typed;
  byId("mine").hidden = !conflict;
  byId("typed").textContent = conflict ? "The file was changed while you typed. Nothing is lost: choose." : typed ? "not applied yet" : "";
}

const written = () => (program.text.includes("\r\n") ? editor.state.doc.toString().replaceAll("\n", "\r\n") : editor.state.doc.toString());

function write(force) {
  if (!typedSomething()) return;
  const given = program.text;
  ask({ do: "write", text: written(), base: force ? null : given });
  base = editor.state.doc.toString();
}

byId("write").addEventListener("click", () => write(false));
byId("mine").addEventListener("click", () => write(true));
byId("take").addEventListener("click", () => (setText(program.text.replaceAll("\r\n", "\n")), sayTyped()));
byId("source").addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  if (!byId("write").disabled) write(false);
});

// Runs

byId("run-parameters").addEventListener("change", remember);

function showRunParameters() {
  const place = byId("run-parameters");
  const before = Object.fromEntries([...place.querySelectorAll("input")].map((input) => [input.name, input.value]));
  place.replaceChildren(
    ...program.parameters.map((each) =>
      h("label", { title: hint(each) }, `${each.name} `, h("input", { name: each.name, value: before[each.name] ?? kept.get(`parameter.${each.name}`) ?? "", placeholder: each.required ? "needed" : each.default, required: each.required, spellcheck: false })),
    ),
  );
}

byId("run-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (notApplied()) return;
  byId("output").textContent = byId("outcome").textContent = byId("outcome").className = "";
  lights = {};
  const given = [...byId("run-parameters").querySelectorAll("input")].filter((input) => input.value.trim());
  const parameters = Object.fromEntries(given.map((input) => [input.name, input.value.trim()]));
  ask({ do: "run", machine: program.machine, robot: byId("robot").value, world: byId("world").value, sim: byId("sim").value, seed: Number(byId("seed").value) || 0, parameters, view: byId("watch").checked, breakpoints: breaks() });
});
/** Whether something is typed that would not run; that is said. */
function notApplied() {
  if (typedSomething()) note("What you typed is not applied yet: apply or drop it first, so that you see what runs.");
  return typedSomething();
}

const breaks = () => program.states.map((each) => pathOf(each.name)).filter((path) => breakpoints.has(path));
for (const [id, from] of [["again", "start"], ["again-here", "stop"]])
  byId(id).addEventListener("click", () => {
    if (notApplied()) return;
    ask({ do: "again", from, breakpoints: breaks() });
  });
for (const [id, what] of [["go-on", "resume"], ["step", "step"]])
  byId(id).addEventListener("click", () => {
    ask({ do: what });
    if (what === "resume") sayRun("running…");
  });
byId("stop-run").addEventListener("click", () => ask({ do: "stop" }));

function ran(told) {
  running = told.running;
  const before = lights;
  lights = understood(told.text);
  light();
  const begun = Object.keys(lights).filter((path) => lights[path] === "running" && before[path] !== "running").pop();
  if (begun) sheet.bring(byId("picture").querySelector(`[data-path="${CSS.escape(begun)}"]`), true);
  byId("watch-link").hidden = !told.page;
  if (told.page) byId("watch-link").href = told.page;
  byId("output").textContent = told.text.replace(/^wrote .*\n?/gm, ""); // the log of events goes when the run ends
  byId("output").scrollTop = byId("output").scrollHeight;
  byId("run-now").disabled = told.running;
  byId("stop-run").disabled = !told.running && !told.page;
  byId("again").disabled = !told.page;
  byId("again-here").disabled = !told.page || !/^paused: (breakpoint|one step)/m.test(told.text);
  const [, paused] = told.text.trimEnd().match(/(?:^|\n)(paused[^\n]*)$/) ?? [];
  sayRun(told.running ? paused ?? "running…" : told.code === 0 ? "succeeded" : told.code < 0 ? "stopped" : "failed", told.running ? "" : told.code === 0 ? "good" : "bad");
}

function sayRun(words, look = "") {
  byId("outcome").textContent = words;
  byId("outcome").className = look;
  for (const id of ["go-on", "step"]) byId(id).disabled = !words.startsWith("paused");
}

// Buttons and keys

byId("machine").addEventListener("change", (event) => ((chosen = ""), show(event.target.value)));
byId("seed").value = Number(kept.get("seed")) || 0;
for (const name of KEPT) byId(name).addEventListener("change", remember);
byId("unfold").addEventListener("change", () => show(program.machine));
byId("add").addEventListener("click", addState);
byId("add-part").addEventListener("click", () => component.openPart());
byId("connect").addEventListener("click", () => connectStates());
byId("declare").addEventListener("click", openParameter);
byId("new-machine").addEventListener("click", () => (byId("machine-form").reset(), opened(byId("machine-dialog"))));
byId("undo").addEventListener("click", () => ask({ do: "undo" }));
byId("redo").addEventListener("click", () => ask({ do: "redo" }));
byId("find").addEventListener("change", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  const found = names().find((name) => name.toLowerCase() === wanted) ?? names().find((name) => name.toLowerCase().includes(wanted));
  if (!wanted) return;
  if (found) choose(found);
  else note(`There is nothing called "${event.target.value}" in ${program.machine}.`);
});
byId("note-close").addEventListener("click", () => note(""));

addEventListener("keydown", (event) => {
  if (asking || event.target.closest("input, select, textarea, #source")) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const own = event.target.closest?.("[data-state]")?.dataset.state;
  const doing = {
    z: () => control && (ask({ do: event.shiftKey ? "redo" : "undo" }), true),
    y: () => control && (ask({ do: "redo" }), true),
    a: () => !control && (addState(), true),
    p: () => !control && (openParameter(), true),
    t: () => !control && (connectStates(own ?? chosen), true),
    c: () => !control && (own ?? chosen) && (copy(own ?? chosen), true),
    g: () => !control && (openGroup(), true),
    escape: () => group.size && (group.clear(), showGroup(), true),
    enter: () => own && ((event.shiftKey ? pick : choose)(own), true),
    delete: () => (own ?? chosen) && (removeState(own ?? chosen), true),
    b: () => !control && (own ?? chosen) && (isComponent() ? note("A breakpoint is set on a state of a machine.", "hint") : breakAt(own ?? chosen), true),
    "/": () => !control && (byId("find").focus(), true),
    "+": () => !control && (sheet.zoom(1.2), true),
    "-": () => !control && (sheet.zoom(1 / 1.2), true),
    0: () => !control && (sheet.zoom(0), true),
    f2: () => (own ?? chosen) && (choose(own ?? chosen), byId("state-name").select(), true),
  }[key];
  if (doing?.()) event.preventDefault();
});

/** What the panels of a component need of this page. */
const page = { ask, copy, edit, choose, field, opened, rename, reveal, wish };

const language = [await languages.find((each) => each.name === "Python").load(), indentUnit.of("    ")];
connect();
