// The 3D stage: camera, light, floor, and drawing only when something changed.

import { OrbitControls, THREE } from "/three.js";

const TURN = 450; // [ms] for the camera to get to what it is to show
const COLOURS = {
  light: { sky: 0xf4f5f7, floor: 0xe9ebef, grid: 0xcfd4dc, axis: 0xaeb6c2 },
  dark: { sky: 0x15181d, floor: 0x1b1f26, grid: 0x2d333d, axis: 0x47505e },
};

/** Whether this computer draws without a graphics processor: then pictures are coarser, and the page stays quick. */
function drawsInSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  /** @param {HTMLElement} parent Whose size the picture has. */
  constructor(parent) {
    this.parent = parent;
    THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
    this.slow = location.hash !== "#fine" && drawsInSoftware(); // #fine: as good as it gets, however long it takes
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.slow, powerPreference: "high-performance" });
    this.canvas = this.renderer.domElement;
    parent.append(this.canvas);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.02, 200);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(3.4, -3.2, 2.2);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.set(0, 0, 0.6);
    this.controls.maxPolarAngle = Math.PI * 0.5; // not from below the floor
    this.controls.minDistance = 0.1;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.turn = null));
    this.#light();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.#colour(dark.matches));
    this.#colour(dark.matches);
    new ResizeObserver(() => this.#resize()).observe(parent);
    this.dirty = false;
    this.turn = null;
    this.frames = 0;
  }

  #light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb9bcc4, 2.0));
    const sun = new THREE.DirectionalLight(0xffffff, 1.7);
    sun.position.set(2.5, -3.5, 6);
    const fill = new THREE.DirectionalLight(0xdfe8ff, 0.6);
    fill.position.set(-4, 3, 2);
    this.scene.add(sun, fill);
    this.floor = new THREE.Mesh(new THREE.CircleGeometry(14, 64), new THREE.MeshBasicMaterial());
    this.floor.position.z = -0.004;
    this.floor.raycast = () => {};
    this.scene.add(this.floor);
  }

  #colour(dark) {
    const { sky, floor, grid, axis } = COLOURS[dark ? "dark" : "light"];
    this.scene.background = new THREE.Color(sky);
    this.scene.fog = new THREE.Fog(sky, 12, 26);
    this.floor.material.color.set(floor);
    if (this.grid) this.scene.remove(this.grid);
    this.grid = new THREE.GridHelper(20, 40, axis, grid);
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.z = -0.002;
    this.scene.add(this.grid);
    this.invalidate();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (!width || !height) return;
    this.renderer.setPixelRatio(this.slow ? 0.8 : Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.#draw(); // in the same frame, or the picture flashes
  }

  /** Draw once more in the next frame in which the last picture is done. */
  invalidate() {
    if (this.dirty) return;
    this.dirty = true;
    requestAnimationFrame((now) => this.#next(now));
  }

  #next(now) {
    const gl = this.renderer.getContext();
    if (this.fence && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
      requestAnimationFrame((later) => this.#next(later)); // pictures do not pile up where drawing is slow
      return;
    }
    this.dirty = false;
    this.#advance(now);
    this.#draw();
  }

  #draw() {
    this.frames += 1;
    this.renderer.render(this.scene, this.camera);
    const gl = this.renderer.getContext();
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Let the camera look at a sphere, from where it stands, as near as it takes; `room`: 1 fills the picture. */
  lookAt(sphere, nearest = 0.7, room = 1.5) {
    const distance = Math.max(nearest, (room * sphere.radius) / Math.sin((this.camera.fov * Math.PI) / 360));
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    away.z = Math.max(away.z, 0.25);
    away.normalize();
    const target = sphere.center.clone();
    const position = target.clone().addScaledVector(away, distance);
    this.turn = { start: performance.now(), from: [this.camera.position.clone(), this.controls.target.clone()], to: [position, target] };
    this.invalidate();
  }

  #advance(now) {
    if (!this.turn) return;
    const part = Math.min(1, Math.max(0, (now - this.turn.start) / TURN));
    const smooth = part * part * (3 - 2 * part);
    this.camera.position.lerpVectors(this.turn.from[0], this.turn.to[0], smooth);
    this.controls.target.lerpVectors(this.turn.from[1], this.turn.to[1], smooth);
    if (part >= 1) this.turn = null;
    this.controls.update();
    if (this.turn) this.invalidate();
  }

  /** The present picture as a PNG. */
  picture() {
    this.#draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }

  /** The present picture for a film. */
  frame(options) {
    this.#draw();
    return new VideoFrame(this.canvas, options);
  }
}
