// Starts the page of the studio: its frame, the views, the deck that plays, and keys.
// SPDX-License-Identifier: Apache-2.0

import { ask, el, icon, iconButton, keep, put, redraw, toast } from "./dom.js";
import { connect, get, link, on } from "./server.js";
import { address, go, reread, route, views } from "./route.js";
import { chain as chainOf, knownChain, listChains, makeChain } from "./chains.js";
import { before, choose, openSound, setEdge, setEqual, setLoop, sound, swap, toggle, useChains, seek } from "./sound.js";
import { zoom } from "./waves.js";
import { clock } from "./values.js";
import { chooseFile } from "./choose-file.js";

const names = { find: "Find", build: "Build", hear: "Hear", run: "Run", live: "Live" };
const loaders = {
  find: () => import("./find-view.js"), build: () => import("./build-view.js"), hear: () => import("./hear-view.js"),
  run: () => import("./run-view.js"), live: () => import("./live-view.js"),
};
const main = document.getElementById("main");
let shown = null;

/** Facts of the studio that all views use. */
export const studio = { isReadOnly: false, folders: [], canOpenWindows: false, formats: [] };

function drawViews() {
  const place = document.getElementById("views");
  redraw(place, () => put(place, views.map((name) =>
    el("a", { href: address({ view: name }), "aria-current": route.view === name ? "page" : undefined }, icon(name), el("span", names[name])))));
  document.title = `${names[route.view]} – Auricle Studio`;
}

