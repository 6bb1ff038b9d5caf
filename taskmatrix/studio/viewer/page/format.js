// Numbers, names and values as people read them.

/** [s] with as many digits as matter. */
export const seconds = (value) => `${value.toFixed(value < 100 ? 2 : 1)} s`;

/** [s] in short, for what changes all the time. */
export const short = (value) => `${Math.max(0, value).toFixed(1)} s`;

/** A number with three significant digits, without needless zeros. */
export function number(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

/** A position with three decimals: it does not jump about while it changes. */
export const fixed = (value) => value.toFixed(3).replace("-", "−");

/** A fact in words: as the library says it. */
export function words(value) {
  if (value === null || value === undefined) return "none";
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(words).join(", ") || "none";
  if (typeof value === "object") {
    return Object.entries(value).map(([key, item]) => `${key} ${words(item)}`).join(", ") || "none";
  }
  return String(value);
}

/** The last part of a path: `pickup/reach` is `reach`. */
export const last = (path) => path.slice(path.lastIndexOf("/") + 1);

/** A path as it is read: `pickup › reach`. */
export const trail = (path) => path.split("/").join(" › ");

/** Whether a path is another one or lies inside of it. */
export const within = (path, outer) => path === outer || path.startsWith(`${outer}/`);

/** A key of facts as words. */
export const label = (key) => key.replaceAll("_", " ");

/** A sentence begins with a capital and ends with a stop. */
export function sentence(text) {
  const trimmed = text.trim();
  if (!trimmed) return "";
  return trimmed[0].toUpperCase() + trimmed.slice(1) + (/[.!?…]$/.test(trimmed) ? "" : ".");
}
