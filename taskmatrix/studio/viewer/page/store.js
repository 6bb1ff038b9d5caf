// What the page knows: the last state that the server told, and who wants to hear of which part of it.

export const store = {
  hello: null,
  scene: null,
  time: 0,
  step: 0,
  end: 0,
  live: false,
  playing: null,
  sections: {},
  rows: [],
  connected: false,
};

const readers = [];
const changed = new Set();
let asked = false;

/**
 * Call `update(changed)` in the next frame after one of `sections` changed.
 * Besides the sections there are "hello", "scene", "time", "rows", "status" (of the connection) and "selection".
 * @param {string[]} sections
 * @param {function(Set<string>): void} update
 * @param {function(): boolean} visible While it says false, nothing is called; what was missed is told when it says true.
 */
export function reads(sections, update, visible = () => true) {
  readers.push({ sections: new Set(sections), update, visible, missed: new Set() });
}

/** Tell the readers of these sections, all in one go, in the next frame. */
export function tell(...sections) {
  for (const section of sections) changed.add(section);
  if (!asked) {
    asked = true;
    requestAnimationFrame(flush);
  }
}

/** A panel became visible: it is told what it missed. */
export const shown = () => tell("shown");

function flush() {
  asked = false;
  const news = new Set(changed);
  changed.clear();
  for (const reader of readers) {
    for (const section of news) if (reader.sections.has(section)) reader.missed.add(section);
    if (!reader.missed.size || !reader.visible()) continue;
    const told = new Set(reader.missed);
    reader.missed.clear();
    try {
      reader.update(told);
    } catch (error) {
      console.error(error); // one panel that cannot draw something leaves the others alone
    }
  }
}

/** Take a message of the server in. */
export function take(message) {
  if (message.type === "hello") {
    Object.assign(store, { hello: message, sections: {}, rows: [], time: 0, end: 0, live: message.live, playing: null });
    tell("hello", "rows", "time");
  } else if (message.type === "state") {
    const { time, step, end, playing, live, sections } = message;
    Object.assign(store, { time, step, end, playing: playing ?? null, live: live ?? store.live });
    Object.assign(store.sections, sections);
    tell("time", ...Object.keys(sections));
  } else if (message.type === "log") {
    store.rows.length = Math.min(store.rows.length, message.first);
    for (const row of message.rows) store.rows.push(row);
    tell("rows");
  }
}
