// The panels of branches, and of the chain as a whole: what it is called, and what happens to its results.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, iconButton, put, redraw } from "./dom.js";
import { go } from "./route.js";
import { titleOf } from "./chain-row.js";
import { numberOf } from "./values.js";
import { makeStageLevels } from "./plot-view.js";
import "./parameter-control.js";

/** The keys of `output` in a preset, in words of the guide: name, values to choose from, and an example. */
const outputFields = [
  ["loudness", null, "none, or -16 LUFS"], ["true peak", null, "none, or -1 dBTP"], ["peak", null, "none, or -1 dBFS"],
  ["tail", ["auto", "none", "keep-length"], "auto, or 2.5 s"], ["latency", ["compensate", "keep"], "compensate"],
  ["container", ["same", "wav", "flac", "aiff", "caf", "ogg", "opus", "mp3", "m4a"], "same"],
  ["encoding", ["same", "pcm16", "pcm24", "float32", "vorbis", "opus"], "same"], ["bit rate", ["same", "none"], "same, or 192k"],
  ["sample rate", ["same", "44100", "48000", "96000"], "same"], ["channels", ["same", "mono", "stereo"], "same"],
  ["dither", ["none", "triangular", "shaped"], "none"], ["trim silence", null, "none, or -50 dBFS"],
  ["fade in", null, "0 s"], ["fade out", null, "0 s"], ["metadata", ["keep", "none"], "keep"],
];

let lists = 0;

/** Makes a field that sends its text when it is left, and shows a refusal beneath itself. */
function field(label, value, hint, change, choices = null, isLong = false) {
  const list = choices ? el("datalist", { id: `choices-${lists += 1}` }, choices.map((choice) => el("option", { value: choice }))) : null;
  const fault = el("small.bad", { role: "alert", hidden: true });
  const input = el(isLong ? "textarea" : "input", { value: value ?? "", placeholder: hint, rows: isLong ? 3 : undefined, type: isLong ? undefined : "text", list: list?.id, spellcheck: isLong ? "true" : "false", data: { field: label },
    on: { change: async () => {
      try {
        await change(input.value.trim() === "" ? null : input.value.trim());
        fault.hidden = true;
        input.removeAttribute("aria-invalid");
      } catch (error) {
        fault.textContent = error.message;
        fault.hidden = false;
        input.setAttribute("aria-invalid", "true");
      }
    } } });
  return el("label.field", el("span", label[0].toUpperCase() + label.slice(1)), input, list, fault);
}

/** Makes the panel of the chain as a whole. */
export function makeChainPanel() {
  const element = el("section.panel.chain-panel", { "aria-label": "The chain as a whole" });
  const panel = { element };

  panel.show = (chain) => redraw(element, () => {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    // A field in which someone types is left alone.
    if (focused?.matches("input, textarea")) {
      drawFaults(chain);
      return;
    }
    const { document: facts } = chain;
    const set = (name) => (value) => chain.change([{ op: "field", field: name, value }]);
    const output = (name) => (value) => chain.change([{ op: "outputField", field: name, value }]);
    const open = element.querySelector("details")?.open ?? window.innerWidth > 800;
    put(element, el("header", el("h2", "The chain as a whole"), el("span.quiet", "Choose a box to see the controls of its unit.")), el(".faults"),
      el(".panel-body.chain-columns",
        el(".chain-about", el("h3", "About"), field("description", facts.description, "What it is for", set("description"), null, true),
          field("author", facts.author, "Who made it", set("author")), field("license", facts.license, "CC0-1.0", set("license")),
          field("tags", (facts.tags ?? []).join(", "), "voice, podcast", (value) => set("tags")((value ?? "").split(",").map((tag) => tag.trim()).filter(Boolean))),
          field("loudness of inputs", facts.inputLoudness === null || facts.inputLoudness === undefined ? "" : `${facts.inputLoudness} LUFS`, "as they are", (value) => set("inputLoudness")(value === null ? null : numberOf(value)))),
        el("details.chain-output", { open }, el("summary", el("h3", "Results")), el(".output-grid", outputFields.map(([name, choices, hint]) =>
          field(name, textOf(facts.output?.[name]), hint, output(name), choices))))));
    drawFaults(chain);
  });

  function drawFaults(chain) {
    const own = chain.faults.filter((fault) => !fault.place?.stage);
    put(element.querySelector(".faults") ?? el("div"), own.map((fault) => el(".fault", { class: fault.severity === "warning" ? "fault note" : "fault" }, icon("warn"), el("span", fault.message))));
  }

  return panel;
}

