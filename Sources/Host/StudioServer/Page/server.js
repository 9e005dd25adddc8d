// Speaks with the server of the studio: requests, errors as sentences, and the socket that comes back after a break.
// SPDX-License-Identifier: Apache-2.0

/** An answer that says no: a sentence, its kind, and its place in a chain. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body?.error ?? `The studio answered with ${status}.`);
    this.status = status;
    this.kind = body?.kind ?? "software";
    this.place = body?.place ?? null;
  }

  /** Whether the server could not be reached, so that the same request may be sent again. */
  get isAway() {
    return this.kind === "away";
  }
}

/** What this tab is called among others on the same chain. */
export const client = sessionStorage.getItem("client") ?? crypto.randomUUID();
sessionStorage.setItem("client", client);

/** Sends events: `connected`, `away`, `restarted`, and one for each type of message of the socket. */
export const events = new EventTarget();

export const link = { isConnected: false, instance: null, isLockedOut: false };

export function emit(name, detail) {
  events.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Runs an action for each event; returns what ends that. */
export function on(name, action) {
  const listener = (event) => action(event.detail);
  events.addEventListener(name, listener);
  return () => events.removeEventListener(name, listener);
}

/** Awaits an answer with a state that the socket reports, too; null where the socket did so meanwhile: its report is newer. */
export async function unlessReported(type, answer) {
  let isReported = false;
  const stop = on(type, () => { isReported = true; });
  try {
    const state = await answer;
    return isReported ? null : state;
  } finally {
    stop();
  }
}

function away(error) {
  if (error.name === "AbortError") throw error;
  throw new Refusal(0, { error: "The studio does not answer. This page goes on when it is back.", kind: "away" });
}

async function refusal(answer) {
  const body = await answer.json().catch(() => null);
  if (answer.status === 403 && body?.kind !== "readOnly" && !link.instance) link.isLockedOut = true;
  return new Refusal(answer.status, body);
}

/** Requests JSON; throws `Refusal`. */
export async function get(path, values = {}, options = {}) {
  const answer = await fetch(path + query(values), { ...options, headers: { Accept: "application/json" } }).catch(away);
  if (!answer.ok) throw await refusal(answer);
  return answer.json();
}

/** Requests samples or other bytes; returns the answer, for its headers. */
export async function bytes(path, values = {}, options = {}) {
  const answer = await fetch(path + query(values), options).catch(away);
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/** Sends JSON; throws `Refusal`. */
export async function send(method, path, body) {
  const answer = await fetch(path, {
    method, headers: body === undefined ? {} : { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(away);
  if (!answer.ok) throw await refusal(answer);
  return answer.status === 204 ? {} : answer.json().catch(() => ({}));
}

export const post = (path, body = {}) => send("POST", path, body);

/** Writes the query of an address, without values that are missing. */
export function query(values) {
  const words = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return words.length ? `?${words.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")}` : "";
}

let socket = null;
let pause = 250;

/** Opens the socket, and opens it again whenever it ends. */
export function connect() {
  if (link.isLockedOut) return;
  socket = new WebSocket(`ws://${location.host}/api/socket`);
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "hello") {
      pause = 250;
      const isOther = link.instance !== null && link.instance !== message.instance;
      const wasAway = !link.isConnected && link.instance !== null;
      link.instance = message.instance;
      link.isConnected = true;
      emit("connected", message);
      if (isOther) emit("restarted", message);
      else if (wasAway) emit("back", message);
    }
    emit(message.type, message);
  });
  socket.addEventListener("close", async () => {
    socket = null;
    if (link.isConnected) {
      link.isConnected = false;
      emit("away", {});
    }
    setTimeout(connectAgain, pause);
    pause = Math.min(pause * 1.6, 3000);
  });
}

/** Asks whether the studio knows this page before it opens another socket: the reason of a refusal is not told to sockets. */
async function connectAgain() {
  try {
    const answer = await fetch("/api/studio");
    if (answer.status === 403) {
      link.isLockedOut = true;
      emit("locked", {});
      return;
    }
  } catch { /* It is away: the socket ends as well, and is opened again. */ }
  connect();
}

/** Sends a message by the socket, if there is one. */
export function tell(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Resolves when the server is reached. */
export function whenConnected() {
  if (link.isConnected) return Promise.resolve();
  return new Promise((done) => events.addEventListener("connected", () => done(), { once: true }));
}
