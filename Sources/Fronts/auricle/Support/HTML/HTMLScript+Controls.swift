// The head of a report's table, its tools, and the turning of its pages.
// SPDX-License-Identifier: Apache-2.0

extension HTMLScript {
  /// Draws the page that is shown, and does what its buttons say.
  static let controls = #"""
    const body = document.querySelector(".files tbody");
    const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    const draw = (from, to) => {
      const fresh = document.createDocumentFragment();
      loaded = new Map();
      load(view.slice(from, to));
      for (let place = from; place < to; place += 1) {
        fresh.append(rowOf(view[place]));
        if (opened.has(view[place])) fresh.append(moreOf(view[place]));
      }
      body.replaceChildren(fresh);
    };
    const mostOnPaper = 2000;
    // What the controls say, which are not on paper.
    const tellPaper = () => {
      const texts = [el("count").textContent];
      if (state.status) texts.push("shown: " + el("status").selectedOptions[0].textContent);
      if (state.query.trim()) texts.push("searched for “" + plain(state.query.trim()) + "”");
      if (state.reason !== null) texts.push("reason: " + plain(page.reasons[state.reason]));
      if (view.length > mostOnPaper) {
        const from = state.page * state.size;
        const to = Math.min(from + state.size, view.length);
        texts.push("of these " + grouped(from + 1) + " to " + grouped(to) + " on paper");
      }
      el("paper").textContent = texts.join("; ");
    };
    // A table that is wider than the window is moved with the keys, too.
    const reachable = () => {
      const box = el("table");
      if (box.scrollWidth > box.clientWidth + 1) {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-labelledby", "all");
      } else {
        for (const name of ["tabindex", "role", "aria-labelledby"]) box.removeAttribute(name);
      }
    };
    addEventListener("resize", reachable);
    const show = () => {
      const pages = Math.max(1, Math.ceil(view.length / state.size));
      state.page = Math.min(Math.max(state.page, 0), pages - 1);
      const from = state.page * state.size;
      draw(from, Math.min(from + state.size, view.length));
      el("count").textContent = view.length === rows.length
        ? grouped(rows.length) + (rows.length === 1 ? " file" : " files")
        : grouped(view.length) + " of " + grouped(rows.length) + " files";
      el("page").textContent = "Page " + grouped(state.page + 1) + " of " + grouped(pages);
      el("first").disabled = el("back").disabled = state.page === 0;
      el("next").disabled = el("last").disabled = state.page >= pages - 1;
      el("first").parentNode.hidden = pages < 2;
      tellPaper();
      el("empty").hidden = view.length > 0;
      el("table").hidden = view.length === 0;
      reachable();
      el("reasonshown").hidden = state.reason === null;
      if (state.reason !== null) {
        el("reasonshown").firstChild.textContent = "Reason: " + plain(page.reasons[state.reason]);
      }
      for (const head of document.querySelectorAll(".files th[data-order]")) {
        const own = Number(head.dataset.order) === state.order;
        head.setAttribute("aria-sort", own ? (state.up ? "ascending" : "descending") : "none");
      }
    };

    // The head of the table.
    const head = (name, order, className, rowSpan) => {
      const cell = make("th", className);
      cell.scope = "col";
      if (rowSpan) cell.rowSpan = rowSpan;
      if (order === undefined) {
        cell.textContent = name;
        return cell;
      }
      cell.dataset.order = order;
      const button = make("button", "mark", name);
      button.type = "button";
      button.addEventListener("click", () => {
        if (state.order !== order) {
          state.order = order;
          state.up = true;
        } else if (state.up) {
          state.up = false;
        } else {
          state.order = -1;
        }
        select();
      });
      cell.append(button);
      return cell;
    };
    const above = make("tr");
    const below = make("tr");
    above.append(head("Status", STATUS, "", 2), head("File", INPUT, "", 2));
    if (hasLength) above.append(head("Length", 3, "n", 2));
    for (const group of shown) {
      const cell = head(group.name, undefined, "group");
      cell.colSpan = 2;
      cell.scope = "colgroup";
      above.append(cell);
      const before = head("before", group.before, "n edge");
      const after = head("after", group.after, "n");
      before.firstChild.setAttribute("aria-label", group.name + " before");
      after.firstChild.setAttribute("aria-label", group.name + " after");
      below.append(before, after);
    }
    if (page.pictures) {
      const cell = head("Waveform and spectrogram", undefined, "group");
      cell.colSpan = 2;
      cell.scope = "colgroup";
      above.append(cell);
      below.append(head("before", undefined, "edge"), head("after"));
    }
    document.querySelector(".files thead").append(above);
    if (below.childNodes.length > 0) {
      document.querySelector(".files thead").append(below);
    } else {
      for (const cell of above.childNodes) cell.rowSpan = 1;
    }

