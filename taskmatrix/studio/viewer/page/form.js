// Start a behavior: a form made from what its parameters are.

import { button, h, setText } from "./dom.js";
import { label } from "./format.js";
import { store } from "./store.js";
import { send } from "./stream.js";

let dialog, choice, doc, fields, problem, waiting = false;

/** Open the form. */
export function openForm() {
  dialog ?? make();
  const { behaviors } = store.hello;
  const kept = last().name ?? choice.value;
  choice.replaceChildren(...behaviors.map(({ name }) => h("option", { value: name }, name)));
  if (behaviors.some(({ name }) => name === kept)) choice.value = kept;
  show();
  dialog.showModal();
}

/** What ran last, with its parameters; nothing where it is not one that can be started here. */
function last() {
  const name = store.sections.run?.behavior;
  const known = store.hello.behaviors.some((behavior) => behavior.name === name);
  return known ? { name, values: store.sections.parameters?.[name] ?? {} } : { values: {} };
}

function make() {
  choice = h("select", { id: "form-behavior", on: { change: show } });
  doc = h("p", { class: "quiet" });
  fields = h("div", { class: "fields" });
  problem = h("p", { class: "reason", role: "alert", hidden: true });
  const form = h("form", { on: { submit } },
    h("h2", {}, "Start a behavior"), h("label", { htmlFor: "form-behavior" }, "Behavior"), choice, doc, fields, problem,
    h("div", { class: "buttons" }, button("Cancel", () => dialog.close()), h("button", { type: "submit", class: "accent" }, "Start")));
  dialog = h("dialog", { class: "form" }, form);
  document.body.append(dialog);
}

const chosen = () => store.hello.behaviors.find(({ name }) => name === choice.value);

function show() {
  problem.hidden = true;
  const behavior = chosen();
  setText(doc, behavior?.doc ?? "");
  fields.replaceChildren(...(behavior?.parameters ?? []).flatMap(field));
  const { name, values } = last();
  if (name !== choice.value) return;
  for (const [key, value] of Object.entries(values)) {
    const element = fields.querySelector(`[name="${CSS.escape(key)}"]`);
    if (element && value !== null) element.value = String(value);
  }
}

/** Label, field and what it means of one parameter. */
function field(parameter) {
  const id = `form-${parameter.name}`;
  const required = parameter.required && !offersOf(parameter).length;
  return [
    h("label", { htmlFor: id }, label(parameter.name), h("span", { class: "kind" }, parameter.type), parameter.required ? h("span", { class: "kind" }, "needed") : null),
    input(parameter, id, required),
    h("p", { class: "quiet" }, parameter.doc ?? ""),
  ];
}

function input(parameter, id, required) {
  const given = parameter.default === null || parameter.default === undefined ? "" : String(parameter.default);
  const name = parameter.name;
  if (parameter.choices?.length) {
    const options = parameter.choices.map((value) => h("option", { value: String(value) }, String(value)));
    const usual = parameter.required ? [] : [h("option", { value: "" }, given ? `as usual (${given})` : "none")];
    return h("select", { id, name }, ...usual, ...options);
  }
  if (parameter.type === "bool") {
    return h("select", { id, name }, h("option", { value: "" }, `as usual (${given === "true" ? "yes" : "no"})`), h("option", { value: "true" }, "yes"), h("option", { value: "false" }, "no"));
  }
  const numeric = parameter.type === "float" || parameter.type === "int";
  const offers = offersOf(parameter);
  const list = offers.length ? h("datalist", { id: `${id}-choices` }, ...offers.map((value) => h("option", { value }))) : null;
  const field = h("input", { id, name, type: numeric ? "number" : "text", placeholder: given, required, maxLength: 500, autocomplete: "off" });
  if (numeric) field.step = parameter.type === "int" ? "1" : "any";
  if (list) field.setAttribute("list", list.id);
  return list ? h("span", {}, field, list) : field;
}

/** Objects of the world, for parameters that are about one. */
function offersOf({ name, type }) {
  if (type !== "str" || !["object", "target", "on", "obstacle", "surface"].includes(name)) return [];
  return (store.scene?.objects ?? []).map(({ id }) => id);
}

function submit(event) {
  event.preventDefault();
  const parameters = {};
  for (const [name, value] of new FormData(event.target)) if (String(value).trim()) parameters[name] = String(value).trim();
  waiting = true;
  if (!send({ type: "start", behavior: choice.value, parameters })) refuse("There is no connection to the run.");
}

/** The server said no: the form says why, and stays. */
export function refuse(why) {
  if (!dialog?.open || !waiting) return false;
  waiting = false;
  problem.hidden = false;
  setText(problem, why);
  return true;
}

/** What was asked for runs: the form is done. */
export function began() {
  if (dialog?.open && waiting) {
    waiting = false;
    dialog.close();
  }
}
