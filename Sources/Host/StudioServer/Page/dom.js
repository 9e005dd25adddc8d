// Makes elements of the page. Texts of files, tags and plug-ins only ever become text nodes and attributes.
// SPDX-License-Identifier: Apache-2.0

const SVG = "http://www.w3.org/2000/svg";

/** Whether a property of `el` is set on the object, and not as an attribute. */
const DIRECT = new Set(["value", "checked", "disabled", "hidden", "selected", "indeterminate", "textContent", "tabIndex", "draggable", "open"]);

function fill(node, values, children) {
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (key === "on") for (const [name, action] of Object.entries(value)) node.addEventListener(name, action);
    else if (key === "style") for (const [name, part] of Object.entries(value)) node.style.setProperty(name, part);
    else if (key === "data") Object.assign(node.dataset, value);
    else if (DIRECT.has(key)) node[key] = value;
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false) node.setAttribute(key, String(value));
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Makes an element: `el("button.primary#save", { "aria-label": "Save", on: { click } }, "Save")`. */
export function el(name, values = {}, ...children) {
  const isPlain = values !== null && typeof values === "object" && !(values instanceof Node) && !Array.isArray(values);
  const parts = name.split(/(?=[.#])/);
  const node = document.createElement(parts[0].match(/^[.#]/) ? "div" : parts.shift());
  for (const part of parts) {
    if (part[0] === ".") node.classList.add(part.slice(1));
    else node.id = part.slice(1);
  }
  return fill(node, isPlain ? values : {}, isPlain ? children : [values, ...children]);
}

/** Makes an element of a drawing. */
export function svg(name, values = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) if (value !== undefined) node.setAttribute(key, String(value));
  node.append(...children.flat().filter(Boolean));
  return node;
}

/** Replaces what is in a node, without a change where both are alike. */
export function put(node, ...children) {
  node.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Puts nodes into a node in this order. Those that stay are not taken out on the way: a click on one of them would be lost. */
export function keep(node, nodes) {
  const focused = document.activeElement;
  for (const own of [...node.childNodes]) if (!nodes.includes(own)) own.remove();
  let next = node.firstChild;
  for (const own of nodes) {
    if (own === next) next = next.nextSibling;
    else node.insertBefore(own, next);
  }
  if (nodes.includes(focused) && document.activeElement !== focused) focused.focus();
}

// A control stays where it is while it is pressed: the click on one that was replaced or moved meanwhile would be lost.

const pressable = "button, a, summary, select, label, input[type=checkbox], [role=option], .row, .stage-head";
let pressed = null;
/** By part of the page: how it is drawn when the press is over. */
const waiting = new Map();

function press(target) {
  free();
  pressed = target.closest?.(pressable) ?? null;
}

function free() {
  pressed = null;
  const drawings = [...waiting];
  waiting.clear();
  // Something else may be pressed by then.
  for (const [place, action] of drawings) queueMicrotask(() => redraw(place, action));
}

/** Ends the press behind the click, which comes at once with a mouse or a key, and later with a finger. */
function freeSoon(delay = 0) {
  const own = pressed;
  // The list of a select stays open until something is chosen, or something else is pressed.
  if (own && !own.matches("select")) setTimeout(() => { if (pressed === own) free(); }, delay);
}

for (const [name, action] of Object.entries({
  pointerdown: ({ target }) => press(target), pointercancel: free, blur: ({ target }) => { if (target === window || target.matches("select")) free(); },
  pointerup: ({ pointerType }) => freeSoon(pointerType === "mouse" ? 0 : 300), click: () => freeSoon(), change: ({ target }) => { if (target === pressed) free(); },
  keydown: ({ key, target, repeat }) => { if (!repeat) key === " " ? press(target) : free(); }, keyup: () => freeSoon(),
})) window.addEventListener(name, action, true);

// A click that nobody stopped ends its press with its own listeners: the next press, however soon, meets what it made.
window.addEventListener("click", () => { if (pressed && !pressed.matches("select")) free(); });

/** Draws a part of the page, or does so when a press is over; a later drawing of that part replaces one that waits. */
export function redraw(place, action) {
  // A list that is open stays so for long: only what it is in waits.
  if (pressed && (!pressed.matches("select") || place.contains(pressed))) waiting.set(place, action);
  else {
    waiting.delete(place);
    action();
  }
}

const PATHS = {
  play: "M5 3.5v9l7.5-4.5z",
  pause: "M4.5 3.5h2.5v9H4.5zM9 3.5h2.5v9H9z",
  stop: "M4 4h8v8H4z",
  loop: "M4 6V5h7.5L10 3.5l1-1L14 5.5 11 8.5l-1-1L11.5 6H4zm8 4v1H4.5L6 12.5l-1 1L2 10.5l3-3 1 1L4.500 10z",
  undo: "M6.500 3 2.500 6.500 6.500 10V7.500h3a2.250 2.250 0 0 1 0 4.500H6v1.500h3.500a3.750 3.750 0 0 0 0-7.500h-3z",
  redo: "M9.500 3l4 3.500-4 3.500V7.500h-3a2.250 2.250 0 0 0 0 4.500H10v1.500H6.500a3.750 3.750 0 0 1 0-7.500h3z",
  plus: "M7.250 3h1.500v4.250H13v1.500H8.750V13h-1.500V8.750H3v-1.500h4.250z",
  minus: "M3 7.250h10v1.500H3z",
  close: "m4.100 3 3.900 3.900L11.900 3 13 4.100 9.100 8l3.900 3.900-1.100 1.100L8 9.100 4.100 13 3 11.900 6.900 8 3 4.100z",
  star: "m8 1.800 1.900 4 4.300.600-3.100 3.100.750 4.400L8 11.800l-3.850 2.100.750-4.400L1.800 6.400l4.300-.600z",
  left: "M9.800 3 11 4.200 7.200 8l3.800 3.800L9.800 13 4.800 8z",
  right: "M6.200 3 5 4.200 8.800 8 5 11.800 6.200 13l5-5z",
  window: "M2 3h12v10H2zm1.500 3v5.500h9V6z",
  power: "M7.250 2h1.500v6h-1.500zM4.600 4.200l1 1.100a3.700 3.700 0 1 0 4.800 0l1-1.100a5.200 5.200 0 1 1-6.800 0z",
  reset: "M8 3a5 5 0 1 1-4.800 3.600l1.450.400A3.500 3.500 0 1 0 8 4.500V7L4.500 3.700 8 .500z",
  copy: "M5 2h8v9h-2v2H3V4h2zm1.500 1.500v6h5v-6zM4.500 5.500v6h5V11H5V5.500z",
  save: "M2.500 2.500h8.500l2.500 2.500v8.500h-11zM4 4v8h8V5.700L10.300 4H10v3H5V4zm2.500 0v1.500h2V4z",
  file: "M3.500 1.500h6l3 3v10h-9zM5 3v10h6V5.500H8.500V3z",
  folder: "M1.500 3h5l1.500 2h6.500v8.500h-13z",
  find: "M7 2a5 5 0 0 1 4 8l3 3-1.100 1.100-3-3A5 5 0 1 1 7 2zm0 1.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
  build: "M1.500 5.500h4v1.750h1.500V3h7.500v4H8.500v1.750H7V8.750h0v1.500h1.500V9h6v4H7V8.750H5.500v1.750h-4z",
  hear: "M2 6h2.500L8 3v10l-3.500-3H2zm8-1.500a4.500 4.500 0 0 1 0 7l-.800-1.200a3 3 0 0 0 0-4.600zm1.800-2.300a7 7 0 0 1 0 11.600l-.850-1.250a5.500 5.500 0 0 0 0-9.100z",
  run: "M2 3h12v1.750H2zm0 4.100h8v1.800H2zm0 4.150h5V13H2zm8.500-1.750 4 2.500-4 2.500z",
  live: "M7.250 1.500h1.500v13h-1.500zM4 4.500h1.500v7H4zm6.500 0H12v7h-1.500zM1 6.500h1.500v3H1zm12.500 0H15v3h-1.500z",
  menu: "M2 3.500h12V5H2zm0 3.750h12v1.500H2zM2 11h12v1.500H2z",
  branch: "M2 7.250h2.500L7 3.500h7V5H7.900L6.300 7.250H14v1.500H6.300L7.900 11H14v1.500H7L4.500 8.750H2z",
  learn: "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM5 7h1.500v1.500H5zm4.500 0H11v1.500H9.500zM7.250 9.500h1.500V11h-1.500z",
  grip: "M5 3h2v2H5zm4 0h2v2H9zM5 7h2v2H5zm4 0h2v2H9zm-4 4h2v2H5zm4 0h2v2H9z",
  warn: "M8 1.500 15 14H1zM7.250 6v4h1.500V6zm0 5v1.500h1.500V11z",
  check: "m6.300 12.300-4-4 1.100-1.100 2.900 2.900 6.300-6.300 1.100 1.100z",
};

/** Makes a drawing of 16 by 16 that readers of the screen pass over. */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] ?? PATHS.file }));
}

/** Makes a button of a drawing only, with a name that is read and shown when the pointer rests on it. */
export function iconButton(picture, name, action, values = {}) {
  return el("button.icon-button", { type: "button", "aria-label": name, title: name, ...values, on: { click: action } }, icon(picture));
}

/** Makes a function that runs `action` once a frame at most, with the last arguments. */
export function everyFrame(action) {
  let words = null;
  return (...latest) => {
    const isWaiting = words !== null;
    words = latest;
    if (!isWaiting) requestAnimationFrame(() => {
      const last = words;
      words = null;
      action(...last);
    });
  };
}

/** Says something to readers of the screen, without a change of the page. */
export function say(text) {
  const place = document.getElementById("said");
  if (place) place.textContent = text;
}

/** Shows a short message at the foot of the page, as text; `kind` is `note` or `bad`. */
export function toast(text, kind = "note") {
  const place = document.getElementById("toasts");
  if (!place) return;
  const box = el(`.toast.${kind}`, { role: kind === "bad" ? "alert" : "status" }, el("span", text),
    iconButton("close", "Close this message", () => box.remove()));
  place.append(box);
  if (kind !== "bad") setTimeout(() => box.remove(), 6000);
  while (place.children.length > 4) place.firstChild.remove();
}

/** Opens a dialog that is in no document yet; `closed` runs when it is closed, with the focus where it was before. */
export function showDialog(box, closed) {
  const before = document.activeElement;
  box.addEventListener("close", () => {
    box.remove();
    // What opened it may have been drawn anew meanwhile.
    const name = before?.dataset?.focus;
    if (before && !before.isConnected && name) document.querySelector(`#main [data-focus="${CSS.escape(name)}"]`)?.focus();
    closed();
  });
  document.body.append(box);
  box.showModal();
}

/** Opens a dialog with a title and content, and resolves to the name of the button that closed it, or null. */
export function ask(title, content, buttons) {
  return new Promise((done) => {
    const heading = el("h2", { id: "dialog-title" }, title);
    const box = el("dialog.dialog", { "aria-labelledby": "dialog-title" }, heading, el(".dialog-body", content),
      el(".dialog-buttons", buttons.map(([name, text, kind]) =>
        el("button", { type: "button", class: kind ?? "", data: { name }, on: { click: () => box.close(name) } }, text))));
    showDialog(box, () => done(box.returnValue || null));
  });
}
