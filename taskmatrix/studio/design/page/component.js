// Components in the designer: their parts, their modes, and what leads from one mode to another.

import { byId, checks, fill, h, picked } from "./dom.js";

let program = { modes: [], parts: [], switches: [], parameters: [], methods: [] };
let known = { components: [] };
let page = null; // what the rest of the page does

/** Take in what the file says now. */
export function take(told, offered, rest) {
  [program, known, page] = [told, offered, rest];
  const component = told.of === "component";
  byId("add").textContent = component ? "Add mode" : "Add state";
  byId("add").hidden = byId("connect").hidden = component && !told.modal;
  byId("add-part").hidden = !component;
  byId("methods").replaceChildren(...(told.methods ?? []).map((name) => h("option", { value: name })));
  if (component) showParts();
  else byId("parts").replaceChildren();
}

/** What a component needs before it can run. */
export function lacks() {
  if (program.modal && !program.modes.length) return [`${program.machine} has no modes yet: add one.`];
  return [];
}

export const removal = (name) => (program.modes.some((mode) => mode.name === name) ? "remove_mode" : "remove_part");
export const add = () => (program.modal ? openMode() : openPart());

// The mode or part that is chosen

export function show(place, chosen) {
  const mode = program.modes.find((each) => each.name === chosen);
  const part = program.parts.find((each) => each.name === chosen);
  if (mode) place.replaceChildren(...modePanel(mode));
  else if (part) place.replaceChildren(...partPanel(part));
  else {
    const rate = h("input", { id: "frequency", value: program.frequency, placeholder: "in every cycle", spellcheck: false });
    rate.addEventListener("change", () => page.edit(["set_frequency", [rate.value.trim() || null]]));
    place.replaceChildren(
      h("label", {}, "Frequency [Hz] ", rate),
      h("p", { className: "quiet", textContent: program.modal ? "Choose a mode or a part. Drag from one mode to another to draw a transition." : "Choose a part to see its parameters." }),
    );
  }
}

function head(thing, noun, removal) {
  const name = h("input", { id: "state-name", value: thing.name, spellcheck: false, "aria-label": `Name of the ${noun}` });
  name.addEventListener("change", () => page.rename(thing.name, name.value.trim()));
  const copy = noun === "mode" ? h("button", { type: "button", textContent: "Copy", title: "Begin a mode like this one (c)", on: { click: () => page.copy(thing.name) } }) : null;
  return h("div", { className: "bar" }, name, copy, h("button", { type: "button", textContent: `Delete ${noun}`, on: { click: () => page.edit([removal, [thing.name]]) } }));
}

function modePanel(mode) {
  const argument = (name, value) => page.edit(["set_argument", [mode.name, name, value]]);
  const steps = (name, legend) => {
    const place = h("div", { id: `own-${name}` });
    checks(place, program.parts.map((part) => part.name), mode[name]);
    place.addEventListener("change", () => argument(name, picked(place).length ? `[${picked(place).join(", ")}]` : null));
    return h("fieldset", {}, h("legend", { textContent: legend }), place);
  };
  const achieved = h("input", { type: "checkbox", checked: mode.achieved });
  achieved.addEventListener("change", () => argument("achieved", achieved.checked ? "True" : null));
  return [
    head(mode, "mode", "remove_mode"),
    steps("inform", "Parts that it asks"),
    steps("act", "Parts that it modulates"),
    h("label", {}, achieved, " what the component is there for is achieved in it"),
    h("p", { className: "quiet", textContent: mode.code ? `In this mode it runs ${mode.code}().` : `Nothing is run in it: write a method below @${mode.name}.code in the source.` }),
  ];
}

function partPanel(part) {
  const argument = (name) => (value) => page.edit(["set_argument", [part.name, name, value || null]]);
  const optional = h("input", { type: "checkbox", checked: part.optional });
  optional.addEventListener("change", () => argument("optional")(optional.checked ? "True" : null));
  const rate = { name: "frequency", type: "float", doc: "[Hz]", required: false, default: "that of its class", minimum: null, maximum: null };
  const settings = part.paced ? [rate, ...part.parameters] : part.parameters;
  return [
    head(part, "part", "remove_part"),
    h("p", { className: "doc", textContent: part.doc ? `${part.component}: ${part.doc}` : part.component }),
    ...(part.modulations.length ? [h("p", { className: "quiet", textContent: `What modes set on it: ${part.modulations.map((each) => `self.${part.name}.${each}`).join(", ")}` })] : []),
    h("label", {}, optional, " optional: its failure leaves this one running"),
    h("datalist", { id: "sources" }, ...program.parameters.map((each) => h("option", { value: each.name }))),
    ...settings.map((each) => page.field(each, part.arguments[each.name], argument(each.name))),
  ];
}

const modes = (count) => (count === 1 ? "one mode" : `${count} modes`);

function showParts() {
  byId("parts").replaceChildren(
    h("h2", { textContent: "Parts" }),
    h("ul", { id: "part-list" }, ...program.parts.map((part) => {
      const uses = ["inform", "act"].map((how) => program.modes.filter((mode) => mode[how].includes(part.name)).length);
      const words = [part.arguments.frequency && `${part.arguments.frequency} Hz`, part.optional && "optional", uses[0] && `asked in ${modes(uses[0])}`, uses[1] && `modulated in ${modes(uses[1])}`];
      return h("li", {}, h("button", { type: "button", textContent: part.name, on: { click: () => page.choose(part.name) } }), h("span", { className: "quiet", textContent: [part.component, ...words].filter(Boolean).join(" \u00b7 ") }));
    })),
  );
}

