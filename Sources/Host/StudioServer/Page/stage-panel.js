// The panel of one stage: all parameters and settings of its unit, its preset, mix, side chain, pictures and levels.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, iconButton, put, redraw, toast } from "./dom.js";
import { get, post } from "./server.js";
import { go, route } from "./route.js";
import { chooseFile } from "./choose-file.js";
import { studio } from "./app.js";
import { sound } from "./sound.js";
import { titleOf } from "./chain-row.js";
import { numberOf } from "./values.js";
import "./parameter-control.js";
import { makeStageLevels } from "./plot-view.js";

const plotNames = { response: "Response", curve: "Curve", impulse: "Impulse" };
const folded = JSON.parse(sessionStorage.getItem("folded") ?? "{}");

/** Makes the panel; `show(chain, id)` shows a stage, `update()` what changed in it. */
export function makeStagePanel() {
  const element = el("section.panel.stage-panel", { "aria-label": "The stage" });
  const head = el("header");
  const fault = el(".stage-faults");
  const plot = el("plot-view");
  const plotTabs = el("span.group", { role: "group", "aria-label": "Picture" });
  const plotNote = el("p.quiet.small-text", { role: "status" });
  const levels = makeStageLevels();
  const search = el("input.small", { type: "search", placeholder: "Search parameters", "aria-label": "Search parameters" });
  const parameters = el(".parameters");
  const pictures = el(".pictures", el(".tools", plotTabs), plot, plotNote, levels.elements);
  put(element, head, fault, el(".stage-columns", el(".parameter-side", search, parameters), pictures));
  const panel = { element, chain: null, id: null, controls: new Map() };
  let isReading = false;
  let isStale = false;
  let isPlotting = false;
  let isPlotStale = false;

  panel.show = (chain, id) => {
    if (panel.chain === chain && panel.id === id) {
      panel.update();
      return;
    }
    Object.assign(panel, { chain, id, facts: null, shape: null });
    panel.controls.clear();
    search.value = "";
    search.hidden = true;
    put(parameters, el("p.quiet", "The unit is opened…"));
    plot.clear("");
    levels.clear(sound.file ? "" : "Choose a sound: it is measured behind each stage");
    panel.update();
  };

  panel.update = () => {
    const found = panel.chain?.find(panel.id);
    if (!found) return;
    panel.entry = found.entry;
    drawHead();
    drawFaults();
    read();
    drawPlot();
  };

  /** Asks for the facts of the stage: one question at a time, and once more where it changed meanwhile. */
  async function read() {
    isStale = true;
    if (isReading || panel.entry?.kind !== "unit") return;
    isReading = true;
    while (isStale) {
      isStale = false;
      const { chain, id } = panel;
      try {
        const facts = await chain.stage(id);
        if (panel.id !== id || panel.chain !== chain) continue;
        panel.facts = facts;
        drawParameters();
        drawHead();
        drawFaults();
      } catch (error) {
        if (panel.id === id && !error.isAway) put(parameters, el("p.fault", { role: "alert" }, icon("warn"), el("span", error.message)));
      }
    }
    isReading = false;
  }

  const change = (operation, gesture) => panel.chain.change([operation], gesture);

  const drawHead = () => redraw(head, () => {
    const { entry, facts } = panel;
    const focused = head.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const field = document.activeElement;
    if (focused === "name" && field.value !== (entry.name ?? "")) return;
    const name = el("input.stage-name", { type: "text", value: entry.name ?? "", placeholder: titleOf({ ...entry, name: null }), "aria-label": "Name of the stage", data: { focus: "name" },
      on: { change: (event) => change({ op: "stageField", stage: entry.id, field: "name", value: event.target.value.trim() || null }).catch(() => {}) } });
    const presets = facts?.presets ?? [];
    const preset = presets.length || entry.preset ? el("select", { "aria-label": "Preset of the unit", data: { focus: "preset" },
      on: { change: (event) => change({ op: "stageField", stage: entry.id, field: "preset", value: event.target.value || null }).catch(() => {}) } },
    el("option", { value: "" }, "Preset: defaults"), presets.map((one) => el("option", { value: one.use, selected: one.use === entry.preset || one.name === entry.preset }, one.name)),
    entry.preset && !presets.some((one) => one.use === entry.preset || one.name === entry.preset) ? el("option", { value: entry.preset, selected: true }, entry.preset) : null) : null;
    const before = [name, el("span.quiet.cut.unit-title", { title: entry.unit ?? "" }, entry.name ? entry.title ?? "" : ""), preset].filter(Boolean);
    const tools = el("span.tools", iconButton("reset", "Reset all parameters", () => change({ op: "reset", stage: entry.id }).catch(() => {}), { data: { focus: "reset" } }),
        iconButton("copy", "Duplicate this stage", () => change({ op: "duplicate", stage: entry.id }).catch(() => {}), { data: { focus: "copy" } }),
        studio.canOpenWindows && !studio.isReadOnly && entry.kind === "unit" ? iconButton("window", "Open the unit's own window", openWindow, { data: { focus: "window" } }) : null,
        iconButton("close", "Remove this stage", () => {
          change({ op: "remove", stage: entry.id }).catch(() => {});
          go({ stage: null });
        }, { data: { focus: "remove" } }));
    const mix = mixOf(entry);
    if (mix?.parentNode === head) {
      // It stays where it is: what is typed or dragged there would be lost.
      for (const node of [...head.childNodes]) if (node !== mix) node.remove();
      mix.before(...before);
      mix.after(tools);
    } else put(head, before, mix, tools);
    if (focused) head.querySelector(`[data-focus=${focused}]`)?.focus();
  });

  function mixOf(entry) {
    if (entry.kind !== "unit") return null;
    panel.mix ??= el("parameter-control.mix");
    panel.mix.change = (value, gesture) => change({ op: "stageField", stage: panel.entry.id, field: "mix", value: numberOf(value) / 100 }, gesture);
    panel.mix.show({ name: "Mix", key: "mix", minimum: 0, maximum: 100, value: entry.mix * 100, text: `${+(entry.mix * 100).toFixed(1)} %`, scale: "linear", minimumText: "0 %", maximumText: "100 %" });
    return panel.mix;
  }

  async function openWindow() {
    try {
      await post("/api/windows", { chain: panel.chain.id, stage: panel.id });
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  const drawFaults = () => redraw(fault, () => {
    const { chain, id } = panel;
    const own = chain.faults.filter((one) => one.place?.stage === id);
    const crash = chain.crashes.get(id);
    const byKey = new Map();
    for (const one of own) if (one.place.key) byKey.set(one.place.key.replace(/^parameters\./, ""), one.message);
    for (const [key, control] of panel.controls) {
      if (byKey.has(key)) control.setFault(byKey.get(key));
      else if (control.hasCheckFault) control.setFault(null);
      control.hasCheckFault = byKey.has(key);
    }
    const listed = own.filter((one) => !panel.controls.has(one.place.key?.replace(/^parameters\./, "")));
    put(fault, crash ? el(".fault", { role: "alert" }, icon("warn"), el("span", `${crash.replace(/[.]?$/, ".")} Its sound is the one of before until it runs again.`)) : null,
      panel.facts?.problem ? el(".fault", icon("warn"), el("span", panel.facts.problem)) : null,
      listed.map((one) => el(".fault", { class: one.severity === "warning" ? "fault note" : "fault" }, icon("warn"), el("span", one.message))));
  });

  function control(facts) {
    const node = el("parameter-control");
    node.change = (value, gesture) => change({ op: "set", stage: panel.id, parameter: facts.key, value }, gesture);
    node.reset = () => change({ op: "reset", stage: panel.id, parameter: facts.key }).catch((error) => node.setFault(error.message));
    node.choose = () => chooseFile({ title: `A file for ${facts.name}`, kinds: ["sound", "preset", "other"], start: route.file });
    return node;
  }

  /** Draws the controls once, and later only their values. */
  const drawParameters = () => redraw(parameters, () => {
    const { facts } = panel;
    if (!facts) return;
    const all = [...facts.parameters, ...(facts.properties ?? []).map((one) => ({ ...one, group: one.group ?? "Settings" }))];
    const shape = all.map((one) => one.key).join("\n");
    if (panel.shape !== shape) {
      panel.shape = shape;
      panel.controls.clear();
      for (const one of all) panel.controls.set(one.key, control(one));
      const groups = Map.groupBy(all, (one) => one.group ?? "");
      search.hidden = all.length < 16;
      put(parameters, [...groups].map(([name, members]) => group(name, members, all.length)), sidechainOf(), moreOf(),
        all.length ? null : el("p.quiet", "This unit has no parameters."));
      filter();
    } else {
      parameters.querySelector(".sidechain")?.replaceWith(sidechainOf() ?? "");
    }
    for (const one of all) panel.controls.get(one.key).show(one);
  });

  function group(name, members, total) {
    const grid = el(".parameter-grid", members.map((one) => panel.controls.get(one.key)));
    if (!name) return grid;
    const key = `${panel.facts.unit}/${name}`;
    return el("details.parameter-group", { open: folded[key] ?? (total <= 24 || members.some((one) => one.isSet)), on: { toggle: (event) => {
      folded[key] = event.target.open;
      sessionStorage.setItem("folded", JSON.stringify(folded));
    } } }, el("summary", name, " ", el("span.quiet.number", String(members.length))), grid);
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const node of panel.controls.values()) node.hidden = !words.every((word) => node.label?.textContent.toLowerCase().includes(word));
    if (words.length) for (const node of parameters.querySelectorAll("details.parameter-group")) node.open = true;
  }
  search.addEventListener("input", filter);

  function moreOf() {
    const more = Object.entries(panel.entry.more ?? {});
    return more.length ? el("details.parameter-group", el("summary", "Also in the preset"), el("pre.more", JSON.stringify(panel.entry.more, null, 1))) : null;
  }

  function sidechainOf() {
    const buses = panel.facts?.inputBuses ?? [];
    if (buses.length < 2) return null;
    const own = panel.entry.sidechain?.[0] ?? null;
    const others = panel.chain.all.filter((one) => one.id !== panel.id && one.kind !== "noise");
    const value = !own ? "" : own.from === "input" ? "input" : own.from === "stage" ? `stage:${others.find((one) => one.name === own.source)?.id ?? own.source}` : "file";
    const list = el("select", { "aria-label": "Side chain from", on: { change: (event) => setSidechain(event.target.value) } },
      el("option", { value: "" }, "Nothing"), el("option", { value: "input" }, "The file, before the chain"),
      others.map((one) => el("option", { value: `stage:${one.id}` }, `Behind ${titleOf(one)}`)), el("option", { value: "file" }, own?.from === "file" ? `File ${own.source}` : "A file…"));
    list.value = value;
    const gain = own ? el("parameter-control") : null;
    if (gain) {
      gain.change = (next, gesture) => panel.chain.change([{ op: "sidechain", stage: panel.id, value: [{ ...own, gain: numberOf(next) }, ...otherSidechains()] }], gesture);
      gain.show({ name: "Gain of the side chain", key: "sidechain-gain", minimum: -60, maximum: 60, value: own.gain ?? 0, text: `${+(own.gain ?? 0).toFixed(2)} dB`, scale: "linear", minimumText: "-60 dB", maximumText: "60 dB" });
    }
    return el(".sidechain", el("h2.minor", icon("branch"), ` Side chain: ${buses[1].name || "input 2"}`), list, gain);
  }

  /** Returns the side chains behind the first, which the panel leaves as they are. */
  const otherSidechains = () => (panel.entry.sidechain ?? []).slice(1);

  async function setSidechain(value) {
    const entry = panel.entry;
    const rest = otherSidechains();
    const base = { bus: null, output: null, gain: entry.sidechain?.[0]?.gain ?? 0, loop: false };
    if (value === "") await change({ op: "sidechain", stage: entry.id, value: rest }).catch(() => {});
    else if (value === "input") await change({ op: "sidechain", stage: entry.id, value: [{ ...base, source: "input", from: "input" }, ...rest] }).catch(() => {});
    else if (value === "file") {
      const file = await chooseFile({ title: "A file for the side chain", kinds: ["sound"], start: route.file });
      if (file) await change({ op: "sidechain", stage: entry.id, value: [{ ...base, source: file, from: "file" }, ...rest] }).catch(() => {});
      else read();
    } else {
      const other = panel.chain.find(value.slice(6))?.entry;
      if (!other) return;
      const name = other.name ?? freeName(titleOf(other));
      const operations = other.name ? [] : [{ op: "stageField", stage: other.id, field: "name", value: name }];
      await panel.chain.change([...operations, { op: "sidechain", stage: entry.id, value: [{ ...base, source: name, from: "stage" }, ...rest] }]).catch(() => {});
    }
  }

  /** Returns a name that no other stage has: a side chain names where it comes from. */
  function freeName(name) {
    const names = new Set(panel.chain.all.map((one) => one.name));
    for (let number = 1; ; number += 1) {
      const own = number === 1 ? name : `${name} ${number}`;
      if (!names.has(own)) return own;
    }
  }

  /** Draws the picture: one is measured at a time, the newest state last. */
  async function drawPlot() {
    const kind = route.plot ?? "response";
    redraw(plotTabs, () => put(plotTabs, Object.entries(plotNames).map(([key, text]) => el("button.small", { type: "button", "aria-pressed": String(key === kind), on: { click: () => {
      go({ plot: key });
      drawPlot();
    } } }, text))));
    isPlotStale = true;
    if (isPlotting) return;
    isPlotting = true;
    while (isPlotStale) {
      isPlotStale = false;
      const { chain, id, entry } = panel;
      plot.toggleAttribute("data-busy", true);
      try {
        const answer = await get(`/api/chains/${chain.id}/plot`, { kind: route.plot ?? "response", stage: entry?.kind === "unit" ? id : undefined });
        if (panel.id === id && !isPlotStale) {
          plot.show(answer);
          plotNote.textContent = "";
          if (chain.crashes.has(id) && !sound.tracks.has(chain.id)) chain.crash(null);
        } else if (panel.id === id) plot.show(answer);
      } catch (error) {
        if (panel.id === id && !error.isAway) {
          plotNote.textContent = error.message;
          if (error.status === 500 && !isPlotStale) chain.crash(error.place?.stage ? error : { error: error.message, place: { stage: id } });
        }
      }
      plot.removeAttribute("data-busy");
    }
    isPlotting = false;
  }

  panel.levels = (stages) => levels.show(stages, panel.id);

  return panel;
}
