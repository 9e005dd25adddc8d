// Finds the files of a run and names their results, refusing what must not be, before anything is done.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CSystemSupport
import Glibc

/// What a plan is made of.
public struct PlanRequest: Sendable {
  /// Files and folders as they were named.
  public var inputs: [String]
  /// A file that lists more of them, `-` for standard input; nil for none.
  public var list: String?
  /// Where results go.
  public var destination: BatchDestination
  /// The names of results in a folder.
  public var template = OutputTemplate.standard
  /// The name of the preset, for templates.
  public var preset = ""
  /// The extension of results; nil keeps each input's own.
  public var fileExtension: String?
  /// What is done about results that exist.
  public var existing = ExistingPolicy.error
  /// Whether folders in folders are walked.
  public var isRecursive = true
  /// Whether each result takes its input's place, which is kept under its name with this added.
  public var backupSuffix: String?

  /// Plans these inputs.
  public init(inputs: [String], destination: BatchDestination) {
    self.inputs = inputs
    self.destination = destination
  }
}

/// A plan in numbers.
public struct PlanTotals: Sendable, Equatable {
  /// Files, those included that cannot be done.
  public var fileCount = 0
  /// Files that cannot be done.
  public var failureCount = 0
  /// Files whose result exists and stays.
  public var skippedCount = 0
  /// Results that exist and will be replaced.
  public var replacedCount = 0
  /// Bytes of all inputs.
  public var byteCount = 0

  /// Nothing.
  public init() {}
}

/// Makes plans, one file after the other; what it remembers of each is a few bytes.
public struct Planner {
  private let request: PlanRequest
  private var totals = PlanTotals()
  private let inputs = HashTable64()
  private let outputs = HashTable64()
  private var existing: [String] = []
  private var existingCount = 0
  private var clashes: [(index: Int, output: String, other: Int)] = []
  private var clashCount = 0
  private var refusals: [String] = []
  private var refusalCount = 0
  private var root: OpenFolder?
  private var checkedFolder: String?

  /// Prepares a plan; touches nothing.
  public init(_ request: PlanRequest) {
    self.request = request
  }

  /// Makes the plan.
  ///
  /// - Parameter write: Takes each file; what it takes is to be thrown away when this throws.
  /// - Throws: `.usage` when an output would be an input, two inputs meet in one output, or a result
  ///   would lie outside of the output folder; `.inputOutput` when outputs exist that are not to be
  ///   replaced; what `write` throws.
  ///
  /// Context: control. Touches the disk to look, never to write.
  public mutating func run(
    _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) -> PlanTotals {
    if case .folder(let folder) = request.destination { root = Self.open(folder) }
    for input in request.inputs { try add(input, write) }
    if let list = request.list {
      let reader = try ListReader(path: list)
      while let input = try reader.next() { try add(input, write) }
    }
    if case .file(let path) = request.destination {
      guard totals.fileCount == 1 else {
        throw AuricleError(
          .usage,
          "\(totals.fileCount) input files cannot all be written to \(path): give one file, or a "
            + "folder with --output")
      }
    }
    if refusalCount > 0 {
      throw AuricleError(.usage, Self.sentence(refusals, refusalCount))
    }
    return totals
  }

  /// What has to be looked up when all files are known: clashes, and results that would replace
  /// inputs. `entry` gives an entry of the plan again.
  ///
  /// - Throws: As `run`.
  public func check(
    _ entry: (Int) throws(AuricleError) -> PlanEntry?
  ) throws(AuricleError) {
    if clashCount > 0 {
      var texts: [String] = []
      for clash in clashes {
        let first = try entry(clash.other)?.input ?? "another file"
        let second = try entry(clash.index)?.input ?? "a file"
        texts.append("\(first) and \(second) would both be written to \(clash.output)")
      }
      throw AuricleError(
        .usage,
        Self.sentence(texts, clashCount)
          + ": process them in two runs with different --output folders, or tell them apart with "
          + "--name \"{path}/{stem}.{ext}\"")
    }
    if request.existing == .error, request.backupSuffix == nil, let first = existing.first {
      let text =
        existingCount == 1
        ? "\(first) exists" : "\(first) and \(existingCount - 1) more of the outputs exist"
      throw AuricleError(
        .inputOutput,
        text + ", nothing was done: give --overwrite to replace, --on-exists skip or rename, or "
          + "another --output")
    }
  }

  /// Whether a result that exists is one of the inputs.
  ///
  /// - Throws: `.usage` then, when it would be replaced.
  public func checkReplacing(_ entry: PlanEntry, shown: String) throws(AuricleError) {
    guard request.existing == .overwrite || request.existing == .error,
      request.backupSuffix == nil, entry.error == nil, let found = FileIdentity.of(shown),
      try inputs.value(of: HashTable64.hash(found.identity)) != nil
    else { return }
    throw AuricleError(
      .usage,
      "the result of \(entry.input) would replace the input \(shown): choose another --output "
        + "folder")
  }

  // MARK: Inputs

  private mutating func add(
    _ input: String, _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    guard let entry = FileIdentity.of(input) else {
      return try fail(input, .noInput, "there is no file or folder \(input)", write)
    }
    switch entry.kind {
    case .file, .other:
      try add(file: input, dir: "", write)
    case .folder:
      var walk = FolderWalk()
      walk.isRecursive = request.isRecursive
      // The output folder is left out when it lies inside, so that a second run sees the same.
      walk.excluded = root?.identity == entry.identity ? nil : root?.identity
      let before = totals.fileCount
      var planner = self
      try walk.visit(Path.trimmed(input)) { found throws(AuricleError) in
        switch found {
        case .file(let path, let dir): try planner.add(file: path, dir: dir, write)
        case .problem(let path, let error):
          try planner.fail(path, error.category, error.message, write)
        }
      }
      self = planner
      if totals.fileCount == before {
        try fail(input, .noInput, "the folder \(input) has no audio files in it", write)
      }
    }
  }

