// A film of the scene. Of what is going on, as it is drawn; of a recording, picture by picture, however long each takes.

import { chosenSpeed } from "./controls.js";
import { button, download, icon, setAttribute, toast } from "./dom.js";
import { leadersSpeed } from "./led.js";
import { moves, seek } from "./playback.js";
import { reads, store } from "./store.js";
import { webm } from "./webm.js";

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"]; // the first that there is
const RATE = 30; // [1/s] pictures
const BITS = 8e6; // [1/s]
const KEY = 60; // pictures from one that stands for itself to the next
const WAIT = 10000; // [ms] for a picture
const AGAIN = 1000; // [ms] after which a time is asked for again: somebody may have asked for another one
const TITLE = "Save a film: of a recording from now, or all of it when it stands at its end; else of what goes on";

/** The next frame of the page. */
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** The button that begins a film and ends it; a recording ends it by its end. */
export function filmButton(stage) {
  let end = null; // what ends the film that is being made
  const film = button(icon("film"), () => (end ? end() : begin()), { title: TITLE, aria: { label: "Film", pressed: "false" } });
  reads(["time", "run", "status"], () => end?.whenStill && !moves() && end());

  async function begin() {
    try {
      const blob = await (!store.hello?.live && globalThis.VideoEncoder ? ofRecording() : ofPresent());
      const { behavior = "film" } = store.sections.program ?? {};
      if (blob.size) download(blob, `${behavior.toLowerCase()}-${store.hello?.header?.robot ?? "robot"}.${blob.type.split("/")[1]}`);
    } catch (error) {
      console.error(error);
      toast(`There is no film: ${error.message}`);
    }
    show(null);
  }

  function show(ending) {
    end = ending;
    film.replaceChildren(icon(end ? "stop" : "film"));
    film.title = end ? "End the film and save it" : TITLE;
    setAttribute(film, "aria-pressed", Boolean(end));
    film.classList.toggle("films", Boolean(end));
  }

  /** Time is led from picture to picture. */
  async function ofRecording() {
    const [width, height] = [stage.canvas.width & ~1, stage.canvas.height & ~1];
    const pictures = [];
    let wanted = true, broken = null;
    const output = (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      pictures.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === "key", data });
    };
    const encoder = new VideoEncoder({ output, error: (error) => (broken = error) });
    encoder.configure({ codec: "vp8", width, height, bitrate: BITS, framerate: RATE });
    show(() => (wanted = false));
    const pace = (leadersSpeed() ?? chosenSpeed()) / RATE;
    const from = store.time >= store.end - 1e-9 ? 0 : store.time;
    const count = Math.ceil((store.end - from) / pace - 1e-6) + 1;
    let number = 0;
    for (; wanted && number < count; number += 1) {
      await goTo(Math.min(from + number * pace, store.end));
      if (broken) throw broken;
      const picture = stage.frame({ timestamp: (number * 1e6) / RATE, visibleRect: { x: 0, y: 0, width, height } });
      encoder.encode(picture, { keyFrame: number % KEY === 0 });
      picture.close();
    }
    await encoder.flush();
    encoder.close();
    return webm(pictures, { width, height, duration: (number * 1000) / RATE });
  }

  /** What is seen is filmed, until nothing goes on any more. */
  function ofPresent() {
    const type = globalThis.MediaRecorder && stage.canvas.captureStream ? TYPES.find((each) => MediaRecorder.isTypeSupported(each)) : null;
    if (!type) throw new Error("this browser makes none");
    const recorder = new MediaRecorder(stage.canvas.captureStream(RATE), { mimeType: type, videoBitsPerSecond: BITS });
    const pieces = [];
    recorder.addEventListener("dataavailable", ({ data }) => pieces.push(data));
    const done = new Promise((resolve) => recorder.addEventListener("stop", () => resolve(new Blob(pieces, { type: type.split(";")[0] }))));
    recorder.start();
    stage.invalidate();
    show(Object.assign(() => recorder.state !== "inactive" && recorder.stop(), { whenStill: moves() }));
    return done;
  }

  return film;
}

/** Look at a time, until it is drawn. */
async function goTo(time) {
  const begun = performance.now();
  let asked = -Infinity;
  while (Math.abs(store.time - time) > 1e-6) {
    const now = performance.now();
    if (now > begun + WAIT) throw new Error("the server does not answer");
    if (now > asked + AGAIN) {
      seek(time);
      asked = now;
    }
    await frame();
  }
  await frame();
}
