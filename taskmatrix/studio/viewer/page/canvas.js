// What drawings on canvases share: sizes, pens and the page's colours.

const NAMES = ["ink", "quiet", "line", "accent", "desired", "bad", "good", "warn", "back"];
const sizes = new WeakMap();
const listeners = new WeakMap();
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    sizes.set(target, [Math.round(contentRect.width), Math.round(contentRect.height)]);
    listeners.get(target)();
  }
});

/** The page's colours by name, as they are now. */
export const colours = {};

/** Keep the size of an element, and call `changed` with the first and every new one. */
export function keepSize(element, changed) {
  listeners.set(element, changed);
  observer.observe(element);
}

/** [px] Width and height: asking the element itself would lay the page out anew at each update. */
export const sizeOf = (element) => sizes.get(element) ?? [0, 0];

/** A pen for a cleared canvas as large as it is shown, in units of the page's pixels; null while it is not shown. */
export function penOf(canvas) {
  const [width, height] = sizeOf(canvas);
  if (!width || !height) return null;
  const ratio = Math.min(devicePixelRatio, 2);
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** Call a function now and whenever the page's colours change. */
export function onColours(changed) {
  const take = () => {
    const style = getComputedStyle(document.documentElement);
    for (const name of NAMES) colours[name] = style.getPropertyValue(`--${name}`);
    changed();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", take);
  take();
}
