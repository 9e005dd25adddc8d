// Draws sounds: waveforms with the loop and the place that plays, and spectrograms as the server makes them.
// SPDX-License-Identifier: Apache-2.0

import { emit, get, on, query } from "./server.js";
import { el, everyFrame, say } from "./dom.js";
import { openSound, seek, setLoop, sound } from "./sound.js";
import { clock } from "./values.js";

/** The shortest part of a file that the large pictures show, in seconds. */
const shortestSight = 0.02;

/** The part of the file that all large pictures show, in seconds; null is all of it. */
let part = null;
let wasInside = true;

export const sight = {
  get from() { return part?.from ?? 0; },
  get to() { return part?.to ?? sound.seconds; },
  get isPart() { return part !== null; },
};

function setSight(from, length) {
  const own = Math.max(length, shortestSight);
  const first = Math.min(Math.max(0, from), sound.seconds - own);
  // The length is a difference of two times: it may be all of the file but for their rounding.
  part = own < sound.seconds - 1e-6 ? { from: first, to: first + own } : null;
  wasInside = sound.at >= sight.from && sound.at <= sight.to;
  emit("sight", {});
  say(part ? `The pictures show ${clock(sight.from)} to ${clock(sight.to)}` : "The pictures show all of the file");
}

/** Shows a longer or shorter part of the file; what lies at `around` stays where it is. */
export function zoom(factor, around = Math.min(Math.max(sound.at, sight.from), sight.to)) {
  if (!sound.file) return;
  const length = sight.to - sight.from;
  const next = Math.min(Math.max(length * factor, shortestSight), sound.seconds);
  setSight(around - (around - sight.from) * next / length, next);
}

/** Shows what lies before or behind, by a share of what is shown. */
export function pan(share) {
  const length = sight.to - sight.from;
  if (part) setSight(sight.from + share * length, length);
}

on("file", () => { part = null; });
on("position", () => {
  if (!part) return;
  // The picture turns when the place that plays leaves it, and not where someone looks elsewhere.
  const isInside = sound.at >= part.from && sound.at <= part.to;
  if (wasInside && !isInside && sound.isPlaying) setSight(sound.at, part.to - part.from);
  else wasInside = isInside;
});

const known = new Map();

/** Returns the peaks of a file or a render, asked for once. */
function peaks(words) {
  const key = JSON.stringify(words);
  if (!known.has(key)) {
    if (known.size > 40) known.delete(known.keys().next().value);
    const asked = get("/api/peaks", words);
    known.set(key, asked);
    asked.catch(() => known.delete(key));
  }
  return known.get(key);
}

function colour(node, name) {
  return getComputedStyle(node).getPropertyValue(name).trim();
}

