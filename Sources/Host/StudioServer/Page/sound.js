// The sound at hand: a file, the loop that is heard of it, and its versions before and behind chains, played from one position.
// SPDX-License-Identifier: Apache-2.0

import { bytes, emit, events, get, on, post, send, tell } from "./server.js";
import { chain as chainOf, knownChain } from "./chains.js";
import { say } from "./dom.js";
import { clock } from "./values.js";

/** The longest part of a file that is kept here at once, in seconds; longer files begin with a loop. */
const longestWhole = 60;
const firstLoop = 20;

/** The lowest rate that the browser plays, in Hz: 3,000 in most, and 8,000 in all. */
const lowestRate = (() => {
  try {
    return new OfflineAudioContext(1, 1, 3000).sampleRate;
  } catch {
    return 8000;
  }
})();

/** The shortest loop in seconds. */
const shortestLoop = 0.05;

/** The longest loop, and the longest file that is played as a whole, in seconds. */
export const longestLoop = 120;
export const longestSound = 300;

/** How much of a loop is asked for behind a change, from the place that plays, in seconds. */
const soonest = 0.1;

/** How many frames of a rendering are fetched at once. */
const framesAtOnce = 1 << 21;

export const before = "before";

/** A side is `before`, or the id of a chain. */
export const sound = {
  file: null, info: null, loop: null, side: before, lastAfter: null, isEqual: localStorage.getItem("equal") !== "false",
  isPlaying: false, frame: 0, error: null, chains: [], tracks: new Map(),
  /** Of samples as they are played: a multiple of the file's rate where that is too low for browsers. */
  get rate() { return (this.info?.sampleRate ?? 48000) * Math.max(1, Math.ceil(lowestRate / (this.info?.sampleRate ?? 48000))); },
  get seconds() { return this.info?.seconds ?? 0; },
  get from() { return this.loop?.from ?? 0; },
  get to() { return this.loop?.to ?? this.seconds; },
  /** Where it is in the file, in seconds. */
  get at() { return this.from + this.frame / this.rate; },
};

let context = null;
let node = null;
let isReady = null;
let generation = 0;

const changed = () => emit("sound", {});

async function engine() {
  if (context && context.sampleRate === sound.rate) return isReady;
  context?.close();
  node = null;
  context = new AudioContext({ sampleRate: sound.rate, latencyHint: "interactive" });
  const own = context;
  isReady = (async () => {
    await own.audioWorklet.addModule(new URL("player-worklet.js", import.meta.url));
    if (own !== context) return;
    node = new AudioWorkletNode(own, "studio-player", { numberOfInputs: 0, outputChannelCount: [2] });
    node.connect(own.destination);
    node.port.onmessage = ({ data }) => {
      const wasPlaying = sound.isPlaying;
      sound.frame = data.frame;
      sound.isPlaying = data.isPlaying;
      emit("position", {});
      if (wasPlaying !== data.isPlaying) changed();
      if (data.isPlaying) tellLoops(data.frame);
    };
    sendSpeakers();
    sendRegion();
    for (const [name, own] of sound.tracks) if (own.channels) node.port.postMessage({ kind: "put", name, channels: own.channels });
    mix();
    node.port.postMessage({ kind: "seek", frame: Math.round(sound.frame) });
  })();
  return isReady;
}

let told = 0;
function tellLoops(frame) {
  const now = performance.now();
  if (now - told < 100) return;
  told = now;
  for (const track of sound.tracks.values()) if (track.loop && !track.isAsking) tell({ type: "loopAt", loop: track.loop, frame: Math.round(frame * track.loopRate / sound.rate) });
}

/** Sends how the channels of the file are mixed to two. */
function sendSpeakers() {
  if (sound.info) node?.port.postMessage({ kind: "speakers", parts: sound.info.stereo });
}

function sendRegion() {
  const length = Math.max(1, ...[...sound.tracks.values()].map((track) => track.channels?.[0]?.length ?? 0));
  node?.port.postMessage({ kind: "region", start: 0, end: sound.loop ? Math.min(length, Math.round((sound.to - sound.from) * sound.rate)) : length, isLoop: sound.loop !== null });
}

/** Returns the factor of each side: with equal loudness all are turned down to the quietest. */
export function factors() {
  const levels = [...sound.tracks].filter(([, track]) => Number.isFinite(track.loudness));
  const least = Math.min(...levels.map(([, track]) => track.loudness));
  return Object.fromEntries([...sound.tracks].map(([name, track]) =>
    [name, sound.isEqual && Number.isFinite(track.loudness) ? 10 ** ((least - track.loudness) / 20) : 1]));
}

