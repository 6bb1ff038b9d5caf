// Set parameters, modulations and frequencies of what runs; and what was set.

import { button, h, keyed, setText } from "./dom.js";
import { label, trail, words } from "./format.js";
import { reads, store } from "./store.js";
import { send } from "./stream.js";

/** @param {function(): boolean} visible Whether its tab is open. */
export function startAdjust(parent, visible) {
  const list = h("ul", { class: "plain" });
  const places = h("datalist", { id: "adjust-places" });
  const names = h("datalist", { id: "adjust-names" });
  const where = h("input", { type: "text", placeholder: "of what", list: "adjust-places", aria: { label: "Behavior or component" }, maxLength: 500, required: true });
  const name = h("input", { type: "text", placeholder: "which", list: "adjust-names", aria: { label: "Parameter or modulation" }, maxLength: 200, required: true });
  const value = h("input", { type: "text", placeholder: "value", aria: { label: "Value" }, maxLength: 500, required: true });
  const offer = (element, choices) => element.replaceChildren(...choices.map((each) => h("option", { value: each })));
  where.addEventListener("input", () => offer(names, settable().get(where.value.trim()) ?? []));
  const form = h("form", { class: "add", on: { submit: (event) => {
    event.preventDefault();
    send({ type: "set", where: where.value.trim(), name: name.value.trim(), value: value.value.trim() });
    value.value = "";
  } } }, "Set", where, name, value, h("button", { type: "submit" }, "Set"), places, names);
  parent.append(form, list);
  reads(["run", "parameters", "tree", "hello", "shown"], () => {
    form.hidden = !store.hello?.controls || !["running", "paused"].includes(store.sections.run?.status);
    if (document.activeElement !== where) offer(places, [...settable().keys()]);
    keyed(list, store.sections.run?.adjusted ?? [], (each) => `${each.where} ${each.name}`, makeSet, fillSet);
  }, visible);
}

function makeSet({ where, name }) {
  return h("li", {}, h("span", { class: "kind" }, "set"), h("span", { class: "grow" }), button("Undo", () => send({ type: "unset", where, name })));
}

const fillSet = (element, { where, name, value }) => setText(element.children[1], `${trail(where)}: ${label(name)} ${words(value)}`);

/** Names of what can be set, by path. */
function settable() {
  const found = new Map(Object.entries(store.sections.parameters ?? {}).map(([path, values]) => [path, Object.keys(values)]));
  for (const { name, source, depth, modulations } of store.sections.tree ?? []) {
    const path = depth ? `${source}/${name}` : source;
    found.set(path, [...(found.get(path) ?? []), ...Object.keys(modulations ?? {}), "frequency"]);
  }
  return found;
}
