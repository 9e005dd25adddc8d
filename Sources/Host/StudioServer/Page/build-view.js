// The view Build: a chain as a row of boxes, and the panel of the box that is chosen.
// SPDX-License-Identifier: Apache-2.0

import { ask, el, icon, iconButton, put, redraw, toast } from "./dom.js";
import { bytes, get, on } from "./server.js";
import { go, route } from "./route.js";
import { chain as chainOf, knownChain } from "./chains.js";
import { chainAtHand, openChain, studio } from "./app.js";
import { sound } from "./sound.js";
import "./chain-row.js";
import { makeStagePanel } from "./stage-panel.js";
import { makeBranchPanel, makeChainPanel } from "./chain-panel.js";
import { openDialog, saveDialog, showText } from "./save-chain.js";

const guard = (action) => (...words) => action(...words)?.catch?.((error) => toast(error.message, "bad"));

/** Resolves to a unit that someone chooses, `parallel`, or null. */
async function chooseUnit() {
  const { units } = await get("/api/units");
  const search = el("input", { type: "search", placeholder: "Search units", "aria-label": "Search units", autofocus: "" });
  const list = el(".unit-choices", { role: "group", "aria-label": "Units" });
  let chosen = null;
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = units.filter((unit) => !["instrument", "MIDI processor", "output"].includes(unit.kind) && words.every((word) => `${unit.name} ${unit.kind} ${unit.format} ${unit.unit}`.toLowerCase().includes(word)));
    found.sort((one, two) => Number(two.favourite) - Number(one.favourite) || Number(two.format === "built-in" || two.format === "native") - Number(one.format === "built-in" || one.format === "native"));
    put(list, found.slice(0, 100).map((unit) => el("button.plain.unit-choice", { type: "button", data: { unit: unit.unit }, on: { click: () => {
      chosen = unit.unit;
      list.closest("dialog").close();
    } } }, unit.favourite ? icon("star") : null, el("strong.cut", unit.title), el("span.quiet.cut", unit.maker), el("span.chip", unit.format))),
    found.length > 100 ? el("p.quiet", `${found.length - 100} more: type more of the name.`) : null, found.length ? null : el("p.quiet", "No unit has these words."));
  };
  search.addEventListener("input", draw);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
    if (event.key === "ArrowDown") list.querySelector("button")?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...list.querySelectorAll("button")];
    if (!step) return;
    event.preventDefault();
    (all[all.indexOf(document.activeElement) + step] ?? search).focus();
  });
  draw();
  const name = await ask("Add a unit", el(".unit-chooser", search, list), [["cancel", "Cancel"], ["parallel", "Two branches"]]);
  return name === "parallel" ? "parallel" : chosen;
}

