// The scene's meshes as three.js geometries.

import { THREE } from "/three.js";

/** Bytes of a base64 text. */
function bytes(text) {
  const binary = atob(text);
  const array = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) array[i] = binary.charCodeAt(i);
  return array.buffer;
}

/** A geometry of `{positions, normals, triangles}` in base64: float32, int8 (127 is 1), uint32. */
export function geometryOf(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(bytes(mesh.positions)), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(new Int8Array(bytes(mesh.normals)), 3, true));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(mesh.triangles)), 1));
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}

/** A part of the floor in a colour of its own: `{lower: [x, y], upper: [x, y], color: [r, g, b]}`. */
export function groundOf({ lower, upper, color }) {
  const material = new THREE.MeshBasicMaterial({ color: new THREE.Color().setRGB(...color, THREE.SRGBColorSpace), polygonOffset: true, polygonOffsetFactor: 1 });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(upper[0] - lower[0], upper[1] - lower[1]), material);
  mesh.position.set((lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, -0.003);
  mesh.raycast = () => {};
  return mesh;
}
