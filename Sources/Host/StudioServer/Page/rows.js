// A table of very many rows of which only those in sight are in the document.
// SPDX-License-Identifier: Apache-2.0

import { el, everyFrame } from "./dom.js";

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
    this.known = new Map();
    this.draw = () => [];
    this.rows = () => [];
    this.pick = () => {};
    this.update = everyFrame(() => this.render());
  }

  connectedCallback() {
    if (this.body) return;
    this.body = el(".rows-body", { role: "rowgroup" });
    this.append(this.body);
    this.addEventListener("scroll", this.update, { passive: true });
    this.addEventListener("keydown", (event) => this.move(event));
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
    this.total = total;
    this.known.clear();
    for (const node of this.shown.values()) node.remove();
    this.shown.clear();
    this.at = Math.min(this.at, Math.max(0, total - 1));
    this.setAttribute("aria-rowcount", String(total));
    this.update();
  }

  /** Asks again for what is in sight, and leaves what stays as it is. */
  refresh(total = this.total) {
    this.total = total;
    this.setAttribute("aria-rowcount", String(total));
    this.isStale = true;
    this.update();
  }

  get sight() {
    const first = Math.max(0, Math.floor(this.scrollTop / this.height) - 6);
    const count = Math.ceil((this.clientHeight || 400) / this.height) + 12;
    return [first, Math.min(this.total, first + count)];
  }

  async render() {
    if (!this.body) return;
    this.body.style.setProperty("height", `${this.total * this.height}px`);
    const [from, to] = this.sight;
    for (const [index, node] of this.shown) if (index < from || index >= to) {
      // The row with the focus stays, or the keyboard would lose its place.
      if (node.contains(document.activeElement)) continue;
      node.remove();
      this.shown.delete(index);
    }
    let isMissing = this.isStale;
    for (let index = from; index < to && !isMissing; index += 1) isMissing = !this.known.has(index);
    if (isMissing) {
      this.isStale = false;
      const count = to - from;
      const found = await this.rows(from, count);
      if (!this.body) return;
      found.forEach((row, offset) => {
        const old = this.known.get(from + offset);
        if (old !== undefined && JSON.stringify(old) === JSON.stringify(row)) return;
        this.known.set(from + offset, row);
        this.shown.get(from + offset)?.remove();
        this.shown.delete(from + offset);
      });
    }
    const [first, last] = this.sight;
    for (let index = first; index < last; index += 1) {
      if (this.shown.has(index) || !this.known.has(index)) continue;
      const node = el(".row", { role: "row", "aria-rowindex": index + 1, tabIndex: index === this.at ? 0 : -1,
        data: { index: String(index) }, style: { top: `${index * this.height}px`, height: `${this.height}px` },
        on: { click: (event) => this.choose(index, event), focus: () => { this.at = index; } } }, this.draw(this.known.get(index), index));
      this.shown.set(index, node);
      const after = [...this.shown.keys()].filter((other) => other > index).sort((one, two) => one - two)[0];
      this.body.insertBefore(node, after === undefined ? null : this.shown.get(after));
    }
    if (this.wanted !== undefined && this.shown.has(this.wanted)) {
      this.shown.get(this.wanted).focus({ preventScroll: true });
      this.wanted = undefined;
    }
  }

  choose(index, event) {
    this.at = index;
    for (const [other, node] of this.shown) node.tabIndex = other === index ? 0 : -1;
    this.pick(this.known.get(index), index, event);
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
