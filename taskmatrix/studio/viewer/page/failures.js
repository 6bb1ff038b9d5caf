// Failures with their whole chain; what a fact names is shown in the scene, the plots or the machine at a click.

import { button, h, keyed } from "./dom.js";
import { label, seconds, trail, words } from "./format.js";
import { showState } from "./machine.js";
import { chain, why } from "./now.js";
import { seek } from "./playback.js";
import { plotJoint } from "./plots.js";
import { isShown } from "./scene.js";
import { select } from "./selection.js";
import { reads, store } from "./store.js";

const UNITS = { distance: " m", clearance: " m", duration: " s", after: " s" }; // of facts that are numbers
let list, empty;

/** @param {function(): boolean} visible Whether its tab is open. */
export function startFailures(parent, visible) {
  list = h("ol", { class: "failures" });
  empty = h("p", { class: "empty" }, "Nothing has failed.");
  parent.append(empty, list);
  reads(["failures", "shown", "hello", "scene"], () => {
    const failures = (store.sections.failures ?? []).slice().reverse();
    empty.hidden = failures.length > 0;
    keyed(list, failures, keyOf, make, () => {});
  }, visible);
}

/** Once the scene is there, what facts name can be shown: then they are made anew. */
const keyOf = ({ time, source, text }) => `${Boolean(store.scene)} ${time} ${source} ${text}`;

function make(entry) {
  return h("li", { class: "failure" },
    h("div", { class: "failure-head" },
      button(seconds(entry.time), () => seek(entry.time), { class: "time", title: "Go to this time" }),
      h("strong", {}, why(entry))),
    story(chain(entry.failure)));
}

/** The chain, each cause inside of what it caused. */
function story(links) {
  const [failure, ...causes] = links;
  if (!failure) return h("span");
  return h("div", { class: "cause" },
    h("p", {}, where(failure.where), h("span", {}, `${failure.message}`), h("span", { class: "kind" }, label(failure.kind ?? ""))),
    facts(failure.facts ?? {}),
    failure.earlier?.length ? h("details", {}, h("summary", {}, `before that, ${failure.earlier.length} recovered`), ...failure.earlier.map((earlier) => story(chain(earlier)))) : null,
    failure.trace ? h("details", {}, h("summary", {}, "traceback"), h("pre", {}, failure.trace)) : null,
    causes.length ? h("div", { class: "because" }, h("span", { class: "because-word" }, "because"), story(causes)) : null);
}

/** Who says it: a state can be shown in the machine. */
function where(path) {
  if (!path.includes("/") && !store.sections.machine?.[path]) return h("span", { class: "where" }, path);
  return button(trail(path), () => showState(path), { class: "where", title: "Show this state" });
}

function facts(values) {
  const entries = Object.entries(values);
  if (!entries.length) return null;
  return h("div", { class: "facts" }, ...entries.map(([key, value]) => fact(key, value)));
}

/** One fact: a button when what it names can be shown. */
function fact(key, value) {
  const names = namesIn(value);
  const shownNames = names.filter(isShown);
  const joint = names.find((name) => store.scene?.robot.names.includes(name));
  const text = h("span", {}, h("span", { class: "fact-key" }, label(key)), ` ${words(value)}${UNITS[key] ?? ""}`);
  if (shownNames.length) return button(text, () => select({ names: shownNames, joint: null }), { class: "fact", title: "Show in the scene", data: { fact: key } });
  if (joint) {
    return button(text, () => {
      select({ names: [], joint });
      plotJoint(joint);
    }, { class: "fact", title: "Show the joint and its plot", data: { fact: key } });
  }
  return h("span", { class: "fact still" }, text);
}

/** The names in a fact. */
function namesIn(value) {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (value && typeof value === "object") return [...Object.keys(value), ...Object.values(value).flatMap(namesIn)];
  return [];
}

/** How many failures there are: for the tab. */
export const countOf = () => (store.sections.failures ?? []).length;
