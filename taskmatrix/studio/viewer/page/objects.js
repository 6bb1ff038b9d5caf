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
    for (const object of objects) this.add(object, geometries);
  }

  /** One more object; none where there is one of its name. */
  add(object, geometries) {
    if (this.groups.has(object.id)) return;
    const group = new THREE.Group();
    group.matrixAutoUpdate = false;
    pose(group, object.X_WO);
    for (const shape of object.shapes) {
      const [r, g, b, a] = shape.color;
      const color = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
      const material = new THREE.MeshLambertMaterial({ color, transparent: a < 1, opacity: a });
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

  /**
   * Pose objects; those that are missing are not there.
   * @param {Object} places {id: [x, y, z, qx, qy, qz, qw]}.
   * @param {string|null} dragged Stays where the pointer has it.
   */
  setPlaces(places, dragged = null) {
    for (const [id, group] of this.groups) {
      if (id === dragged) continue;
      group.visible = Boolean(places[id]);
      if (places[id]) this.setPlace(id, places[id]);
      else this.places.delete(id);
    }
  }

  /** Pose one object at [x, y, z, qx, qy, qz, qw]. */
  setPlace(id, place) {
    this.places.set(id, place);
    pose(this.groups.get(id), fromQuaternion(place));
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
