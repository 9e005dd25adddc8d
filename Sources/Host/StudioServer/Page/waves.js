// Draws sounds: waveforms with the loop and the place that plays, and spectrograms as the server makes them.
// SPDX-License-Identifier: Apache-2.0

import { get, on, query } from "./server.js";
import { el, everyFrame } from "./dom.js";
import { openSound, seek, setLoop, sound } from "./sound.js";
import { clock } from "./values.js";

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

/** Returns the peaks of samples, which begin at a frame of a sound of so many frames, in columns of all of the sound. */
function columnsOf(channels, first, frameCount) {
  const columns = 1600;
  const edge = (column) => Math.ceil(column * frameCount / columns - first);
  return { columns, peaks: channels.map((samples) => {
    const list = new Array(columns).fill(null);
    for (let column = Math.floor(first * columns / frameCount); column < columns && edge(column) < samples.length; column += 1) {
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

/** A side of a sound, large: waveform or spectrogram; dragging chooses the loop, a click goes to a place. */
export class WaveView extends HTMLElement {
  connectedCallback() {
    this.canvas = el("canvas");
    this.image = el("img", { alt: "" });
    this.mark = el(".loop");
    this.head = el(".head");
    this.note = el(".note", { role: "status" });
    this.replaceChildren(this.canvas, this.image, this.mark, this.head, this.note);
    this.addEventListener("pointerdown", (event) => this.drag(event));
    this.draw = everyFrame(() => this.paint());
    this.stops = [on("position", everyFrame(() => this.place())), on("loopChosen", () => this.place()), on("file", () => this.place())];
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
    this.fresh = null;
    this.share = share;
    this.image.style.setProperty("width", `${100 * Math.min(1, share)}%`);
    this.isSpectrum = isSpectrum;
    this.note.textContent = note;
    this.image.hidden = !isSpectrum || !words;
    this.canvas.hidden = isSpectrum;
    if (isSpectrum && words) {
      const width = Math.max(200, Math.round(this.clientWidth / 100) * 100);
      const source = `/api/spectrogram${query({ ...words, width, height: 192 })}`;
      if (this.image.getAttribute("src") !== source) this.image.src = source;
      return;
    }
    try {
      const data = words ? await peaks({ ...words, columns: 1600 }) : null;
      if (this.words !== words) return;
      this.data = data;
      this.draw();
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  /** Draws samples that are here: those of the loop, at its place in the file. */
  samples(channels, from) {
    this.words = null;
    this.isSpectrum = false;
    this.image.hidden = true;
    this.canvas.hidden = false;
    this.note.textContent = "";
    // Samples come faster than frames: only those of a frame are looked at.
    this.fresh = { channels, first: from * sound.rate };
    this.draw();
  }

  paint() {
    if (this.fresh) {
      this.data = columnsOf(this.fresh.channels, this.fresh.first, sound.seconds * sound.rate);
      this.fresh = null;
    }
    if (this.canvas && !this.isSpectrum) drawPeaks(this.canvas, this.data, colour(this, "--paint"), false);
  }

  place() {
    const part = (seconds) => `${sound.seconds ? Math.min(100, seconds / sound.seconds * 100) : 0}%`;
    this.head.hidden = !sound.file;
    this.head.style.setProperty("left", part(sound.at));
    this.mark.hidden = !sound.loop;
    this.mark.style.setProperty("left", part(sound.from));
    this.mark.style.setProperty("width", part(sound.to - sound.from));
  }

  drag(event) {
    if (!sound.file || event.button !== 0) return;
    const box = this.getBoundingClientRect();
    const time = (x) => Math.min(1, Math.max(0, (x - box.left) / box.width)) * sound.seconds;
    const start = time(event.clientX);
    const first = event.clientX;
    let isLoop = false;
    this.setPointerCapture(event.pointerId);
    const move = (next) => {
      if (!isLoop && Math.abs(next.clientX - first) < 5) return;
      isLoop = true;
      const [one, two] = [start, time(next.clientX)].sort((a, b) => a - b);
      this.mark.hidden = false;
      this.mark.style.setProperty("left", `${one / sound.seconds * 100}%`);
      this.mark.style.setProperty("width", `${(two - one) / sound.seconds * 100}%`);
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