function mix() {
  if (!node) return;
  const all = factors();
  const name = sound.tracks.get(sound.side)?.channels ? sound.side : before;
  node.port.postMessage({ kind: "mix", gains: { [name]: all[name] ?? 1 } });
}

/** Returns samples at a multiple of their rate, on straight lines between them. */
function between(samples, factor) {
  const made = new Float32Array(Math.round(samples.length * factor));
  for (let frame = 0; frame < made.length; frame += 1) {
    const at = Math.floor(frame / factor);
    const next = samples[at + 1] ?? samples[at];
    made[frame] = samples[at] + (next - samples[at]) * (frame / factor - at);
  }
  return made;
}

/** Splits interleaved samples, in the rate of the file. */
async function split(samples, channels, ownRate) {
  const frames = Math.floor(samples.length / channels);
  let parts = Array.from({ length: channels }, () => new Float32Array(frames));
  for (let channel = 0; channel < channels; channel += 1) {
    const part = parts[channel];
    for (let frame = 0, at = channel; frame < frames; frame += 1, at += channels) part[frame] = samples[at];
  }
  if (ownRate < lowestRate) return parts.map((part) => between(part, sound.rate / ownRate));
  if (ownRate && ownRate !== sound.rate && frames > 0) {
    const other = new OfflineAudioContext(channels, Math.max(1, Math.round(frames * sound.rate / ownRate)), sound.rate);
    const buffer = other.createBuffer(channels, frames, ownRate);
    parts.forEach((part, channel) => buffer.copyToChannel(part, channel));
    const source = other.createBufferSource();
    source.buffer = buffer;
    source.connect(other.destination);
    source.start();
    const made = await other.startRendering();
    parts = Array.from({ length: channels }, (_, channel) => made.getChannelData(channel).slice());
  }
  return parts;
}

/** Reads a WAV of 32-bit floats. */
export function readWave(buffer) {
  const view = new DataView(buffer);
  let at = 12;
  let channels = 1;
  let ownRate = 48000;
  while (at + 8 <= buffer.byteLength) {
    const name = String.fromCharCode(...new Uint8Array(buffer, at, 4));
    const length = Math.min(view.getUint32(at + 4, true), buffer.byteLength - at - 8);
    if (name === "fmt ") {
      channels = view.getUint16(at + 10, true);
      ownRate = view.getUint32(at + 12, true);
    }
    if (name === "data") return { channels, rate: ownRate, samples: new Float32Array(buffer.slice(at + 8, at + 8 + Math.floor(length / 4) * 4)) };
    at += 8 + length + length % 2;
  }
  return { channels, rate: ownRate, samples: new Float32Array(0) };
}

function track(name) {
  if (!sound.tracks.has(name)) sound.tracks.set(name, { name, channels: null, loudness: null, state: "waiting", progress: 0, error: null, render: null, loop: null, revision: null });
  return sound.tracks.get(name);
}

function putSamples(own, channels, from) {
  if (from === undefined || !own.channels) own.channels = channels;
  else own.channels.forEach((part, index) => part.set((channels[index] ?? channels[0]).subarray(0, Math.max(0, part.length - from)), from));
  const copies = channels.map((part) => part.slice());
  node?.port.postMessage({ kind: "put", name: own.name, channels: copies, ...(from === undefined ? {} : { from }) }, copies.map((part) => part.buffer));
  sendRegion();
  mix();
  emit("samples", { side: own.name });
}

async function loadBefore(number) {
  const own = track(before);
  own.state = "working";
  const words = { file: sound.file, ...(sound.loop ? { from: sound.from, to: sound.to } : {}) };
  try {
    const wave = readWave(await (await bytes("/api/sound/before", words)).arrayBuffer());
    if (number !== generation) return;
    putSamples(own, await split(wave.samples, wave.channels, wave.rate));
    Object.assign(own, { state: "done", error: null });
    if (!sound.loop && !sound.chains.length) {
      const levels = await get("/api/sound/levels", { file: sound.file }).catch(() => null);
      if (number === generation) own.loudness ??= levels?.loudness ?? null;
    }
  } catch (error) {
    if (number !== generation) return;
    Object.assign(own, { state: "failed", error: error.message });
  }
  changed();
}

function fail(own, error) {
  Object.assign(own, { state: "failed", error: error?.error ?? error?.message ?? String(error) });
  knownChain(own.name)?.crash(error);
  if (sound.side === own.name) say(own.error);
  changed();
}

