// The view Hear: a file and what chains make of it, side by side, as waveforms or spectrograms, with a loop.
// SPDX-License-Identifier: Apache-2.0

import { el, everyFrame, icon, iconButton, put, redraw, toast } from "./dom.js";
import { on, post } from "./server.js";
import { address, go, route } from "./route.js";
import { knownChain, listChains } from "./chains.js";
import { pickSound } from "./app.js";
import { before, choose, factors, longestSound, setEqual, setLoop, sound } from "./sound.js";
import { pan, sight, zoom } from "./waves.js";
import { clock, count, level, rate } from "./values.js";

const paints = ["--after", "--third", "--strong"];

/** Whether a node shows something else by now, by a key of what it shows: fields and lists stay while sound comes. */
function isOther(node, ...facts) {
  const key = JSON.stringify(facts);
  if (node.dataset.key === key) return false;
  node.dataset.key = key;
  return true;
}

export function make() {
  const head = el(".head");
  const lanes = el(".lanes");
  const loopTools = el("section.panel.loop-panel", { "aria-label": "Loop" });
  const tags = el("details.panel.tags", { hidden: true });
  const element = el(".view.hear", head, lanes, loopTools, tags);
  const shown = new Map();
  const renders = new Map();
  let chains = [];

  function drawHead() {
    if (!isOther(head, location.hash, sound.file, sound.info, sound.isEqual, sound.chains, chains.map((one) => [one.id, one.name]))) return;
    const focused = head.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const isSpectrum = route.picture === "spectrum";
    const picture = (name, text) => el("button.small", { type: "button", "aria-pressed": String(isSpectrum === (name === "spectrum")), data: { focus: name }, on: { click: () => go({ picture: name }) } }, text);
    const others = chains.filter((one) => !sound.chains.includes(one.id));
    const add = el("select", { "aria-label": "Chain to compare", data: { focus: "compare" }, disabled: sound.chains.length >= 3 || !others.length, on: { change: (event) => {
      const id = event.target.value;
      if (!route.chain) go({ chain: id });
      else go({ with: [...(route.with ?? "").split(" ").filter(Boolean), id].join(" ") });
    } } }, el("option", { value: "" }, sound.chains.length >= 3 ? "Three chains are compared" : others.length ? "Compare a chain…" : "No other chain is open"), others.map((one) => el("option", { value: one.id }, one.name)));
    const facts = sound.info;
    put(head, el("h1", "Hear"), el("button", { type: "button", data: { focus: "file" }, on: { click: pickSound } }, icon("hear"), el("span.cut", facts?.name ?? "Choose a sound…")),
      facts ? el("span.quiet.number", `${clock(facts.seconds)} · ${rate(facts.sampleRate)} · ${count(facts.channels, "channel")} · ${[...new Set([facts.container, facts.encoding])].join(" ")}`) : null,
      el("span.grow"), el("span.tools", el("span.group", { role: "group", "aria-label": "Picture" }, picture("wave", "Waveform"), picture("spectrum", "Spectrogram")), add,
        el("button", { type: "button", "aria-pressed": String(sound.isEqual), data: { focus: "equal" }, title: "Turn the louder sides down, so that all are equally loud", on: { click: () => setEqual(!sound.isEqual) } }, "Equal loudness"),
        sound.file && sound.chains.length ? el("a.button", { href: address({ view: "run", in: sound.file, run: null }) }, icon("run"), "Write the result…") : null));
    if (focused) head.querySelector(`[data-focus="${focused}"]`)?.focus();
    const pairs = Object.entries(facts?.tags ?? {});
    tags.hidden = !pairs.length;
    put(tags, el("summary", "Texts in the file ", el("span.quiet.number", String(pairs.length))), el("dl.facts", pairs.map(([name, text]) => [el("dt", name), el("dd.any", String(text))])));
  }

  function lane(side, index) {
    const own = { wave: el("wave-view"), choose: el("button.lane-choose", { type: "button", on: { click: () => choose(side) } }), facts: el("span.quiet.number"), fault: el(".lane-fault") };
    const isBefore = side === before;
    own.wave.style.setProperty("--paint", isBefore ? "var(--before)" : `var(${paints[index - 1]})`);
    own.element = el("section.panel.sound-lane", { "aria-label": isBefore ? "Before" : `After ${index}`, data: { side } },
      el("header", own.choose, own.facts, el("span.grow"), isBefore ? null : el("span.tools", el("a.button.small", { href: address({ view: "build", chain: side }) }, "Build"),
        iconButton("close", "Do not compare this chain", () => leave(side), { class: "icon-button small" }))), own.fault, own.wave);
    return own;
  }

  function leave(side) {
    const rest = (route.with ?? "").split(" ").filter((id) => id && id !== side);
    if (side === route.chain) go({ chain: rest.shift() ?? null, stage: null, with: rest.join(" ") });
    else go({ with: rest.join(" ") });
  }

  function drawLanes() {
    const sides = sound.file ? [before, ...sound.chains] : [];
    for (const [side, own] of shown) if (!sides.includes(side)) {
      own.element.remove();
      shown.delete(side);
    }
    if (!sound.file) {
      put(lanes, el("section.panel.empty", el("h2", "No sound is at hand"), el("p", "Choose a file: it is played here before and after a chain."), el("button.primary", { type: "button", on: { click: pickSound } }, icon("hear"), "Choose a sound…")));
      return;
    }
    if (lanes.querySelector(".empty")) put(lanes);
    lanes.dataset.count = String(sides.length);
    const gains = factors();
    sides.forEach((side, index) => {
      if (!shown.has(side)) {
        shown.set(side, lane(side, index));
      }
      const own = shown.get(side);
      if (lanes.children[index] !== own.element) lanes.insertBefore(own.element, lanes.children[index] ?? null);
      drawLane(side, own, sound.tracks.get(side), gains[side] ?? 1);
    });
    if (!sound.chains.length) {
      if (!lanes.querySelector(".hint")) lanes.append(el("p.hint.quiet", "Open a chain in Build, or choose one above, to compare."));
    } else lanes.querySelector(".hint")?.remove();
  }

  function drawLane(side, own, facts, gain) {
    const isBefore = side === before;
    const name = isBefore ? "Before" : knownChain(side)?.document.name ?? side;
    own.choose.setAttribute("aria-pressed", String(sound.side === side));
    own.element.classList.toggle("heard", sound.side === side);
    put(own.choose, icon(sound.side === side ? "hear" : "play"), el("span.cut", name));
    const words = [facts?.loudness === null || facts?.loudness === undefined ? null : level(facts.loudness, "LUFS"), gain < 0.9995 ? `played ${level(20 * Math.log10(gain))}` : null,
      facts?.state === "working" ? `rendering${facts.progress ? `, ${Math.round(facts.progress * 100)} %` : "…"}` : null];
    own.facts.textContent = words.filter(Boolean).join(" · ");
    put(own.fault, facts?.state === "failed" ? el(".fault", { role: "alert" }, icon("warn"), el("span", facts.error)) : null);
    drawPicture(side, own, facts);
  }

  function drawPicture(side, own, facts) {
    const isSpectrum = route.picture === "spectrum";
    const key = JSON.stringify([isSpectrum, sound.file, side === before ? 0 : facts?.render, side === before ? 0 : facts?.revision, sound.loop, renders.get(side)?.id, renders.get(side)?.state, facts?.state === "done"]);
    if (own.key === key) return;
    own.key = key;
    if (side === before) own.wave.show({ file: sound.file }, isSpectrum);
    else if (isSpectrum) {
      const render = facts?.render && facts.fetched ? facts.render : renders.get(side)?.state === "done" && renders.get(side).revision === knownChain(side)?.document.revision ? renders.get(side).id : null;
      const seconds = facts?.channels && facts.render === render ? facts.channels[0].length / sound.rate : renders.get(side)?.seconds;
      // All lanes have the time of the file: what sounds on behind its end is not in the picture.
      if (render) own.wave.show({ render, to: sound.seconds }, true, "", seconds / sound.seconds);
      else {
        own.wave.show(null, true, "The whole file is rendered for its spectrogram…");
        if (sound.loop) askRender(side);
      }
    } else if (facts?.channels) own.wave.samples(facts.channels, sound.from);
    else own.wave.show(null, false, facts?.state === "failed" ? "" : "Rendered ahead…");
  }

  async function askRender(side) {
    const revision = knownChain(side)?.document.revision;
    if (renders.get(side)?.revision === revision && renders.get(side).file === sound.file) return;
    const asked = { revision, file: sound.file, state: "waiting", id: null };
    renders.set(side, asked);
    try {
      const render = await post("/api/renders", { chain: side, file: asked.file });
      Object.assign(asked, { id: render.id, state: render.state, seconds: render.seconds });
      draw();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  function drawLoop() {
    if (loopTools.contains(document.activeElement) && document.activeElement.type === "text") return;
    if (!isOther(loopTools, sound.file, sound.from, sound.to, sound.loop, sight.from, sight.to)) return;
    const focused = loopTools.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    loopTools.hidden = !sound.file;
    const move = (edge) => async (event) => {
      const parts = event.target.value.replace(",", ".").split(":").map(Number);
      const seconds = parts.reduce((sum, part) => sum * 60 + part, 0);
      if (!Number.isFinite(seconds)) {
        event.target.setAttribute("aria-invalid", "true");
        return;
      }
      event.target.removeAttribute("aria-invalid");
      await setLoop({ from: sound.from, to: sound.to, [edge]: seconds }).catch((error) => toast(error.message, "bad"));
      // A loop that is too short stays as it was: what was typed goes when the focus does.
      delete loopTools.dataset.key;
    };
    const field = (edge, text) => el("label.tools", el("span.quiet", text), el("input.number.time-field", { type: "text", value: clock(sound[edge], 2), data: { edge }, on: { change: move(edge) } }));
    const tool = (picture, name, action, isPossible) => iconButton(picture, name, action, { disabled: !isPossible, class: "icon-button small", data: { focus: name } });
    put(loopTools, el(".panel-body.tools", icon("loop"), el("strong", sound.loop ? "Loop" : "No loop"), field("from", "from"), field("to", "to"),
      el("button.small", { type: "button", disabled: !sound.loop || sound.seconds > longestSound, title: sound.seconds > longestSound ? "The file is too long to be played as a whole" : "", data: { focus: "whole" }, on: { click: () => setLoop(null) } }, "Whole file"),
      el("span.group", { role: "group", "aria-label": "Part of the file in the pictures" }, tool("left", "Earlier", () => pan(-0.5), sight.from > 0), tool("minus", "Zoom out", () => zoom(2), sight.isPart),
        tool("plus", "Zoom in", () => zoom(0.5), true), tool("right", "Later", () => pan(0.5), sight.to < sound.seconds)),
      el("span.quiet.wide-only", "Drag over a picture to choose a loop, or press ", el("kbd", "["), " and ", el("kbd", "]"), " where it shall begin and end. ", el("kbd", "Space"), " plays, ", el("kbd", "B"), " switches before and after, ", el("kbd", "+"), " and ", el("kbd", "−"), " zoom.")));
    if (focused) (loopTools.querySelector(`[data-focus="${focused}"]:enabled`) ?? loopTools.querySelector("[data-focus='Zoom in']")).focus();
  }

  const draw = () => redraw(element, () => {
    drawHead();
    drawLanes();
    drawLoop();
  });

  async function readChains() {
    chains = await listChains().catch(() => []);
    draw();
  }

  // Slices of sound come faster than frames.
  const drawSoon = everyFrame(draw);
  const stops = [on("sound", drawSoon), on("file", draw), on("loopChosen", draw), on("sight", drawSoon), on("chains", readChains), on("samples", ({ side }) => {
    if (shown.has(side)) shown.get(side).key = null;
    drawSoon();
  }), on("render", (render) => {
    for (const own of renders.values()) if (own.id === render.id) {
      Object.assign(own, { state: render.state, seconds: render.seconds });
      draw();
    }
  })];

  return {
    element,
    opened() {
      draw();
      readChains();
    },
    routed: draw,
    closed() { stops.forEach((stop) => stop()); },
  };
}