/** Fits a canvas to its place, sharp on every screen; returns its context and size. */
function fit(canvas) {
  const box = canvas.getBoundingClientRect();
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [Math.max(1, Math.round(box.width * scale)), Math.max(1, Math.round(box.height * scale))];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** Draws peaks as columns around a middle line, all channels above one another or as one. */
function drawPeaks(canvas, data, paint, isSingle) {
  const { context, width, height } = fit(canvas);
  if (!data?.peaks?.length) return;
  const lanes = isSingle ? 1 : data.peaks.length;
  context.fillStyle = paint;
  for (let lane = 0; lane < lanes; lane += 1) {
    const middle = height * (lane + 0.5) / lanes;
    const reach = height / lanes / 2 * 0.94;
    for (let x = 0; x < width; x += 1) {
      const first = Math.floor(x * data.columns / width);
      const last = Math.max(first + 1, Math.floor((x + 1) * data.columns / width));
      let low = 0;
      let high = 0;
      let isThere = false;
      for (const channel of isSingle ? data.peaks : [data.peaks[lane]]) {
        for (let column = first; column < last; column += 1) {
          if (!channel[column]) continue;
          isThere = true;
          low = Math.min(low, channel[column][0]);
          high = Math.max(high, channel[column][1]);
        }
      }
      if (!isThere) continue;
      const [top, bottom] = [middle - Math.min(1, high) * reach, middle - Math.max(-1, low) * reach];
      context.fillRect(x, top, 1, Math.max(1, bottom - top));
    }
  }
}

/** A thin line of the sound at hand in the deck: a click goes there. */
export class WaveLine extends HTMLElement {
  connectedCallback() {
    this.canvas = el("canvas");
    this.head = el(".head");
    this.mark = el(".loop");
    this.replaceChildren(this.mark, this.canvas, this.head);
    this.setAttribute("role", "slider");
    this.setAttribute("aria-label", "Place in the sound");
    this.setAttribute("aria-valuemin", "0");
    this.addEventListener("pointerdown", (event) => {
      if (!sound.file) return;
      const box = this.getBoundingClientRect();
      seek((event.clientX - box.left) / box.width * sound.seconds);
    });
    this.addEventListener("keydown", (event) => this.move(event));
    this.draw = everyFrame(() => this.paint());
    this.stops = [on("file", () => this.load()), on("position", everyFrame(() => this.place())), on("sound", () => this.place())];
    this.watch = new ResizeObserver(this.draw);
    this.watch.observe(this);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.draw);
    this.load();
  }

  disconnectedCallback() {
    this.stops.forEach((stop) => stop());
    this.watch.disconnect();
  }

  /** Goes on or back by a second, with Shift by a tenth; Page Up and Down by ten. */
  move(event) {
    const step = event.shiftKey ? 0.1 : 1;
    const next = { ArrowRight: sound.at + step, ArrowUp: sound.at + step, ArrowLeft: sound.at - step, ArrowDown: sound.at - step,
      PageUp: sound.at + 10, PageDown: sound.at - 10, Home: sound.from, End: sound.to }[event.key];
    if (next === undefined || !sound.file) return;
    event.preventDefault();
    seek(next);
  }

  async load() {
    const file = sound.file;
    this.tabIndex = file ? 0 : -1;
    this.setAttribute("aria-disabled", String(!file));
    this.setAttribute("aria-valuemax", sound.seconds.toFixed(1));
    this.data = file ? await peaks({ file, columns: 600 }).catch(() => null) : null;
    this.draw();
  }

  paint() {
    if (this.canvas) drawPeaks(this.canvas, this.data, colour(this, "--strong"), true);
    this.place();
  }

  place() {
    const part = (seconds) => `${sound.seconds ? seconds / sound.seconds * 100 : 0}%`;
    this.head.hidden = !sound.file;
    this.head.style.setProperty("left", part(sound.at));
    this.setAttribute("aria-valuenow", sound.at.toFixed(1));
    this.setAttribute("aria-valuetext", sound.file ? `${clock(sound.at)} of ${clock(sound.seconds)}` : "No sound");
    this.mark.hidden = !sound.loop;
    this.mark.style.setProperty("left", part(sound.from));
    this.mark.style.setProperty("width", part(sound.to - sound.from));
  }
}

/** Returns the peaks of samples, which begin at a frame of a sound, in columns of a part of that sound. */
function columnsOf(channels, first, from, frameCount) {
  const columns = Math.max(1, Math.min(1600, Math.floor(frameCount)));
  const edge = (column) => Math.ceil(from + column * frameCount / columns - first);
  return { columns, peaks: channels.map((samples) => {
    const list = new Array(columns).fill(null);
    for (let column = Math.max(0, Math.floor((first - from) * columns / frameCount)); column < columns && edge(column) < samples.length; column += 1) {
      let [low, high] = [0, 0];
      for (let frame = Math.max(0, edge(column)), end = Math.min(edge(column + 1), samples.length); frame < end; frame += 1) {
        const value = samples[frame];
        if (value < low) low = value;
        else if (value > high) high = value;
      }
      list[column] = [low, high];
    }
    return list;
  }) };
}

