// Chains and who owns them, parameters, and conditions with their values.

import { h, keyed, setClass, setText } from "./dom.js";
import { label, trail, words } from "./format.js";
import { reads, store } from "./store.js";

/** @param {function(): boolean} visible Whether its tab is open. */
export function startChains(parent, visible) {
  const list = h("ul", { class: "plain rows" });
  const empty = h("p", { class: "empty" }, "No chain is told yet.");
  parent.append(empty, list);
  reads(["chains", "shown"], () => {
    const chains = Object.entries(store.sections.chains ?? {});
    empty.hidden = chains.length > 0;
    keyed(list, chains, ([name]) => name, makeChain, fillChain);
  }, visible);
}

const makeChain = ([name]) => h("li", {}, h("span", { class: "dot" }), h("span", { class: "key" }, label(name)), h("span", { class: "grow" }), h("span", { class: "quiet" }));

function fillChain(element, [, { owner, shared = [] }]) {
  const [dot, , who, others] = element.children;
  setClass(dot, `dot ${owner ? "active" : ""}`);
  setText(who, owner ? trail(owner) : "free");
  setText(others, shared.length ? `shared with ${shared.map(trail).join(", ")}` : "");
}

/** @param {function(): boolean} visible */
export function startParameters(parent, visible) {
  const list = h("div", { class: "groups" });
  const empty = h("p", { class: "empty" }, "Parameters appear when a behavior starts.");
  parent.append(empty, list);
  reads(["parameters", "shown"], () => {
    const groups = Object.entries(store.sections.parameters ?? {});
    empty.hidden = groups.length > 0;
    keyed(list, groups, ([path]) => path, ([path]) => h("section", {}, h("h3", {}, trail(path)), h("dl", { class: "values" })), fillParameters);
  }, visible);
}

function fillParameters(element, [, values]) {
  const text = JSON.stringify(values);
  if (element.told === text) return;
  element.told = text;
  element.lastChild.replaceChildren(...Object.entries(values).flatMap(([key, value]) => [h("dt", {}, label(key)), h("dd", {}, words(value))]));
}

/** @param {function(): boolean} visible */
export function startConditions(parent, visible) {
  const list = h("ul", { class: "plain conditions" });
  const empty = h("p", { class: "empty" }, "No condition has been asked yet.");
  parent.append(empty, list);
  reads(["conditions", "shown"], () => {
    const conditions = store.sections.conditions ?? [];
    empty.hidden = conditions.length > 0;
    keyed(list, conditions, ({ source, role, condition }) => `${source} ${role} ${condition}`, makeCondition, fillCondition);
  }, visible);
}

function makeCondition({ source, role, condition }) {
  return h("li", {},
    h("div", { class: "condition-head" }, h("span", { class: "dot" }), h("strong", {}, condition), h("span", { class: "answer" })),
    h("div", { class: "quiet" }, `${role} of ${trail(source)}`),
    h("div", { class: "reason" }),
    h("div", { class: "asked" }));
}

function fillCondition(element, { holds, why, values, since }) {
  const [head, , reason, asked] = element.children;
  setClass(head.firstChild, `dot ${holds ? "holds" : "fails"}`);
  setText(head.lastChild, `${holds ? "holds" : "does not hold"} since ${since.toFixed(2)} s`);
  reason.hidden = holds || !why;
  setText(reason, why || "");
  const entries = Object.entries(values ?? {});
  asked.hidden = !entries.length;
  setText(asked, entries.map(([key, value]) => `${label(key)} ${words(value)}`).join("   "));
}
