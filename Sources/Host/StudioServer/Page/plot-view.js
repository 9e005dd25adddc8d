// Draws what `auricle plot` measured: curves over axes with their units.
// SPDX-License-Identifier: Apache-2.0

import { el, svg } from "./dom.js";

const WIDTH = 480;
const HEIGHT = 240;
const EDGE = { left: 46, right: 10, top: 12, bottom: 30 };

/** Formats the number of a tick: 20, 1k, −12. */
function tickText(value) {
  const size = Math.abs(value);
  const text = size >= 1000 ? `${+(size / 1000).toPrecision(3)}k` : `${+size.toPrecision(3)}`;
  return (value < 0 ? "−" : "") + text;
}

/** Returns about `count` round values between two, as a person would choose them. */
function evenTicks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const ticks = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step) ticks.push(Math.abs(value) < step / 1e6 ? 0 : value);
  return ticks;
}

function ticks(axis, count) {
  if (!axis.isLogarithmic) return evenTicks(axis.low, axis.high, count).map((value) => [value, true]);
  const all = [];
  for (let power = Math.floor(Math.log10(axis.low)); power <= Math.log10(axis.high); power += 1) {
    for (let digit = 1; digit < 10; digit += 1) {
      const value = digit * 10 ** power;
      if (value >= axis.low && value <= axis.high) all.push([value, digit === 1 || (digit === 2 || digit === 5) && axis.high / axis.low < 1e4]);
    }
  }
  return all;
}

function place(axis, length, isDown) {
  const map = axis.isLogarithmic ? Math.log : (value) => value;
  const low = map(axis.low);
  const span = map(axis.high) - low || 1;
  return (value) => {
    const part = (map(value) - low) / span;
    return (isDown ? 1 - part : part) * length;
  };
}

/** Makes the line of a curve; points outside the picture stay at its edge. */
function line(curve, x, y) {
  let text = "";
  for (let index = 0; index < curve.x.length; index += 1) {
    const [one, two] = [curve.x[index], curve.y[index]];
    if (typeof one !== "number" || typeof two !== "number") continue;
    const [across, down] = [x(one), y(two)];
    if (!Number.isFinite(across) || !Number.isFinite(down)) continue;
    text += `${text ? "L" : "M"}${(EDGE.left + across).toFixed(1)} ${(EDGE.top + Math.min(Math.max(down, -2000), 2000)).toFixed(1)}`;
  }
  return text;
}

/** Brings the answer of the server into axes and curves; null where it has none. */
function figureOf(answer) {
  if (!answer?.curves?.length) return null;
  const axis = (label, [low, high], isLogarithmic) => ({ label, low: isLogarithmic ? Math.max(low, 1e-6) : low, high, isLogarithmic });
  return {
    title: answer.title, x: axis(answer.xLabel, answer.xRange, answer.xLogarithmic === true), y: axis(answer.yLabel, answer.yRange, answer.yLogarithmic === true),
    curves: answer.curves.map(({ name, points }) => ({ name, x: points.map((point) => point[0]), y: points.map((point) => point[1]) })),
    reference: answer.reference?.points ? { x: answer.reference.points.map((point) => point[0]), y: answer.reference.points.map((point) => point[1]) } : null,
  };
}

/** A picture of curves; `show(answer)` draws what the server measured. */
export class PlotView extends HTMLElement {
  connectedCallback() {
    if (!this.firstChild) this.clear("");
  }

  clear(text) {
    this.figure = null;
    this.replaceChildren(svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": text || "No picture yet" },
      svg("text", { x: WIDTH / 2, y: HEIGHT / 2, "text-anchor": "middle" })));
    this.querySelector("text").textContent = text;
  }

  show(answer) {
    const figure = figureOf(answer);
    if (!figure) {
      this.clear("This unit has no such picture");
      return;
    }
    this.figure = figure;
    const [width, height] = [WIDTH - EDGE.left - EDGE.right, HEIGHT - EDGE.top - EDGE.bottom];
    const x = place(figure.x, width, false);
    const y = place(figure.y, height, true);
    const name = `${figure.title ?? ""}: ${figure.y.label} over ${figure.x.label}`;
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": name });
    const clip = `clip-${PlotView.count = (PlotView.count ?? 0) + 1}`;
    picture.append(svg("clipPath", { id: clip }, svg("rect", { x: EDGE.left, y: EDGE.top, width, height })));
    for (const [value, isNamed] of ticks(figure.x, 6)) {
      const at = EDGE.left + x(value);
      picture.append(svg("line", { class: "grid", x1: at, x2: at, y1: EDGE.top, y2: EDGE.top + height, opacity: isNamed ? 1 : 0.5 }));
      if (isNamed) this.label(picture, at, HEIGHT - 16, "middle", tickText(value));
    }
    for (const [value] of ticks(figure.y, 6)) {
      const at = EDGE.top + y(value);
      picture.append(svg("line", { class: value === 0 ? "zero" : "grid", x1: EDGE.left, x2: EDGE.left + width, y1: at, y2: at }));
      this.label(picture, EDGE.left - 6, at + 4, "end", tickText(value));
    }
    this.label(picture, EDGE.left + width, HEIGHT - 3, "end", figure.x.label);
    this.label(picture, EDGE.left + 4, EDGE.top + 11, "start", figure.y.label);
    const inside = svg("g", { "clip-path": `url(#${clip})` });
    if (figure.reference) inside.append(svg("path", { class: "reference", d: line(figure.reference, x, y) }));
    (figure.curves ?? []).forEach((curve, index) => {
      const path = line(curve, x, y);
      if (index === 0 && path) {
        const base = EDGE.top + Math.min(Math.max(figure.y.low < 0 && figure.y.high > 0 ? y(0) : height, 0), height);
        const [first] = path.slice(1).split(" ");
        const last = path.slice(path.lastIndexOf("L") + 1).split(" ")[0];
        inside.append(svg("path", { class: "area", d: `${path}L${last} ${base}L${first} ${base}Z` }));
      }
      inside.append(svg("path", { class: index === 0 ? "curve" : "curve second", d: path }));
    });
    picture.append(inside);
    this.replaceChildren(picture);
  }

  label(picture, x, y, anchor, text) {
    const node = svg("text", { x, y, "text-anchor": anchor });
    node.textContent = text;
    picture.append(node);
  }
}

customElements.define("plot-view", PlotView);

/** Makes what shows the level and the spectrum behind a stage: `elements`, `clear(note)` and `show(stages, id)`. */
export function makeStageLevels() {
  const spectrum = el("plot-view.spectrum");
  const note = el("p.quiet.small-text.number");
  const text = (name, list) => list?.length ? `${name} ${list.map((one) => one === null ? "−∞" : one.toFixed(1).replace("-", "−")).join(" / ")} dB` : "";
  return {
    elements: [el("h2.minor", "Level and spectrum behind this stage"), note, spectrum],
    clear(words) {
      spectrum.clear(words);
      note.textContent = "";
    },
    show(stages, id) {
      const own = stages.find((one) => one.stage === id);
      if (!own) {
        note.textContent = stages.length ? "The level behind this stage was not measured." : "";
        return;
      }
      note.textContent = [text("Peak", own.peak), text("RMS", own.rms)].filter(Boolean).join(" · ");
      if (own.spectrum?.length) spectrum.show({ title: "Spectrum", xLabel: "Hz", yLabel: "dB", xLogarithmic: true, xRange: [20, Math.max(20000, own.spectrum.at(-1)[0])], yRange: [-100, 0], curves: [{ name: "", points: own.spectrum.filter((point) => point[0] >= 20) }] });
    },
  };
}