/** A side of a sound, large: waveform or spectrogram; dragging chooses the loop, a click goes to a place, the wheel with Ctrl zooms. */
export class WaveView extends HTMLElement {
  constructor() {
    super();
    // A lane may be shown before it is in the page: its part of the page waits while something is pressed.
    this.canvas = el("canvas");
    this.image = el("img", { alt: "" });
    this.mark = el(".loop");
    this.head = el(".head");
    this.note = el(".note", { role: "status" });
    this.draw = everyFrame(() => this.paint());
  }

  connectedCallback() {
    this.replaceChildren(this.canvas, this.image, this.mark, this.head, this.note);
    this.addEventListener("pointerdown", (event) => this.drag(event));
    this.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    this.stops = [on("position", everyFrame(() => this.place())), on("loopChosen", () => this.place()), on("file", () => this.place()), on("sight", everyFrame(() => this.showAgain()))];
    this.watch = new ResizeObserver(() => {
      this.draw();
      if (this.isSpectrum) this.show(this.words, this.isSpectrum);
    });
    this.watch.observe(this);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.draw);
    this.place();
  }

  disconnectedCallback() {
    this.stops.forEach((stop) => stop());
    this.watch.disconnect();
  }

  /** Shows a file (`{file}`) or a render (`{render}`), or with null a note; `share` is how much of the file it lasts. */
  async show(words, isSpectrum, note = "", share = this.share ?? 1) {
    this.words = words;
    this.heard = null;
    this.share = share;
    this.isSpectrum = isSpectrum;
    this.note.textContent = note;
    this.canvas.hidden = isSpectrum;
    const shown = sight.isPart ? { from: sight.from, to: sight.to } : {};
    if (isSpectrum) this.showSpectrum(words, shown);
    else {
      this.image.hidden = true;
      await this.showPeaks(words, shown);
    }
  }

  showSpectrum(words, shown) {
    // What is shorter or longer than the file has its own part of the picture.
    const share = Math.min(1, (this.share * sound.seconds - sight.from) / (sight.to - sight.from));
    this.image.hidden = !words || share <= 0;
    if (this.image.hidden) return;
    this.image.style.setProperty("width", `${100 * share}%`);
    const width = Math.max(200, Math.round(this.clientWidth / 100) * 100);
    const source = `/api/spectrogram${query({ ...words, ...shown, width, height: 192 })}`;
    if (this.image.getAttribute("src") !== source) this.image.src = source;
  }

  /** Asks for peaks, a question at a time: the part that is shown may be another one by the answer. */
  async showPeaks(words, shown) {
    this.wanted = { words, shown };
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.wanted) {
      const { wanted } = this;
      this.wanted = null;
      try {
        const data = wanted.words ? await peaks({ ...wanted.words, ...wanted.shown, columns: 1600 }) : null;
        if (this.words !== wanted.words || this.wanted || this.heard) continue;
        this.data = data;
        this.draw();
      } catch (error) {
        this.note.textContent = error.message;
      }
    }
    this.isAsking = false;
  }

  showAgain() {
    if (this.heard) this.draw();
    else if (this.words) this.show(this.words, this.isSpectrum, this.note.textContent);
    this.place();
  }

  /** Draws samples that are here: those of the loop, at its place in the file. */
  samples(channels, from) {
    this.words = null;
    this.isSpectrum = false;
    this.image.hidden = true;
    this.canvas.hidden = false;
    this.note.textContent = "";
    this.heard = { channels, first: from * sound.rate };
    this.draw();
  }

  paint() {
    if (this.heard) this.data = columnsOf(this.heard.channels, this.heard.first, sight.from * sound.rate, (sight.to - sight.from) * sound.rate);
    if (this.canvas && !this.isSpectrum) drawPeaks(this.canvas, this.data, colour(this, "--paint"), false);
  }

  place() {
    this.head.hidden = !sound.file || sound.at < sight.from || sound.at > sight.to;
    this.head.style.setProperty("left", this.across(sound.at));
    this.mark.hidden = !sound.loop;
    this.mark.style.setProperty("left", this.across(sound.from));
    this.mark.style.setProperty("right", this.across(sound.to, true));
  }

  /** Writes where a time is in the picture, from its left edge or its right one. */
  across(seconds, isFromRight = false) {
    const share = sight.to > sight.from ? (seconds - sight.from) / (sight.to - sight.from) : 0;
    return `${100 * (isFromRight ? 1 - share : share)}%`;
  }

  /** Returns the time at a place of the screen. */
  time(x) {
    const box = this.getBoundingClientRect();
    return sight.from + Math.min(1, Math.max(0, (x - box.left) / box.width)) * (sight.to - sight.from);
  }

  /** Zooms by the wheel with Ctrl, as by two fingers on a pad, and goes on and back by a wheel across. */
  roll(event) {
    const isZoom = event.ctrlKey || event.metaKey;
    const across = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    if (!sound.file || !isZoom && !(sight.isPart && across)) return;
    event.preventDefault();
    if (isZoom) zoom(2 ** (Math.max(-200, Math.min(200, event.deltaY)) / 200), this.time(event.clientX));
    else pan(Math.sign(across) * 0.1);
  }

  drag(event) {
    if (!sound.file || event.button !== 0) return;
    const time = (x) => this.time(x);
    const start = time(event.clientX);
    const first = event.clientX;
    let isLoop = false;
    this.setPointerCapture(event.pointerId);
    const move = (next) => {
      if (!isLoop && Math.abs(next.clientX - first) < 5) return;
      isLoop = true;
      const [one, two] = [start, time(next.clientX)].sort((a, b) => a - b);
      this.mark.hidden = false;
      this.mark.style.setProperty("left", this.across(one));
      this.mark.style.setProperty("right", this.across(two, true));
      this.title = `${clock(one)} to ${clock(two)}`;
    };
    const end = (last) => {
      this.removeEventListener("pointermove", move);
      if (isLoop && last.type === "pointerup") setLoop({ from: start, to: time(last.clientX) });
      else if (last.type === "pointerup") seek(time(last.clientX));
      this.place();
    };
    this.addEventListener("pointermove", move);
    this.addEventListener("pointerup", end, { once: true });
    this.addEventListener("pointercancel", end, { once: true });
  }
}

