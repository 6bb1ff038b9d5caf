// The objects of the world in the scene.

import { THREE } from "/three.js";
import { fromQuaternion } from "./kinematics.js";
import { pose } from "./robot.js";

export class ObjectsView {
  /**
   * @param {Object[]} objects Of the scene.
   * @param {THREE.BufferGeometry[]} geometries Of the scene's meshes.
   */
  constructor(objects, geometries) {
    this.root = new THREE.Group();
    this.groups = new Map();
    this.movable = new Set();
    this.places = new Map();
    for (const object of objects) this.#add(object, geometries);
  }

  #add(object, geometries) {
    const group = new THREE.Group();
    group.matrixAutoUpdate = false;
    group.visible = false; // until somebody says where it is
    for (const shape of object.shapes) {
      const [r, g, b, a] = shape.color;
      const color = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
      const material = new THREE.MeshStandardMaterial({ color, roughness: 0.75, transparent: a < 1, opacity: a });
      const mesh = new THREE.Mesh(geometries[shape.mesh], material);
      mesh.matrixAutoUpdate = false;
      mesh.userData = { name: object.id, kind: "object", opacity: a };
      pose(mesh, shape.X_OS);
      group.add(mesh);
    }
    this.groups.set(object.id, group);
    if (!object.fixed) this.movable.add(object.id);
    this.root.add(group);
  }

  /** Pose objects: {id: [x, y, z, qx, qy, qz, qw]}; those that are missing stay where they are. */
  setPlaces(places) {
    for (const [id, place] of Object.entries(places)) {
      const group = this.groups.get(id);
      if (!group || !place) continue;
      this.places.set(id, place);
      group.visible = true;
      pose(group, fromQuaternion(place));
    }
  }

  /** World pose of an object (16), or undefined. */
  objectPose(id) {
    const place = this.places.get(id);
    return place && fromQuaternion(place);
  }

  /** The meshes of an object. */
  meshesOf(id) {
    return this.groups.get(id)?.children ?? [];
  }
}
