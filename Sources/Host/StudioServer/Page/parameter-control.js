// A control for one parameter or setting of a unit: a slider with its value to type, a switch, a list of names, or a file.
// SPDX-License-Identifier: Apache-2.0

import { el, iconButton } from "./dom.js";
import { toPlace, toValue } from "./values.js";

/** The steps of a slider. */
const steps = 1000;

let gestures = 0;

/**
 * A row of name, control, value and reset. Set `change(value, gesture)` and `reset()`, then `show(facts)` whenever the server said more:
 * the text of a value is always the server's.
 */
export class ParameterControl extends HTMLElement {
  constructor() {
    super();
    this.change = () => {};
    this.reset = null;
    this.choose = null;
    this.isHeld = false;
  }

  show(facts) {
    const kind = this.kindOf(facts);
    if (this.kind !== kind || !this.firstChild) this.build(facts, kind);
    this.facts = facts;
    this.classList.toggle("is-set", facts.isSet === true);
    if (this.resetButton) this.resetButton.disabled = !facts.isSet || facts.isWritable === false;
    this.update();
  }

  kindOf(facts) {
    if (facts.isWritable === false) return "meter";
    if (facts.kind) return { path: "path", text: "text", number: "text", choice: "list", switch: "switch" }[facts.kind] ?? "text";
    if (facts.scale === "switch" || facts.scale === "list") return facts.scale;
    // What is not known to have a range can be typed.
    return facts.maximum > facts.minimum ? "slider" : "text";
  }

  build(facts, kind) {
    this.kind = kind;
    const id = `p${ParameterControl.count = (ParameterControl.count ?? 0) + 1}`;
    this.label = el("label.name.cut", { for: id, title: facts.name }, facts.name);
    this.field = null;
    this.main = this[`make_${kind}`](facts, id);
    this.resetButton = this.reset ? iconButton("reset", `Reset ${facts.name}`, () => this.reset(), { class: "small" }) : null;
    this.resetButton?.classList.add("icon-button", "small");
    this.fault = el(".field-fault.bad", { hidden: true, id: `${id}-fault`, role: "alert" });
    this.dataset.kind = kind;
    this.dataset.key = facts.key ?? facts.name;
    this.replaceChildren(this.label, this.main, ...(this.field ? [this.field] : []), ...(this.resetButton ? [this.resetButton] : []),
      ...(this.extra ? [this.extra] : []), this.fault);
  }

  make_slider(facts, id) {
    const range = el("input", { type: "range", id, min: 0, max: steps, step: 1 });
    range.addEventListener("input", () => {
      if (!this.isHeld) {
        this.isHeld = true;
        gestures += 1;
        this.gesture = `g${gestures}-${Date.now()}`;
      }
      this.fill(range.value / steps);
      this.pending = (this.pending ?? 0) + 1;
      Promise.resolve(this.change(toValue(this.facts, range.value / steps), this.gesture)).then(() => this.setFault(null), (error) => this.setFault(error.message))
        .finally(() => { this.pending -= 1; });
    });
    range.addEventListener("change", () => { this.isHeld = false; });
    range.addEventListener("dblclick", () => this.reset?.());
    this.range = range;
    this.field = this.makeField(facts);
    return range;
  }

