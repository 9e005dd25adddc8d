// A plan on the disk: one line for each file, so that a million of them need no memory.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
package import HostSystem
import ResultSettings

extension PlanEntry {
  /// The entry as a line.
  package var line: [UInt8]? {
    var members: [(String, JSONValue?)] = [
      ("i", JSONValue(index)), ("in", .string(input)), ("out", .string(output)),
      ("more", others.isEmpty ? nil : .array(others.map(JSONValue.string))),
      ("variant", variant.map(JSONValue.init)), ("key", variant == nil ? nil : .string(key)),
      ("bytes", JSONValue(byteCount)),
      ("seconds", seconds.map(JSONValue.init)),
      ("modified", modified == 0 ? nil : .integer(modified)),
      ("skip", isSkipped ? true : nil), ("fields", fields),
      ("from", segment.map { JSONValue($0.start) }), ("for", segment?.seconds.map(JSONValue.init)),
      ("kept", kept.isEmpty ? nil : .array(kept.map(JSONValue.init))),
    ]
    if let error {
      members += [
        ("error", .string(error.message)), ("code", JSONValue(Int(error.category.rawValue))),
      ]
    }
    return CheckedLine.encode(JSONValue.members(members).members ?? [])
  }

  /// Reads a line; nil when something is missing.
  package init?(json: JSONValue) {
    guard let index = json["i"]?.integer, index >= 0, let input = json["in"]?.text,
      let output = json["out"]?.text
    else { return nil }
    self.init(index: index, input: input, output: output)
    others = (json["more"]?.elements ?? []).compactMap(\.text)
    variant = json["variant"]?.integer
    key = json["key"]?.text ?? ""
    byteCount = json["bytes"]?.integer ?? 0
    seconds = json["seconds"]?.number.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    modified = Int64(json["modified"]?.integer ?? 0)
    kept = (json["kept"]?.elements ?? []).compactMap(\.integer)
    isSkipped = json["skip"]?.boolean ?? false
    fields = json["fields"]
    segment = json["from"]?.number.flatMap {
      SoundSegment(start: $0, seconds: json["for"]?.number)
    }
    if let message = json["error"]?.text {
      let code = json["code"]?.integer.flatMap { Int32(exactly: $0) }
      error = AuricleError(code.flatMap(AuricleError.Category.init) ?? .noInput, message)
    }
  }
}

/// A plan for display only; on the disk, since it may be long.
public struct DryPlan {
  /// The plan in numbers.
  public let totals: PlanTotals
  private let path: String
  private let root: String?

  /// Makes a plan in a temporary file.
  ///
  /// - Parameters:
  ///   - request: The request of the plan.
  ///   - path: The file, which the caller removes.
  ///   - root: The root of all results; nil when each has a separate path.
  /// - Throws: As `Planner`.
  ///
  /// Context: control.
  public init(_ request: PlanRequest, at path: String, root: String?) throws(AuricleError) {
    self.path = path
    self.root = request.backupSuffix == nil ? root : nil
    totals = try PlanFile.write(request, to: path, outputRoot: self.root).totals
  }

  /// Calls `body` with every file in order; its output is relative to the working folder.
  public func forEach(
    _ body: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    var jobs = try PlannedJobs(path: path)
    while var entry = try jobs.next() {
      if let root, !entry.output.isEmpty {
        entry.output = Path.joining(root, entry.output)
        entry.others = entry.others.map { Path.joining(root, $0) }
      }
      try body(entry)
    }
  }
}

