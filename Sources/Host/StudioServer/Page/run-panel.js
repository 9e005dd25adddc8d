// The panel of one run: how far it is, its workers, all of its files, and its report.
// SPDX-License-Identifier: Apache-2.0

import { el, everyFrame, icon, put, redraw, toast } from "./dom.js";
import { get, post } from "./server.js";
import { go } from "./route.js";
import { nameOf } from "./choose-file.js";
import { copy } from "./save-chain.js";
import { count, duration, level, whole } from "./values.js";
import "./rows.js";

const stateNames = { preparing: "Preparing", running: "Running", stopping: "Stopping", stopped: "Stopped", done: "Done", failed: "Failed" };
const rowNames = { done: "done", failed: "failed", working: "at work", waiting: "waiting", skipped: "skipped", quarantined: "set aside" };

/** Returns where a file is for people: below the studio's folder, or its path where it lies elsewhere. */
const placeOf = (ref, path) => ref ? ref.slice(ref.indexOf("/") + 1) : path;

export const isGoing = (run) => ["preparing", "running", "stopping"].includes(run.state);

/** Says in a few words how far a run is. */
export function stateText(run) {
  if (!isGoing(run)) return stateNames[run.state] ?? run.state;
  return run.total ? `${Math.floor(100 * (run.done + run.failed + (run.skipped ?? 0)) / run.total)} %` : stateNames[run.state] ?? run.state;
}

