// What the pointer does in the scene: says what it is over, and drags objects of a live run.

import { THREE } from "/three.js";

const EVERY = 50; // [ms] between two messages of a drag

export class Pointer {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {Object} hooks `mayDrag(id)`, `move(id, [x, y, z])`, `hover(name or null, kind)`, `picked(name or null)`.
   */
  constructor(stage, hooks) {
    this.stage = stage;
    this.hooks = hooks;
    this.ray = new THREE.Raycaster();
    this.at = new THREE.Vector2();
    this.drag = null;
    this.targets = [];
    this.objects = null;
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#up(event));
    canvas.addEventListener("pointerleave", () => this.hooks.hover(null, ""));
  }

  /** Whether an object is being dragged: then the server's pose of it does not count. */
  get dragged() {
    return this.drag?.id ?? null;
  }

  #aim(event) {
    const box = this.stage.canvas.getBoundingClientRect();
    this.at.set(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.ray.setFromCamera(this.at, this.stage.camera);
  }

  #under(event) {
    this.#aim(event);
    return this.ray.intersectObjects(this.targets, true).find(({ object }) => object.userData.name && object.parent?.visible) ?? null;
  }

  #down(event) {
    this.pressed = [event.clientX, event.clientY];
    if (event.button !== 0) return;
    const hit = this.#under(event);
    const name = hit?.object.userData.kind === "object" ? hit.object.userData.name : null;
    if (!name || !this.hooks.mayDrag(name)) return;
    const place = this.objects.places.get(name);
    this.drag = { id: name, from: place.slice(0, 3), place: place.slice(), grip: hit.point.clone(), sent: 0, upright: event.shiftKey };
    this.stage.controls.enabled = false;
    this.stage.canvas.setPointerCapture(event.pointerId);
  }

  #move(event) {
    if (this.drag) return this.#pull(event);
    if (event.buttons) return undefined;
    const hit = this.#under(event);
    this.hooks.hover(hit?.object.userData.name ?? null, hit?.object.userData.kind ?? "");
    return undefined;
  }

  /** On the plane of the floor through the grip; with Shift on the upright plane that faces the camera. */
  #pull(event) {
    this.#aim(event);
    const { drag } = this;
    if (event.shiftKey !== drag.upright) this.#regrip(event.shiftKey);
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3()).setZ(0).normalize();
    const normal = event.shiftKey ? facing : new THREE.Vector3(0, 0, 1);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, drag.grip);
    const hit = this.ray.ray.intersectPlane(plane, new THREE.Vector3());
    if (!hit) return;
    const shift = hit.sub(drag.grip);
    const [x, y, z] = drag.from;
    const position = event.shiftKey ? [x, y, Math.max(0, z + shift.z)] : [x + shift.x, y + shift.y, z];
    drag.place.splice(0, 3, ...position);
    this.objects.setPlace(drag.id, drag.place);
    this.stage.invalidate();
    if (event.timeStamp - drag.sent >= EVERY) {
      drag.sent = event.timeStamp;
      this.hooks.move(drag.id, position);
    }
  }

  /** Shift was pressed or let go: go on from where the object is. */
  #regrip(upright) {
    const { drag } = this;
    const [x, y, z] = drag.place;
    drag.grip.add(new THREE.Vector3(x - drag.from[0], y - drag.from[1], z - drag.from[2]));
    Object.assign(drag, { from: [x, y, z], upright });
  }

  #up(event) {
    const moved = this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4;
    if (this.drag) {
      if (moved) this.hooks.move(this.drag.id, this.drag.place.slice(0, 3));
      this.drag = null;
      this.stage.controls.enabled = true;
    }
    if (!moved && event.button === 0) this.hooks.picked(this.#under(event)?.object.userData.name ?? null);
  }
}
