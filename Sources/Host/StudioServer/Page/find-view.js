// The view Find: all units of this machine, by words, kind, maker and format; what each is, and a try on the sound at hand.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, iconButton, put, redraw, toast } from "./dom.js";
import "./rows.js";
import { get, on, post } from "./server.js";
import { go, route } from "./route.js";
import { chainAtHand, pickSound, studio } from "./app.js";
import { chain as chainOf, makeChain, removeChain } from "./chains.js";
import { choose, play, sound, whenSettled } from "./sound.js";
import { count, duration, rate, whole } from "./values.js";

let units = [];
let problems = [];
/** The first list, which comes while the studio says what it can do. */
let first = get("/api/units");
first.catch(() => {});
/** The chain of the last try, and as which it was made. */
let tried = JSON.parse(sessionStorage.getItem("tried") ?? "null");

const formatNames = { native: "Native", "built-in": "Built in", lv2: "LV2", ladspa: "LADSPA", clap: "CLAP", vst3: "VST3" };
const formatName = (format) => formatNames[format] ?? format;

/** Whether a unit has all words in its names. */
function matches(unit, words) {
  if (!words.length) return true;
  unit.search ??= `${unit.name} ${unit.unit} ${unit.kind} ${(unit.tags ?? []).join(" ")}`.toLowerCase();
  return words.every((word) => unit.search.includes(word));
}

