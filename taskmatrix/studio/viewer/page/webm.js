// A film as a WebM file, from encoded pictures: the few elements of EBML that it takes.

const CLUSTER = 30000; // [ms] at most: times in a cluster are 16 bits

/** An unsigned number as few bytes as it takes. */
function unsigned(value) {
  const bytes = [];
  for (let rest = value; rest > 0 || !bytes.length; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return new Uint8Array(bytes);
}

/** An element: its number, the size of what is in it in eight bytes, and that. */
function element(id, ...parts) {
  const inside = new Blob(parts);
  const size = new DataView(new ArrayBuffer(8));
  size.setUint32(0, 0x01000000);
  size.setUint32(4, inside.size);
  return new Blob([unsigned(id), size, inside]);
}

function float(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view;
}

/**
 * Make a file.
 * @param {{time: number, key: boolean, data: Uint8Array}[]} pictures Each at its time [ms], encoded by VP8.
 * @param {{width: number, height: number, duration: number}} film [px], [px] and [ms].
 */
export function webm(pictures, { width, height, duration }) {
  const head = element(0x1a45dfa3, element(0x4286, unsigned(1)), element(0x42f7, unsigned(1)), element(0x42f2, unsigned(4)),
    element(0x42f3, unsigned(8)), element(0x4282, "webm"), element(0x4287, unsigned(2)), element(0x4285, unsigned(2)));
  const info = element(0x1549a966, element(0x2ad7b1, unsigned(1e6)), element(0x4489, float(duration)), element(0x4d80, "taskmatrix"), element(0x5741, "taskmatrix"));
  const size = element(0xe0, element(0xb0, unsigned(width)), element(0xba, unsigned(height)));
  const track = element(0xae, element(0xd7, unsigned(1)), element(0x73c5, unsigned(1)), element(0x83, unsigned(1)), element(0x86, "V_VP8"), size);
  const clusters = [];
  for (const picture of pictures) {
    const last = clusters.at(-1);
    if (!last || (picture.key && picture.time > last[0].time) || picture.time - last[0].time > CLUSTER) clusters.push([picture]);
    else last.push(picture);
  }
  const written = clusters.map((cluster) => element(0x1f43b675, element(0xe7, unsigned(cluster[0].time)), ...cluster.map((picture) => block(picture, cluster[0].time))));
  return new Blob([head, element(0x18538067, info, element(0x1654ae6b, track), ...written)], { type: "video/webm" });
}

function block({ time, key, data }, begin) {
  const head = new DataView(new ArrayBuffer(4));
  head.setUint8(0, 0x81); // of the first track
  head.setInt16(1, time - begin);
  head.setUint8(3, key ? 0x80 : 0);
  return element(0xa3, head, data);
}
