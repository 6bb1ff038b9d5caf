// The activation tree of the present cycle: who is active because of whom, since when, and what it was asked.

import { h, setClass, setText } from "./dom.js";
import { short, words } from "./format.js";
import { reads, store } from "./store.js";
import { VirtualList } from "./virtual.js";

const ROW = 22; // [px]
const INDENT = 14; // [px] a level
let list, empty;

/** @param {function(): boolean} visible Whether its tab is open. */
export function startTree(parent, visible) {
  empty = h("p", { class: "empty" }, "No activation tree runs.");
  parent.append(empty);
  list = new VirtualList(parent, ROW, makeRow, fillRow, "Activation tree");
  reads(["tree", "time", "shown"], () => {
    const nodes = store.sections.tree ?? [];
    empty.hidden = nodes.length > 0;
    list.box.hidden = nodes.length === 0;
    list.setCount(nodes.length);
  }, visible);
}

const makeRow = () => h("div", { class: "tree-row" }, h("span", { class: "dot" }), h("span", { class: "tree-name" }), h("span", { class: "tree-asked" }), h("span", { class: "tree-time" }));

function fillRow(row, number) {
  const node = store.sections.tree[number];
  const [dot, name, asked, lasts] = row.children;
  const state = ["active", "achieved", "failed"].includes(node.state) ? node.state : "mode";
  setClass(dot, `dot ${state}`);
  setText(name, state === "mode" ? `${node.name} : ${node.state}` : node.name);
  if (row.depth !== node.depth) {
    row.depth = node.depth;
    dot.style.marginLeft = `${node.depth * INDENT}px`;
  }
  setText(asked, words(node.modulations ?? {}).replace(/^none$/, ""));
  setText(lasts, short(store.time - node.since));
  const rate = node.frequency ? ` at ${node.frequency} Hz` : "";
  const title = `${node.name}: ${node.state}${rate}${node.parents?.length ? `, stepped by ${node.parents.join(", ")}` : ""}`;
  if (row.title !== title) row.title = title;
}
