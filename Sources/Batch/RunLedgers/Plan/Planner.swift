// Finds the files of a run and names their results; conflicts are refused before anything is done.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
package import HostSystem
import ResultSettings

/// Makes plans, file by file, with a few bytes of memory for each.
public struct Planner {
  package let request: PlanRequest
  package var totals = PlanTotals()
  package let inputs = HashTable64()
  /// Files of which parts are inputs.
  let partedFiles = HashTable64()
  package let outputs = HashTable64()
  /// The folders that results lie in, and the folders above them.
  let outputFolders = HashTable64()
  var notedFolder = ""
  package var existing: [String] = []
  var existingCount = 0
  var clashes: [(index: Int, output: String, other: Int, isFolder: Bool)] = []
  var clashCount = 0
  /// Links to files that are changed in place under their own names.
  private var links: [String] = []
  private var refusals: [String] = []
  private var lengths: InputLengths
  /// The line of a list that is being added.
  private var reported: ListReader.Entry?
  /// Folders without a file, and the first of them.
  private var emptyCount = 0
  private var emptiness: AuricleError?
  /// Named inputs that are not there, and the first of them.
  private var absentCount = 0
  private var absence: AuricleError?
  private var refusalCount = 0
  package var root: OpenFolder?
  /// Whether the output folder is not there, or holds nothing but records of runs.
  var isVacant = false
  /// The folder of results that was checked last, and whether it is missing.
  var checkedFolder: (path: String, isMissing: Bool)?
  /// Whether the output folder folds upper and lower case.
  var foldsNames = false

  /// Prepares a plan; touches nothing.
  public init(_ request: PlanRequest) {
    self.request = request
    let readsLengths = request.readsLengths && !request.acceptsSongs
    lengths = InputLengths(time: readsLengths ? request.lengthsTime : 0)
  }

  /// Makes the plan.
  ///
  /// - Parameter write: Receives each file; discard them when this throws.
  /// - Throws: `.usage` when an output would be an input, two inputs meet in one output, or a result would
  ///   lie outside of the output folder; `.inputOutput` when outputs exist that are not to be replaced;
  ///   `.interrupted` when `shouldStop` returned true; errors of `write`.
  ///
  /// Context: control. Reads the disk, never writes to it.
  public mutating func run(
    _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) -> PlanTotals {
    do throws(AuricleError) { return try find(write) } catch {
      throw error.category == .interrupted ? interruption : error
    }
  }

  /// The error when `shouldStop` returns true.
  package var interruption: AuricleError {
    let found = totals.fileCount == 0 ? "" : " (\(totals.fileCount) so far)"
    return AuricleError(
      .interrupted,
      "interrupted during the search for files\(found): nothing was begun; give the command "
        + "again")
  }

  private mutating func find(
    _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) -> PlanTotals {
    if case .folder(let folder) = request.destination { open(folder) }
    for input in request.inputs { try add(input, write) }
    if let list = request.list {
      let reader = try ListReader(path: list, shouldStop: request.shouldStop)
      while let input = try reader.next() {
        reported = input
        if let problem = input.problem {
          try fail(input.path, problem.category, problem.message, write)
        } else {
          try add(input.path, write)
        }
      }
      reported = nil
      if totals.fileCount == 0, refusalCount == 0 {
        let name = list == "-" ? "on standard input" : list
        try fail(list, .noInput, "the list \(name) names no files", write)
      }
    }
    for link in links { try settle(link: link, write) }
    if case .file(let path) = request.destination {
      guard totals.fileCount == 1 else {
        throw AuricleError(
          .usage,
          "\(totals.fileCount) input files cannot all be written to \(path): give one file, or a "
            + "folder with --output")
      }
    }
    // Nothing is begun for folders that hold nothing, and for names of nothing.
    if emptyCount + absentCount == totals.fileCount {
      if let emptiness { throw emptiness }
      if let absence { throw absentCount == 1 ? absence : others(than: absence) }
    }
    try checkReport()
    if refusalCount > 0 {
      throw AuricleError(.usage, Self.sentence(refusals, refusalCount))
    }
    return totals
  }

  // MARK: Inputs

