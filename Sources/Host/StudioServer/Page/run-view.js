// The view Run: a form in the words of `auricle process`, a dry run, and runs as they go, with what failed first.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, iconButton, keep, put, redraw, toast } from "./dom.js";
import { get, on, post, send } from "./server.js";
import { go, route } from "./route.js";
import { chooseFile, nameOf } from "./choose-file.js";
import { listChains } from "./chains.js";
import { studio } from "./app.js";
import { makeRunPanel, stateText } from "./run-panel.js";
import { copy } from "./save-chain.js";
import { count, duration, size } from "./values.js";

/** The options that are seen without unfolding the others. */
const first = ["loudness", "truePeak", "container", "existing", "onExists", "jobs"];

/** What was typed stays while one looks at other views. */
const form = { inputs: [], output: null, chain: null, preset: null, options: {} };

export function make() {
  const inputs = el(".inputs");
  const chosenChain = el("select", { id: "run-chain", on: { change: (event) => {
    const [kind, ...name] = event.target.value.split(":");
    Object.assign(form, { chain: kind === "chain" ? name.join(":") : null, preset: kind === "preset" ? name.join(":") : null });
    changed();
  } } });
  const output = el("button.path", { type: "button", data: { name: "output" }, on: { click: pickOutput } });
  const main = el(".option-grid");
  const more = el(".option-grid");
  const command = el("code.command", { tabIndex: 0, role: "region", "aria-label": "Command line that does the same" });
  const fault = el(".form-fault", { role: "alert" });
  const dryPlace = el("section.panel.dry", { "aria-label": "Dry run", hidden: true });
  const start = el("button.primary", { type: "button", data: { name: "start" }, on: { click: begin } }, icon("run"), "Start");
  const dry = el("button", { type: "button", data: { name: "dry" }, on: { click: tryDry } }, "Dry run");
  const list = el("nav.run-list", { "aria-label": "Runs" });
  const runPlace = el(".run-place");
  const panel = makeRunPanel();
  const formPanel = el("section.panel.run-form", { "aria-label": "New run" }, el("header", el("h2", "New run")),
    el(".panel-body", el(".field", el("span", "Files and folders"), inputs, el("button.small", { type: "button", data: { name: "inputs" }, on: { click: pickInputs } }, icon("plus"), "Add files or folders…")),
      el("label.field", { for: "run-chain" }, el("span", "Chain"), chosenChain), el(".field", el("span", "Folder for results"), output), main, el("details.more-options", el("summary", "More options"), more),
      fault, el(".tools", dry, start), el("h3", "The same by the command line"), el(".command-line", command, iconButton("copy", "Copy the command line", () => copy(command.textContent)))));
  const element = el(".view.run", el(".head", el("h1", "Run"), list), el(".run-columns", formPanel, el(".run-side", dryPlace, runPlace)));
  let runs = [];
  let isAsking = false;
  let isStale = false;

  const request = () => ({ inputs: form.inputs, output: form.output, chain: form.chain, preset: form.preset, options: form.options });

  const drawInputs = () => redraw(formPanel, () => {
    put(inputs, form.inputs.map((ref) => el("span.chip.input-chip", { title: nameOf(ref) }, icon(/\.[a-z0-9]{2,5}$/i.test(ref) ? "hear" : "folder"), el("span.cut", nameOf(ref)), iconButton("close", `Remove ${nameOf(ref)}`, () => {
      form.inputs = form.inputs.filter((own) => own !== ref);
      changed();
    }, { class: "icon-button small" }))), form.inputs.length ? null : el("span.quiet", "None yet"));
    put(output, icon("folder"), el("span.cut", form.output ? nameOf(form.output) : "Choose a folder…"));
    const isReady = form.inputs.length > 0 && form.output !== null;
    start.disabled = !isReady || studio.isReadOnly;
    dry.disabled = !isReady;
  });

  async function changed() {
    drawInputs();
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    while (isStale) {
      isStale = false;
      if (!form.inputs.length || !form.output) {
        command.textContent = "auricle process …";
        put(fault);
        continue;
      }
      try {
        command.textContent = (await post("/api/runs/command", request())).command;
        put(fault);
      } catch (error) {
        command.textContent = "auricle process …";
        put(fault, el(".fault", icon("warn"), el("span", error.message)));
      }
    }
    isAsking = false;
  }

  async function pickInputs() {
    const chosen = await chooseFile({ title: "Files and folders to process", kinds: ["sound", "folder"], start: form.inputs.at(-1) ?? route.file, isMany: true });
    if (!chosen) return;
    form.inputs = [...new Set([...form.inputs, ...chosen])];
    changed();
  }

  async function pickOutput() {
    const chosen = await chooseFile({ title: "The folder for results; it is made if it is missing", kinds: ["folder"], start: form.output ?? undefined, saveAs: form.output?.split("/").pop() || "out" });
    if (!chosen) return;
    form.output = chosen;
    changed();
  }

  function option(one) {
    const id = `option-${one.name}`;
    const keep = (value) => {
      if (value === "" || value === false || value === null) delete form.options[one.name];
      else form.options[one.name] = value;
      changed();
    };
    const value = form.options[one.name];
    // Words such as <none|LUFS> name a choice and something to type.
    const choices = (one.values ?? []).filter((own) => /^[a-z0-9-]+$/.test(own) && !["name", "n", "number", "rate", "path", "seconds", "bits"].includes(own));
    let control;
    if (one.type === "switch") control = el("input.switch", { type: "checkbox", role: "switch", id, checked: value === true, on: { change: (event) => keep(event.target.checked) } });
    else control = el("input", { type: "text", id, value: value ?? "", placeholder: one.valueName ?? "", list: choices.length ? `${id}-choices` : undefined, spellcheck: "false", inputmode: one.type === "number" ? "decimal" : undefined, "aria-describedby": `${id}-help`, on: { change: (event) => {
      const text = event.target.value.trim();
      const number = Number(text.replace("−", "-"));
      keep(text !== "" && one.type === "number" && Number.isFinite(number) ? number : text);
    } } });
    return el(".field.option", { class: `field option type-${one.type}` }, el("label", { for: id }, el("code", one.option)), control,
      choices.length ? el("datalist", { id: `${id}-choices` }, choices.map((own) => el("option", { value: own }))) : null, el("small", { id: `${id}-help` }, one.help));
  }

  async function readOptions() {
    try {
      const { options } = await get("/api/runs/options");
      const isFirst = (one) => first.includes(one.name);
      put(main, options.filter(isFirst).sort((one, two) => first.indexOf(one.name) - first.indexOf(two.name)).map(option));
      put(more, options.filter((one) => !isFirst(one)).map(option));
    } catch (error) {
      put(main, el(".fault", icon("warn"), el("span", error.message)));
    }
  }

  async function readChains() {
    const [chains, { presets }] = await Promise.all([listChains(), get("/api/presets")]).catch(() => [[], { presets: [] }]);
    const value = form.chain ? `chain:${form.chain}` : form.preset ? `preset:${form.preset}` : "";
    put(chosenChain, el("option", { value: "" }, "No chain: only the options"), chains.length ? el("optgroup", { label: "Open chains" }, chains.map((one) => el("option", { value: `chain:${one.id}` }, `${one.name}${one.isSaved ? "" : " (not saved)"}`))) : null,
      el("optgroup", { label: "Presets" }, presets.map((one) => el("option", { value: `preset:${one.name}` }, one.title ?? one.name))));
    chosenChain.value = value;
  }

  async function tryDry() {
    dryPlace.hidden = false;
    put(dryPlace, el(".panel-body", el("p.quiet", "The files are looked through…")));
    try {
      drawDry(await post("/api/runs/dry", request()));
    } catch (error) {
      put(dryPlace, el("header", el("h2", "Dry run"), closeDry()), el(".panel-body", el(".fault", { role: "alert" }, icon("warn"), el("span", error.message))));
    }
  }

  const closeDry = () => iconButton("close", "Close the dry run", () => { dryPlace.hidden = true; }, { class: "icon-button small" });

  function drawDry(answer) {
    const words = [count(answer.files, "file"), answer.bytes === null || answer.bytes === undefined ? null : size(answer.bytes), answer.seconds ? duration(answer.seconds) : null, answer.freeBytes ? `${size(answer.freeBytes)} free` : null, answer.sandbox ? `sandbox ${answer.sandbox}` : null];
    put(dryPlace, el("header", el("h2", "Dry run"), el("span.quiet.number", words.filter(Boolean).join(" · ")), closeDry()),
      el(".panel-body", answer.units?.length ? el("p.quiet.any", `Units: ${answer.units.map((unit) => typeof unit === "string" ? unit : unit.name ?? unit.unit).join(" → ")}`) : null,
        (answer.problems ?? []).map((problem) => el(".fault.note", icon("warn"), el("span", typeof problem === "string" ? problem : problem.message ?? problem.error))),
        el(".scroll", { tabIndex: 0, role: "region", "aria-label": "Files of the dry run" }, el("table.plain-table", el("thead", el("tr", ["Input", "Result", "State"].map((text) => el("th", { scope: "col" }, text)))),
          el("tbody", (answer.rows ?? []).map((row) => el("tr", el("td.any", row.input), el("td.any", (row.outputs ?? []).join(", ")), el("td", row.status)))))),
        answer.files > (answer.rows?.length ?? 0) ? el("p.quiet", `The first ${answer.rows.length} of ${count(answer.files, "file")} are shown.`) : null));
  }

  async function begin() {
    start.disabled = true;
    try {
      const made = await post("/api/runs", request());
      // The socket may have reported it by then, and newer than this.
      if (!runs.some((own) => own.id === made.id)) accept(made);
      dryPlace.hidden = true;
      go({ run: made.id });
      runPlace.scrollIntoView({ block: "nearest" });
    } catch (error) {
      put(fault, el(".fault", icon("warn"), el("span", error.message)));
    }
    drawInputs();
  }

  function accept(run) {
    const { type, ...facts } = run;
    void type;
    reported?.set(facts.id, facts);
    const index = runs.findIndex((own) => own.id === facts.id);
    if (index < 0) runs.push(facts);
    else runs[index] = facts;
    drawRuns();
    if (route.run === facts.id) showRun();
  }

  /** By run: its button, which stays while the run goes on, so that no click is lost. */
  const buttons = new Map();

  function drawRuns() {
    for (const run of runs) if (!buttons.has(run.id)) {
      buttons.set(run.id, el("button.small", { type: "button", data: { run: run.id }, on: { click: () => go({ run: run.id === route.run ? null : run.id }) } },
        el("span.dot"), (run.output ?? run.id).split("/").filter(Boolean).pop(), el("span.quiet.number")));
    }
    const nodes = runs.map((run) => buttons.get(run.id));
    keep(list, nodes);
    for (const [index, run] of runs.entries()) {
      nodes[index].setAttribute("aria-pressed", String(run.id === route.run));
      nodes[index].querySelector(".dot").dataset.state = run.state;
      nodes[index].querySelector(".number").textContent = stateText(run);
    }
    list.dataset.key = String(runs.length);
  }

  function showRun() {
    const run = runs.find((own) => own.id === route.run);
    if (!run) {
      put(runPlace, el("section.panel.empty", el("h2", runs.length ? "Choose a run above" : "No run yet"), el("p", "Runs go on when this page is closed.")));
      return;
    }
    if (runPlace.firstChild !== panel.element) put(runPlace, panel.element);
    panel.show(run, { remove });
  }

  async function remove(run) {
    try {
      await send("DELETE", `/api/runs/${run.id}`);
      runs = runs.filter((own) => own.id !== run.id);
      go({ run: null });
      drawRuns();
      showRun();
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  /** By run, while the list is read: its state as the socket reported it meanwhile, which is newer than the list. */
  let reported = null;

  async function readRuns() {
    const mine = reported = new Map();
    try {
      const { runs: read } = await get("/api/runs");
      if (reported !== mine) return;
      runs = [...new Map([...read.map((run) => [run.id, run]), ...mine]).values()];
      drawRuns();
      showRun();
    } catch (error) {
      if (!error.isAway) toast(error.message, "bad");
    } finally {
      if (reported === mine) reported = null;
    }
  }

  const stops = [on("run", accept), on("chains", readChains), on("connected", readRuns)];
  return {
    element,
    opened() {
      if (route.in && !form.inputs.includes(route.in)) form.inputs = [route.in];
      if (route.in) go({ in: null });
      if (!form.chain && !form.preset && route.chain) form.chain = route.chain;
      readOptions();
      readChains();
      readRuns();
      changed();
    },
    routed() {
      drawRuns();
      showRun();
    },
    closed() {
      stops.forEach((stop) => stop());
      panel.closed();
    },
  };
}