export function make() {
  const row = el("chain-row");
  const stagePanel = makeStagePanel();
  const branchPanel = makeBranchPanel();
  const chainPanel = makeChainPanel();
  const head = el(".head");
  const place = el(".below");
  const rack = el("section.panel.rack", { "aria-label": "The chain" }, row);
  const element = el(".view.build", head, rack, place);
  let isMetering = false;
  let isMeterStale = false;

  row.addAt = guard(async (into, index) => {
    const unit = await chooseUnit();
    if (!unit) return;
    const own = await chainAtHand();
    const operation = unit === "parallel" ? { op: "addParallel", into, index, branches: 2 } : { op: "add", unit, into, index };
    const answer = await own.change([operation]);
    if (answer.created?.[0]) go({ stage: answer.created[0] });
  });

  function drawHead(own) {
    const { document: facts } = own;
    const typed = head.querySelector("input.chain-name");
    // The field in which someone types stays as it is; all else follows.
    const isTyping = typed !== null && typed === document.activeElement && head.dataset.chain === own.id;
    head.dataset.chain = own.id;
    const focused = head.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const name = isTyping ? typed : el("input.chain-name", { type: "text", value: facts.name, "aria-label": "Name of the chain", on: { change: (event) => own.change([{ op: "field", field: "name", value: event.target.value.trim() }]).catch(() => {}) } });
    const rest = [el("span.chip", { class: facts.isSaved ? "chip" : "chip warn", title: facts.file ?? "" }, facts.isSaved ? facts.file ? facts.file.split("/").pop() : "as it ships" : facts.file ? `${facts.file.split("/").pop()}, changed` : "not saved"),
      el("span.grow"),
      el("span.tools", el("button", { type: "button", data: { focus: "open" }, on: { click: guard(openDialog) } }, icon("folder"), "Open…"),
        el("button", { type: "button", data: { focus: "save" }, class: facts.isSaved ? "" : "primary", disabled: studio.isReadOnly, title: studio.isReadOnly ? "The studio was started with --read-only" : "", on: { click: guard(() => saveDialog(own)) } }, icon("save"), "Save…"),
        el("button", { type: "button", data: { focus: "text" }, on: { click: guard(() => showText(own)) } }, "Text"),
        el("button", { type: "button", data: { focus: "twin" }, title: "A copy to compare with, side by side in Hear", on: { click: guard(async () => {
          const made = await openChain({ copyOf: own.id });
          toast(`${made.document.name} is a chain of its own now.`);
        }) } }, icon("copy"), "Copy"),
        facts.hasB ? iconButton("right", facts.setting === "A" ? "Copy setting A to B" : "Copy setting B to A", () => own.setting({ copy: facts.setting === "A" ? "AtoB" : "BtoA" }).catch(() => {}), { data: { focus: "ab" } }) : null)];
    if (isTyping) {
      while (name.nextSibling) name.nextSibling.remove();
      head.append(...rest);
      return;
    }
    put(head, el("h1.away", "Build"), name, rest);
    if (focused) head.querySelector(`[data-focus="${focused}"]`)?.focus();
  }

  function drawEmpty() {
    put(head, el("h1", "Build"));
    rack.hidden = true;
    put(place, el("section.panel.empty", el("h2", "No chain is open"), el("p", "Begin with a preset, with a file, or with nothing."),
      el(".tools.centre", el("button.primary", { type: "button", on: { click: guard(openDialog) } }, icon("folder"), "Open a chain…"), el("button", { type: "button", on: { click: guard(() => openChain({})) } }, icon("plus"), "Empty chain"))));
  }

  /** Shows the panel of what is chosen, and keeps it where it is already shown. */
  function drawPanel(own) {
    const found = route.stage ? own.find(route.stage) : null;
    const panel = !found ? chainPanel : found.entry.kind === "unit" ? stagePanel : branchPanel;
    if (place.firstChild !== panel.element) put(place, panel.element);
    if (panel === stagePanel) stagePanel.show(own, route.stage);
    else panel.show(own, found?.entry);
  }

  function draw() {
    const own = knownChain(route.chain);
    if (!own) {
      drawEmpty();
      return;
    }
    rack.hidden = false;
    redraw(head, () => drawHead(own));
    row.show(own);
    drawPanel(own);
  }

  /** Asks for levels behind all stages: of the loop, or of the file as it was rendered. */
  async function readMeters() {
    isMeterStale = true;
    if (isMetering) return;
    isMetering = true;
    while (isMeterStale) {
      isMeterStale = false;
      const own = sound.tracks.get(route.chain);
      const path = own?.loop ? `/api/loops/${own.loop}/meters` : own?.render ? `/api/renders/${own.render}/meters` : null;
      if (!path || own.state !== "done") continue;
      try {
        const { stages } = await (await bytes(path)).json();
        row.levels(stages);
        stagePanel.levels(stages);
        branchPanel.levels(stages);
      } catch { /* Another rendering is on its way: it asks again. */ }
    }
    isMetering = false;
  }

  const isOwn = (action) => ({ chain, side }) => { if ((chain?.id ?? side) === route.chain) action(); };
  const stops = [on("document", isOwn(draw)), on("faults", isOwn(draw)), on("rendered", isOwn(readMeters)),
    on("meters", ({ render, loop, stages }) => {
      const own = sound.tracks.get(route.chain);
      if (!own || (own.render !== render && own.loop !== loop)) return;
      row.levels(stages);
      stagePanel.levels(stages);
      branchPanel.levels(stages);
    })];

  async function open() {
    if (route.chain && !knownChain(route.chain)) {
      try {
        await chainOf(route.chain);
      } catch (error) {
        if (error.status !== 404) toast(error.message, "bad");
      }
    }
    draw();
    readMeters();
  }

  let last = {};
  return {
    element,
    opened: open,
    routed() {
      if (last.chain !== route.chain) open();
      else if (last.stage !== route.stage) {
        draw();
        readMeters();
      }
      last = { ...route };
    },
    closed() { stops.forEach((stop) => stop()); },
  };
}
