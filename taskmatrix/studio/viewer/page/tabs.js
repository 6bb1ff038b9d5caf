// Tabs of a panel, and panels that fill the window.

import { h, icon, setAttribute, setText } from "./dom.js";
import { shown } from "./store.js";

/**
 * Make tabs.
 * @param {HTMLElement} bar
 * @param {HTMLElement} body
 * @param {[string, string][]} names Id and label of each.
 */
export function makeTabs(bar, body, names) {
  const pages = new Map(names.map(([id]) => [id, h("div", { class: "page", id: `page-${id}`, role: "tabpanel", tabIndex: 0, hidden: true, aria: { labelledby: `tab-${id}` } })]));
  const buttons = new Map(names.map(([id, label]) => [id, h("button", { type: "button", role: "tab", id: `tab-${id}`, aria: { controls: `page-${id}` }, on: { click: () => open(id, true) } }, label, h("span", { class: "badge", hidden: true }))]));
  const tabs = { byHand: false, open, page: (id) => pages.get(id), isOpen: (id) => () => !pages.get(id).hidden, badge };
  bar.append(...buttons.values());
  body.append(...pages.values());
  bar.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.stopPropagation();
    const ids = [...pages.keys()];
    const now = ids.findIndex((id) => !pages.get(id).hidden);
    const id = ids[(now + way + ids.length) % ids.length];
    open(id, true);
    buttons.get(id).focus();
  });

  /** Open a tab; one that a person opened is not left for another by itself. */
  function open(id, hand = false) {
    tabs.byHand ||= hand;
    for (const [name, page] of pages) {
      page.hidden = name !== id;
      setAttribute(buttons.get(name), "aria-selected", name === id);
      setAttribute(buttons.get(name), "tabindex", name === id ? 0 : -1);
    }
    shown();
  }

  /** Write a number on a tab; 0 takes it off. */
  function badge(id, count, look = "") {
    const element = buttons.get(id).lastChild;
    element.hidden = !count;
    setText(element, count ? String(count) : "");
    element.className = `badge ${look}`;
  }

  open(names[0][0]);
  return tabs;
}

/** Each panel gets a button that lets it fill the window, and back. */
export function makeLarge(panels) {
  for (const panel of panels) {
    const enlarge = h("button", { type: "button", class: "enlarge", title: "Fill the window", aria: { label: "Fill the window", pressed: "false" } }, icon("large"));
    const turn = (large) => {
      panel.classList.toggle("large", large);
      panel.parentElement.classList.toggle("has-large", large);
      setAttribute(enlarge, "aria-pressed", large);
      enlarge.title = large ? "Back (Esc)" : "Fill the window";
      shown();
    };
    enlarge.addEventListener("click", () => turn(!panel.classList.contains("large")));
    addEventListener("keydown", (event) => event.key === "Escape" && panel.classList.contains("large") && turn(false));
    panel.querySelector(".tools").append(enlarge);
  }
}