export function make() {
  const search = el("input", { type: "search", placeholder: "Search units", "aria-label": "Search units", value: route.q ?? "", spellcheck: "false" });
  const filters = el(".filters");
  const rows = el("many-rows", { role: "grid", "aria-label": "Units" });
  const total = el("span.quiet.number", { role: "status" });
  const detail = el("section.panel.detail", { "aria-label": "The unit", hidden: true });
  const element = el(".view.find", el(".head", el("h1", "Find"), el(".search-box", icon("find"), search), total),
    el(".find-columns", el("aside.panel.filter-panel", { "aria-label": "Filters" }, filters), el("section.panel.unit-list", { "aria-label": "Units" }, rows), detail));
  let listed = [];
  /** The unit whose facts are asked for or shown, and those facts. */
  let asked = null;
  let drawn = null;
  rows.height = 52;

  rows.draw = (unit) => [
    el("span", { role: "gridcell" }, iconButton("star", unit.favourite ? `Remove ${unit.name} from favourites` : `Add ${unit.name} to favourites`, (event) => {
      event.stopPropagation();
      favour(unit);
    }, { "aria-pressed": String(unit.favourite), disabled: studio.isReadOnly, class: "icon-button star" })),
    el("span.unit-name", { role: "gridcell" }, el("strong.cut", unit.title ?? unit.name), el("span.quiet.cut", unit.maker ?? "")),
    el("span.chip.kind-chip", { role: "gridcell" }, unit.kind), el("span.chip", { role: "gridcell" }, formatName(unit.format)),
  ];
  rows.pick = (unit) => go({ unit: unit.unit });
  rows.rows = (from, length) => listed.slice(from, from + length);

  async function favour(unit) {
    try {
      // The socket may say so before the answer is here.
      const isFavourite = !unit.favourite;
      await post("/api/favourites", { unit: unit.unit, favourite: isFavourite });
      unit.favourite = isFavourite;
      list();
      drawStar();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** Draws a filter: each choice with how many units it leaves. */
  function filter(title, key, values) {
    if (values.length < 2) return null;
    return el("details.filter", { open: window.innerWidth > 800 && key !== "maker" || Boolean(route[key]) }, el("summary", title, route[key] ? el("span.chip", key === "format" ? formatName(route[key]) : route[key]) : null),
      el(".filter-values", { role: "group", "aria-label": title }, values.map(([value, number]) =>
        el("button.plain.small", { type: "button", "aria-pressed": String(route[key] === value), on: { click: () => go({ [key]: route[key] === value ? null : value }) } },
          el("span.cut", key === "format" ? formatName(value) : value), el("span.number.quiet", whole(number))))));
  }

  function drawFilters() {
    const words = (route.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const counted = (key) => {
      const counts = new Map();
      for (const unit of units) {
        if (!matches(unit, words)) continue;
        if (["kind", "format", "maker"].some((other) => other !== key && route[other] && unit[other] !== route[other])) continue;
        if (route.fav && !unit.favourite) continue;
        counts.set(unit[key], (counts.get(unit[key]) ?? 0) + 1);
      }
      if (route[key] && !counts.has(route[key])) counts.set(route[key], 0);
      return [...counts].sort((one, two) => two[1] - one[1] || (String(one[0]) < String(two[0]) ? -1 : 1));
    };
    const stars = units.filter((unit) => unit.favourite).length;
    const state = [...filters.querySelectorAll("details")].map((node) => node.open);
    const tops = filters.querySelectorAll(".filter-values");
    const scrolls = [...tops].map((node) => node.scrollTop);
    put(filters, el("button.small.stars", { type: "button", "aria-pressed": String(Boolean(route.fav)), on: { click: () => go({ fav: route.fav ? null : "1" }) } }, icon("star"), "Favourites", el("span.number", String(stars))),
      filter("Kind", "kind", counted("kind")), filter("Format", "format", counted("format")), filter("Maker", "maker", counted("maker")));
    filters.querySelectorAll("details").forEach((node, index) => { if (state[index] !== undefined) node.open = state[index]; });
    filters.querySelectorAll(".filter-values").forEach((node, index) => { if (scrolls[index]) node.scrollTop = scrolls[index]; });
  }

  function list() {
    const words = (route.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    listed = units.filter((unit) => matches(unit, words) && (!route.kind || unit.kind === route.kind) && (!route.maker || unit.maker === route.maker)
      && (!route.format || unit.format === route.format) && (!route.fav || unit.favourite));
    const isFirst = rows.total === 0;
    rows.reset(listed.length);
    if (!isFirst) rows.scrollTop = Math.min(rows.scrollTop, Math.max(0, listed.length * rows.height - rows.clientHeight));
    total.textContent = listed.length === units.length ? count(units.length, "unit") : `${whole(listed.length)} of ${count(units.length, "unit")}`;
    total.title = problems.join("\n");
    redraw(filters, drawFilters);
  }

  async function tryUnit(unit) {
    if (!sound.file) {
      await pickSound();
      if (!route.file) return;
    }
    const made = await makeChain({ units: [unit.unit], name: `Try: ${unit.title ?? unit.name}` });
    const last = tried;
    tried = { id: made.id, revision: made.document.revision };
    sessionStorage.setItem("tried", JSON.stringify(tried));
    // A chain at hand stays so: the try is heard beside it.
    if (route.chain && route.chain !== last?.id) go({ with: made.id });
    else go({ chain: made.id, stage: null });
    await closeTry(last);
    choose(made.id);
    // What plays goes on; else it begins with the unit, and not with the file as it is.
    if (sound.isPlaying || await whenSettled(made.id) !== "done") return;
    await play();
  }

  /** Closes the chain of the try before, where nobody has made more of it. */
  async function closeTry(last) {
    if (!last) return;
    const document = await chainOf(last.id).then((own) => own.document, () => null);
    if (document && document.revision === last.revision && !document.isSaved) await removeChain(last.id).catch(() => {});
  }

  async function addUnit(unit) {
    const own = await chainAtHand();
    const answer = await own.change([{ op: "add", unit: unit.unit, into: null, index: own.document.entries.length }]);
    toast(`${unit.title} is at the end of ${own.document.name}.`);
    go({ view: "build", stage: answer.created?.[0] ?? null });
  }

  const starOf = (unit) => ({ label: unit.favourite ? "Remove from favourites" : "Add to favourites", isSet: String(unit.favourite) });

  /** Shows whether the unit at hand is a favourite; the rest of its panel stays, so that no click is lost. */
  function drawStar() {
    const star = detail.querySelector(".star");
    if (!star || !drawn) return;
    const { label, isSet } = starOf(units.find((one) => one.unit === drawn.unit) ?? drawn);
    star.setAttribute("aria-pressed", isSet);
    star.setAttribute("aria-label", label);
    star.title = label;
  }

  const tryNote = () => sound.info ? `Tried on ${sound.info.name}.` : "A try asks for a sound first.";

  const fill = (...children) => redraw(detail, () => put(detail, ...children));

  async function showDetail() {
    const wanted = route.unit;
    asked = wanted ?? null;
    drawn = null;
    detail.hidden = !wanted;
    element.classList.toggle("has-detail", Boolean(wanted));
    if (!wanted) return;
    const unit = units.find((one) => one.unit === wanted);
    const close = iconButton("close", "Close the unit", () => go({ unit: null }));
    fill(el("header", el("h2.any", unit?.title ?? wanted), close), el(".panel-body", el("p.quiet", "Its facts are read…")));
    let info;
    try {
      info = await get("/api/units/info", { unit: wanted });
    } catch (error) {
      if (route.unit === wanted) fill(el("header", el("h2.any", unit?.title ?? wanted), close), el(".panel-body", el("p.fault", { role: "alert" }, icon("warn"), error.message)));
      return;
    }
    if (route.unit !== wanted) return;
    const guard = (action) => () => action(info).catch((error) => toast(error.message, "bad"));
    const isEffect = !["instrument", "MIDI processor", "output"].includes(info.kind);
    const { label, isSet } = starOf(unit ?? info);
    const star = iconButton("star", label, () => favour(unit ?? info), { "aria-pressed": isSet, disabled: studio.isReadOnly, class: "icon-button star" });
    drawn = info;
    fill(el("header", el("h2.any", info.title ?? info.name), star, close),
      el(".panel-body.detail-body",
        el("p.tools", el("span.chip", info.kind), el("span.chip", formatName(info.format)), el("span.quiet.any", info.maker), info.version ? el("span.quiet.number", info.version) : null),
        info.summary ? el("p.any", info.summary) : null,
        info.problem ? el("p.fault", { role: "note" }, icon("warn"), info.problem) : null,
        el(".tools", el("button.primary", { type: "button", disabled: !isEffect, on: { click: guard(tryUnit) } }, icon("play"), "Try it"),
          el("button", { type: "button", on: { click: guard(addUnit) } }, icon("plus"), "Add to the chain"),
          studio.canOpenWindows && !studio.isReadOnly ? iconButton("window", "Open the unit's own window", guard(() => post("/api/windows", { unit: info.unit }))) : null),
        el("p.quiet.small-text.try-note", tryNote()),
        facts(info), list_("Presets", info.presets, (preset) => [el("span.any", preset.name), el("span.quiet", preset.source)]),
        list_("Parameters", info.parameters.filter((one) => one.isWritable !== false), (one) => [el("span.any", one.name), el("span.quiet.number", valuesOf(one))]),
        list_("Meters", info.parameters.filter((one) => one.isWritable === false), (one) => [el("span.any", one.name), el("span.quiet.number", one.unit ?? "")]),
        list_("Settings", info.properties ?? [], (one) => [el("span.any", one.name), el("span.quiet", one.kind)])));
  }

  const stops = [on("favourites", ({ units: stars }) => {
    const ids = new Set((stars ?? []).map((one) => one.unit ?? one));
    for (const unit of units) unit.favourite = ids.has(unit.unit);
    list();
    drawStar();
  }), on("restarted", () => { asked = null; load(); }), on("file", () => {
    const note = detail.querySelector(".try-note");
    if (note) note.textContent = tryNote();
  })];

  async function load() {
    try {
      const listing = first ?? get("/api/units");
      first = null;
      const answer = await listing;
      units = answer.units;
      problems = answer.problems ?? [];
      list();
      if (asked !== (route.unit ?? null)) showDetail();
    } catch (error) {
      put(filters, el("p.fault", { role: "alert" }, icon("warn"), error.message));
    }
  }

  search.addEventListener("input", () => go({ q: search.value }));
  search.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    rows.querySelector(".row[tabindex='0']")?.focus();
  });
  let last = JSON.stringify(route);
  return {
    element,
    opened() { if (units.length) { list(); showDetail(); } load(); },
    routed() {
      const before = JSON.parse(last);
      last = JSON.stringify(route);
      if (["q", "kind", "maker", "format", "fav"].some((key) => before[key] !== route[key])) list();
      if (before.unit !== route.unit) showDetail();
      if (search !== document.activeElement) search.value = route.q ?? "";
    },
    closed() { stops.forEach((stop) => stop()); },
  };
}

function valuesOf(parameter) {
  if (parameter.scale === "list" || parameter.scale === "switch") return parameter.values?.length ? count(parameter.values.length, "value") : "on, off";
  return `${parameter.minimumText ?? parameter.minimum} to ${parameter.maximumText ?? parameter.maximum}`;
}

function list_(title, items, draw) {
  if (!items?.length) return null;
  return el("details.fact-list", { open: items.length <= 8 }, el("summary", `${title} `, el("span.number.quiet", String(items.length))), el("ul", items.slice(0, 400).map((item) => el("li", draw(item)))));
}

function facts(info) {
  const buses = (list, word) => (list ?? []).map((bus, index) => `${bus.name || `${word} ${index + 1}`}: ${count(bus.channels, "channel")}`).join(", ");
  const pairs = [["Inputs", buses(info.inputBuses, "Input")], ["Outputs", buses(info.outputBuses, "Output")],
    ["Latency", info.behavior?.latencySeconds !== undefined ? `${(info.behavior.latencySeconds * 1000).toFixed(1)} ms` : null],
    ["Tail", info.behavior?.tailSeconds === "inf" ? "without end" : typeof info.behavior?.tailSeconds === "number" ? duration(info.behavior.tailSeconds) : null],
    ["Measured at", info.behavior?.sampleRate ? rate(info.behavior.sampleRate) : null], ["Identity", info.unit], ["URI", info.uri], ["Tags", info.tags?.join(", ")]];
  return el("dl.facts", pairs.filter(([, text]) => text).map(([name, text]) => [el("dt", name), el("dd.any", text)]));
}
