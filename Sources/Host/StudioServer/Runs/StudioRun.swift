// One run of many files: a command in a child, whose events pages follow.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import Foundation
import HostSystem
import RunLedgers
import Synchronization

/// A run that a page has started.
final class StudioRun: Sendable {
  /// A file of it.
  struct Row: Sendable {
    var input: String
    var outputs: [String] = []
    var status = "waiting"
    var reason: String?
    var unit: String?
    var seconds: Double?
    var loudness: Double?
  }

  private struct State {
    var name = "preparing"
    /// The end that its summary names; its state once the program is gone and it may be resumed.
    var outcome: String?
    var fault: StudioFault?
    var rows: [Row] = []
    var total: Int?
    var done = 0
    var failed = 0
    var skipped = 0
    var elapsed = 0.0
    var remaining: Double?
    var speed: Double?
    var workers: [JSONValue] = []
    var command: ProgramCommand?
    /// The places of rows, failures first; nil when it is to be made anew.
    var order: [Int]?
    var isDirty = false
  }

  let id: String
  let output: String
  let chain: String?
  /// The command line behind the program's name.
  let words: [String]
  let started = Int(Date().timeIntervalSince1970)
  private let state = Mutex(State())

  init(id: String, words: [String], output: String, chain: String?) {
    (self.id, self.words, self.output, self.chain) = (id, words, output, chain)
  }

  /// Whether it works.
  var isActive: Bool {
    state.withLock { ["preparing", "running", "stopping"].contains($0.name) }
  }

  /// Asks it to end when its present files are done.
  func stop() {
    let command = state.withLock { state in
      if state.command != nil { state.name = "stopping" }
      return state.command
    }
    command?.stop()
  }

  /// Takes up its work: from now on it is active.
  ///
  /// - Throws: `.conflict` when it works already.
  func begin() throws {
    try state.withLock { state in
      guard state.command == nil else {
        throw StudioFault(.conflict, "the run \(id) is at work already")
      }
      state.command = ProgramCommand()
      (state.name, state.outcome, state.fault) = ("preparing", nil, nil)
    }
  }

  /// Runs it, and calls `onChange` on the way. Context: a separate thread.
  func run(_ program: String, resumed: Bool, onChange: @escaping () -> Void) {
    guard let command = state.withLock({ $0.command }) else { return }
    let words = resumed ? ["process", "--resume", output, "--format", "json"] : words
    let end = command.run(program, words) { line in
      guard let event = JSONValue(text: line) else { return }
      self.note(event)
      onChange()
    }
    state.withLock { state in
      state.command = nil
      state.workers = []
      state.order = nil
      let isGood = end.code == 0 || end.code == 1
      state.name = state.outcome ?? (isGood ? "done" : end.code == 130 ? "stopped" : "failed")
      if state.name == "failed", state.fault == nil { state.fault = end.fault }
      for index in state.rows.indices where state.rows[index].status == "working" {
        state.rows[index].status = "waiting"
      }
    }
    onChange()
  }

  // MARK: Events

  private func note(_ event: JSONValue) {
    switch event["event"]?.text {
    case "run":
      let rows = plannedRows()
      state.withLock { state in
        if state.name == "preparing" { state.name = "running" }
        state.total = event["files"]?.integer
        if !rows.isEmpty { (state.rows, state.order) = (rows, nil) }
        Self.count(&state)
      }
    case "started": change(event) { $0.status = "working" }
    case "file":
      change(event) { row in
        Self.fill(&row, event)
      }
    case "progress":
      state.withLock { state in
        state.elapsed = event["elapsedSeconds"]?.number ?? state.elapsed
        state.remaining = event["secondsLeft"]?.number
        state.speed = event["speed"]?.number
        state.workers = (event["workers"]?.elements ?? []).enumerated().map { index, worker in
          .members([
            ("number", JSONValue(index + 1)), ("file", worker["input"]?["path"] ?? .null),
            ("progress", worker["fraction"] ?? .null), ("seconds", worker["seconds"] ?? .null),
          ])
        }
      }
    case "summary": finish(event)
    default: break
    }
  }

  private func finish(_ event: JSONValue) {
    state.withLock { state in
      state.elapsed = event["elapsedSeconds"]?.number ?? state.elapsed
      state.remaining = nil
      switch event["state"]?.text {
      case "finished": state.outcome = "done"
      case "interrupted": state.outcome = "stopped"
      default:
        state.outcome = "failed"
        let text = event["error"]?.text ?? "the run ended: \(event["state"]?.text ?? "")"
        state.fault = StudioFault(.badData, text)
      }
    }
  }