// Transitions between modes

export function showSwitches(place, chosen) {
  const about = (each) => [each.source, each.target].includes(chosen);
  const first = [...program.switches].sort((one, other) => about(other) - about(one));
  place.replaceChildren(
    ...first.map((each) => {
      const ends = `from ${each.source} to ${each.target}`;
      const after = h("input", { value: each.after, placeholder: "none", spellcheck: false, "aria-label": `Seconds after which it leads ${ends}` });
      after.addEventListener("change", () => page.edit(["change_switch", [each.number, each.target, after.value.trim()]]));
      const to = h("select", { "aria-label": `Where the transition from ${each.source} leads` });
      fill(to, program.modes.map((mode) => mode.name), each.target);
      to.value = each.target;
      to.addEventListener("change", () => page.edit(["change_switch", [each.number, to.value, each.after]]));
      const gone = h("button", { type: "button", textContent: "Delete", "aria-label": `Delete the transition ${ends}`, on: { click: () => page.edit(["remove_switch", [each.number]]) } });
      const method = h("button", { type: "button", className: "link", textContent: each.method ? `${each.method}()` : "by time", title: "Show it in the source", on: { click: () => page.reveal(each.line) } });
      return h("li", { className: `switch${about(each) ? " about" : ""}` }, h("span", { textContent: `${each.source} \u2192` }), to, h("label", {}, "after ", after, " s"), method, gone);
    }),
  );
}

export function openSwitch(from, to) {
  const modes = program.modes.map((mode) => mode.name);
  byId("switch-form").reset();
  for (const [id, name] of [["switch-from", from], ["switch-to", to]]) {
    fill(byId(id), modes, modes[0]);
    if (modes.includes(name)) byId(id).value = name;
  }
  page.opened(byId("switch-dialog"));
  byId("switch-after").focus();
}

byId("switch-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [from, to, after, method, doc] = ["from", "to", "after", "method", "doc"].map((id) => byId(`switch-${id}`).value.trim());
  page.edit(["add_switch", [from, to, after, method, doc]]);
});

// New modes and parts

/** Begin a mode like one that is there. */
export function copy(name) {
  const mode = program.modes.find((each) => each.name === name);
  if (!mode) return;
  openMode();
  for (const how of ["inform", "act"]) checks(byId(`mode-${how}`), program.parts.map((part) => part.name), mode[how]);
  byId("mode-achieved").checked = mode.achieved;
  byId("mode-from").value = name;
}

function openMode() {
  const parts = program.parts.map((part) => part.name), modes = program.modes.map((mode) => mode.name);
  byId("mode-form").reset();
  checks(byId("mode-inform"), parts);
  checks(byId("mode-act"), parts);
  fill(byId("mode-from"), modes, modes[0]);
  for (const each of byId("mode-form").querySelectorAll("#mode-from-label, .reached")) each.hidden = !modes.length; // the first is where it begins
  page.opened(byId("mode-dialog"));
}

byId("mode-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [name, from, after, method] = ["name", "from", "after", "method"].map((id) => byId(`mode-${id}`).value.trim());
  page.wish(name);
  const mode = ["add_mode", [name, picked(byId("mode-inform")), picked(byId("mode-act")), byId("mode-achieved").checked]];
  page.edit(mode, ...(program.modes.length ? [["add_switch", [from, name, after, method]]] : []));
});

const offered = () => [...(program.components ?? []), ...known.components];

export function openPart() {
  byId("part-form").reset();
  fill(byId("part-component"), offered().map((each) => each.name), offered()[0]?.name);
  wantPart();
  page.opened(byId("part-dialog"));
}

/** Show what the component takes that is chosen for a part. */
function wantPart() {
  const component = offered().find((each) => each.name === byId("part-component").value);
  if (!component) return;
  const names = new Set(program.parts.map((part) => part.name));
  byId("part-name").value = component.part;
  for (let number = 2; names.has(byId("part-name").value); number++) byId("part-name").value = `${component.part}_${number}`;
  byId("part-doc").textContent = component.doc;
  const own = program.parameters.map((each) => each.name);
  byId("part-parameters").replaceChildren(...component.parameters.map((each) => page.field(each, own.includes(each.name) ? each.name : "", () => {})));
}

byId("part-component").addEventListener("change", wantPart);
byId("part-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const component = offered().find((each) => each.name === byId("part-component").value);
  const named = { module: component.module ?? "" };
  for (const input of byId("part-parameters").querySelectorAll("input")) if (input.value.trim()) named[input.name] = input.value.trim();
  if (byId("part-frequency").value.trim()) named.frequency = byId("part-frequency").value.trim();
  if (byId("part-optional").checked) named.optional = "True";
  const again = program.parts.some((part) => part.component.split(".").pop() === component.name); // a tree has one of a name
  if (again) named.name = JSON.stringify(byId("part-name").value.trim().replaceAll("_", "-"));
  page.wish(byId("part-name").value.trim());
  page.edit(["add_part", [byId("part-name").value.trim(), component.name], named]);
});
