// The scene's meshes as three.js geometries.

import { THREE } from "/three.js";

const CREASE = Math.cos((35 * Math.PI) / 180); // edges that bend more than 35 degrees stay sharp

/** Bytes of a base64 text. */
function bytes(text) {
  const binary = atob(text);
  const array = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) array[i] = binary.charCodeAt(i);
  return array.buffer;
}

/** A geometry of `{positions, triangles}` in base64, with normals that are smooth but at creases. */
export function geometryOf(mesh) {
  const corners = new Float32Array(bytes(mesh.positions));
  const triangles = new Uint32Array(bytes(mesh.triangles));
  const { positions, normals } = creased(corners, triangles);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}

/** Each corner of each triangle gets the mean normal of the triangles there that lie nearly in its plane. */
export function creased(corners, triangles) {
  const count = triangles.length;
  const faces = faceNormals(corners, triangles);
  const point = weld(corners);
  const starts = new Uint32Array(corners.length / 3 + 1);
  for (let i = 0; i < count; i += 1) starts[point[triangles[i]] + 1] += 1;
  for (let i = 1; i < starts.length; i += 1) starts[i] += starts[i - 1];
  const filled = starts.slice();
  const around = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) around[filled[point[triangles[i]]]++] = Math.floor(i / 3);
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  for (let i = 0; i < count; i += 1) {
    const face = 3 * Math.floor(i / 3), corner = 3 * triangles[i], at = point[triangles[i]];
    const own = unit(faces[face], faces[face + 1], faces[face + 2]);
    let x = 0, y = 0, z = 0;
    for (let k = starts[at]; k < starts[at + 1]; k += 1) {
      const other = 3 * around[k];
      const [ox, oy, oz] = unit(faces[other], faces[other + 1], faces[other + 2]);
      if (own[0] * ox + own[1] * oy + own[2] * oz >= CREASE) {
        x += faces[other];
        y += faces[other + 1];
        z += faces[other + 2];
      }
    }
    positions.set(corners.subarray(corner, corner + 3), 3 * i);
    normals.set(x || y || z ? unit(x, y, z) : own, 3 * i);
  }
  return { positions, normals };
}

/** Normals of triangles, as long as twice their area. */
function faceNormals(corners, triangles) {
  const faces = new Float32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i], b = 3 * triangles[i + 1], c = 3 * triangles[i + 2];
    const ux = corners[b] - corners[a], uy = corners[b + 1] - corners[a + 1], uz = corners[b + 2] - corners[a + 2];
    const vx = corners[c] - corners[a], vy = corners[c + 1] - corners[a + 1], vz = corners[c + 2] - corners[a + 2];
    faces[i] = uy * vz - uz * vy;
    faces[i + 1] = uz * vx - ux * vz;
    faces[i + 2] = ux * vy - uy * vx;
  }
  return faces;
}

/** Corners at one place count as one: files often store a corner for each triangle. */
function weld(corners) {
  const seen = new Map();
  const point = new Uint32Array(corners.length / 3);
  for (let i = 0; i < point.length; i += 1) {
    const key = `${Math.round(corners[3 * i] * 1e5)},${Math.round(corners[3 * i + 1] * 1e5)},${Math.round(corners[3 * i + 2] * 1e5)}`;
    const found = seen.get(key);
    point[i] = found ?? i;
    if (found === undefined) seen.set(key, i);
  }
  return point;
}

function unit(x, y, z) {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
