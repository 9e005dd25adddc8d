"use strict";
(() => {
const el = (id) => document.getElementById(id);
const make = (name, className, text) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};
// Characters that are invisible, or turn the direction of later text, are shown as a visible sign.
const plain = (text) =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");

const [STATUS, INPUT, OUTPUT, REASON, ERROR] = [0, 1, 2, 14, 15];
const chunk = 100;
const rows = [];
for (const node of document.querySelectorAll("script.rows")) {
  for (const row of JSON.parse(node.textContent)) rows.push(row);
  node.remove();
}
// The details of files, in tables that a browser with scripts treats as text.
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
  { name: "Loudness, LUFS", columns: [4, 5] },
  { name: "Range, LU", columns: [6, 7] },
  { name: "True peak, dBTP", columns: [8, 9] },
  { name: "Peak, dBFS", columns: [10, 11] },
  { name: "RMS, dBFS", columns: [12, 13] },
  { name: "Level, dB", columns: [16, 17], sides: ["gain", "limiter"] },
].filter((group) => group.columns.some(has));
const loud = groups.some((group) => group.columns[0] === 4);
// Where loudness was measured, peak and RMS of samples are among the details.
const isOfSamples = (group) => group.columns[0] === 10 || group.columns[0] === 12;
const shown = loud ? groups.filter((group) => !isOfSamples(group)) : groups;
const hasLength = has(3);

const state = { order: -1, up: true, query: "", status: "", reason: null, size: 50, page: 0 };
let view = [];
const opened = new Set();
const words = [];
// Names from other systems may spell an accent as a separate sign.
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
      // A missing value comes last in either direction.
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

// The target of a file's link, by the name of the detail; null without a link.
const linkOf = (own, name) => {
  for (const term of own.querySelectorAll("dt")) {
    const link = term.textContent === name ? term.nextElementSibling.querySelector("a") : null;
    if (link) return link.getAttribute("href");
  }
  return null;
};
// A control to listen to a file before and after; null where it has no two files.
const listenTo = (index, own) => {
  const links = [linkOf(own, "Input"), linkOf(own, "Result")];
  if (links.includes(null) || links[0] === links[1]) return null;
  const row = rows[index];
  const isLoud = row[4] !== null && row[5] !== null;
  return listening.control(links, isLoud ? [row[4], row[5]] : [row[12], row[13]],
    plain(row[INPUT]));
};
// The controls of the rows in view, from top to bottom.
let listeners = [];
let chosen = -1;
const goTo = (place) => {
  if (listeners.length === 0) return;
  if (listening.isPlaying) listening.stop();
  chosen = Math.min(Math.max(place, 0), listeners.length - 1);
  const line = listeners[chosen].element.closest("tr");
  line.scrollIntoView({ block: "nearest" });
  line.querySelector("button.open").focus({ preventScroll: true });
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || listeners.length === 0) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest("input, select, textarea")) return;
  switch (event.key) {
    case "j": goTo(chosen + 1); break;
    case "k": goTo(chosen - 1); break;
    case "x": listening.swap(); break;
    case " ":
      // On a button the space bar presses it, but for that of the file itself.
      if (chosen < 0 || target.closest("button:not(.open), summary, a")) return;
      listeners[chosen].toggle();
      break;
    default: return;
  }
  event.preventDefault();
});

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
  const listener = listenTo(index, own);
  if (listener) {
    name.append(listener.element);
    listeners.push(listener);
  }
  line.append(name);
  if (hasLength) line.append(make("td", "n", length(row[3])));
  for (const group of shown) {
    line.append(make("td", "n edge", level(row, group.columns[0])));
    line.append(make("td", "n", level(row, group.columns[1])));
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

const body = document.querySelector(".files tbody");
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const draw = (from, to) => {
  const fresh = document.createDocumentFragment();
  listening.stop();
  listeners = [];
  chosen = -1;
  loaded = new Map();
  load(view.slice(from, to));
  for (let place = from; place < to; place += 1) {
    fresh.append(rowOf(view[place]));
    if (opened.has(view[place])) fresh.append(moreOf(view[place]));
  }
  body.replaceChildren(fresh);
};
const mostOnPaper = 2000;
// The state of the controls, which are not on paper.
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
  el("keys").hidden = listeners.length === 0;
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
  const sides = group.sides || ["before", "after"];
  for (const [place, side] of sides.entries()) {
    const own = head(side, group.columns[place], place === 0 ? "n edge" : "n");
    own.firstChild.setAttribute("aria-label", group.name + " " + side);
    below.append(own);
  }
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
