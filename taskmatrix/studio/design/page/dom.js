// What the designer's page is made with.

export const byId = (id) => document.getElementById(id);

/** Make an element; text goes in as text. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "on") for (const [name, listener] of Object.entries(value)) element.addEventListener(name, listener);
    else if (key.startsWith("aria-") || key === "role" || key === "list") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The names that a list offers; what was chosen stays. */
export function fill(select, names, first) {
  const before = select.value || first;
  select.replaceChildren(...names.map((name) => h("option", { value: name, textContent: name })));
  if (names.includes(before)) select.value = before;
}

const unfit = []; // fields that are not as high yet as what is in them

/** Make fields as high as what is in them: the page is laid out once for all of them. */
function fit(fields) {
  for (const field of fields) field.style.height = "auto";
  const heights = fields.map((field) => field.scrollHeight);
  fields.forEach((field, number) => (field.style.height = `${heights[number] + 2}px`));
}

/** A field of text that is as high as what is in it; Enter takes it. */
export function area(text, label, change) {
  const input = h("textarea", { value: text, rows: 1, spellcheck: false, "aria-label": label });
  input.addEventListener("change", () => change(input.value.trim()));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    input.blur();
  });
  input.addEventListener("input", () => fit([input]));
  if (!unfit.length) requestAnimationFrame(() => fit(unfit.splice(0)));
  unfit.push(input);
  return input;
}

/** A check box for each name. */
export const checks = (place, names, ticked = []) =>
  place.replaceChildren(...names.map((name) => h("label", {}, h("input", { type: "checkbox", value: name, checked: ticked.includes(name) }), ` ${name}`)));
export const picked = (place) => [...place.querySelectorAll("input:checked")].map((each) => each.value);
