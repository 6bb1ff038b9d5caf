// The robot in the scene: its links posed by forward kinematics, and translucent copies of it along a plan.

import { THREE } from "/three.js";
import { compose, linkPoses } from "./kinematics.js";

const GHOSTS = 7; // copies along a plan at most, besides the last one
const BUDGET = { fast: 1.5e6, slow: 5e4 }; // triangles of all copies

/** Write a pose (16, row by row) into an object's matrix. */
export function pose(object, X) {
  object.matrix.set(...X);
  object.matrixWorldNeedsUpdate = true;
}

export class RobotView {
  /**
   * @param {Object} description `robot` of the scene.
   * @param {THREE.BufferGeometry[]} geometries Of the scene's meshes.
   * @param {boolean} slow Whether drawing is slow: then there are fewer copies.
   */
  constructor(description, geometries, slow = false) {
    this.description = description;
    this.linkNumber = new Map(description.links.map(({ name }, number) => [name, number]));
    this.root = new THREE.Group();
    this.ghosts = new THREE.Group();
    this.poses = [];
    this.q = null;
    this.parts = description.visuals.map((visual) => this.#part(visual, geometries[visual.mesh]));
    for (const { mesh } of this.parts) this.root.add(mesh);
    const triangles = description.visuals.reduce((sum, { mesh }) => sum + geometries[mesh].index.count / 3, 1);
    const copies = Math.floor(BUDGET[slow ? "slow" : "fast"] / triangles) - 1;
    this.along = { opacity: 0.1, count: Math.min(Math.max(copies, 1), GHOSTS), meshes: [] };
    this.goal = { opacity: 0.38, count: 1, meshes: [] };
    for (const set of [this.along, this.goal]) this.#makeGhosts(set, description.visuals, geometries);
  }

  #part(visual, geometry) {
    const [r, g, b, a] = visual.color;
    const color = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
    const material = new THREE.MeshLambertMaterial({ color, transparent: a < 1, opacity: a });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.userData = { name: this.description.links[visual.link].name, kind: "link", opacity: a };
    return { mesh, link: visual.link, X_LV: visual.X_LV };
  }

  #makeGhosts(set, visuals, geometries) {
    const material = new THREE.MeshLambertMaterial({
      color: 0x3d7bfd, transparent: true, opacity: set.opacity, depthWrite: set === this.goal,
    });
    set.meshes = visuals.map((visual) => {
      const mesh = new THREE.InstancedMesh(geometries[visual.mesh], material, set.count);
      mesh.frustumCulled = false;
      mesh.count = 0;
      mesh.raycast = () => {};
      return mesh;
    });
    for (const mesh of set.meshes) this.ghosts.add(mesh);
  }

  /** Pose the robot at q (n,). */
  setPosture(q) {
    this.q = q;
    this.poses = linkPoses(this.description, q);
    for (const { mesh, link, X_LV } of this.parts) pose(mesh, compose(this.poses[link], X_LV));
  }

  /** World pose of a link (16), or undefined. */
  linkPose(name) {
    return this.poses[this.linkNumber.get(name)];
  }

  /** Show translucent copies at samples (k, n) of a plan, and one that is seen better at its end; none without. */
  setPlan(samples) {
    if (!samples?.length) return this.#place(this.along, []), this.#place(this.goal, []);
    const inner = samples.slice(1, -1);
    const count = Math.min(this.along.count, inner.length);
    const chosen = Array.from({ length: count }, (_, i) => inner[Math.floor(((i + 0.5) * inner.length) / count)]);
    this.#place(this.along, chosen);
    this.#place(this.goal, [samples.at(-1)]);
  }

  #place(set, samples) {
    const poses = samples.map((q) => linkPoses(this.description, q));
    const matrix = new THREE.Matrix4();
    set.meshes.forEach((mesh, number) => {
      const { link, X_LV } = this.parts[number];
      poses.forEach((links, i) => mesh.setMatrixAt(i, matrix.set(...compose(links[link], X_LV))));
      mesh.count = poses.length;
      mesh.instanceMatrix.needsUpdate = true;
    });
  }

  /** The meshes of a link; of one that is not seen, none. */
  meshesOf(link) {
    return this.parts.filter(({ mesh }) => mesh.userData.name === link).map(({ mesh }) => mesh);
  }

  /** Names of the links that a joint (of the active ones) moves first: those that hang on it. */
  linksOfJoint(name) {
    const { joints, links, names } = this.description;
    const active = names.indexOf(name);
    const moves = (number) => number >= 0 && (joints[number].name === name || (active >= 0 && joints[number].q === active));
    return links.filter(({ joint }) => moves(joint)).map((link) => link.name);
  }
}
