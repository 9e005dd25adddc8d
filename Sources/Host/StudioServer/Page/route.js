// Keeps what is seen in the address, so that a reload, a bookmark and the button Back show it again.
// SPDX-License-Identifier: Apache-2.0

import { emit } from "./server.js";

export const views = ["find", "build", "hear", "run", "live"];

/** Reads the address: `#/build?chain=c1&stage=s2`. */
function read() {
  const [path, words] = location.hash.replace(/^#\/?/, "").split("?");
  const values = Object.fromEntries(new URLSearchParams(words ?? ""));
  return { view: views.includes(path) ? path : "find", ...values };
}

export let route = read();

/** Changes parts of the address; `isStep` makes a place to which Back returns. */
export function go(changes, isStep = changes.view !== undefined && changes.view !== route.view) {
  const next = { ...route, ...changes };
  const words = new URLSearchParams(Object.entries(next).filter(([key, value]) => key !== "view" && value !== null && value !== undefined && value !== ""));
  const hash = `#/${next.view}${words.size ? `?${words}` : ""}`;
  if (hash === location.hash) return;
  history[isStep ? "pushState" : "replaceState"](null, "", hash);
  update();
}

/** Makes the address of a view, for links. */
export function address(changes) {
  const next = { ...route, ...changes };
  const words = new URLSearchParams(Object.entries(next).filter(([key, value]) => key !== "view" && value !== null && value !== undefined && value !== ""));
  return `#/${next.view}${words.size ? `?${words}` : ""}`;
}

/** Reads the address again, before anything is shown. */
export function reread() {
  route = read();
}

function update() {
  const before = route;
  route = read();
  emit("route", { before, route });
}

window.addEventListener("hashchange", update);
window.addEventListener("popstate", update);
