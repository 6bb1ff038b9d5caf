// Forward kinematics: where the links are at q. Poses are 4x4, row by row, in arrays of 16.

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** X_AC = X_AB X_BC, of rigid poses. */
export function compose(A, B) {
  const C = new Array(16);
  for (let row = 0; row < 12; row += 4) {
    for (let column = 0; column < 4; column += 1) {
      C[row + column] =
        A[row] * B[column] + A[row + 1] * B[column + 4] + A[row + 2] * B[column + 8] + (column === 3 ? A[row + 3] : 0);
    }
  }
  C[12] = C[13] = C[14] = 0;
  C[15] = 1;
  return C;
}

/** The rotation about a unit axis by an angle [rad] (Rodrigues). */
export function rotation([x, y, z], angle) {
  const c = Math.cos(angle), s = Math.sin(angle), d = 1 - c;
  return [
    c + x * x * d, x * y * d - z * s, x * z * d + y * s, 0,
    y * x * d + z * s, c + y * y * d, y * z * d - x * s, 0,
    z * x * d - y * s, z * y * d + x * s, c + z * z * d, 0,
    0, 0, 0, 1,
  ];
}

/** The translation along an axis by a distance [m]. */
export const translation = ([x, y, z], distance) => [1, 0, 0, x * distance, 0, 1, 0, y * distance, 0, 0, 1, z * distance, 0, 0, 0, 1];

/** The pose of a position and a quaternion: [x, y, z, qx, qy, qz, qw]. */
export function fromQuaternion([px, py, pz, x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), px,
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), py,
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), pz,
    0, 0, 0, 1,
  ];
}

/** What a joint does at its position: angle [rad] or distance [m]. */
const motion = ({ type, axis }, position) => (type === "prismatic" ? translation(axis, position) : rotation(axis, position));

/** World poses of all joints of a scene's robot at q (n,), in its order: parents come first there. */
export function jointPoses(robot, q) {
  const poses = [];
  for (const joint of robot.joints) {
    const moved = compose(joint.X_PJ, motion(joint, joint.factor * q[joint.q] + joint.offset));
    poses.push(joint.parent < 0 ? moved : compose(poses[joint.parent], moved));
  }
  return poses;
}

/** World poses of all links at q (n,), in the scene's order. */
export function linkPoses(robot, q) {
  const joints = jointPoses(robot, q);
  return robot.links.map(({ joint, X_JL }) => (joint < 0 ? X_JL : compose(joints[joint], X_JL)));
}
