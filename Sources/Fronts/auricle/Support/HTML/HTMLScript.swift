// What a report's page does: shows a page of files, sorted, searched, filtered.
// SPDX-License-Identifier: Apache-2.0

/// The script of reports. Names of files reach the page as text, never as HTML.
enum HTMLScript {
  /// The whole script.
  static let text = data + rows + controls

  /// Reads what the page holds, and chooses which files are shown in which order.
  private static let data = #"""

    "use strict";
    (() => {
    const el = (id) => document.getElementById(id);
    const make = (name, className, text) => {
      const node = document.createElement(name);
      if (className) node.className = className;
      if (text !== undefined) node.textContent = text;
      return node;
    };
    // What cannot be seen, or turns the direction of what follows, is shown as a sign of its own.
    const plain = (text) =>
      text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");

    const [STATUS, INPUT, OUTPUT, REASON, ERROR] = [0, 1, 2, 14, 15];
    const chunk = 100;
    const rows = [];
    for (const node of document.querySelectorAll("script.rows")) {
      for (const row of JSON.parse(node.textContent)) rows.push(row);
      node.remove();
    }
    // What is told of files, in tables that a browser with scripts takes for text.
    const parts = document.querySelectorAll("noscript.part");
    const page = JSON.parse(document.querySelector("script.page").textContent);
    let loaded = new Map();
    // Reads the rows of these files in their tables, and nothing else of them: sorted, a page has
    // files of many.
    const load = (indices) => {
      const wanted = new Map();
      for (const index of indices) {
        const number = Math.floor(index / chunk);
        if (!wanted.has(number)) wanted.set(number, []);
        wanted.get(number).push(index);
      }
      for (const [number, list] of wanted) {
        const text = parts[number].textContent;
        const own = text.slice(text.indexOf("<tbody>") + "<tbody>".length).split("</tr>");
        const few = list.map((index) => own[index % chunk]).join("</tr>");
        const table = new DOMParser()
          .parseFromString("<table><tbody>" + few + "</tr></tbody></table>", "text/html");
        const found = table.querySelector("tbody").rows;
        list.forEach((index, place) => loaded.set(index, found[place]));
      }
    };
    // The row of a file in its table.
    const more = (index) => {
      if (!loaded.has(index)) load([index]);
      return loaded.get(index);
    };

    // A column is shown when one file has a value in it.
    const has = (index) => rows.some((row) => row[index] !== null);
    const groups = [
      { name: "Loudness, LUFS", before: 4, after: 5 },
      { name: "Range, LU", before: 6, after: 7 },
      { name: "True peak, dBTP", before: 8, after: 9 },
      { name: "Peak, dBFS", before: 10, after: 11 },
      { name: "RMS, dBFS", before: 12, after: 13 },
    ].filter((group) => has(group.before) || has(group.after));
    const loud = groups.some((group) => group.before === 4);
    // Where loudness was measured, peak and RMS of samples stand with the details.
    const shown = loud ? groups.filter((group) => group.before < 10) : groups;
    const hasLength = has(3);

    const state = { order: -1, up: true, query: "", status: "", reason: null, size: 50, page: 0 };
    let view = [];
    const opened = new Set();
    const words = [];
    // Names from other systems may spell an accent as a sign of its own.
    const inOneSpelling = (text) => text.normalize("NFC").toLowerCase();
    const searched = (index) => {
      if (words[index] === undefined) {
        const row = rows[index];
        words[index] = inOneSpelling(row[INPUT] + "\n" + row[OUTPUT] + "\n" + row[ERROR]);
      }
      return words[index];
    };

    const collator = new Intl.Collator(undefined, { numeric: true });
    const select = () => {
      view = [];
      const query = inOneSpelling(state.query.trim());
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index];
        if (state.status === "bad") {
          if (row[STATUS] !== "failed" && row[STATUS] !== "quarantined") continue;
        } else if (state.status && row[STATUS] !== state.status) continue;
        if (state.reason !== null && row[REASON] !== state.reason) continue;
        if (query && !searched(index).includes(query)) continue;
        view.push(index);
      }
      if (state.order >= 0) {
        const column = state.order;
        const sign = state.up ? 1 : -1;
        view.sort((a, b) => {
          const [x, y] = [rows[a][column], rows[b][column]];
          // What has no value comes last in either direction.
          if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
          const order = typeof x === "number" ? x - y : collator.compare(x, y);
          return order === 0 ? a - b : sign * order;
        });
      }
      state.page = 0;
      show();
    };

    const length = (seconds) => {
      if (seconds === null) return "–";
      if (seconds < 60) return seconds.toFixed(2) + " s";
      const whole = Math.floor(seconds);
      const two = (number) => String(number).padStart(2, "0");
      const minutes = Math.floor(whole / 60) % 60;
      if (whole < 3600) return minutes + ":" + two(whole % 60);
      return Math.floor(whole / 3600) + ":" + two(minutes) + ":" + two(whole % 60);
    };
    const level = (row, index) =>
      row[index] !== null ? row[index].toFixed(1).replace("-", "\u2212") : "–";

    const picture = (image, description) => {
      const copy = document.importNode(image, true);
      copy.alt = description;
      return copy;
    };


    """#
}