  private static func fill(_ row: inout Row, _ event: JSONValue) {
    let status = event["status"]?.text ?? "failed"
    row.status = status == "quarantined" ? "failed" : status
    // The row names the file already.
    row.reason = event["reason"]?.text ?? event["error"]?.text
    row.unit = event["unit"]?.text
    row.seconds = event["output"]?["duration"]?.number ?? event["inputSeconds"]?.number
    row.loudness = event["after"]?["loudness"]?["integrated"]?.number
    if let path = event["output"]?["path"]?.text { row.outputs = [path] }
  }

  private func change(_ event: JSONValue, _ body: (inout Row) -> Void) {
    guard let index = event["index"]?.integer, index >= 0, index < 10_000_000 else { return }
    let input = event["input"]?["path"]?.text ?? ""
    state.withLock { state in
      while state.rows.count <= index { state.rows.append(Row(input: "")) }
      if state.rows[index].input.isEmpty { state.rows[index].input = input }
      body(&state.rows[index])
      state.order = nil
      Self.count(&state)
    }
  }

  private static func count(_ state: inout State) {
    (state.done, state.failed, state.skipped) = (0, 0, 0)
    for row in state.rows {
      switch row.status {
      case "done": state.done += 1
      case "failed": state.failed += 1
      case "skipped": state.skipped += 1
      default: break
      }
    }
  }

  /// The files of the plan, with what earlier sessions did.
  private func plannedRows() -> [Row] {
    guard let recorded = try? RecordedRun(in: output) else { return [] }
    var rows: [Row] = []
    try? recorded.forEachFile { entry, record in
      var row = Row(input: entry.input, outputs: [entry.output] + entry.others)
      if let record { Self.fill(&row, record.json) }
      rows.append(row)
    }
    return rows
  }

  // MARK: JSON

  func json(_ folders: AllowedFolders) -> JSONValue {
    let state = state.withLock { $0 }
    let total = state.total ?? state.rows.count
    return .members([
      ("id", .string(id)), ("state", .string(state.name)), ("error", state.fault?.json ?? .null),
      ("command", .string(RunWords.line(words.filter { $0 != "--format=json" }))),
      ("output", .string(output)),
      ("outputRef", folders.reference(output).map(JSONValue.string) ?? .null),
      ("total", JSONValue(total)), ("done", JSONValue(state.done)),
      ("failed", JSONValue(state.failed)), ("skipped", JSONValue(state.skipped)),
      ("waiting", JSONValue(max(0, total - state.done - state.failed - state.skipped))),
      ("elapsedSeconds", JSONValue(state.elapsed)),
      ("remainingSeconds", state.remaining.map { JSONValue($0) } ?? .null),
      ("speed", state.speed.map { JSONValue($0) } ?? .null), ("workers", .array(state.workers)),
      ("hasReport", .boolean(state.total != nil)), ("started", JSONValue(started)),
      ("chain", chain.map(JSONValue.string) ?? .null),
    ])
  }

  /// A page of its files, failures first unless the order of the plan is asked for.
  func files(
    offset: Int, limit: Int, status: String?, byPlan: Bool, _ folders: AllowedFolders
  ) -> JSONValue {
    let (rows, order) = state.withLock { state in
      if state.order == nil {
        let rank = ["failed": 0, "working": 1, "done": 2, "skipped": 3]
        state.order = state.rows.indices.sorted {
          let (one, other) = (rank[state.rows[$0].status] ?? 4, rank[state.rows[$1].status] ?? 4)
          return one == other ? $0 < $1 : one < other
        }
      }
      return (state.rows, state.order ?? [])
    }
    var places = byPlan ? Array(rows.indices) : order
    if let status, !status.isEmpty { places = places.filter { rows[$0].status == status } }
    let end = min(places.count, offset + limit)
    let shown = offset < end ? places[offset..<end] : []
    return .members([
      ("total", JSONValue(places.count)), ("offset", JSONValue(offset)),
      ("rows", .array(shown.map { Self.json($0, rows[$0], folders) })),
    ])
  }

  private static func json(_ index: Int, _ row: Row, _ folders: AllowedFolders) -> JSONValue {
    func reference(_ path: String) -> JSONValue {
      FileIdentity.realPath(path).flatMap(folders.reference).map(JSONValue.string) ?? .null
    }
    return .members([
      ("index", JSONValue(index)), ("input", .string(row.input)),
      ("inputRef", reference(row.input)),
      ("outputs", .array(row.outputs.map(JSONValue.string))),
      ("outputRefs", .array(row.outputs.map(reference))), ("status", .string(row.status)),
      ("reason", row.reason.map(JSONValue.string) ?? .null),
      ("unit", row.unit.map(JSONValue.string) ?? .null),
      ("seconds", row.seconds.map { JSONValue($0) } ?? .null),
      ("loudness", row.loudness.map { JSONValue($0) } ?? .null),
    ])
  }
}