  private mutating func add(
    _ input: String, _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    if request.shouldStop() { throw interruption }
    guard let entry = FileIdentity.of(input) else {
      let error = FileIdentity.absence(of: input, .fileOrFolder)
      if reported == nil {
        if absence == nil { absence = error }
        absentCount += 1
      }
      return try fail(input, error.category, error.message, write)
    }
    switch entry.kind {
    case .file, .other:
      try add(file: input, dir: request.dir, entry, write)
    case .folder:
      var walk = FolderWalk()
      walk.isRecursive = request.isRecursive
      walk.shouldStop = request.shouldStop
      if request.acceptsSongs { walk.wanted = .songs }
      // An output folder inside the input is excluded, so that a second run finds the same files.
      walk.excluded = root?.identity == entry.identity ? nil : root?.identity
      let before = totals.fileCount
      var isEmpty = true
      var planner = self
      do throws(AuricleError) {
        try walk.visit(Path.trimmed(input)) { found throws(AuricleError) in
          switch found {
          case .file(let path, let dir, let state):
            isEmpty = false
            try planner.add(file: path, dir: dir, state, write)
          case .problem(let path, let error):
            try planner.fail(path, error.category, error.message, write)
          }
        }
      } catch {
        totals = planner.totals
        throw error
      }
      self = planner
      // If all its files were named before, there is nothing to do and no error.
      if isEmpty, totals.fileCount == before {
        let message = "the folder \(input) has no \(walk.wanted.title) in it"
        if emptiness == nil { emptiness = AuricleError(.noInput, message) }
        try fail(input, .noInput, message, write)
        emptyCount += 1
      }
    }
  }

  /// The absence of several inputs, by the first of them.
  private func others(than first: AuricleError) -> AuricleError {
    let count = absentCount - 1
    return AuricleError(
      first.category, status: first.status,
      "\(first.message), nor \(count == 1 ? "the other one" : "the \(count) others") that you name",
      cause: first.cause)
  }

  private mutating func fail(
    _ input: String, _ category: AuricleError.Category, _ message: String,
    _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    var entry = PlanEntry(index: totals.fileCount, input: input, output: "")
    entry.error = AuricleError(category, message)
    entry.fields = reported?.fields
    totals.fileCount += 1
    totals.failureCount += 1
    try write(entry)
  }

  /// A key that does not depend on how a file is named. Hard links count as files of their own: deduplicated
  /// archives use them for separate episodes.
  package static func key(_ path: String, _ identity: FileIdentity, _ nameCount: Int) -> UInt64 {
    guard nameCount > 1, let real = FileIdentity.realPath(path) else {
      return HashTable64.hash(identity)
    }
    return HashTable64.hash(real)
  }

  /// Whether a file is an input, or parts of it are.
  func isInput(_ key: UInt64) throws(AuricleError) -> Bool {
    if try inputs.value(of: key) != nil { return true }
    return try partedFiles.value(of: key) != nil
  }

  private mutating func add(
    file path: String, dir: String, _ found: FileIdentity.Found,
    _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    // A result in place of the link would replace the link, not the file it leads to.
    if request.backupSuffix != nil, FileIdentity.isLink(path) {
      links.append(path)
      return
    }
    // One file named twice is one file.
    var key = Self.key(path, found.identity, found.linkCount)
    let segment = reported?.segment
    if let segment {
      _ = try partedFiles.insert(key, totals.fileCount)
      // Parts of a file are inputs of their own.
      key = HashTable64.hash("\(key) \(segment.text)")
    }
    guard try inputs.insert(key, totals.fileCount) == nil else {
      totals.repeatCount += 1
      if totals.firstRepeat == nil { totals.firstRepeat = path }
      return
    }
    let seconds =
      reported?.seconds
      ?? (found.kind == .file ? lengths.seconds(of: path, found.stamp.byteCount) : nil)
    for variant in 1...max(1, request.variantCount) {
      var entry = PlanEntry(index: totals.fileCount, input: path, output: "")
      entry.byteCount = found.stamp.byteCount
      entry.seconds = seconds
      entry.fields = reported?.fields
      entry.segment = segment
      if found.kind == .file { entry.modified = found.stamp.modified }
      if request.variantCount > 0 {
        entry.variant = variant
        entry.key = Path.joining(dir, Path.lastComponent(path))
        if let segment { entry.key += "#\(segment.text)" }
      }
      do throws(AuricleError) {
        let outputs = try outputs(of: path, dir: dir, variant: entry.variant, segment: segment)
        entry.output = outputs[0]
        entry.others = Array(outputs.dropFirst())
      } catch {
        refuse(error.message)
        return
      }
      try place(&entry)
      totals.fileCount += 1
      totals.byteCount += entry.byteCount
      totals.inputs.add(path, byteCount: entry.byteCount, seconds: seconds)
      try write(entry)
    }
  }

  /// Skips a link whose file is changed in place, and refuses any other.
  private mutating func settle(
    link: String, _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    if let found = FileIdentity.of(link),
      try isInput(Self.key(link, found.identity, found.linkCount))
    {
      totals.repeatCount += 1
      if totals.firstRepeat == nil { totals.firstRepeat = link }
      return
    }
    try fail(
      link, .inputOutput,
      "\(link) is a link, which is not changed in place: name the file that it leads to", write)
  }

  /// The first few faults, and how many more there are.
  static func sentence(_ faults: [String], _ count: Int) -> String {
    let shown = faults.joined(separator: "; ")
    return count > faults.count ? shown + "; and \(count - faults.count) more" : shown
  }

  /// Adds a fault for which the run is refused.
  package mutating func refuse(_ text: String) {
    refusalCount += 1
    if refusals.count < 3 { refusals.append(text) }
  }
}