// A file as a whole: a render, which is what `process` would write.

async function loadRender(own, number) {
  own.state = "working";
  try {
    const render = await post("/api/renders", { chain: own.name, file: sound.file });
    if (number !== generation) return;
    // The state of before may have been rendered already, as after an undo.
    Object.assign(own, { render: render.id, fetched: null });
    await acceptRender(own, render);
    // It may have ended between the answer and now: what the socket said then was about a render that was not known yet.
    if (render.state !== "done" && render.state !== "failed") await acceptRender(own, await get(`/api/renders/${render.id}`));
  } catch (error) {
    if (number === generation) fail(own, error);
  }
}

/** Fetches the samples of a rendering, interleaved, in parts that the server has at hand. */
async function fetchRender(render) {
  const frames = Math.min(render.frames, Math.ceil(longestSound * render.sampleRate));
  const samples = new Float32Array(frames * render.channels);
  for (let from = 0; from < frames; from += framesAtOnce) {
    const answer = await bytes(`/api/renders/${render.id}/raw`, { from, count: Math.min(framesAtOnce, frames - from) });
    samples.set(new Float32Array(await answer.arrayBuffer()), from * render.channels);
  }
  return samples;
}

async function acceptRender(own, render) {
  if (own.render !== render.id || own.fetched === render.id) return;
  own.progress = render.progress ?? 0;
  if (render.state === "failed") {
    fail(own, render.error ?? { error: "The rendering failed." });
    return;
  }
  own.state = "working";
  changed();
  if (render.state !== "done") return;
  own.fetched = render.id;
  const number = generation;
  try {
    const samples = await fetchRender(render);
    if (number !== generation || own.render !== render.id) return;
    own.loudness = render.after?.loudness ?? null;
    track(before).loudness = render.before?.loudness ?? null;
    putSamples(own, await split(samples, render.channels, render.sampleRate));
    Object.assign(own, { state: "done", error: null, revision: own.asked ?? render.revision });
    knownChain(own.name)?.crash(null);
    changed();
    emit("rendered", { side: own.name });
  } catch (error) {
    own.fetched = null;
    if (number === generation) fail(own, error);
  }
}

// A loop: slices come as they are rendered, after every change from where it plays.

async function loadLoop(own, number) {
  own.state = "working";
  try {
    const made = await post("/api/loops", { chain: own.name, file: sound.file, from: sound.from, to: sound.to });
    if (number !== generation) {
      send("DELETE", `/api/loops/${made.id}`).catch(() => {});
      return;
    }
    Object.assign(own, { loop: made.id, frames: made.frames, loopRate: made.sampleRate });
    if (made.before) track(before).loudness = made.before.loudness ?? null;
    // The first rendering of a long loop takes longer than an answer may.
    for (;;) {
      try {
        await fetchSlice(own, 0, made.frames, null);
        break;
      } catch (error) {
        if (error.kind !== "temporary" || number !== generation) throw error;
      }
    }
  } catch (error) {
    if (number === generation) fail(own, error);
  }
}

async function fetchSlice(own, from, count, revision, signal = undefined) {
  const loop = own.loop;
  const answer = await bytes(`/api/loops/${loop}/sound`, { from, count }, { signal });
  const samples = new Float32Array(await answer.arrayBuffer());
  const made = Number(answer.headers.get("X-Revision")) || revision;
  // What was made of an older chain comes late.
  if (own.loop !== loop || made < own.revision) return;
  // The loudness is known when all of the loop is made; until then it is that of before the change.
  const loudness = parseFloat(answer.headers.get("X-Loudness") ?? "");
  if (Number.isFinite(loudness)) own.loudness = loudness;
  const channels = Number(answer.headers.get("X-Channels")) || 2;
  const ownRate = Number(answer.headers.get("X-Sample-Rate")) || own.loopRate;
  const parts = await split(samples, channels, ownRate);
  const scale = sound.rate / ownRate;
  const [start, length] = [Math.round(from * scale), Math.round(own.frames * scale)];
  // A slice that reaches beyond the end goes on at the start.
  const first = Math.min(parts[0].length, length - start);
  if (from === 0 && parts[0].length >= length) putSamples(own, parts);
  else {
    putSamples(own, parts.map((part) => part.subarray(0, first)), start);
    if (first < parts[0].length) putSamples(own, parts.map((part) => part.subarray(first)), 0);
  }
  Object.assign(own, { state: "done", error: null, revision: made });
  knownChain(own.name)?.crash(null);
  changed();
  emit("rendered", { side: own.name });
}