const textOf = (value) => value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** Makes the panel of a stage that is no unit: of branches, or of noise. */
export function makeBranchPanel() {
  const element = el("section.panel.branch-panel", { "aria-label": "The stage" });
  const controls = new Map();
  const levels = makeStageLevels();
  const pictures = el(".pictures", levels.elements);
  const panel = { element, id: null };

  panel.levels = (stages) => levels.show(stages, panel.id);

  panel.show = (chain, entry) => redraw(element, () => {
    if (panel.id !== entry.id) levels.clear("");
    panel.id = entry.id;
    if (element.contains(document.activeElement) && document.activeElement.matches("input[type=text]")) return;
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const change = (operation, gesture) => chain.change([operation], gesture);
    const control = (branch, name, facts) => {
      const key = `${branch.id}/${name}`;
      if (!controls.has(key)) controls.set(key, el("parameter-control"));
      const node = controls.get(key);
      node.change = (value, gesture) => change({ op: "branchField", branch: branch.id, field: name, value: numberOf(value) / (name === "pan" ? 100 : 1) }, gesture);
      node.reset = () => change({ op: "branchField", branch: branch.id, field: name, value: 0 }).catch(() => {});
      queueMicrotask(() => node.show(facts));
      return node;
    };
    put(element, el("header", el("input.stage-name", { type: "text", value: entry.name ?? "", placeholder: titleOf({ ...entry, name: null }), "aria-label": "Name of the stage", on: { change: (event) => change({ op: "stageField", stage: entry.id, field: "name", value: event.target.value.trim() || null }).catch(() => {}) } }),
      el("span.quiet", entry.branches ? "All branches get the same sound; their sum goes on." : "Noise is added to the sound."),
      el("span.tools", entry.branches && el("button.small", { type: "button", data: { focus: "more" }, on: { click: () => change({ op: "addBranch", stage: entry.id, index: entry.branches.length }).catch(() => {}) } }, icon("plus"), "Branch"),
        iconButton("close", "Remove this stage", () => {
          change({ op: "remove", stage: entry.id }).catch(() => {});
          go({ stage: null });
        }))),
    el(".stage-columns", entry.branches ? el(".branch-list", entry.branches.map((branch, index) => el("fieldset.branch-settings", el("legend.away", branch.name || `Branch ${index + 1}`),
      el(".tools", el("input", { type: "text", value: branch.name ?? "", placeholder: `Branch ${index + 1}`, "aria-label": `Name of branch ${index + 1}`, on: { change: (event) => change({ op: "branchField", branch: branch.id, field: "name", value: event.target.value.trim() || null }).catch(() => {}) } }),
        el("span.quiet.cut", branch.entries.length ? branch.entries.map(titleOf).join(" → ") : "the dry signal"),
        iconButton("close", `Remove ${branch.name || `branch ${index + 1}`}`, () => change({ op: "removeBranch", branch: branch.id }).catch(() => {}), { disabled: entry.branches.length < 2 })),
      control(branch, "gain", { name: "Gain", key: "gain", minimum: -60, maximum: 24, value: branch.gain, text: `${branch.gain} dB`, scale: "linear", isSet: branch.gain !== 0, minimumText: "-60 dB", maximumText: "24 dB" }),
      control(branch, "pan", { name: "Pan", key: "pan", minimum: -100, maximum: 100, value: branch.pan * 100, text: `${+(branch.pan * 100).toFixed(1)} %`, scale: "linear", isSet: branch.pan !== 0, minimumText: "left", maximumText: "right" })))) : el("pre.more", JSON.stringify(entry.more, null, 1)), pictures));
    if (focused) element.querySelector(`[data-focus="${focused}"]`)?.focus();
  });

  return panel;
}