async function showView() {
  drawViews();
  const wanted = route.view;
  if (shown?.name === wanted) {
    shown.view.routed?.();
    return;
  }
  const isFirst = shown === null;
  const module = await loaders[wanted]();
  if (route.view !== wanted) return;
  const view = module.make();
  shown?.view.closed?.();
  shown = { name: wanted, view };
  put(main, view.element);
  document.body.dataset.view = wanted;
  view.opened?.();
  if (!isFirst) {
    main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
}

// The tools of the chain at hand: they are in the bar, for all views.

let chainTools = null;

function makeChainTools(own) {
  const setting = (name) => el("button.small", { type: "button", data: { tool: `setting${name}` },
    title: `Setting ${name} of two`, "aria-label": `Setting ${name}`, on: { click: () => { if (own.document.setting !== name) own.setting({ setting: name }).catch(() => {}); } } }, name);
  const undo = iconButton("undo", "Undo", () => own.undo().catch(() => {}), { data: { tool: "undo" } });
  const redo = iconButton("redo", "Redo", () => own.redo().catch(() => {}), { data: { tool: "redo" } });
  const settings = { A: setting("A"), B: setting("B") };
  const show = (button, word, label, isPossible) => {
    button.title = label ? `${word}: ${label}` : word;
    button.setAttribute("aria-label", button.title);
    button.disabled = !isPossible;
  };
  return {
    own,
    elements: [undo, redo, el("span.group", { role: "group", "aria-label": "Two settings of the chain" }, settings.A, settings.B)],
    update() {
      const { document: facts } = own;
      show(undo, "Undo", facts.undo, facts.canUndo);
      show(redo, "Redo", facts.redo, facts.canRedo);
      for (const [name, button] of Object.entries(settings)) button.setAttribute("aria-pressed", String(facts.setting === name));
    },
  };
}

const toolPlace = document.getElementById("chain-tools");
const drawChainTools = () => redraw(toolPlace, () => {
  const own = knownChain(route.chain);
  if (!own) chainTools = null;
  else if (chainTools?.own !== own) chainTools = makeChainTools(own);
  else return chainTools.update();
  put(toolPlace, chainTools?.elements ?? []);
  chainTools?.update();
});

// The deck: what plays, from which side, and where.

const deck = document.getElementById("deck");
let parts = null;

function makeDeck() {
  parts = {
    go: el("button.go.primary", { type: "button", on: { click: () => Promise.resolve(toggle()).catch((error) => toast(error.message, "bad")) } }),
    what: el("button.plain.what", { type: "button", title: "Choose another sound", on: { click: pickSound } }),
    line: el("wave-line"),
    time: el("span.time.number.wide"),
    sides: el("span.group", { role: "group", "aria-label": "Which side plays" }),
    equal: el("button.small.wide", { type: "button", title: "Turn the louder sides down, so that all are equally loud", on: { click: () => setEqual(!sound.isEqual) } }, "Equal loudness"),
    loop: iconButton("loop", "Play all of the file, without a loop", () => setLoop(sound.loop ? null : { from: sound.at, to: Math.min(sound.seconds, sound.at + 10) }).catch(() => {})),
  };
  put(deck, parts.go, parts.what, parts.line, parts.time, parts.sides, parts.equal, parts.loop);
  drawDeck();
}

const drawDeck = () => redraw(deck, () => {
  const { go: button, what, sides, equal, loop } = parts;
  button.disabled = !sound.file;
  button.setAttribute("aria-label", sound.isPlaying ? "Pause" : "Play");
  put(button, icon(sound.isPlaying ? "pause" : "play"));
  put(what, el("span.cut", sound.info?.name ?? "Choose a sound…"));
  what.setAttribute("aria-label", sound.info ? `Sound at hand: ${sound.info.name}. Choose another` : "Choose a sound");
  const all = [[before, "Before"], ...sound.chains.map((id, index) => [id, sound.chains.length === 1 ? "After" : `After ${index + 1}`])];
  // Where there is little room, the number of a side is enough.
  const words = (text) => /\d/.test(text) ? [el("span.wide", text.replace(/\d/, "")), text.replace(/\D/g, "")] : text;
  // Buttons stay while sounds come: one of them may have the focus.
  const nodes = all.map(([side]) => [...sides.children].find((node) => node.dataset.side === side)
    ?? el("button.side", { type: "button", data: { side }, on: { click: () => choose(side) } }));
  keep(sides, nodes);
  for (const [index, [side, text]] of all.entries()) {
    const own = sound.tracks.get(side);
    const state = own?.state === "failed" ? own.error : own?.state === "working" ? "is rendered" : "";
    const node = nodes[index];
    Object.assign(node, { disabled: !sound.file, title: [side === before ? "The file as it is" : knownChain(side)?.document.name ?? "", state].filter(Boolean).join(": ") });
    node.dataset.state = own?.state ?? "none";
    node.setAttribute("aria-pressed", String(sound.side === side));
    node.setAttribute("aria-label", text);
    put(node, words(text), own?.state === "failed" ? icon("warn") : null, own?.state === "working" && side !== before ? el("span.spin", { "aria-hidden": "true" }) : null);
  }
  equal.setAttribute("aria-pressed", String(sound.isEqual));
  loop.disabled = !sound.file;
  loop.setAttribute("aria-pressed", String(sound.loop !== null));
  loop.setAttribute("aria-label", sound.loop ? "Play all of the file, without the loop" : "Repeat ten seconds from here");
  loop.title = loop.getAttribute("aria-label");
  drawTime();
});

function drawTime() {
  parts.time.textContent = sound.info ? `${clock(sound.at)} / ${clock(sound.seconds)}` : "";
}

export async function pickSound() {
  const file = await chooseFile({ title: "Choose a sound", kinds: ["sound"], start: sound.file ?? route.file });
  if (file) await takeSound(file);
}

/** Opens a file as the sound at hand, and notes it in the address. */
export async function takeSound(file, loop = null) {
  await openSound(file, loop).catch((error) => toast(error.message, "bad"));
  if (sound.file) go({ file, loop: loopText(sound.loop) });
}

const loopText = (loop) => loop ? `${+loop.from.toFixed(3)}-${+loop.to.toFixed(3)}` : null;

function loopOf(text) {
  const [from, to] = (text ?? "").split("-").map(Number);
  return Number.isFinite(from) && to > from ? { from, to } : null;
}

let follows = 0;

/** Brings the sound and the chains into line with the address; a later address replaces one that is still followed. */
async function follow(isOtherLoop = false) {
  follows += 1;
  const number = follows;
  if (route.file && route.file !== sound.file) {
    await openSound(route.file, loopOf(route.loop)).catch((error) => {
      toast(error.message, "bad");
      go({ file: null, loop: null });
    });
  } else if (isOtherLoop && route.file && (route.loop ?? null) !== loopText(sound.loop)) {
    await setLoop(loopOf(route.loop)).catch((error) => toast(error.message, "bad"));
  }
  const compared = (route.with ?? "").split(" ").filter(Boolean);
  const wanted = [route.chain, ...compared].filter(Boolean);
  const found = [];
  for (const id of wanted) {
    try {
      await chainOf(id);
      found.push(id);
    } catch (error) {
      if (error.status === 404) go(id === route.chain ? { chain: null, stage: null } : { with: compared.filter((other) => other !== id).join(" ") });
    }
  }
  if (number !== follows) return;
  useChains(found);
  drawChainTools();
}

/** Makes a chain the one at hand. */
export async function openChain(body, view = "build") {
  const made = await makeChain(body);
  go({ view, chain: made.id, stage: null, with: null });
  return made;
}

/** Returns the chain at hand, and makes an empty one where there is none. */
export async function chainAtHand() {
  if (route.chain) return chainOf(route.chain);
  const made = await makeChain({});
  go({ chain: made.id });
  return made;
}

function keys(event) {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  const isText = event.target.closest("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]");
  const own = knownChain(route.chain);
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "z" && own && !isText) {
    event.preventDefault();
    (event.shiftKey ? own.redo() : own.undo()).catch(() => {});
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isText) return;
  const isButton = event.target.closest("button, a, summary, [role=button], [role=option], .row, .stage-box");
  if (event.key === "?") {
    showKeys();
    return;
  }
  if (event.key === " " && !isButton && event.target.type !== "checkbox") {
    event.preventDefault();
    Promise.resolve(toggle()).catch((error) => toast(error.message, "bad"));
  } else if (event.key === "b" && sound.file) swap();
  else if (event.key === "e" && sound.file) setEqual(!sound.isEqual);
  else if ((event.key === "[" || event.key === "]") && sound.file) setEdge(event.key === "[" ? "from" : "to").catch((error) => toast(error.message, "bad"));
  else if ((event.key === "+" || event.key === "-") && sound.file && route.view === "hear") zoom(event.key === "+" ? 0.5 : 2);
  else if (event.key === "Home" && !event.target.closest("input, .row, [role=option]")) seek(sound.from);
}

