// The chains of the studio as this page knows them: their documents, and changes that are sent one after the other.
// SPDX-License-Identifier: Apache-2.0

import { client, emit, get, on, post, send, whenConnected } from "./server.js";
import { toast } from "./dom.js";

/** One chain. Changes wait in a row, so that an undo never overtakes what it undoes. */
class Chain {
  constructor(document) {
    this.id = document.id;
    this.document = document;
    this.waiting = [];
    this.isSending = false;
    /** By stage: what the server said of its parameters. */
    this.facts = new Map();
    /** By stage: why it failed when it last ran. */
    this.crashes = new Map();
    this.faults = [];
  }

  accept(document) {
    if (!document || document.revision < this.document.revision) return;
    const isNew = document.revision > this.document.revision;
    this.document = document;
    emit("document", { chain: this });
    if (isNew) this.check();
  }

  /** Sends operations; a further `set` of the same parameter that still waits replaces the one before. */
  change(operations, gesture) {
    const last = this.waiting.at(-1);
    const [operation] = operations;
    const isSame = last?.gesture !== undefined && last.gesture === gesture && operations.length === 1 && last.operations?.length === 1
      && last.operations[0].op === operation.op && last.operations[0].stage === operation.stage && last.operations[0].parameter === operation.parameter
      && last.operations[0].field === operation.field && last.operations[0].branch === operation.branch;
    if (isSame) {
      last.operations = operations;
      return last.promise;
    }
    return this.enqueue({ path: "operations", operations, gesture });
  }

  undo() { return this.enqueue({ path: "undo" }); }
  redo() { return this.enqueue({ path: "redo" }); }
  setting(body) { return this.enqueue({ path: "setting", body }); }

  enqueue(request) {
    request.promise = new Promise((done, failed) => Object.assign(request, { done, failed }));
    // What nobody waits for is shown all the same.
    request.promise.catch(() => {});
    this.waiting.push(request);
    this.run();
    return request.promise;
  }

  async run() {
    if (this.isSending) return;
    this.isSending = true;
    emit("busy", { chain: this });
    while (this.waiting.length) {
      const request = this.waiting.shift();
      try {
        request.done(await this.sendOne(request));
      } catch (error) {
        request.failed(error);
        emit("refused", { chain: this, request, error });
        // Fields say beneath themselves what is wrong with their value.
        if (!["set", "outputField"].includes(request.operations?.[0].op)) toast(error.message, "bad");
        await this.reload().catch(() => {});
      }
    }
    this.isSending = false;
    emit("busy", { chain: this });
  }

  async sendOne(request) {
    const body = request.body ?? (request.operations ? { operations: request.operations, client, ...(request.gesture ? { gesture: request.gesture } : {}) } : { client });
    for (;;) {
      try {
        const answer = await post(`/api/chains/${this.id}/${request.path}`, body);
        this.accept(answer.document ?? (answer.entries ? answer : null));
        return answer;
      } catch (error) {
        // A server that was away has not seen it: it is sent when the server is back.
        if (!error.isAway) throw error;
        await whenConnected();
      }
    }
  }

  /** Reads the chain again; a studio that was started anew counts its changes from the start. */
  async reload(isOther = false) {
    const document = await get(`/api/chains/${this.id}`);
    if (isOther) this.document = document;
    this.facts.clear();
    this.accept(document);
    await this.check();
  }

  /** Asks what `auricle preset check` says: one question at a time, and again where the chain has changed meanwhile. */
  check() {
    this.isUnchecked = true;
    this.checking ??= this.checkNewest().finally(() => { this.checking = null; });
    return this.checking;
  }

  async checkNewest() {
    while (this.isUnchecked) {
      this.isUnchecked = false;
      const answer = await get(`/api/chains/${this.id}/check`).catch(() => null);
      // The next change asks again.
      if (!answer || this.isUnchecked) continue;
      this.faults = answer.faults;
      emit("faults", { chain: this });
    }
  }

  /** Returns what there is to know of a stage's unit, its parameters with their values as they are now. */
  async stage(id) {
    const revision = this.document.revision;
    const known = this.facts.get(id);
    if (known?.revision === revision) return known.facts;
    const facts = await get(`/api/chains/${this.id}/stages/${id}`);
    this.facts.set(id, { revision, facts });
    return facts;
  }

  /** Notes why a stage failed, or with null that all of them ran. What the check of the chain finds is no failure of a stage. */
  crash(error) {
    const isCrash = error !== null && (error.kind ?? "software") === "software";
    if (!isCrash && this.crashes.size === 0) return;
    this.crashes.clear();
    if (isCrash) this.crashes.set(error.place?.stage ?? "", error.error ?? error.message ?? String(error));
    emit("faults", { chain: this });
  }

  /** Returns the entry of an id, with the list it is in. */
  find(id, entries = this.document.entries, into = null) {
    for (const [index, entry] of entries.entries()) {
      if (entry.id === id) return { entry, into, index, entries };
      for (const branch of entry.branches ?? []) {
        const found = this.find(id, branch.entries, branch.id);
        if (found) return found;
      }
    }
    return null;
  }

  /** Returns all entries in the order of the signal. */
  get all() {
    const walk = (entries) => entries.flatMap((entry) => [entry, ...(entry.branches ?? []).flatMap((branch) => walk(branch.entries))]);
    return walk(this.document.entries);
  }
}

const known = new Map();
/** By id: the newest state that the socket brought before the chain was known. */
const early = new Map();

function keep(id, document) {
  if (!known.has(id)) known.set(id, new Chain(document));
  const own = known.get(id);
  own.accept(early.get(id));
  early.delete(id);
  own.check();
  return own;
}

/** Returns a chain by its id, and asks for it where it is not known. */
export async function chain(id) {
  return known.get(id) ?? keep(id, await get(`/api/chains/${encodeURIComponent(id)}`));
}

export const knownChain = (id) => known.get(id) ?? null;

/** Makes a chain: `{}`, `{preset}`, `{file}`, `{units}` or `{copyOf}`. */
export async function makeChain(body) {
  const document = await post("/api/chains", body);
  const made = keep(document.id, document);
  emit("chains", {});
  return made;
}

export async function removeChain(id) {
  await send("DELETE", `/api/chains/${id}`);
  known.delete(id);
  emit("chains", {});
}

export const listChains = async () => (await get("/api/chains")).chains;

on("chainClosed", ({ id }) => {
  const own = known.get(id);
  known.delete(id);
  early.delete(id);
  if (own) emit("gone", { chain: own });
  emit("chains", {});
});
on("chain", ({ id, document }) => {
  if (known.has(id)) known.get(id).accept(document);
  else early.set(id, document);
});
for (const name of ["restarted", "back"]) {
  on(name, () => {
    early.clear();
    for (const own of known.values()) own.reload(name === "restarted").catch((error) => {
      if (error.status !== 404) return;
      known.delete(own.id);
      emit("gone", { chain: own });
    });
  });
}
