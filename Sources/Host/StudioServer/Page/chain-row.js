// The chain as a row of boxes with branches and side chains: choosing, moving by pointer and keys, bypass and solo.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, iconButton, put, redraw, say } from "./dom.js";
import { go, route } from "./route.js";
import { level } from "./values.js";

/** The title of an entry for people. */
export function titleOf(entry) {
  if (entry.name) return entry.name;
  if (entry.kind === "parallel") return "Branches";
  if (entry.kind === "noise") return "Noise";
  return (entry.title ?? entry.unit).replace(/^[^:]{1,40}: /, "");
}

/** Returns the operation that moves a stage to a gap, or null where it is there already. */
export function moveOperation(chain, id, into, gap) {
  const found = chain.find(id);
  if (!found) return null;
  const isSame = (found.into ?? null) === (into ?? null);
  const index = isSame && gap > found.index ? gap - 1 : gap;
  if (isSame && index === found.index) return null;
  // A box cannot be moved into a branch of its own.
  const inside = (entry) => (entry.branches ?? []).some((branch) => branch.id === into || branch.entries.some(inside));
  if (inside(found.entry)) return null;
  return { op: "move", stage: id, into: into ?? null, index };
}

/** The row of a chain; `addAt(into, index)` is what a plus does. */
export class ChainRow extends HTMLElement {
  constructor() {
    super();
    this.meters = new Map();
    this.addAt = () => {};
  }