  makeField(facts) {
    const field = el("input.value.number", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": `${facts.name}, value` });
    field.addEventListener("focus", () => field.select());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.enter();
      if (event.key === "Escape") {
        this.write(field);
        this.setFault(null);
      }
    });
    field.addEventListener("change", () => this.enter());
    return field;
  }

  /** Shows the text of the server in a field. */
  write(field) {
    field.value = this.facts.text ?? "";
    this.shownText = field.value;
  }

  async enter() {
    const field = this.field ?? this.textField;
    const text = field.value.trim();
    const before = this.facts.text ?? "";
    if (text === before || text === this.entered) return;
    this.entered = text;
    try {
      await this.change(text);
      this.setFault(null);
      // What was accepted gives way to how the server writes it.
      if (field.value.trim() === text) this.shownText = field.value;
      if (this.facts.text !== before) this.update();
    } catch (error) {
      this.setFault(error.message);
    } finally {
      this.entered = null;
    }
  }

  make_text(facts, id) {
    this.field = null;
    const field = this.makeField(facts);
    field.id = id;
    field.classList.add("wide");
    this.textField = field;
    return field;
  }

  make_switch(facts, id) {
    const box = el("input.switch", { type: "checkbox", role: "switch", id });
    box.addEventListener("change", () => this.send(facts.kind ? (box.checked ? "true" : "false") : box.checked ? facts.maximum ?? 1 : facts.minimum ?? 0));
    this.box = box;
    this.word = el("span.quiet.word");
    return el("span.switch-line", box, this.word);
  }

  make_list(facts, id) {
    const list = el("select", { id });
    for (const value of facts.values ?? []) {
      const text = typeof value === "string" ? value : value.name ?? value.text;
      list.append(el("option", { value: typeof value === "string" ? value : String(value.value) }, text));
    }
    list.addEventListener("change", () => this.send(facts.kind ? list.value : Number(list.value)));
    this.list = list;
    return list;
  }

  make_path(facts, id) {
    const button = el("button.small.path", { type: "button", id, on: { click: async () => {
      const chosen = await this.choose?.();
      if (chosen) this.send(chosen);
    } } });
    this.pathButton = button;
    return button;
  }

  make_meter(facts, id) {
    this.word = el("output.number.quiet", { id });
    return this.word;
  }

  async send(value) {
    try {
      await this.change(value);
      this.setFault(null);
    } catch (error) {
      this.setFault(error.message);
      this.update();
    }
  }

  setFault(text) {
    if (!this.fault) return;
    this.fault.hidden = !text;
    this.fault.textContent = text ?? "";
    const control = this.field ?? this.textField ?? this.list ?? this.box;
    if (text) control?.setAttribute("aria-invalid", "true");
    else control?.removeAttribute("aria-invalid");
    if (text) control?.setAttribute("aria-describedby", this.fault.id);
  }

  fill(place) {
    const from = this.facts.scale !== "logarithmic" && this.facts.minimum < 0 && this.facts.maximum > 0 ? toPlace(this.facts, 0) : 0;
    this.range.style.setProperty("--at", `${Math.max(place, from) * 100}%`);
    this.range.style.setProperty("--from", `${Math.min(place, from) * 100}%`);
  }

  update() {
    const { facts } = this;
    if (this.range) {
      if (!this.isHeld && !this.pending) {
        const place = facts.normal ?? toPlace(facts, facts.value);
        this.range.value = String(Math.round(place * steps));
        this.fill(place);
      }
      this.range.setAttribute("aria-valuetext", facts.text ?? "");
      this.range.title = `${facts.minimumText ?? facts.minimum} to ${facts.maximumText ?? facts.maximum}`;
    }
    const field = this.field ?? this.textField;
    if (field && document.activeElement !== field) this.write(field);
    else if (field && this.shownText === field.value) {
      // A text that is selected to be typed over stays selected.
      const isSelected = field.selectionStart === 0 && field.selectionEnd === field.value.length;
      this.write(field);
      if (isSelected) field.select();
    }
    if (this.box) {
      this.box.checked = facts.text === "true" || (facts.value !== undefined && facts.value > ((facts.minimum ?? 0) + (facts.maximum ?? 1)) / 2);
      const named = (facts.values ?? []).find((value) => value.value === facts.value);
      this.word.textContent = named?.name ?? (this.box.checked ? "on" : "off");
    }
    if (this.list) this.list.value = facts.kind ? facts.text ?? "" : String(nearest(facts.values, facts.value));
    if (this.pathButton) {
      const isChosen = facts.text !== null && facts.text !== undefined && facts.text !== "";
      this.pathButton.textContent = isChosen ? facts.text.split("/").pop() : "Choose a file…";
      this.pathButton.title = facts.text ?? "";
    }
    if (this.kind === "meter") this.word.textContent = facts.text ?? "–";
  }
}

function nearest(values, value) {
  let best = null;
  for (const one of values ?? []) if (best === null || Math.abs(one.value - value) < Math.abs(best - value)) best = one.value;
  return best;
}

customElements.define("parameter-control", ParameterControl);
