// What can be switched on and off in the scene: frames, collision spheres, what the camera sees, occupied cells, ghosts.

import { THREE } from "/three.js";
import { compose } from "./kinematics.js";
import { pose } from "./robot.js";

export const LAYERS = [
  ["ghosts", "Plan", "Copies of the robot along its plan; the strong one is where it ends", true],
  ["frames", "Frames", "Axes of hands, view and objects: red x, green y, blue z", false],
  ["spheres", "Spheres", "What the fast collision check knows of the robot", false],
  ["view", "View", "What the robot can see", false],
  ["cells", "Cells", "Space that the map says is occupied", true],
];
const AXIS = 0.12; // [m]
const SIGHT = 1.2; // [m] length of the drawn view

export class Layers {
  /**
   * @param {Object} scene As served.
   * @param {import("./robot.js").RobotView} robot
   * @param {import("./objects.js").ObjectsView} objects
   */
  constructor(scene, robot, objects) {
    this.robot = robot;
    this.objects = objects;
    this.scene = scene;
    this.groups = { ghosts: robot.ghosts, frames: new THREE.Group(), spheres: new THREE.Group(), view: new THREE.Group(), cells: new THREE.Group() };
    this.#makeFrames();
    this.#makeSpheres();
    this.#makeView();
  }

  /** Follow the robot and the objects; only what is visible is posed. */
  update() {
    if (this.groups.frames.visible) {
      for (const { axes, where } of this.axes) {
        const X = where();
        axes.visible = X !== undefined;
        if (X) pose(axes, X);
      }
    }
    if (this.groups.spheres.visible) this.#placeSpheres();
    if (this.groups.view.visible && this.sight) {
      const X = this.robot.poses[this.scene.robot.view.link];
      if (X) pose(this.sight, compose(X, this.scene.robot.view.X_LC));
    }
  }

  /** Show occupied cells: {size, cells (m, 3)} or null. */
  setMap(map) {
    this.groups.cells.clear();
    if (!map?.cells?.length) return;
    const material = new THREE.MeshLambertMaterial({ color: 0xe0a030, transparent: true, opacity: 0.28, depthWrite: false });
    const cells = new THREE.InstancedMesh(new THREE.BoxGeometry(map.size, map.size, map.size), material, map.cells.length);
    const matrix = new THREE.Matrix4();
    map.cells.forEach(([x, y, z], i) => cells.setMatrixAt(i, matrix.makeTranslation(x, y, z)));
    cells.raycast = () => {};
    this.groups.cells.add(cells);
  }

  #makeFrames() {
    const hands = Object.values(this.scene.robot.hands ?? {}).map(({ link, X_LH }) => [link, X_LH]);
    const { view } = this.scene.robot;
    if (view) hands.push([view.link, view.X_LC]);
    const onRobot = hands.map(([link, X]) => () => {
      const X_WL = this.robot.poses[link];
      return X_WL && compose(X_WL, X);
    });
    const onObjects = this.scene.objects.map(({ id }) => () => this.objects.objectPose(id));
    this.axes = [...onRobot, ...onObjects].map((where) => {
      const axes = new THREE.AxesHelper(AXIS);
      axes.matrixAutoUpdate = false;
      axes.material.depthTest = false;
      axes.renderOrder = 2;
      this.groups.frames.add(axes);
      return { axes, where };
    });
  }

  #makeSpheres() {
    const { spheres = [] } = this.scene.robot;
    const material = new THREE.MeshLambertMaterial({ color: 0x20b090, transparent: true, opacity: 0.32, depthWrite: false });
    this.balls = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 20, 14), material, spheres.length);
    this.balls.frustumCulled = false;
    this.balls.raycast = () => {};
    this.groups.spheres.add(this.balls);
  }

  #placeSpheres() {
    const matrix = new THREE.Matrix4();
    (this.scene.robot.spheres ?? []).forEach(({ link, centre: [x, y, z], radius }, i) => {
      const X = this.robot.poses[link];
      if (!X) return;
      matrix.set(...compose(X, [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1]));
      matrix.scale(new THREE.Vector3(radius, radius, radius));
      this.balls.setMatrixAt(i, matrix);
    });
    this.balls.instanceMatrix.needsUpdate = true;
  }

  /** A pyramid along x (the viewing direction), y up, z to the right; half angles [rad] to the side and up. */
  #makeView() {
    const { view } = this.scene.robot;
    if (!view) return;
    const [side, up] = view.half_angles ?? [0.5, 0.4];
    const y = SIGHT * Math.tan(up), z = SIGHT * Math.tan(side);
    const corners = [[SIGHT, y, z], [SIGHT, y, -z], [SIGHT, -y, -z], [SIGHT, -y, z]];
    const points = corners.flatMap((corner, i) => [[0, 0, 0], corner, corner, corners[(i + 1) % 4]]).flat();
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    this.sight = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0xd08a00 }));
    this.sight.matrixAutoUpdate = false;
    this.sight.frustumCulled = false;
    this.groups.view.add(this.sight);
  }
}