/** Levels of channels as bars with a scale from −60 to 0 dB: `levels({peak, rms})`. */
export class LevelMeter extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "img");
    this.setAttribute("aria-label", this.getAttribute("aria-label") ?? "No level yet");
    this.bars = el(".meter-bars");
    this.append(this.bars);
  }

  levels(levels) {
    const peaks = levels?.peak ?? [];
    const place = (decibels) => Math.min(1, Math.max(0, ((decibels ?? -90) + 60) / 60));
    while (this.bars.children.length > peaks.length) this.bars.lastChild.remove();
    while (this.bars.children.length < peaks.length) this.bars.append(el(".meter-bar", el(".meter-rms"), el(".meter-peak")));
    peaks.forEach((peak, index) => {
      const bar = this.bars.children[index];
      bar.style.setProperty("--rms", String(place(levels.rms?.[index] ?? peak)));
      bar.style.setProperty("--peak", String(place(peak)));
      bar.classList.toggle("over", peak > 0);
    });
    const most = Math.max(...peaks.map((peak) => peak ?? -Infinity));
    this.setAttribute("aria-label", Number.isFinite(most) ? `Peak ${most.toFixed(1).replace("-", "−")} dB` : "Silence");
    this.title = this.getAttribute("aria-label");
  }
}

customElements.define("wave-line", WaveLine);
customElements.define("wave-view", WaveView);
customElements.define("level-meter", LevelMeter);
export { openSound };
