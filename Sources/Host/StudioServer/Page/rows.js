// A table of very many rows of which only those in sight are in the document.
// SPDX-License-Identifier: Apache-2.0

import { el, everyFrame, redraw } from "./dom.js";

/** How many rows before and behind those in sight are asked for with them. */
const margin = 40;

/**
 * A list of rows of equal height. `total` is the count, `rows(from, count)` asks for those in sight (an array, or a promise of one),
 * and `draw(row, index)` makes the cells of one. Arrow keys, Page Up and Down, Home and End move the row that has the focus.
 */
export class ManyRows extends HTMLElement {
  constructor() {
    super();
    this.height = 36;
    this.total = 0;
    this.at = 0;
    this.shown = new Map();
    /** The indices of rows that may show what is not so any more. */
    this.suspects = new Set();
    /** By index: a row, and the refresh that it is of. */
    this.known = new Map();
    this.version = 0;
    this.list = 0;
    this.isAsking = false;
    this.draw = () => [];
    this.rows = () => [];
    this.pick = () => {};
    this.update = everyFrame(() => this.drawRows());
    this.addEventListener("scroll", this.update, { passive: true });
    this.addEventListener("keydown", (event) => this.move(event));
  }

  connectedCallback() {
    if (this.body) return;
    this.body = el(".rows-body", { role: "rowgroup" });
    this.append(this.body);
    this.watch = new ResizeObserver(this.update);
    this.watch.observe(this);
  }

  disconnectedCallback() {
    this.watch?.disconnect();
    this.body = null;
    this.replaceChildren();
    this.shown.clear();
  }

  /** Shows another list: what was drawn is drawn again. */
  reset(total) {
    this.list += 1;
    this.known.clear();
    this.suspects = new Set(this.shown.keys());
    this.at = Math.min(this.at, Math.max(0, total - 1));
    this.refresh(total);
    // Rows that are at hand are in the next frame, and not in the one behind it.
    this.drawRows();
  }

  /** Asks again for all rows, first for those in sight, and leaves what stays as it is. */
  refresh(total = this.total) {
    this.total = total;
    this.version += 1;
    this.setAttribute("aria-rowcount", String(total));
    this.update();
  }

  get sight() {
    const first = Math.max(0, Math.floor(this.scrollTop / this.height) - 6);
    const count = Math.ceil((this.clientHeight || 400) / this.height) + 12;
    return [first, Math.min(this.total, first + count)];
  }

  drawRows() {
    redraw(this, () => { if (this.body) this.render(); });
  }

  render() {
    this.body.style.setProperty("height", `${this.total * this.height}px`);
    const [from, to] = this.sight;
    for (const [index, node] of this.shown) if (index < from || index >= to) {
      // The row with the focus stays, or the keyboard would lose its place.
      if (node.contains(document.activeElement) && index < this.total) continue;
      node.remove();
      this.shown.delete(index);
    }
    if (this.hasOld(from, to)) this.ask(from, to);
    this.drop();
    this.place(from, to);
  }

  /** Removes the rows that are others by now. */
  drop() {
    for (const index of this.suspects) {
      const node = this.shown.get(index);
      if (!node || node.text === JSON.stringify(this.known.get(index)?.row)) continue;
      if (node.contains(document.activeElement) && index < this.total) this.wanted = index;
      node.remove();
      this.shown.delete(index);
    }
    this.suspects.clear();
  }

  /** Whether a row in a range was never asked for, or not since the last refresh. */
  hasOld(from, to) {
    for (let index = from; index < to; index += 1) if (this.known.get(index)?.version !== this.version) return true;
    return false;
  }

  /** Asks for rows, a question at a time, so that an older answer never replaces a newer one. */
  ask(from, to) {
    if (this.isAsking) return;
    const { list, version } = this;
    const first = Math.max(0, from - margin);
    const count = Math.min(this.total, to + margin) - first;
    const found = this.rows(first, count);
    if (Array.isArray(found)) {
      this.keep(found, first, count, version);
      return;
    }
    this.isAsking = true;
    found.then((rows) => {
      // Another list may be shown by now: these rows are not of it.
      if (this.list === list) this.keep(rows, first, count, version);
      return true;
    }, () => this.list !== list || this.version !== version).then((isMore) => {
      this.isAsking = false;
      if (isMore) this.update();
    });
  }

  /** Keeps an answer; what it lacks is not asked for again before the next refresh. */
  keep(rows, first, count, version) {
    for (let index = first; index < first + count; index += 1) {
      this.known.set(index, { row: rows[index - first], version });
      this.suspects.add(index);
    }
  }

  /** Puts the rows of a range that are known, and not yet there, into the document. */
  place(from, to) {
    for (let index = from; index < to; index += 1) {
      const row = this.known.get(index)?.row;
      if (this.shown.has(index) || row === undefined) continue;
      const node = el(".row", { role: "row", "aria-rowindex": index + 1, tabIndex: index === this.at ? 0 : -1,
        data: { index: String(index) }, style: { top: `${index * this.height}px`, height: `${this.height}px` },
        on: { click: (event) => this.choose(index, event), focus: () => { this.at = index; } } }, this.draw(row, index));
      Object.assign(node, { row, text: JSON.stringify(row) });
      this.shown.set(index, node);
      const after = Math.min(...[...this.shown.keys()].filter((other) => other > index));
      this.body.insertBefore(node, this.shown.get(after) ?? null);
    }
    if (this.wanted !== undefined && this.shown.has(this.wanted)) {
      // The focus may be elsewhere by now.
      if (document.activeElement === document.body || this.contains(document.activeElement)) this.shown.get(this.wanted).focus({ preventScroll: true });
      this.wanted = undefined;
    }
  }

  choose(index, event) {
    this.at = index;
    for (const [other, node] of this.shown) node.tabIndex = other === index ? 0 : -1;
    this.pick(this.shown.get(index)?.row, index, event);
  }

  move(event) {
    const page = Math.max(1, Math.floor(this.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.total, End: this.total };
    if (event.key === "Enter" && event.target.classList.contains("row")) {
      this.choose(this.at, event);
      return;
    }
    if (!(event.key in steps) || !event.target.classList.contains("row")) return;
    event.preventDefault();
    this.at = Math.min(Math.max(0, this.at + steps[event.key]), this.total - 1);
    for (const [other, node] of this.shown) node.tabIndex = other === this.at ? 0 : -1;
    const top = this.at * this.height;
    if (top < this.scrollTop) this.scrollTop = top;
    if (top + this.height > this.scrollTop + this.clientHeight) this.scrollTop = top + this.height - this.clientHeight;
    this.wanted = this.at;
    this.update();
  }
}

customElements.define("many-rows", ManyRows);
