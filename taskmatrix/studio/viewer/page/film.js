// A film of the scene, made by the browser while time goes on: what is seen is what is filmed.

import { chosenSpeed } from "./controls.js";
import { button, download, icon, setAttribute, toast } from "./dom.js";
import { moves, seek, toggle } from "./playback.js";
import { reads, store } from "./store.js";

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"]; // the first that there is
const RATE = 30; // [1/s] pictures at most
const BITS = 8e6; // [1/s]
const LINGER = 400; // [ms] on the last picture
const WAIT = 5000; // [ms] for what was asked for to begin
const TITLE = "Save a film of what goes on from now; of a recording that stands at its end, from its beginning";

/** Wait until something is true of the state; false if that takes too long. */
function until(truth) {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), WAIT);
    const look = () => {
      if (!truth()) return requestAnimationFrame(look);
      clearTimeout(late);
      return resolve(true);
    };
    look();
  });
}

/** The button that begins a film and ends it; by itself it ends when nothing goes on any more. */
export function filmButton(stage) {
  let recorder = null, goes = false; // since the film began, time goes on
  const film = button(icon("film"), () => (recorder ? end() : begin()), { title: TITLE, aria: { label: "Film", pressed: "false" } });

  async function begin() {
    const type = globalThis.MediaRecorder && stage.canvas.captureStream ? TYPES.find((each) => MediaRecorder.isTypeSupported(each)) : null;
    if (!type) return toast("This browser makes no films.");
    const made = (recorder = new MediaRecorder(stage.canvas.captureStream(RATE), { mimeType: type, videoBitsPerSecond: BITS }));
    const pieces = [];
    made.addEventListener("dataavailable", ({ data }) => pieces.push(data));
    made.addEventListener("stop", () => keep(new Blob(pieces, { type: type.split(";")[0] })));
    show();
    if (!moves() && store.time >= store.end - 1e-9) {
      seek(0);
      await until(() => store.time < store.end);
    }
    if (recorder !== made) return undefined;
    made.start();
    stage.invalidate();
    if (!moves()) toggle(chosenSpeed());
    goes = await until(moves);
    if (!goes && recorder === made) end();
    return undefined;
  }

  function end() {
    const made = recorder;
    [recorder, goes] = [null, false];
    show();
    if (made.state !== "inactive") setTimeout(() => made.stop(), LINGER);
  }

  function keep(blob) {
    const { behavior = "film" } = store.sections.program ?? {};
    if (blob.size) download(blob, `${behavior.toLowerCase()}-${store.hello?.header?.robot ?? "robot"}.${blob.type.split("/")[1]}`);
    else toast("The film is empty.");
  }

  function show() {
    film.replaceChildren(icon(recorder ? "stop" : "film"));
    film.title = recorder ? "End the film and save it" : TITLE;
    setAttribute(film, "aria-pressed", Boolean(recorder));
    film.classList.toggle("films", Boolean(recorder));
  }

  reads(["time", "run", "status"], () => goes && !moves() && end());
  return film;
}