export function makeRunPanel() {
  const head = el("header");
  const progress = el("progress", { max: 1, value: 0, "aria-label": "Progress of the run" });
  const tiles = el("dl.tiles");
  const workers = el("ul.workers", { "aria-label": "Workers" });
  const fault = el(".run-fault");
  const filters = el("span.group", { role: "group", "aria-label": "Which files" });
  const rows = el("many-rows.run-rows", { role: "grid", "aria-label": "Files of the run" });
  const report = el("details.report", { hidden: true });
  const statuses = [null, "failed", "done"];
  put(filters, statuses.map((name) => el("button.small", { type: "button", on: { click: () => {
    status = name;
    rows.reset(rowCount());
    drawProgress();
  } } })));
  const element = el("section.panel.run-panel", { "aria-label": "The run" }, head, el(".panel-body", progress, tiles, fault, workers, el(".tools", el("h3", "Files, what failed first"), filters), rows, report));
  const panel = { element, id: null };
  let status = null;
  let known = {};
  let run = null;
  let timer = null;
  rows.height = 46;

  rows.rows = async (offset, limit) => {
    const [id, asked] = [panel.id, status];
    const answer = await get(`/api/runs/${id}/files`, { offset, limit, status, sort: "failures" });
    // Files that are found or done meanwhile make the list longer.
    if (panel.id === id && status === asked && answer.total !== rows.total) rows.refresh(answer.total);
    return answer.rows;
  };
  rows.draw = (row) => [el("span.state", { role: "gridcell", class: `state ${row.status}` }, rowNames[row.status] ?? row.status),
    el("span.run-file", { role: "gridcell" }, el("span.cut", { title: row.input }, placeOf(row.inputRef, row.input)), row.reason ? el("span.bad.cut", { title: row.reason }, row.unit ? `${row.unit}: ${row.reason}` : row.reason) : row.outputs?.length ? el("span.quiet.cut", { title: row.outputs.join("\n") }, row.outputs.map((path, index) => placeOf(row.outputRefs?.[index], path)).join(", ")) : null),
    el("span.number.quiet.wide-only", { role: "gridcell" }, row.loudness === null || row.loudness === undefined ? "" : level(row.loudness, "LUFS")),
    el("span.number.quiet.wide-only", { role: "gridcell" }, row.seconds ? duration(row.seconds) : ""),
    el("span", { role: "gridcell" }, row.inputRef ? el("button.small", { type: "button", title: `Open ${row.input} in Hear`, "aria-label": `Hear ${row.input}`, on: { click: (event) => {
      event.stopPropagation();
      hear(row);
    } } }, icon("hear"), "Hear") : null)];

  function hear(row) {
    go({ view: "hear", file: row.inputRef, loop: null, ...(run.chain ? { chain: run.chain, with: null } : {}) });
  }
  rows.pick = (row, _, event) => { if (event.key === "Enter" && row?.inputRef) hear(row); };

  panel.show = (next, { remove }) => {
    const isOther = panel.id !== next.id;
    const before = run;
    panel.id = next.id;
    run = next;
    if (isOther) {
      status = null;
      put(report);
      report.hidden = true;
      delete report.dataset.run;
      rows.scrollTop = 0;
      rows.reset(next.total || 1);
    } else if (before.state !== next.state) rows.refresh(rowCount() || rows.total);
    else if (before.done !== next.done || before.failed !== next.failed || before.total !== next.total) refreshSoon();
    redraw(head, () => drawHead(remove));
    drawProgress();
    if (next.hasReport && !isGoing(next)) drawReport();
    known = next;
  };

  /** Returns how many rows the chosen files are, as far as the state of the run says. */
  const rowCount = () => status === "failed" ? run.failed : status === "done" ? run.done : run.total;

  /** Asks again for the rows in sight: twice a second at most, however fast files are done. */
  function refreshSoon() {
    if (timer) return;
    timer = setTimeout(() => {
      timer = null;
      rows.refresh(rowCount() || rows.total);
    }, 500);
  }

  const act = (name) => async () => {
    try {
      await post(`/api/runs/${run.id}/${name}`);
    } catch (error) {
      toast(error.message, "bad");
    }
  };

  function drawHead(remove) {
    const key = `${run.id} ${run.state} ${run.output} ${run.outputRef}`;
    if (head.dataset.key === key) return;
    head.dataset.key = key;
    put(head, el("h2.any", { title: run.output ?? "" }, run.outputRef ? nameOf(run.outputRef) : run.output ?? run.id), el("span.chip", { class: `chip ${run.state === "failed" ? "bad" : run.state === "done" ? "good" : ""}` }, stateNames[run.state] ?? run.state),
      el("span.tools", isGoing(run) ? el("button.small", { type: "button", disabled: run.state === "stopping", data: { name: "stop" }, on: { click: act("stop") } }, icon("stop"), "Stop") : null,
        run.state === "stopped" || run.state === "failed" ? el("button.small.primary", { type: "button", data: { name: "resume" }, on: { click: act("resume") } }, icon("play"), "Resume") : null,
        el("button.small", { type: "button", on: { click: () => copy(run.command) } }, icon("copy"), "Command"),
        isGoing(run) ? null : el("button.small", { type: "button", title: "Remove from this list; files stay", on: { click: () => remove(run) } }, "Remove")));
  }

  const drawProgress = everyFrame(() => redraw(element, () => {
    const ended = run.done + run.failed + (run.skipped ?? 0);
    if (run.total) progress.value = ended / run.total;
    else progress.removeAttribute("value");
    progress.setAttribute("aria-valuetext", `${ended} of ${run.total} files`);
    const all = [["Files", run.total === null || run.total === undefined ? "–" : whole(run.total)], ["Done", whole(run.done)], ["Failed", whole(run.failed), run.failed ? "bad" : ""],
      run.skipped ? ["Skipped", whole(run.skipped)] : null, ["Time", duration(run.elapsedSeconds)], isGoing(run) ? ["Remaining", run.remainingSeconds === null || run.remainingSeconds === undefined ? "–" : duration(run.remainingSeconds)] : null,
      run.speed ? ["Speed", `${run.speed.toFixed(run.speed < 10 ? 1 : 0)} ×`] : null];
    put(tiles, all.filter(Boolean).map(([name, text, kind]) => el(".tile", el("dt", name), el("dd.number", { class: `number ${kind ?? ""}` }, text))));
    put(fault, run.error ? el(".fault", { role: "alert" }, icon("warn"), el("span", run.error.error ?? String(run.error))) : null);
    put(workers, isGoing(run) ? (run.workers ?? []).map((worker) => el("li.worker", el("span.quiet.number", `Worker ${worker.number}`), el("span.cut", worker.file ? worker.file.split("/").pop() : "idle"),
      worker.progress === null || worker.progress === undefined ? null : el("progress", { max: 1, value: worker.progress, "aria-label": `Worker ${worker.number}` }), worker.unit ? el("span.quiet.cut.unit", worker.unit) : null)) : []);
    const texts = ["All", count(run.failed, "failed", "failed"), count(run.done, "done", "done")];
    for (const [index, name] of statuses.entries()) {
      filters.children[index].setAttribute("aria-pressed", String(status === name));
      filters.children[index].textContent = texts[index];
    }
  }));

  function drawReport() {
    if (report.dataset.run === run.id && known.state === run.state) return;
    report.dataset.run = run.id;
    report.hidden = false;
    const open = report.open;
    put(report, el("summary", "Report"), el(".tools", ["html", "csv", "json"].map((format) => el("a.button.small", { href: `/api/runs/${run.id}/report${format === "html" ? "" : `?format=${format}`}`, target: "_blank", rel: "noopener" }, format.toUpperCase()))));
    const frame = () => { if (!report.querySelector("iframe")) report.append(el("iframe", { src: `/api/runs/${run.id}/report`, title: "Report of the run", sandbox: "allow-scripts" })); };
    report.ontoggle = () => { if (report.open) frame(); };
    if (open) frame();
  }

  panel.closed = () => clearTimeout(timer);
  return panel;
}