const keyNames = [["Space", "plays and pauses"], ["B", "switches between before and after"], ["E", "turns equal loudness on and off"], ["Home", "goes to the start of the loop, or of the file"], ["[ ]", "begin and end the loop at the place that plays"],
  ["+ −", "show a shorter or longer part of the file in Hear; so does the wheel with Ctrl"], ["← →, Shift ← →", "go a second or a tenth on or back, on the line at the foot"],
  ["Ctrl Z, Ctrl Shift Z", "undoes and redoes"], ["← →", "go from box to box in a chain"], ["Alt ← →, Alt ↑ ↓", "move the box that has the focus, also from branch to branch"], ["S, 0", "solo and bypass the box that has the focus"],
  ["Delete", "removes the box that has the focus"], ["↑ ↓, Page Up, Page Down", "move a slider, or the row of a list"]];

function showKeys() {
  ask("Keys", el("dl.facts", keyNames.map(([name, text]) => [el("dt", el("kbd", name)), el("dd", text)])), [["close", "Close", "primary"]]);
}

function drawLink() {
  const place = document.getElementById("link");
  place.dataset.state = link.isConnected ? "here" : "away";
  place.title = link.isConnected ? "The page and the studio are connected" : "The studio does not answer";
  document.getElementById("read-only").hidden = !studio.isReadOnly;
  put(place, el("span", link.isConnected ? "Connected" : link.isLockedOut ? "Locked out" : "Away"));
}

async function start() {
  history.replaceState(null, "", location.pathname + location.hash);
  makeDeck();
  document.getElementById("keys").addEventListener("click", showKeys);
  drawLink();
  on("connected", drawLink);
  on("window", ({ state, error, unit }) => { if (state === "failed") toast(error ?? `The window of ${unit} has ended.`, "bad"); });
  on("away", () => { drawLink(); });
  on("locked", () => {
    drawLink();
    toast("The studio was started anew. Open the address that it printed.", "bad");
  });
  on("restarted", () => refreshStudio());
  on("route", ({ before: old }) => {
    showView();
    const isOtherLoop = old.loop !== route.loop;
    if (old.chain !== route.chain || old.file !== route.file || old.with !== route.with || isOtherLoop) follow(isOtherLoop);
    else drawChainTools();
  });
  on("document", drawChainTools);
  on("sound", drawDeck);
  on("file", drawDeck);
  on("position", drawTime);
  on("loopChosen", () => {
    go({ loop: loopText(sound.loop) });
    drawDeck();
  });
  on("gone", ({ chain }) => { if (route.chain === chain.id) go({ chain: null, stage: null }); });
  document.addEventListener("keydown", keys);
  connect();
  // The view comes while the studio answers.
  loaders[route.view]().catch(() => {});
  await refreshStudio();
  if (!route.chain && route.view !== "find") {
    // A page that comes back goes on with the chain of before, if there is one.
    const all = await listChains().catch(() => []);
    if (all.length) history.replaceState(null, "", address({ chain: all.at(-1).id }));
    reread();
  }
  await showView();
  follow();
}

async function refreshStudio() {
  try {
    Object.assign(studio, await get("/api/studio"));
    studio.isReadOnly = studio.readOnly === true;
    drawLink();
  } catch (error) {
    toast(error.message, "bad");
  }
}

start();
