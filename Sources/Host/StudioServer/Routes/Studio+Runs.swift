// Routes to runs of many files.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import Glibc
import HostSystem
import RunReports

extension Studio {
  func addRuns(_ router: inout Router) {
    let words = RunWords(program: program)
    router.add("GET", "runs/options") { _, _ in
      .json(.members([("options", .array(try words.options().map(\.json)))]))
    }
    router.add("POST", "runs/command") { [self] question, _ in
      let request = try request(question.json(), words)
      return .json(.members([("command", .string(RunWords.line(request.words)))]))
    }
    router.add("POST", "runs/dry") { [self] question, _ in
      .json(try dryRun(request(question.json(), words)))
    }
    router.add("GET", "runs") { [self] _, _ in
      .json(.members([("runs", .array(runs.all.map { $0.json(folders) }))]))
    }
    router.add("POST", "runs", changes: true) { [self] question, _ in
      let body = try question.json()
      let request = try request(body, words)
      let run = try runs.begin(
        words: request.words + ["--format=json"], output: request.output,
        chain: body["chain"]?.text)
      return .json(run.json(folders), status: 201)
    }
    router.add("GET", "runs/*") { [self] _, names in .json(try runs.run(names[0]).json(folders)) }
    router.add("DELETE", "runs/*", changes: true) { [self] _, names in
      try runs.remove(names[0])
      return .json(.object([]))
    }
    router.add("POST", "runs/*/stop", changes: true) { [self] _, names in
      let run = try runs.run(names[0])
      run.stop()
      return .json(run.json(folders))
    }
    router.add("POST", "runs/*/resume", changes: true) { [self] _, names in
      let run = try runs.run(names[0])
      try runs.start(run, resumed: true)
      return .json(run.json(folders))
    }
    router.add("GET", "runs/*/files") { [self] question, names in
      .json(
        try runs.run(names[0]).files(
          offset: question.integer("offset", in: 0...100_000_000) ?? 0,
          limit: question.integer("limit", in: 1...10_000) ?? 200,
          status: question.query["status"], byPlan: question.query["sort"] == "plan", folders))
    }
    router.add("GET", "runs/*/report") { [self] question, names in
      try report(runs.run(names[0]), question)
    }
  }

  // MARK: Requests

  /// A run that a page asks for, as a command line.
  private struct Words {
    var words: [String]
    var output: String
  }

  private func request(_ body: JSONValue, _ words: RunWords) throws -> Words {
    let inputs = try (body["inputs"]?.elements ?? []).map { try folders.path($0.text ?? "") }
    guard !inputs.isEmpty else { throw StudioFault(.usage, "the run has no 'inputs'") }
    guard let reference = body["output"]?.text else {
      throw StudioFault(.usage, "the run has no 'output', a folder for its results")
    }
    let output = try folders.path(reference, mayBeNew: true)
    var command = ["process"]
    if let id = body["chain"]?.text {
      command += ["--preset=\(try presetFile(chains.document(id)))"]
    } else if let name = body["preset"]?.text {
      guard !name.contains("/"), !name.hasPrefix("-") else {
        throw StudioFault(.forbidden, "a preset is named, or is a chain of the studio")
      }
      command.append("--preset=\(name)")
    }
    command.append("--output=\(output)")
    command += try words.words(body["options"])
    return Words(words: command + inputs.map { $0.hasPrefix("-") ? "./\($0)" : $0 }, output: output)
  }

  /// A file with the chain as it is: its own where that has it, else a copy that stays.
  private func presetFile(_ document: ChainDocument) throws -> String {
    if document.isSaved, let path = document.path, FileStamp(path: path) == document.savedStamp {
      return path
    }
    let text = ChainText(document.state, ChainText.Options(folder: document.folder)).text
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let folder = (chains.folder ?? scratch.folder) + "/presets"
    try FolderMaker.make(folder)
    let letters = document.state.name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let path = "\(folder)/\(String(letters.prefix(40)))-\(String(hash, radix: 36)).yaml"
    guard FileIdentity.of(path) == nil else { return path }
    try scratch.store(Array(text.utf8), at: path)
    return path
  }

  // MARK: Dry runs

  private func dryRun(_ request: Words) throws -> JSONValue {
    let end = ProgramCommand().run(
      program, request.words.prefix(1) + ["--dry-run", "--format=json"] + request.words.dropFirst())
    // Some files that cannot be done are rows of the table.
    guard end.code == 0 || end.code == 1 || !end.output.isEmpty else { throw end.fault }
    var rows: [JSONValue] = []
    var (count, bytes, problems) = (0, 0, [JSONValue]())
    for line in end.output.split(separator: 0x0A) {
      guard let row = JSONValue(line) else { continue }
      count += 1
      bytes += row["inputBytes"]?.integer ?? 0
      if let error = row["error"], problems.count < 200 { problems.append(error) }
      guard rows.count < 500 else { continue }
      let outputs =
        [row["output"]?["path"]].compactMap(\.self)
        + (row["otherOutputs"]?.elements ?? []).compactMap { $0["path"] }
      rows.append(
        .members([
          ("index", row["index"]), ("input", row["input"]?["path"] ?? ""),
          ("outputs", .array(outputs)), ("status", row["status"] ?? ""),
          ("reason", row["error"] ?? .null), ("bytes", row["inputBytes"] ?? 0),
        ]))
    }
    var units: [JSONValue] = []
    var others: [String: JSONValue] = [:]
    for line in end.messages.split(separator: "\n") {
      if line.hasPrefix("unit: ") { units.append(.string(String(line.dropFirst(6)))) }
      for key in ["chain", "sandbox"] where line.hasPrefix("\(key): ") {
        others[key] = .string(String(line.dropFirst(key.count + 2)))
      }
    }
    return .members([
      ("files", JSONValue(count)), ("bytes", JSONValue(bytes)), ("units", .array(units)),
      ("latency", others["chain"] ?? .null), ("sandbox", others["sandbox"] ?? .null),
      ("freeBytes", freeBytes(request.output)), ("problems", .array(problems)),
      ("rows", .array(rows)), ("command", .string(RunWords.line(request.words))),
    ])
  }

  private func freeBytes(_ output: String) -> JSONValue {
    var status = statvfs()
    let folder = FileIdentity.of(output) == nil ? Path.folder(of: output) : output
    guard unsafe folder.withFileName({ unsafe statvfs($0, &status) }) == 0 else { return .null }
    return JSONValue(Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize)))
  }

  // MARK: Reports

  private func report(_ run: StudioRun, _ question: Question) throws -> Answer {
    let word = question.query["format"] ?? "html"
    guard let format = ReportFormat(path: "report.\(word == "text" ? "txt" : word)") else {
      throw StudioFault(.usage, "format takes html, csv, json or text, not '\(word)'")
    }
    let recorded: RecordedRun
    do { recorded = try RecordedRun(in: run.output) } catch {
      throw StudioFault(.conflict, "the run has no report yet")
    }
    var text = ""
    try recorded.writeReport(as: format) { text += $0 }
    let types = [
      "html": "text/html; charset=utf-8", "csv": "text/csv; charset=utf-8",
      "json": "application/json; charset=utf-8",
    ]
    var answer = Answer.bytes(Array(text.utf8), type: types[word] ?? "text/plain; charset=utf-8")
    if word == "html" {
      // One page with all that it needs inside; it may ask the studio for nothing.
      answer.policy =
        "sandbox allow-scripts allow-downloads; default-src 'none'; img-src data: blob:; "
        + "media-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'self'"
    }
    return answer
  }
}
