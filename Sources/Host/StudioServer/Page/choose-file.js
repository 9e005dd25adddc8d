// The dialog that chooses files and folders below the folders of the studio, and names for what is saved.
// SPDX-License-Identifier: Apache-2.0

import { el, icon, put, redraw, showDialog } from "./dom.js";
import { get } from "./server.js";
import { size } from "./values.js";
import { studio } from "./app.js";

/** Splits a reference `0/a/b.wav` into its folder's number and its parts. */
function parts(ref) {
  const [folder, ...rest] = (ref ?? "").split("/");
  return { folder: Number(folder) || 0, rest };
}

/** Writes a reference for people: the name of its folder, and the path below. */
export function nameOf(ref) {
  const [number, ...rest] = ref.split("/");
  const name = studio.folders.find((own) => String(own.id) === number)?.name ?? number;
  return [name, ...rest].filter(Boolean).join("/");
}

/**
 * Resolves to a reference, or null. `kinds` are the kinds of entries that can be chosen (`sound`, `preset`, `folder`, `other`);
 * with `saveAs` a name is typed; with `isMany` several are chosen, and an array is returned.
 */
export function chooseFile({ title, kinds, start, saveAs = null, isMany = false, action = "Choose" }) {
  return new Promise((done) => {
    const first = parts(start);
    const isFolderWanted = kinds.includes("folder");
    let folder = studio.folders.some((own) => own.id === first.folder) ? first.folder : studio.folders[0]?.id;
    let path = first.rest.slice(0, isFolderWanted && start ? undefined : -1).join("/");
    const chosen = new Set();
    const trail = el("nav.trail", { "aria-label": "Folder" });
    const list = el(".file-list", { role: "listbox", "aria-label": "Files", "aria-multiselectable": isMany ? "true" : undefined });
    const name = saveAs === null ? null : el("input", { type: "text", value: saveAs, "aria-label": "Name of the file", spellcheck: "false" });
    const fault = el("p.bad", { role: "alert" });
    const confirm = el("button.primary", { type: "button", data: { name: "confirm" } }, action);
    const box = el("dialog.dialog.file-dialog", { "aria-labelledby": "file-title" }, el("h2", { id: "file-title" }, title),
      el(".dialog-body", trail, list, name && el("label.field", el("span", "Name"), name), fault),
      el(".dialog-buttons", el("button", { type: "button", on: { click: () => box.close() } }, "Cancel"), confirm));
    let result = null;
    let loads = 0;
    let isListed = false;
    const ref = (entry) => entry.ref;
    const here = () => `${folder}${path ? `/${path}` : "/"}`;

    function finish(value) {
      result = value;
      box.close();
    }

    confirm.addEventListener("click", () => {
      if (name) {
        const text = name.value.trim();
        if (!text || text.includes("/")) {
          fault.textContent = "Type a name without a slash.";
          name.focus();
          return;
        }
        finish(`${folder}/${path ? `${path}/` : ""}${text}`);
      } else if (isMany) finish(chosen.size ? [...chosen] : isFolderWanted ? [here()] : null);
      else finish(chosen.size ? [...chosen][0] : isFolderWanted ? here() : null);
    });

    function mark() {
      for (const node of list.children) node.setAttribute("aria-selected", String(chosen.has(node.dataset.ref)));
      if (!name) confirm.disabled = !chosen.size && !isFolderWanted;
      if (isFolderWanted && !name) confirm.textContent = chosen.size ? `${action}${isMany ? ` (${chosen.size})` : ""}` : `${action} this folder`;
    }

    function open(where) {
      path = where;
      chosen.clear();
      load(true);
    }

    function pick(entry, event) {
      if (entry.kind === "folder" && !(isMany && isFolderWanted && (event.ctrlKey || event.metaKey))) {
        open(path ? `${path}/${entry.name}` : entry.name);
        return;
      }
      if (name) {
        name.value = entry.name;
        return;
      }
      if (isMany && chosen.has(ref(entry))) chosen.delete(ref(entry));
      else {
        if (!isMany) chosen.clear();
        chosen.add(ref(entry));
      }
      mark();
    }

    function row(entry) {
      const canPick = entry.kind === "folder" || kinds.includes(entry.kind);
      return el(".file-row", { role: "option", tabIndex: -1, "aria-selected": "false", "aria-disabled": canPick ? undefined : "true", data: { ref: ref(entry), kind: entry.kind },
        on: { click: (event) => { if (canPick) pick(entry, event); }, dblclick: () => { if (canPick && entry.kind !== "folder" && !isMany && !name) finish(ref(entry)); } } },
      icon(entry.kind === "folder" ? "folder" : entry.kind === "sound" ? "hear" : entry.kind === "preset" ? "build" : "file"),
      el("span.cut", entry.name), el("span.quiet.number", entry.kind === "folder" ? "" : size(entry.bytes)));
    }

    list.addEventListener("keydown", (event) => {
      const rows = [...list.querySelectorAll(".file-row")];
      const at = rows.indexOf(document.activeElement);
      const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
      if (next !== undefined) {
        event.preventDefault();
        rows[Math.min(Math.max(0, next), rows.length - 1)]?.focus();
      } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
        event.preventDefault();
        rows[at].click();
        if (event.key === "Enter" && chosen.has(rows[at].dataset.ref) && !isMany) confirm.click();
      } else if (event.key === "Backspace" && path) open(path.split("/").slice(0, -1).join("/"));
    });

    async function load(isFocused) {
      const number = loads += 1;
      fault.textContent = "";
      const steps = path ? path.split("/") : [];
      const root = studio.folders.length > 1
        ? el("select.small", { "aria-label": "Folder of the studio", on: { change: (event) => { folder = Number(event.target.value); open(""); } } },
          studio.folders.map((own) => el("option", { value: own.id, selected: own.id === folder }, own.name)))
        : el("button.plain.small", { type: "button", on: { click: () => open("") } }, icon("folder"), studio.folders[0]?.name ?? "Folder");
      redraw(trail, () => put(trail, root, steps.map((step, index) => ["/", el("button.plain.small", { type: "button", on: { click: () => open(steps.slice(0, index + 1).join("/")) } }, step)])));
      try {
        const all = [];
        for (let offset = 0; ; offset += 500) {
          const answer = await get("/api/files", { folder, path, offset, limit: 500 });
          // Another folder was opened meanwhile.
          if (number !== loads) return;
          all.push(...answer.entries);
          if (all.length >= answer.total || !answer.entries.length || all.length >= 5000) break;
        }
        isListed = true;
        redraw(list, () => show(all, isFocused));
      } catch (error) {
        if (number !== loads) return;
        // It begins at a file, or at a folder that is not there any more.
        if (!isListed && path) {
          path = path.split("/").slice(0, -1).join("/");
          load(isFocused);
          return;
        }
        redraw(list, () => show(null));
        fault.textContent = error.message;
      }
    }

    /** Shows the entries of a folder; what was chosen of another one is chosen no more. */
    function show(all, isFocused = false) {
      for (const own of chosen) if (!all?.some((entry) => ref(entry) === own)) chosen.delete(own);
      put(list, all?.map(row) ?? [], all?.length === 0 ? el("p.quiet", "Nothing is in this folder.") : null);
      const firstRow = list.querySelector(".file-row");
      if (firstRow) {
        firstRow.tabIndex = 0;
        if (isFocused) firstRow.focus();
      }
      mark();
    }

    if (!studio.folders.length) fault.textContent = "The studio has no folder: start it with one, as in “auricle studio talks/”.";
    showDialog(box, () => done(result));
    load(false);
    name?.select();
  });
}
