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
      const own = more(index);
      // Why it failed, or where the result is.
      const below = own.querySelector("th > .bad, th > .quiet");
      if (below) name.append(document.importNode(below, true));
      line.append(name);
      if (hasLength) line.append(make("td", "n", length(row[3])));
      for (const group of shown) {
        line.append(make("td", "n edge", level(row, group.before)));
        line.append(make("td", "n", level(row, group.after)));
      }
      if (page.pictures) {
        const images = own.querySelectorAll("img");
        for (const [place, side] of ["before", "after"].entries()) {
          const cell = make("td", side === "before" ? "edge" : "");
          if (images.length === 2) {
            cell.append(picture(images[place],
              "Waveform and spectrogram " + side + ": " + plain(row[INPUT])));
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
      const line = make("tr", "more");
      const cell = make("td");
      cell.colSpan = columnCount();
      const inner = make("div");
      const images = own.querySelectorAll("img");
      if (images.length === 2) {
        const pair = make("div", "pair");
        for (const [place, side] of ["before", "after"].entries()) {
          const figure = make("figure");
          figure.append(picture(images[place], "Waveform and spectrogram " + side));
          figure.append(make("figcaption", "", (side === "before" ? "Before" : "After")
            + ": waveform at full scale; 40 Hz to 20 kHz, −96 to 0 dBFS"));
          pair.append(figure);
        }
        inner.append(pair);
      }
      inner.append(document.importNode(own.querySelector("dl"), true));
      cell.append(inner);
      line.append(cell);
      return line;
    };


    """#
}