/** Asks for what plays next as soon as the chain is another one: the socket has other news to tell as well. */
async function hearChange(own, chain) {
  // What was made of the chain of before is not waited for: it may not be made at all any more.
  own.outdated?.abort();
  own.outdated = new AbortController();
  if (own.isAsking || !own.channels) return;
  own.isAsking = true;
  const count = Math.min(own.frames, Math.round(soonest * own.loopRate));
  for (let asked = own.revision; own.loop && asked < chain.document.revision;) {
    asked = chain.document.revision;
    const frame = Math.min(Math.max(0, Math.round(sound.frame * own.loopRate / sound.rate)), own.frames - 1);
    // It is rendered from here on, or from a little before: no other place is told until the answer is here.
    tell({ type: "loopAt", loop: own.loop, frame });
    // What is wrong with the chain is said by the socket.
    await fetchSlice(own, frame, count, asked).catch(() => {});
  }
  own.isAsking = false;
  if (own.news) fetchNews(own);
}

on("loop", (news) => {
  const { loop, error } = news;
  const own = [...sound.tracks.values()].find((one) => one.loop === loop);
  if (!own) return;
  if (error) {
    // The sound of a newer state may be here before the fault of an older one.
    if (news.revision >= (knownChain(own.name)?.document.revision ?? 0)) fail(own, error);
    return;
  }
  own.news = news;
  if (!own.isAsking) fetchNews(own);
});

/** Fetches what the socket said is rendered, where the chain is still that one. */
async function fetchNews(own) {
  const { loop, revision, from, count } = own.news;
  own.news = null;
  if (own.loop !== loop || !own.channels || count === 0 || revision < knownChain(own.name)?.document.revision) return;
  // Of a rendering that goes on, only what is new is fetched.
  const isSame = own.slice?.revision === revision && own.slice.from === from;
  const have = isSame ? own.slice.have : 0;
  if (have >= count) return;
  own.slice = { revision, from, have: count };
  try {
    await fetchSlice(own, (from + have) % own.frames, count - have, revision, own.outdated?.signal);
  } catch (fault) {
    // A newer change came between: its slices follow.
    if (fault.kind === "temporary" || fault.name === "AbortError") return;
    if (own.loop === loop) fail(own, fault);
  }
}

on("render", (render) => {
  for (const own of sound.tracks.values()) if (own.render === render.id) acceptRender(own, render);
});

let later = null;
on("document", ({ chain }) => {
  const own = sound.tracks.get(chain.id);
  if (!own || own.asked === chain.document.revision) return;
  if (own.loop) {
    own.asked = chain.document.revision;
    hearChange(own, chain);
  }
  if (sound.loop) return;
  // A whole file is rendered again when the hand rests; a loop is by the server, slice by slice.
  clearTimeout(later);
  later = setTimeout(() => {
    if (sound.loop || !sound.tracks.has(chain.id)) return;
    own.asked = chain.document.revision;
    loadRender(own, generation);
  }, 250);
});

function leave(own) {
  if (own.loop) send("DELETE", `/api/loops/${own.loop}`).catch(() => {});
  node?.port.postMessage({ kind: "drop", name: own.name });
}

async function loadAll() {
  generation += 1;
  const number = generation;
  for (const own of sound.tracks.values()) leave(own);
  sound.tracks.clear();
  sound.frame = 0;
  node?.port.postMessage({ kind: "seek", frame: 0 });
  emit("position", {});
  changed();
  if (!sound.file) return;
  const afters = sound.chains.map((id) => loadSide(id, number));
  await Promise.all([loadBefore(number), ...afters]);
}

async function loadSide(id, number) {
  const own = track(id);
  try {
    const known = await chainOf(id);
    own.asked = known.document.revision;
  } catch { return; }
  if (number !== generation) return;
  await (sound.loop ? loadLoop(own, number) : loadRender(own, number));
}

/** Returns a part within the file that is not too long, or null for one that is too short. */
function inside(loop) {
  const from = Math.max(0, Math.min(loop.from, loop.to));
  const to = Math.min(sound.seconds, Math.max(loop.from, loop.to), from + longestLoop);
  return to - from < shortestLoop ? null : { from, to };
}