/// Plans on the disk.
enum PlanFile {
  /// Makes a plan and writes it; returns its totals and the checksum of the file.
  package static func write(
    _ request: PlanRequest, to path: String, outputRoot: String?,
    observe: (PlanEntry) -> Void = { _ in }
  ) throws(AuricleError) -> (totals: PlanTotals, checksum: UInt64) {
    var planner = Planner(request)
    let writer = try LineFileWriter(path: path)
    let totals = try planner.run { (entry) throws(AuricleError) in
      guard let line = entry.line else {
        throw AuricleError(.usage, "the path \(entry.input.prefix(100))… is too long")
      }
      try writer.write(line)
      observe(entry)
    }
    let checksum = try writer.finish()
    // Results that do not exist replace no input.
    if totals.replacedCount > 0 {
      var reader = try PlannedJobs(path: path)
      while let entry = try reader.next() {
        if request.shouldStop() { throw planner.interruption }
        for output in entry.outputs {
          let shown = outputRoot.map { Path.joining($0, output) } ?? output
          try planner.checkReplacing(entry, shown: shown)
        }
      }
    }
    try planner.check { (wanted) throws(AuricleError) in
      var reader = try PlannedJobs(path: path)
      while let entry = try reader.next() {
        if entry.index == wanted { return entry }
      }
      return nil
    }
    return (totals, checksum)
  }
}

extension PlanFile {
  /// Calls `body` with the files of a growing plan; a torn line at its end is ignored.
  ///
  /// - Returns: The length of the valid plan in bytes.
  /// - Throws: `.badData` when a line is damaged or missing and whole ones come after it; errors of
  ///   `body`.
  @discardableResult
  static func readGrowing(
    _ path: String, _ body: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) -> Int {
    let reader = try LineFileReader(path: path)
    var (fileCount, length) = (0, 0)
    var isTorn = false
    while let line = try reader.next() {
      let entry = CheckedLine.decode(line).flatMap(PlanEntry.init(json:))
      if let entry, !isTorn, entry.index == fileCount {
        try body(entry)
        fileCount += 1
        length = reader.lineOffset + line.count + 1
      } else {
        isTorn = true
        guard entry == nil else {
          throw AuricleError(
            .badData,
            "\(path) is damaged in line \(fileCount + 1): the plan of this run cannot be followed "
              + "any more; repeat the auricle watch command with --new-run --on-exists skip to do "
              + "the rest", cause: .needsNewRun)
        }
      }
    }
    return length
  }

  /// The number of the first line that is damaged or out of place; the one behind the last when all are in order.
  ///
  /// - Parameter first: The index of the first file.
  static func firstDamagedLine(_ path: String, from first: Int) throws(AuricleError) -> Int {
    let reader = try LineFileReader(path: path)
    var count = 0
    while let line = try reader.next(),
      CheckedLine.decode(line).flatMap(PlanEntry.init(json:))?.index == first + count
    {
      count += 1
    }
    return count + 1
  }

  /// The totals of a growing plan.
  ///
  /// - Throws: As `readGrowing`.
  package static func totals(_ path: String) throws(AuricleError) -> PlanTotals {
    var totals = PlanTotals()
    guard FileIdentity.exists(path) else { return totals }
    try readGrowing(path) { (entry) throws(AuricleError) in
      totals.fileCount += 1
      totals.byteCount += entry.byteCount
      if entry.error != nil { totals.failureCount += 1 }
      if entry.isSkipped { totals.skippedCount += 1 }
    }
    return totals
  }
}

/// The files of a plan on the disk that are not settled yet.
struct PlannedJobs: JobSource {
  private let reader: LineFileReader
  private let isSettled: (Int) -> Bool
  private var lineCount = 0

  /// Reads a plan; entries for which `isSettled` is true are skipped.
  package init(path: String, isSettled: @escaping (Int) -> Bool = { _ in false })
    throws(AuricleError)
  {
    reader = try LineFileReader(path: path)
    self.isSettled = isSettled
  }

  package mutating func next() throws(AuricleError) -> PlanEntry? {
    while let line = try reader.next() {
      lineCount += 1
      guard let entry = CheckedLine.decode(line).flatMap(PlanEntry.init(json:)) else {
        throw AuricleError(
          .badData,
          "\(reader.path) is damaged in line \(lineCount): the plan of this run can no longer be followed"
        )
      }
      if !isSettled(entry.index) { return entry }
    }
    return nil
  }
}
