// The view Live: the rack of a running `auricle live`, for a screen of any size: values, presets, bypass, levels, gaps, MIDI.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, iconButton, put, redraw, toast } from "./dom.js";
import { get, on, post, unlessReported } from "./server.js";
import { route } from "./route.js";
import { listChains, makeChain } from "./chains.js";
import { studio } from "./app.js";
import { level, numberOf } from "./values.js";
import "./parameter-control.js";

/** What was chosen stays when the form is drawn anew. */
const form = { chain: null, input: "", output: "", period: "128", midi: "", socket: "" };

export function make() {
  const place = el(".live-place");
  const element = el(".view.live", el(".head", el("h1", "Live")), place);
  let live = { state: "none", stages: [] };
  let presets = [];
  let shape = null;
  /** Whether the form that begins one is drawn, or on its way. */
  let isBegun = false;
  const controls = new Map();
  const sending = new Map();
  const nodes = {};

  const guard = (action) => async (...words) => {
    try {
      return await action(...words);
    } catch (error) {
      toast(error.message, "bad");
      return null;
    }
  };

  async function command(body) {
    const answer = post("/api/live/command", body);
    await receive(answer);
    return answer;
  }

  /** Sends values of one parameter one after the other; what waits is replaced by what is newer. */
  async function set(stage, parameter, value) {
    const key = `${stage}\n${parameter}`;
    const waiting = sending.get(key);
    if (waiting) {
      waiting.next = value;
      return waiting.promise;
    }
    const own = { next: value };
    sending.set(key, own);
    own.promise = (async () => {
      try {
        while (own.next !== undefined) {
          const latest = own.next;
          own.next = undefined;
          await command({ set: { stage, parameter, value: latest } });
        }
      } finally {
        sending.delete(key);
      }
    })();
    return own.promise;
  }

  // What begins one.

  async function drawStart() {
    shape = null;
    isBegun = true;
    const [chains, { devices }] = await Promise.all([listChains().catch(() => []), readDevices()]);
    if (live.state === "running" || live.state === "starting") return;
    const chain = el("select", { id: "live-chain" }, el("option", { value: "" }, "Choose a chain…"), chains.map((one) => el("option", { value: `chain:${one.id}`, selected: form.chain === null && one.id === route.chain }, `${one.name} (open chain)`)),
      presets.map((one) => el("option", { value: `preset:${one.name}` }, one.title ?? one.name)));
    const device = (id, want) => el("select", { id }, el("option", { value: "" }, "The default device"), devices.filter((one) => want(one)).map((one) => el("option", { value: one.name }, one.title && one.title !== one.name ? `${one.name}: ${one.title}` : one.name)));
    const input = device("live-input", (one) => one.records !== false);
    const output = device("live-output", (one) => one.plays !== false);
    const period = el("select", { id: "live-period" }, [64, 128, 256, 512, 1024].map((frames) => el("option", { value: frames, selected: frames === 128 }, `${frames} frames`)));
    const midi = el("input", { type: "text", id: "live-midi", placeholder: "none", spellcheck: "false" });
    const socket = el("input", { type: "text", id: "live-socket", placeholder: "/run/user/1000/room", spellcheck: "false" });
    for (const [name, field] of Object.entries({ chain, input, output, period, midi, socket })) {
      const value = form[name];
      if (value !== null && !(field.matches("select") && ![...field.options].some((one) => one.value === value))) field.value = value;
      field.addEventListener("input", () => { form[name] = field.value; });
    }
    const begin = guard(async () => {
      if (!chain.value) throw new Error("Choose the chain that shall play.");
      const [kind, ...name] = chain.value.split(":");
      // Of a chain the studio knows the units, and so the ranges of their parameters.
      const id = kind === "preset" ? (await makeChain({ preset: name.join(":") })).id : name.join(":");
      await receive(post("/api/live/start", { chain: id, preset: null, input: input.value || null, output: output.value || null, options: { period: Number(period.value), midi: midi.value.trim() || null } }));
    });
    const attach = guard(() => receive(post("/api/live/attach", { socket: socket.value.trim().replace(/^unix:/, "") })));
    redraw(element, () => put(place, live.error ? el(".fault", { role: "alert" }, icon("warn"), el("span", live.error.error ?? String(live.error))) : null,
      live.state === "ended" && !live.error ? el(".fault.note", icon("warn"), el("span", "It has ended.")) : null,
      el(".live-begin", el("section.panel", { "aria-label": "Start" }, el("header", el("h2", "Start one here")), el(".panel-body", el("label.field", { for: "live-chain" }, el("span", "Chain"), chain),
        el("label.field", { for: "live-input" }, el("span", "Input"), input), el("label.field", { for: "live-output" }, el("span", "Output"), output), el("label.field", { for: "live-period" }, el("span", "Period"), period),
        el("label.field", { for: "live-midi" }, el("span", "MIDI"), midi, el("small", "The name of a keyboard or controller, or part of it: MIDI learn follows it")),
        el("button.primary", { type: "button", data: { name: "start" }, disabled: studio.isReadOnly, on: { click: begin } }, icon("play"), "Start"))),
      el("section.panel", { "aria-label": "Attach" }, el("header", el("h2", "Or use one that runs")), el(".panel-body", el("label.field", { for: "live-socket" }, el("span", "Its control socket"), socket, el("small", "As in auricle live --control unix:/run/user/1000/room")),
        el("button", { type: "button", data: { name: "attach" }, disabled: studio.isReadOnly, on: { click: attach } }, "Attach"))))));
  }

  async function readDevices() {
    try {
      const answer = await get("/api/live/devices");
      return { devices: Array.isArray(answer) ? answer : answer.devices ?? [] };
    } catch {
      return { devices: [] };
    }
  }

  // One that runs.

  function drawRack() {
    const next = JSON.stringify([live.socket, live.preset, live.stages.map((stage) => [stage.title, stage.parameters.map((one) => one.name)])]);
    if (shape !== next) build(next);
    update();
  }

  function build(next) {
    shape = next;
    controls.clear();
    const open = new Set([...place.querySelectorAll("details[open]")].map((node) => node.dataset.stage));
    nodes.meter = el("level-meter.live-meter");
    nodes.stats = el("dl.tiles.live-stats");
    nodes.note = el("p.quiet", { role: "status" });
    nodes.bypass = el("button.big", { type: "button", data: { name: "bypass" }, on: { click: guard(() => command({ bypass: !live.bypass })) } }, icon("power"), el("span"));
    nodes.gain = el("parameter-control.gain");
    nodes.gain.change = (value) => sendGain(numberOf(value));
    nodes.gain.reset = guard(() => command({ gain: 0 }));
    const preset = el("select", { "aria-label": "Preset: it fades in", data: { name: "preset" }, on: { change: guard(async (event) => {
      if (event.target.value) await command({ preset: event.target.value });
    }) } }, el("option", { value: "" }, live.preset ? `Preset: ${live.preset}` : "Another preset…"), presets.map((one) => el("option", { value: one.name }, one.title ?? one.name)));
    put(place, el("section.panel.live-top", { "aria-label": "The rack" }, el(".live-row", nodes.bypass, preset, el("button", { type: "button", on: { click: guard(() => command({ panic: true })) } }, "Panic"),
      el("button.danger", { type: "button", data: { name: "stop" }, on: { click: guard(() => receive(post("/api/live/stop"))) } }, icon("stop"), live.startedHere ? "Stop" : "Detach")), nodes.gain, nodes.meter, nodes.stats, nodes.note),
    el(".live-stages", live.stages.map((stage, index) => stageBox(stage, index, open))), nodes.maps = el("section.panel.maps", { "aria-label": "MIDI controllers" }));
  }

  const sendGain = (() => {
    let next;
    let going = null;
    return (value) => {
      next = value;
      going ??= (async () => {
        try {
          while (next !== undefined) {
            const latest = next;
            next = undefined;
            await command({ gain: latest });
          }
        } finally {
          going = null;
        }
      })();
      return going;
    };
  })();

  function stageBox(stage, index, open) {
    const list = stage.parameters.map((one) => {
      const node = el("parameter-control");
      node.change = (value) => set(stage.stage, one.name, value);
      node.extra = iconButton("learn", `Learn a MIDI controller for ${one.name}`, guard(() => command({ learn: { stage: stage.stage, parameter: one.name } })), { class: "icon-button small learn" });
      controls.set(`${stage.stage}\n${one.name}`, node);
      return node;
    });
    const power = iconButton("power", `Bypass ${stage.title}`, guard(() => command({ bypassStage: { stage: stage.stage, on: !live.stages[index].bypass } })), { data: { stage: stage.stage } });
    nodes[`power ${stage.stage}`] = power;
    const window = studio.canOpenWindows && !studio.isReadOnly ? iconButton("window", `Open the own window of ${stage.title}`, guard(() => post("/api/windows", { live: true, stage: stage.stage })), { class: "icon-button second" }) : null;
    return el(".live-slot", window, power, el("details.panel.live-stage", { open: open.size ? open.has(stage.title) : index < 4, data: { stage: stage.title } }, el("summary", el("h2.any", stage.title)), el(".panel-body.parameter-grid", list)));
  }

  function update() {
    const { stats = {} } = live;
    nodes.bypass.setAttribute("aria-pressed", String(live.bypass === true));
    nodes.bypass.querySelector("span").textContent = live.bypass ? "Bypassed" : "Bypass";
    nodes.gain.show({ name: "Volume", key: "gain", minimum: -60, maximum: 24, value: live.gain ?? 0, text: live.gainText ?? `${+(live.gain ?? 0).toFixed(2)} dB`, scale: "linear", isSet: Boolean(live.gain), minimumText: "-60 dB", maximumText: "24 dB" });
    nodes.meter.hidden = stats.peak === undefined || stats.peak === null;
    if (!nodes.meter.hidden) nodes.meter.levels({ peak: stats.peak });
    const all = [["State", live.state === "starting" ? "starting" : live.state], ["Gaps", String(stats.gaps ?? 0), stats.gaps ? "bad" : ""], stats.blame ? ["Too slow last", stats.blame, "bad"] : null,
      stats.load === undefined || stats.load === null ? null : ["Load", `${Math.round(stats.load * (stats.load <= 1.5 ? 100 : 1))} %`], stats.rate ? ["Rate", `${+(stats.rate / 1000).toFixed(3)} kHz`] : null,
      stats.period ? ["Period", `${stats.period} frames`] : null, stats.latency ? ["Latency", typeof stats.latency === "number" && stats.rate ? `${(1000 * stats.latency / stats.rate).toFixed(1)} ms` : stats.latency] : null, stats.peak === undefined || stats.peak === null ? null : ["Peak", level(Math.max(...stats.peak.map((one) => one ?? -Infinity)))]];
    put(nodes.stats, all.filter(Boolean).map(([name, text, kind]) => el(".tile", el("dt", name), el("dd.number", { class: `number ${kind ?? ""}` }, text))));
    const learning = live.learning ? `${live.stages.find((one) => one.stage === live.learning.stage)?.title ?? live.learning.stage} ${live.learning.parameter}` : null;
    nodes.note.textContent = live.error ? live.error.error ?? String(live.error) : learning ? `Move a MIDI controller: the next one moves ${learning}.` : "";
    for (const stage of live.stages) {
      nodes[`power ${stage.stage}`]?.setAttribute("aria-pressed", String(!stage.bypass));
      for (const one of stage.parameters) {
        const key = `${stage.stage}\n${one.name}`;
        if (!sending.has(key)) controls.get(key)?.show({ ...one, key: one.name });
      }
    }
    const maps = JSON.stringify(live.maps ?? []);
    if (nodes.maps.dataset.key !== maps) {
      nodes.maps.dataset.key = maps;
      nodes.maps.hidden = !live.maps?.length;
      put(nodes.maps, el("header", el("h2", "MIDI controllers")), el("ul.map-list", (live.maps ?? []).map((map) => el("li", el("span.chip.number", map.controller), el("span.any", `${map.stage} · ${map.parameter}`),
        iconButton("close", `Free ${map.controller}`, guard(() => command({ unmap: map.controller })), { class: "icon-button small" })))));
    }
  }

  /** Accepts the state in an answer, unless a newer one is here by then. */
  async function receive(answer) {
    const next = await unlessReported("live", answer);
    if (next) accept(next);
  }

  function accept(next) {
    live = { stages: [], maps: [], ...next };
    redraw(place, draw);
  }

  function draw() {
    const isRunning = ["running", "starting"].includes(live.state);
    element.dataset.state = live.state;
    if (isRunning && live.stages.length + Number(live.state === "running")) drawRack();
    else if (live.state === "starting") {
      shape = null;
      put(place, el("section.panel.empty", el("h2", "It starts…")));
    }
    else if (!isBegun) drawStart();
    if (isRunning) isBegun = false;
  }

  async function open() {
    presets = (await get("/api/presets").catch(() => ({ presets: [] }))).presets;
    try {
      isBegun = false;
      await receive(get("/api/live"));
    } catch (error) {
      if (!error.isAway) toast(error.message, "bad");
    }
  }

  const stops = [on("live", accept), on("connected", open)];
  return { element, opened: open, closed() { stops.forEach((stop) => stop()); } };
}
