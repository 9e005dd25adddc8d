// Where a value is along its slider, and words for lengths of time, sizes and levels that the server sends as numbers.
// SPDX-License-Identifier: Apache-2.0

/** Returns the place of a value, 0 to 1. */
export function toPlace(parameter, value) {
  const { minimum, maximum, scale } = parameter;
  if (!(maximum > minimum)) return 0;
  const part = scale === "logarithmic" && minimum > 0 ? Math.log(value / minimum) / Math.log(maximum / minimum) : (value - minimum) / (maximum - minimum);
  return Math.min(1, Math.max(0, part));
}

/** Returns the value at a place, rounded to what a thousandth of the slider can tell apart. */
export function toValue(parameter, place) {
  const { minimum, maximum, scale } = parameter;
  if (place <= 0) return minimum;
  if (place >= 1) return maximum;
  const isLogarithmic = scale === "logarithmic" && minimum > 0;
  const value = isLogarithmic ? minimum * (maximum / minimum) ** place : minimum + (maximum - minimum) * place;
  const step = isLogarithmic ? value * Math.log(maximum / minimum) / 1000 : (maximum - minimum) / 1000;
  const unit = 10 ** Math.floor(Math.log10(step));
  return Math.min(maximum, Math.max(minimum, Number((Math.round(value / unit) * unit).toPrecision(12))));
}

/** Reads a number that was typed, with or without its unit; throws a sentence about what is none. */
export function numberOf(value) {
  if (typeof value === "number") return value;
  const number = Number(/^\s*[-+−]?\s*(\d+[.,]?\d*|[.,]\d+)(?=\s*([a-z%]+\s*)?$)/i.exec(value)?.[0].replace("−", "-").replace(",", ".").replace(/\s/g, "") ?? NaN);
  if (!Number.isFinite(number)) throw new Error(`“${value}” is no number. Type one, such as -6.`);
  return number;
}

/** Writes seconds as a clock does: 1:05.3. */
export function clock(seconds, digits = 1) {
  if (!Number.isFinite(seconds)) return "–";
  const whole = Math.max(0, seconds);
  const minutes = Math.floor(whole / 60);
  const rest = (whole - minutes * 60).toFixed(digits).padStart(digits ? digits + 3 : 2, "0");
  const hours = Math.floor(minutes / 60);
  return hours ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Writes a length of time for people: 3 s, 4 min 20 s, 2 h 5 min. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round(seconds % 3600 / 60)} min`;
}

/** Writes bytes with a unit: 1.5 MB. */
export function size(bytes) {
  if (bytes === null || bytes === undefined) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let index = 0;
  let rest = bytes;
  while (rest >= 1000 && index < units.length - 1) {
    rest /= 1000;
    index += 1;
  }
  return `${index ? rest.toFixed(rest < 10 ? 1 : 0) : rest} ${units[index]}`;
}

/** Writes a level with its unit: −16.2 LUFS. */
export function level(value, unit = "dB", digits = 1) {
  if (value === null || value === undefined || !Number.isFinite(value)) return `−∞ ${unit}`;
  return `${value.toFixed(digits).replace("-", "−")} ${unit}`;
}

/** Writes a whole number: 12,000. The browser's own way loads its data of languages first, which a page that opens waits for. */
export const whole = (number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** Writes a count with its word: 1 file, 12,000 files. */
export const count = (number, one, many = `${one}s`) => `${whole(number)} ${number === 1 ? one : many}`;

/** Writes a rate: 44.1 kHz. */
export const rate = (hertz) => `${+(hertz / 1000).toFixed(3)} kHz`;