  private mutating func fail(
    _ input: String, _ category: AuricleError.Category, _ message: String,
    _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    var entry = PlanEntry(index: totals.fileCount, input: input, output: "")
    entry.error = AuricleError(category, message)
    totals.fileCount += 1
    totals.failureCount += 1
    try write(entry)
  }

  private mutating func add(
    file path: String, dir: String, _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    guard let found = FileIdentity.of(path) else {
      return try fail(path, .noInput, "there is no file \(path)", write)
    }
    let index = totals.fileCount
    // One file named twice is one file.
    guard try inputs.insert(HashTable64.hash(found.identity), index) == nil else { return }
    var entry = PlanEntry(index: index, input: path, output: "")
    entry.byteCount = Int(found.size)
    do throws(AuricleError) {
      entry.output = try output(of: path, dir: dir)
    } catch {
      refuse(error.message)
      return
    }
    try place(&entry)
    totals.fileCount += 1
    totals.byteCount += entry.byteCount
    try write(entry)
  }

  // MARK: Outputs

  private func output(of path: String, dir: String) throws(AuricleError) -> String {
    if request.backupSuffix != nil { return path }
    switch request.destination {
    case .file(let path): return path
    case .folder:
      return try request.template.path(
        for: OutputTemplate.Source(
          dir: dir, input: path, fileExtension: request.fileExtension, preset: request.preset))
    }
  }

  /// The path of a result from here.
  private func shown(_ output: String) -> String {
    if case .folder(let folder) = request.destination, request.backupSuffix == nil {
      return Path.joining(folder, output)
    }
    return output
  }

  /// Looks at the place of a result: is it free, and does it lie where it should.
  private mutating func place(_ entry: inout PlanEntry) throws(AuricleError) {
    if request.existing == .rename { entry.output = try freeName(entry.output) }
    let path = shown(entry.output)
    checkFolder(of: entry)
    if let other = try outputs.insert(HashTable64.hash(entry.output), entry.index) {
      clashCount += 1
      if clashes.count < 3 { clashes.append((entry.index, path, other)) }
      return
    }
    if let suffix = request.backupSuffix {
      if FileIdentity.exists(path + suffix) {
        refuse("\(path + suffix) is there already, so the original of \(path) cannot be kept")
      }
      return
    }
    guard FileIdentity.exists(path) else { return }
    switch FileIdentity.of(path)?.kind {
    case .folder: return refuse("\(path) is a folder: name it with --output, or name a file")
    // A result takes the place of its name: a device or a pipe would be gone, not written to.
    case .other:
      return refuse("\(path) is no regular file (a pipe or a device): name a file to write")
    case .file, nil: break
    }
    switch request.existing {
    case .skip:
      entry.isSkipped = true
      totals.skippedCount += 1
    case .error:
      existingCount += 1
      if existing.isEmpty { existing.append(path) }
    case .overwrite, .rename: totals.replacedCount += 1
    }
  }

  /// The first of `name.wav`, `name (2).wav`, … that is neither there nor planned.
  private func freeName(_ output: String) throws(AuricleError) -> String {
    var number = 1
    var name = output
    while try outputs.value(of: HashTable64.hash(name)) != nil || FileIdentity.exists(shown(name)) {
      number += 1
      let own = Path.extensionAsWritten(of: output)
      let stem = own.isEmpty ? output : String(output.dropLast(own.count + 1))
      name = "\(stem) (\(number))" + (own.isEmpty ? "" : "." + own)
    }
    return name
  }

  /// Links below the output folder must not lead out of it.
  private mutating func checkFolder(of entry: PlanEntry) {
    guard let root, request.backupSuffix == nil else { return }
    let folder = entry.output.utf8.contains(UInt8(ascii: "/")) ? Path.folder(of: entry.output) : ""
    guard !folder.isEmpty, folder != checkedFolder else { return }
    checkedFolder = folder
    var path = ""
    for part in folder.split(separator: "/") {
      path = Path.joining(path, String(part))
      let descriptor = unsafe AuricleOpenBeneath(root.descriptor, path, O_RDONLY | O_DIRECTORY, 0)
      if descriptor >= 0 {
        close(descriptor)
        continue
      }
      if errno == EXDEV || errno == ELOOP {
        refuse("\(shown(path)) leads out of the output folder through a link: remove the link")
      } else if errno == ENOTDIR {
        refuse("\(shown(path)) is a file, so nothing can be written into it")
      }
      return
    }
  }

  private mutating func refuse(_ text: String) {
    refusalCount += 1
    if refusals.count < 3 { refusals.append(text) }
  }

  private static func open(_ folder: String) -> OpenFolder? {
    let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return descriptor >= 0 ? OpenFolder(descriptor: descriptor, path: folder) : nil
  }

  /// The first few of a list of faults, and how many more there are.
  private static func sentence(_ faults: [String], _ count: Int) -> String {
    let shown = faults.joined(separator: "; ")
    return count > faults.count ? shown + "; and \(count - faults.count) more" : shown
  }
}

/// Where results go.
public enum BatchDestination: Sendable, Equatable {
  /// Into a folder: files by their names, the tree below a folder given as input mirrored.
  case folder(String)
  /// Into this file; exactly one input.
  case file(String)
}