/** Takes a file as the sound at hand. */
export async function openSound(file, loop = null) {
  if (file === sound.file && JSON.stringify(loop) === JSON.stringify(sound.loop)) return;
  try {
    const info = await get("/api/sound/info", { file });
    Object.assign(sound, { file, info, error: null });
    sound.loop = (loop && inside(loop)) ?? (info.seconds > longestWhole ? { from: 0, to: firstLoop } : null);
    if (context && context.sampleRate !== sound.rate) {
      pause();
      context.close();
      context = null;
      node = null;
    }
    sendSpeakers();
    emit("file", {});
    await loadAll();
  } catch (error) {
    Object.assign(sound, { file: null, info: null, error: error.message });
    emit("file", {});
    changed();
    throw error;
  }
}

/** Chooses the chains whose results can be compared: three at most. */
export function useChains(ids) {
  const chosen = [...new Set(ids.filter(Boolean))].slice(0, 3);
  if (JSON.stringify(chosen) === JSON.stringify(sound.chains)) return;
  for (const id of sound.chains) if (!chosen.includes(id) && sound.tracks.has(id)) {
    leave(sound.tracks.get(id));
    sound.tracks.delete(id);
  }
  const fresh = chosen.filter((id) => !sound.chains.includes(id));
  const wasAfter = sound.side !== before;
  sound.chains = chosen;
  if (!chosen.includes(sound.side)) sound.side = wasAfter ? chosen[0] ?? before : before;
  sound.lastAfter = chosen.includes(sound.lastAfter) ? sound.lastAfter : chosen[0] ?? null;
  if (sound.side === before && chosen.length && !wasAfter && sound.isFresh !== false) {
    sound.side = chosen[0];
    sound.isFresh = false;
  }
  if (sound.file) for (const id of fresh) loadSide(id, generation);
  mix();
  changed();
}

/** Chooses the part that is repeated, in seconds of the file; null is all of it. */
export async function setLoop(loop) {
  const clean = loop && inside(loop);
  if (loop && !clean) return;
  if (!clean && sound.seconds > longestSound) return;
  if (JSON.stringify(clean) === JSON.stringify(sound.loop)) return;
  sound.loop = clean;
  emit("loopChosen", {});
  await loadAll();
}

/** Switches to a side from where the other one is, within 20 ms and without a click. */
export function choose(side) {
  sound.side = side;
  if (side !== before) sound.lastAfter = side;
  mix();
  changed();
  say(side === before ? "Before" : `After: ${knownChain(side)?.document.name ?? ""}`);
}

export function swap() {
  choose(sound.side === before ? sound.lastAfter ?? sound.chains[0] ?? before : before);
}

export function setEqual(isEqual) {
  sound.isEqual = isEqual;
  localStorage.setItem("equal", String(isEqual));
  mix();
  changed();
}

export async function play() {
  if (!sound.file) return;
  await engine();
  await context.resume();
  node?.port.postMessage({ kind: "play" });
  sound.isPlaying = true;
  changed();
}

export function pause() {
  node?.port.postMessage({ kind: "pause" });
  sound.isPlaying = false;
  // What is silent takes no processor; the fade has 20 ms.
  const own = context;
  setTimeout(() => { if (!sound.isPlaying && own?.state === "running") own.suspend(); }, 100);
  changed();
}

export const toggle = () => sound.isPlaying ? pause() : play();

/** Goes to a place of the file, in seconds. */
export function seek(seconds) {
  sound.frame = Math.round(Math.min(Math.max(seconds, sound.from), sound.to) * sound.rate) - Math.round(sound.from * sound.rate);
  node?.port.postMessage({ kind: "seek", frame: sound.frame });
  emit("position", {});
  told = 0;
  tellLoops(sound.frame);
}

/** Makes the place that plays the start or the end of the loop; without a loop, of the file. */
export function setEdge(edge) {
  const next = { from: sound.from, to: sound.to, [edge]: sound.at };
  if (next.to - next.from < shortestLoop) return Promise.resolve();
  say(`Loop ${clock(next.from)} to ${clock(next.to)}`);
  return setLoop(next);
}

on("restarted", () => { if (sound.file) loadAll(); });
on("gone", ({ chain }) => useChains(sound.chains.filter((id) => id !== chain.id)));

/** Resolves when a side has its newest sound, or failed. */
export function whenSettled(side) {
  const state = () => sound.tracks.get(side)?.state;
  if (state() === "done" || state() === "failed") return Promise.resolve(state());
  return new Promise((done) => {
    const listener = () => {
      if (state() !== "done" && state() !== "failed") return;
      events.removeEventListener("sound", listener);
      done(state());
    };
    events.addEventListener("sound", listener);
  });
}
