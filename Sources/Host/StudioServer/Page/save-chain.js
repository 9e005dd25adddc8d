// Opening and saving of chains: the presets that ship, files, the text as it is written, and what a saving would change.
// SPDX-License-Identifier: Apache-2.0

import { ask, el, icon, put, toast } from "./dom.js";
import { get, post } from "./server.js";
import { go, route } from "./route.js";
import { chooseFile } from "./choose-file.js";
import { openChain } from "./app.js";
import { listChains, removeChain } from "./chains.js";

/** Opens a chain: an open one, a preset, a file, or an empty one. */
export async function openDialog() {
  const [{ presets }, chains] = await Promise.all([get("/api/presets"), listChains()]);
  const search = el("input", { type: "search", placeholder: "Search presets", "aria-label": "Search presets" });
  const list = el(".preset-list");
  let close = () => {};
  const choose = (body) => {
    close();
    openChain(body).catch((error) => toast(error.message, "bad"));
  };
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = presets.filter((preset) => words.every((word) => `${preset.name} ${preset.title} ${preset.description ?? ""} ${(preset.tags ?? []).join(" ")}`.toLowerCase().includes(word)));
    put(list, found.map((preset) => el("button.plain.preset", { type: "button", on: { click: () => choose({ preset: preset.name }) } }, el("strong", preset.title ?? preset.name), el("span.quiet", preset.description ?? ""))),
      found.length ? null : el("p.quiet", "No preset has these words."));
  };
  search.addEventListener("input", draw);
  draw();
  const own = chains.length ? el("div", el("h3", "Open chains"), el(".open-chains", chains.map((one) => el("span.group", el("button.small", { type: "button", "aria-pressed": String(one.id === route.chain), on: { click: () => {
    close();
    go({ view: "build", chain: one.id, stage: null });
  } } }, one.name, one.isSaved ? null : " •"), el("button.small", { type: "button", "aria-label": `Close ${one.name}`, title: one.isSaved ? "Close" : "Close without saving", on: { click: async (event) => {
    if (!one.isSaved && one.stages && event.currentTarget.dataset.sure !== "1") {
      event.currentTarget.dataset.sure = "1";
      put(event.currentTarget, "Not saved: close?");
      return;
    }
    event.currentTarget.closest(".group").remove();
    await removeChain(one.id).catch((error) => toast(error.message, "bad"));
    if (route.chain === one.id) go({ chain: null, stage: null });
  } } }, icon("close")))))) : null;
  const content = el("div", own, el("h3", "Presets"), search, list);
  const answer = ask("Open a chain", content, [["cancel", "Cancel"], ["empty", "Empty chain"], ["file", "Open a file…"]]);
  close = () => content.closest("dialog").close();
  const name = await answer;
  if (name === "empty") await openChain({});
  if (name === "file") {
    const file = await chooseFile({ title: "Open a chain", kinds: ["preset"], start: route.file });
    if (file) await openChain({ file });
  }
}

/** Shows the text that would be saved, to read and copy. */
export async function showText(chain) {
  const { yaml } = await get(`/api/chains/${chain.id}/text`);
  const name = await ask(`${chain.document.name}, as it is saved`, el("pre.yaml", { tabIndex: 0, role: "region", "aria-label": "Text of the chain" }, yaml), [["copy", "Copy"], ["close", "Close", "primary"]]);
  if (name === "copy") await copy(yaml);
}

/** Copies a text, and says so. */
export async function copy(text) {
  await navigator.clipboard.writeText(text).then(() => toast("Copied."), () => toast("The browser does not let this page copy.", "bad"));
}

const fileName = (name) => `${name.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "chain"}.yaml`;

function differences(answer) {
  return el("pre.diff", { tabIndex: 0, role: "region", "aria-label": "What changes in the file" }, answer.lines.map(({ mark, text }) =>
    el("span", { class: mark === "+" ? "added" : mark === "-" ? "removed" : "same" }, el("span.away", mark === "+" ? "added: " : mark === "-" ? "removed: " : ""), `${mark} ${text}\n`)));
}

/** Saves a chain where it is from, or where one chooses; an existing file is replaced only after its differences were shown. */
export async function saveDialog(chain, isElsewhere = false) {
  let file = isElsewhere ? null : chain.document.file;
  if (!file) {
    file = await chooseFile({ title: "Save the chain", kinds: ["preset"], start: chain.document.file ?? route.file, saveAs: chain.document.file?.split("/").pop() ?? fileName(chain.document.name), action: "Save" });
    if (!file) return;
    if (!/\.(ya?ml|json)$/i.test(file)) file += ".yaml";
  }
  const answer = await get(`/api/chains/${chain.id}/diff`, { file });
  if (answer.exists && answer.same) {
    if (chain.document.isSaved) {
      toast("The file is the same already.");
      return;
    }
  } else if (answer.exists) {
    const name = await ask(`Replace ${file.split("/").slice(1).join("/")}?`, el("div", el("p", "This is what changes in the file:"), differences(answer)), [["cancel", "Cancel"], ["elsewhere", "Save elsewhere…"], ["replace", "Replace", "primary"]]);
    if (name === "elsewhere") {
      await saveDialog(chain, true);
      return;
    }
    if (name !== "replace") return;
  }
  const document = await post(`/api/chains/${chain.id}/save`, { file, overwrite: answer.exists === true, ...(answer.stamp ? { stamp: answer.stamp } : {}) });
  chain.accept(document);
  toast(`Saved as ${file.split("/").slice(1).join("/")}.`);
}
