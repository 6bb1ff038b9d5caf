// Zoom and pan of a drawing by its view box: wheel, drag, keys + - 0.

const STEP = 1.2;
const MOST = 4; // times its own size

export class PanZoom {
  /** @param {HTMLElement} box In which drawings are shown. */
  constructor(box) {
    this.box = box;
    this.svg = null;
    box.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.#down(event));
    box.addEventListener("pointermove", (event) => this.#move(event));
    box.addEventListener("pointerup", () => (this.grip = null));
    box.addEventListener("pointercancel", () => (this.grip = null));
    new ResizeObserver(() => this.#resized()).observe(box);
  }

  /** Show a drawing, all of it; `over`: another one of the same size, which moves with it. */
  setDrawing(svg, over) {
    this.svg = svg;
    this.over = over;
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 100 100").split(/[\s,]+/).map(Number);
    this.size = [width, height];
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    this.fit();
  }

  /** Show all of it, at most at its own size. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!this.svg || !width || !height) return;
    this.scale = Math.min(width / this.size[0], height / this.size[1], 1.25);
    this.x = (this.size[0] - width / this.scale) / 2;
    this.y = (this.size[1] - height / this.scale) / 2;
    this.fitted = true;
    this.#apply();
  }

  #resized() {
    if (!this.svg) return;
    if (this.fitted || this.scale === undefined) this.fit();
    else this.#apply();
  }

  #apply() {
    const { clientWidth: width, clientHeight: height } = this.box;
    for (const svg of [this.svg, this.over]) svg.setAttribute("viewBox", `${this.x} ${this.y} ${width / this.scale} ${height / this.scale}`);
  }

  /** Zoom by a factor around a point of the box; its middle without one. */
  zoom(factor, at = [this.box.clientWidth / 2, this.box.clientHeight / 2]) {
    if (!this.svg || !this.scale) return;
    const least = Math.min(this.box.clientWidth / this.size[0], this.box.clientHeight / this.size[1], 1) / 2;
    const scale = Math.min(Math.max(this.scale * factor, least), MOST);
    this.x += at[0] / this.scale - at[0] / scale;
    this.y += at[1] / this.scale - at[1] / scale;
    this.scale = scale;
    this.fitted = false;
    this.#apply();
  }

  /** Bring a box of the drawing into the middle, large enough to read. */
  centre(element) {
    const { x, y, width, height } = element.getBBox();
    this.scale = Math.max(this.scale ?? 1, 0.8);
    this.x = x + width / 2 - this.box.clientWidth / this.scale / 2;
    this.y = y + height / 2 - this.box.clientHeight / this.scale / 2;
    this.fitted = false;
    this.#apply();
  }

  /** How near it is to its own size. */
  get detail() {
    return this.scale ?? 1;
  }

  #wheel(event) {
    event.preventDefault();
    const box = this.box.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 400), [event.clientX - box.left, event.clientY - box.top]);
  }

  #down(event) {
    if (event.button === 0 && this.svg) this.grip = { at: [event.clientX, event.clientY], from: [this.x, this.y], id: event.pointerId };
  }

  #move(event) {
    if (!this.grip) return;
    const [dx, dy] = [event.clientX - this.grip.at[0], event.clientY - this.grip.at[1]];
    if (!this.fitted || Math.hypot(dx, dy) > 3) {
      if (!this.box.hasPointerCapture(this.grip.id)) this.box.setPointerCapture(this.grip.id);
      this.x = this.grip.from[0] - dx / this.scale;
      this.y = this.grip.from[1] - dy / this.scale;
      this.fitted = false;
      this.#apply();
    }
  }
}

export { STEP };