  connectedCallback() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "The chain, from its input to its output");
  }

  show(chain) {
    this.chain = chain;
    if (!this.isDragging) redraw(this, () => this.draw(chain));
  }

  draw(chain) {
    this.dataset.chain = chain.id;
    const focused = document.activeElement?.closest?.("chain-row") === this ? document.activeElement.dataset.focus : null;
    const place = focused ? [...this.querySelectorAll(".stage-box")].indexOf(document.activeElement.closest(".stage-box")) : -1;
    const { scrollLeft } = this;
    const faults = new Map();
    for (const fault of chain.faults) if (fault.place?.stage && !faults.has(fault.place.stage)) faults.set(fault.place.stage, fault.message);
    this.faults = faults;
    put(this, el("span.end", "In"), this.lane(chain.document.entries, null), el("span.end", "Out"));
    this.scrollLeft = scrollLeft;
    if (this.chosen !== route.stage) {
      this.chosen = route.stage;
      const box = this.querySelector("[data-chosen=true]")?.getBoundingClientRect();
      const own = this.getBoundingClientRect();
      if (box && (box.left < own.left || box.right > own.right)) this.scrollLeft += box.left - own.left - Math.max(12, (own.width - box.width) / 2);
    }
    if (focused) this.refocus(focused, place);
  }

  /** Brings the focus back to what had it; where that is gone, to the box that came into its place. */
  refocus(focused, place) {
    const boxes = this.querySelectorAll(".stage-main");
    const next = this.querySelector(`[data-focus="${CSS.escape(focused)}"]`) ?? boxes[Math.min(place, boxes.length - 1)] ?? this.querySelector(".add");
    next?.focus({ preventScroll: true });
  }

  lane(entries, into) {
    const nodes = [this.gap(into, 0)];
    entries.forEach((entry, index) => nodes.push(this.box(entry), this.gap(into, index + 1)));
    return el(".lane", { data: { into: into ?? "" } }, nodes);
  }

  gap(into, index) {
    return el(".gap", { data: { into: into ?? "", index: String(index) } }, iconButton("plus", "Add a unit here", () => this.addAt(into, index), { class: "icon-button add", data: { focus: `gap-${into ?? ""}-${index}` } }));
  }

  box(entry) {
    const { chain } = this;
    const isSolo = chain.document.solo === entry.id;
    const crash = chain.crashes.get(entry.id);
    const fault = crash ?? this.faults.get(entry.id);
    const title = titleOf(entry);
    const state = [entry.bypass ? "bypassed" : "", isSolo ? "solo" : "", crash ? `failed: ${crash}` : fault ? `fault: ${fault}` : ""].filter(Boolean).join(", ");
    const main = el("button.stage-main.plain", { type: "button", data: { focus: `main-${entry.id}` }, "aria-pressed": String(route.stage === entry.id),
      "aria-label": `${title}${state ? `, ${state}` : ""}`, "aria-keyshortcuts": "Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown S 0 Delete", title: fault ?? entry.title ?? title,
      on: { click: () => go({ stage: route.stage === entry.id ? null : entry.id }), keydown: (event) => this.keys(event, entry) } },
    el("span.stage-title", title), entry.kind === "unit" ? el("span.quiet.stage-sub.cut", entry.title ?? entry.unit) : null);
    const switches = el(".stage-switches", iconButton("power", entry.bypass ? `Use ${title}` : `Bypass ${title}`, () => this.bypass(entry), { class: "icon-button small", "aria-pressed": String(!entry.bypass), data: { focus: `bypass-${entry.id}` } }),
      el("button.small.solo", { type: "button", "aria-pressed": String(isSolo), "aria-label": `Solo ${title}`, title: "Solo: only this stage is in the way", data: { focus: `solo-${entry.id}` }, on: { click: () => this.solo(entry) } }, "S"),
      el("span.grip", { "aria-hidden": "true", title: "Drag to move" }, icon("grip")));
    const box = el(".stage-box", { class: `stage-box ${entry.kind}`, data: { stage: entry.id, chosen: String(route.stage === entry.id), bypass: String(Boolean(entry.bypass)), state: crash ? "crashed" : fault ? "fault" : "" } },
      el(".stage-head", main, switches), entry.kind === "parallel" ? this.branches(entry) : null, this.foot(entry, fault));
    box.querySelector(".stage-head").addEventListener("pointerdown", (event) => this.grab(event, entry, box));
    return box;
  }

  foot(entry, fault) {
    const meter = el("level-meter");
    const text = el("span.number.quiet.peak");
    const foot = el(".stage-foot", entry.sidechain?.length ? el("span.chip", { title: "Has a side chain" }, icon("branch"), entry.sidechain[0].source) : null,
      entry.kind === "unit" && entry.mix !== 1 ? el("span.chip.number", { title: "How much of the unit is mixed in" }, `mix ${Math.round(entry.mix * 100)} %`) : null,
      fault ? el("span.box-fault.bad", icon("warn"), el("span.cut", fault)) : null, meter, text);
    const levels = this.meters.get(entry.id);
    queueMicrotask(() => {
      meter.levels(levels);
      const most = Math.max(...(levels?.peak ?? []).map((peak) => peak ?? -Infinity));
      text.textContent = levels ? level(most) : "";
    });
    return foot;
  }

  branches(entry) {
    return el(".branches", entry.branches.map((branch, index) => el(".branch", { data: { branch: branch.id } },
      el(".branch-head", el("span.branch-name.cut", branch.name || `Branch ${index + 1}`), el("span.quiet.number", `${branch.gain} dB`.replace("-", "−")),
        iconButton("menu", `Settings of ${branch.name || `branch ${index + 1}`}`, () => go({ stage: entry.id }), { class: "icon-button small", data: { focus: `branch-${branch.id}` } })),
      this.lane(branch.entries, branch.id))));
  }

  bypass(entry) {
    this.chain.change([{ op: "stageField", stage: entry.id, field: "bypass", value: !entry.bypass }]);
  }

  solo(entry) {
    this.chain.change([{ op: "solo", stage: this.chain.document.solo === entry.id ? null : entry.id }]);
  }

  remove(entry) {
    this.chain.change([{ op: "remove", stage: entry.id }]);
    say(`${titleOf(entry)} removed. Control Z brings it back.`);
    if (route.stage === entry.id) go({ stage: null });
  }

  keys(event, entry) {
    const { chain } = this;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      this.remove(entry);
      return;
    }
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      this.moveToLane(entry, event.key === "ArrowDown" ? 1 : -1);
      return;
    }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) {
      if (event.key === "s" && !event.ctrlKey && !event.metaKey) this.solo(entry);
      if (event.key === "0") this.bypass(entry);
      return;
    }
    event.preventDefault();
    if (event.altKey) {
      const { into, index, entries } = chain.find(entry.id);
      const next = index + step;
      if (next < 0 || next >= entries.length) return;
      chain.change([{ op: "move", stage: entry.id, into: into ?? null, index: next }]);
      say(`${titleOf(entry)} is at place ${next + 1} of ${entries.length}`);
      return;
    }
    const all = [...this.querySelectorAll(".stage-main")];
    all[all.indexOf(event.currentTarget) + step]?.focus();
  }

  /** Moves a box into the row before or behind its own, in the order of the page: into a branch, from branch to branch, and out. */
  moveToLane(entry, step) {
    const box = this.querySelector(`[data-stage="${CSS.escape(entry.id)}"]`);
    const lanes = [...this.querySelectorAll(".lane")].filter((lane) => !box.contains(lane));
    const next = lanes[lanes.indexOf(box.closest(".lane")) + step];
    if (!next) return;
    const into = next.dataset.into || null;
    // Out of its branch, it comes behind the sum.
    const outer = [...next.children].findIndex((node) => node.contains(box));
    const gap = outer < 0 ? next.querySelectorAll(":scope > .gap").length - 1 : (outer + 1) / 2;
    const operation = moveOperation(this.chain, entry.id, into, gap);
    if (!operation) return;
    this.chain.change([operation]);
    say(`${titleOf(entry)} is ${into ? `in ${next.closest(".branch").querySelector(".branch-name").textContent}` : "in the row of the chain"}`);
  }

  /** Moves a box with the pointer: by its head, or with a finger by its grip. */
  grab(event, entry, box) {
    if (event.button !== 0 || (event.pointerType !== "mouse" && !event.target.closest(".grip")) || event.target.closest(".stage-switches button")) return;
    if (event.target.closest(".grip")) event.preventDefault();
    const start = [event.clientX, event.clientY];
    let ghost = null;
    let target = null;
    const move = (next) => {
      if (!ghost && Math.hypot(next.clientX - start[0], next.clientY - start[1]) < 6) return;
      if (!ghost) {
        this.isDragging = true;
        ghost = el(".ghost", titleOf(entry));
        document.body.append(ghost);
        box.classList.add("moved");
      }
      ghost.style.setProperty("left", `${next.clientX + 8}px`);
      ghost.style.setProperty("top", `${next.clientY + 8}px`);
      this.roll(next.clientX);
      target?.classList.remove("target");
      target = this.nearestGap(next, box);
      target?.classList.add("target");
    };
    const end = (last) => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", stop, true);
      if (!ghost) return;
      ghost.remove();
      this.isDragging = false;
      // The click that follows chooses nothing.
      window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      setTimeout(() => window.dispatchEvent(new Event("dragged")), 0);
      const operation = last.type === "pointerup" && target ? moveOperation(this.chain, entry.id, target.dataset.into || null, Number(target.dataset.index)) : null;
      if (operation) this.chain.change([operation]);
      else this.show(this.chain);
    };
    const stop = (key) => { if (key.key === "Escape") end({ type: "pointercancel" }); };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
    window.addEventListener("keydown", stop, true);
  }

  roll(x) {
    const box = this.getBoundingClientRect();
    if (x < box.left + 40) this.scrollLeft -= 12;
    if (x > box.right - 40) this.scrollLeft += 12;
  }

  nearestGap(event, box) {
    let best = null;
    let least = Infinity;
    for (const gap of this.querySelectorAll(".gap")) {
      if (box.contains(gap)) continue;
      const place = gap.getBoundingClientRect();
      const distance = Math.hypot((place.left + place.right) / 2 - event.clientX, 2 * ((place.top + place.bottom) / 2 - event.clientY));
      if (distance < least) [best, least] = [gap, distance];
    }
    return least < 400 ? best : null;
  }

  /** Shows levels behind the stages, without drawing the row anew. */
  levels(stages) {
    for (const own of stages) {
      if (!own.stage) continue;
      this.meters.set(own.stage, own);
      const box = this.querySelector(`[data-stage="${CSS.escape(own.stage)}"] > .stage-foot`);
      if (!box) continue;
      box.querySelector("level-meter").levels(own);
      const most = Math.max(...(own.peak ?? []).map((peak) => peak ?? -Infinity));
      box.querySelector(".peak").textContent = level(most);
    }
  }
}

customElements.define("chain-row", ChainRow);