    // The tools.
    const counts = new Map();
    for (const row of rows) counts.set(row[STATUS], (counts.get(row[STATUS]) || 0) + 1);
    const bad = (counts.get("failed") || 0) + (counts.get("quarantined") || 0);
    const choose = (value, text) => {
      const option = make("option", "", text);
      option.value = value;
      el("status").append(option);
    };
    if (bad > 0) choose("bad", "failures (" + grouped(bad) + ")");
    for (const [status, count] of counts) choose(status, status + " (" + grouped(count) + ")");
    let waiting = 0;
    el("search").addEventListener("input", (event) => {
      state.query = event.target.value;
      clearTimeout(waiting);
      waiting = setTimeout(select, rows.length > 5000 ? 200 : 0);
    });
    el("status").addEventListener("change", (event) => {
      state.status = event.target.value;
      select();
    });
    el("size").addEventListener("change", (event) => {
      state.size = Number(event.target.value);
      state.page = 0;
      show();
    });
    // Where a button goes away or cannot be pressed any more, the keys go on from the list.
    const toFiles = () => {
      el("files").scrollIntoView();
      el("files").focus({ preventScroll: true });
    };
    const reasonsByName = new Map(page.reasons.map((name, number) => [plain(name), number]));
    const reasonOf = (text) => reasonsByName.get(text);
    for (const cell of document.querySelectorAll("td.reason")) {
      const text = cell.textContent;
      if (reasonOf(text) === undefined) continue;
      const button = make("button", "reason", text);
      button.type = "button";
      button.addEventListener("click", () => {
        state.reason = reasonOf(text);
        select();
        toFiles();
      });
      cell.replaceChildren(button);
    }
    el("anyreason").addEventListener("click", () => {
      state.reason = null;
      select();
      toFiles();
    });
    const turn = (id, change) =>
      el(id).addEventListener("click", () => {
        change();
        show();
        toFiles();
      });
    turn("first", () => { state.page = 0; });
    turn("back", () => { state.page -= 1; });
    turn("next", () => { state.page += 1; });
    turn("last", () => { state.page = Infinity; });
    // On paper there are no pages to turn; more than some thousand files are not for paper.
    let folded = [];
    const heads = [];
    addEventListener("beforeprint", () => {
      folded = [...document.querySelectorAll("details:not([open])")];
      for (const node of folded) node.open = true;
      // Heads that come again on every sheet lose their buttons.
      for (const cell of document.querySelectorAll(".files th[data-order]")) {
        heads.push([cell, cell.firstChild]);
        cell.textContent = cell.firstChild.textContent;
      }
      if (view.length <= mostOnPaper) draw(0, view.length);
    });
    addEventListener("afterprint", () => {
      for (const node of folded) node.open = false;
      for (const [cell, button] of heads.splice(0)) cell.replaceChildren(button);
      show();
    });
    const missing = [];
    if (page.withoutPicture > 0) {
      missing.push("The pictures of " + grouped(page.withoutPicture)
        + " files are not in this page: they were lost, or there are too many of them.");
    }
    if (page.neverPictured > 0) {
      missing.push(grouped(page.neverPictured) + (page.neverPictured === 1 ? " file" : " files")
        + " without pictures: none were asked for then.");
    }
    el("pictures").hidden = missing.length === 0;
    el("pictures").textContent = missing.join(" ");
    for (const node of document.querySelectorAll(".tools, #table")) node.hidden = false;
    select();
    })();

    """#
}
