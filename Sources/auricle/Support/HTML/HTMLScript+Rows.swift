// The rows of a report's table, and what is told of a file that is opened.
// SPDX-License-Identifier: Apache-2.0

extension HTMLScript {
  /// Makes rows.
  static let rows = #"""
    const columnCount = () =>
      2 + (hasLength ? 1 : 0) + 2 * shown.length + (page.pictures ? 2 : 0);

    const rowOf = (index) => {
      const row = rows[index];
      const line = make("tr");
      line.append(make("td", "state " + row[STATUS], row[STATUS]));
      const name = make("th", "name");
      name.scope = "row";
      name.style.fontWeight = "400";
      const open = make("button", "open");
      open.type = "button";
      open.append(make("bdi", "", plain(row[INPUT])));
      open.setAttribute("aria-expanded", String(opened.has(index)));
      open.addEventListener("click", () => {
        if (opened.delete(index)) {
          line.nextSibling.remove();
        } else {
          opened.add(index);
          line.after(moreOf(index));
        }
        open.setAttribute("aria-expanded", String(opened.has(index)));
      });
      name.append(open);
      if (row[ERROR]) {
        const text = plain(row[ERROR]);
        const input = plain(row[INPUT]);
        const short = text.startsWith(input) ? text.slice(input.length).replace(/^:? /, "") : text;
        name.append(make("span", "bad", short));
      }
      else if (row[OUTPUT]) name.append(make("span", "quiet", "→ " + plain(row[OUTPUT])));
      line.append(name);
      if (hasLength) line.append(make("td", "n", length(row[3])));
      for (const group of shown) {
        line.append(make("td", "n edge", level(row, group.before)));
        line.append(make("td", "n", level(row, group.after)));
      }
      if (page.pictures) {
        const own = more(index);
        for (const side of ["before", "after"]) {
          const cell = make("td", side === "before" ? "edge" : "");
          if (own[side]) {
            cell.append(picture(own[side], "Waveform and spectrogram " + side + ": " + row[INPUT]));
          } else {
            cell.textContent = "–";
          }
          line.append(cell);
        }
      }
      return line;
    };

    const moreOf = (index) => {
      const own = more(index);
      const row = rows[index];
      const line = make("tr", "more");
      const cell = make("td");
      cell.colSpan = columnCount();
      const inner = make("div");
      if (own.before && own.after) {
        const pair = make("div", "pair");
        for (const side of ["before", "after"]) {
          const figure = make("figure");
          figure.append(picture(own[side], "Waveform and spectrogram " + side));
          figure.append(make("figcaption", "", (side === "before" ? "Before" : "After")
            + ": waveform at full scale; 40 Hz to 20 kHz, −96 to 0 dBFS"));
          pair.append(figure);
        }
        inner.append(pair);
      }
      const list = make("dl");
      const add = (name, value) => {
        if (value === undefined || value === null || value === "") return;
        list.append(make("dt", "", name), make("dd", "", plain(String(value))));
      };
      add("Place in the plan", own.place + 1);
      add("Input", row[INPUT]);
      add("Format", own.from);
      if (own.inputSeconds !== undefined) add("Length", length(own.inputSeconds));
      add("Variant", own.variant);
      for (const value of own.drawn || []) add("Random value", value);
      add("Result", row[OUTPUT]);
      add("Format", own.to);
      add("Size", own.bytes === undefined ? "" : own.bytes + " bytes, XXH64 " + own.xxh64);
      for (const other of own.others || []) add("Further result", other);
      add("Latency", own.latency === undefined ? "" : own.latency + " frames, "
        + (page.keepsLatency ? "kept" : "cut off in front"));
      add("Tail", own.tail === undefined ? "" : own.tail + " frames");
      add("Peak", row[11] === null ? "" : level(row, 10) + " → " + level(row, 11) + " dBFS");
      add("RMS", row[13] === null ? "" : level(row, 12) + " → " + level(row, 13) + " dBFS");
      add("Time", own.elapsed === undefined ? "" : own.elapsed.toFixed(2) + " s");
      add("Attempts", own.attempts);
      add("Error", row[ERROR]);
      for (const note of own.notes || []) add("Note", note);
      inner.append(list);
      cell.append(inner);
      line.append(cell);
      return line;
    };


    """#
}
