// Light up links, objects and joints in the scene, and fade everything else.

import { THREE } from "/three.js";

const COLOURS = [0xff3b30, 0xff9f0a]; // of the first and of the second
const FADED = 0.16;
const MUCH = 3; // times the size of the smallest that the camera takes in

export class Highlight {
  /**
   * @param {import("./robot.js").RobotView} robot
   * @param {import("./objects.js").ObjectsView} objects
   */
  constructor(robot, objects) {
    this.robot = robot;
    this.objects = objects;
    this.marks = new THREE.Group();
    this.names = [];
  }

  /** Whether a name is that of a link or an object that can be shown. */
  knows(name) {
    return this.robot.linkNumber.has(name) || this.objects.groups.has(name);
  }

  /**
   * Light up what has these names; without any, everything is as usual again.
   * @returns {THREE.Sphere|null} Where it is, for the camera.
   */
  show(names) {
    this.names = names.filter((name) => this.knows(name));
    this.marks.clear();
    const all = [...this.robot.parts.map(({ mesh }) => mesh), ...[...this.objects.groups.values()].flatMap((group) => group.children)];
    for (const mesh of all) this.#dress(mesh, this.names.indexOf(mesh.userData.name));
    return this.names.length ? this.#bounds() : null;
  }

  #dress(mesh, number) {
    const { material, userData } = mesh;
    const opacity = this.names.length && number < 0 ? Math.min(FADED, userData.opacity) : userData.opacity;
    const transparent = opacity < 1;
    if (material.transparent !== transparent) material.needsUpdate = true;
    material.transparent = transparent;
    material.opacity = opacity;
    material.depthWrite = !(this.names.length && number < 0);
    userData.color ??= material.color.clone();
    if (number < 0) material.color.copy(userData.color);
    else material.color.setHex(COLOURS[number % COLOURS.length]);
    material.emissive.setHex(number < 0 ? 0 : COLOURS[number % COLOURS.length]);
    material.emissiveIntensity = 0.3;
  }

  /** Around all of them; when one is far larger than another, around the small one. */
  #bounds() {
    const boxes = this.names.map((name, number) => this.#box(name, COLOURS[number % COLOURS.length])).filter((box) => !box.isEmpty());
    if (!boxes.length) return null;
    const spheres = boxes.map((box) => box.getBoundingSphere(new THREE.Sphere())).sort((a, b) => a.radius - b.radius);
    const all = boxes.reduce((sum, box) => sum.union(box), new THREE.Box3()).getBoundingSphere(new THREE.Sphere());
    const small = new THREE.Sphere(spheres[0].center, MUCH * spheres[0].radius);
    return all.radius > small.radius ? small : all;
  }

  #box(name, colour) {
    const meshes = [...this.robot.meshesOf(name), ...this.objects.meshesOf(name)];
    if (!meshes.length) return this.#mark(name, colour);
    const box = new THREE.Box3();
    for (const mesh of meshes) {
      mesh.updateWorldMatrix(true, false);
      box.union(new THREE.Box3().setFromObject(mesh));
    }
    return box;
  }

  /** A link without a visible shape is shown as a ball at its frame. */
  #mark(name, colour) {
    const X = this.robot.linkPose(name) ?? this.objects.objectPose(name);
    const box = new THREE.Box3();
    if (!X) return box;
    const at = new THREE.Vector3(X[3], X[7], X[11]);
    const ball = new THREE.Mesh(new THREE.SphereGeometry(0.03, 20, 14), new THREE.MeshBasicMaterial({ color: colour, depthTest: false }));
    ball.position.copy(at);
    ball.renderOrder = 3;
    this.marks.add(ball);
    return box.setFromCenterAndSize(at, new THREE.Vector3(0.1, 0.1, 0.1));
  }
}
