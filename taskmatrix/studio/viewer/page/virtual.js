// A list of which only the rows in sight are elements: a hundred thousand rows scroll as ten do.

import { keepSize, sizeOf } from "./canvas.js";
import { h } from "./dom.js";

const SPARE = 6; // rows above and below what is in sight

export class VirtualList {
  /**
   * @param {HTMLElement} parent Gets the scrolling box.
   * @param {number} height [px] of a row.
   * @param {function(): HTMLElement} make A row without content.
   * @param {function(HTMLElement, number): void} fill Writes the item of a number into a row.
   * @param {string} label For readers of screens.
   */
  constructor(parent, height, make, fill, label) {
    this.height = height;
    this.make = make;
    this.fill = fill;
    this.count = 0;
    this.rows = [];
    this.spacer = h("div", { class: "spacer" });
    this.box = h("div", { class: "virtual", tabIndex: 0, role: "list", aria: { label } }, this.spacer);
    this.top = 0;
    this.box.addEventListener("scroll", () => {
      this.top = this.box.scrollTop;
      this.draw();
    }, { passive: true });
    keepSize(this.box, () => this.draw());
    parent.append(this.box);
  }

  /** There are this many items now; what is in sight is written anew. */
  setCount(count) {
    if (count !== this.count) this.spacer.style.height = `${count * this.height}px`;
    this.count = count;
    this.draw();
  }

  /** Write what is in sight. */
  draw() {
    const [, room] = sizeOf(this.box);
    if (!room) return;
    const first = Math.max(0, Math.floor(this.top / this.height) - SPARE);
    const end = Math.min(this.count, Math.ceil((this.top + room) / this.height) + SPARE);
    while (this.rows.length < end - first) this.#add();
    this.rows.forEach((row, i) => {
      const number = first + i;
      const hidden = number >= end;
      if (row.hidden !== hidden) row.hidden = hidden;
      if (hidden) return;
      if (row.number !== number) {
        row.number = number;
        row.style.transform = `translateY(${number * this.height}px)`;
      }
      this.fill(row, number);
    });
  }

  #add() {
    const row = this.make();
    row.classList.add("virtual-row");
    row.setAttribute("role", "listitem");
    this.rows.push(row);
    this.spacer.append(row);
  }

  /** Bring an item into sight; `end`: as the last one. */
  scrollTo(number, end = false) {
    const top = number * this.height;
    const least = Math.max(0, top + this.height - sizeOf(this.box)[1]);
    const wanted = end ? least : Math.min(Math.max(this.top, least), top);
    if (wanted === this.top) return;
    this.top = wanted;
    this.box.scrollTop = wanted;
    this.draw();
  }
}
