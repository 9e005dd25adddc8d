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
  /// The folder that files named here count as lying in, below the one that names are told from.
  var dir = ""
  /// Where results go.
  public var destination: BatchDestination
  /// The names of results in a folder.
  public var template = OutputTemplate.standard
  /// The name of the preset, for templates.
  public var preset = ""
  /// The extension of results; nil keeps each input's own.
  public var fileExtension: String?
  /// The files that each input gives; empty for one with the extension above.
  public var renders: [PlannedRender] = []
  /// How many variants of each input there are; 0 for none.
  public var variantCount = 0
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

/// One of the files that every input gives.
public struct PlannedRender: Sendable, Equatable {
  /// What tells it from the others; empty for the only one.
  public var name: String
  /// Its extension; nil keeps each input's own.
  public var fileExtension: String?

  /// Plans a file.
  public init(name: String, fileExtension: String?) {
    self.name = name
    self.fileExtension = fileExtension
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
        if clash.index == clash.other {
          let input = try entry(clash.index)?.input ?? "a file"
          throw AuricleError(
            .usage,
            "two of the files that \(input) is to give would both be written to \(clash.output): "
              + "tell them apart with {render} in --name")
        }
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
      try inputs.value(of: Self.key(shown, found.identity, found.nameCount)) != nil
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
      try add(file: input, dir: request.dir, write)
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

  /// What is the same however a file is named. Hard links are files of their own: archives that hold
  /// the same sound once have each of them for another episode.
  private static func key(_ path: String, _ identity: FileIdentity, _ nameCount: Int) -> UInt64 {
    guard nameCount > 1, let real = FileIdentity.realPath(path) else {
      return HashTable64.hash(identity)
    }
    return HashTable64.hash(real)
  }

  private mutating func add(
    file path: String, dir: String, _ write: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    guard let found = FileIdentity.of(path) else {
      return try fail(path, .noInput, "there is no file \(path)", write)
    }
    // One file named twice is one file.
    let key = Self.key(path, found.identity, found.nameCount)
    guard try inputs.insert(key, totals.fileCount) == nil else { return }
    for variant in 1...max(1, request.variantCount) {
      var entry = PlanEntry(index: totals.fileCount, input: path, output: "")
      entry.byteCount = Int(found.size)
      if request.variantCount > 0 {
        entry.variant = variant
        entry.key = Path.joining(dir, Path.lastComponent(path))
      }
      do throws(AuricleError) {
        let outputs = try outputs(of: path, dir: dir, variant: entry.variant)
        entry.output = outputs[0]
        entry.others = Array(outputs.dropFirst())
      } catch {
        refuse(error.message)
        return
      }
      try place(&entry)
      totals.fileCount += 1
      totals.byteCount += entry.byteCount
      try write(entry)
    }
  }

  // MARK: Outputs

  /// One path at least.
  private func outputs(
    of path: String, dir: String, variant: Int?
  ) throws(AuricleError) -> [String] {
    if request.backupSuffix != nil { return [path] }
    switch request.destination {
    case .file(let path): return [path]
    case .folder:
      let renders =
        request.renders.isEmpty
        ? [PlannedRender(name: "", fileExtension: request.fileExtension)] : request.renders
      var paths: [String] = []
      for render in renders {
        paths.append(
          try request.template.path(
            for: OutputTemplate.Source(
              dir: dir, input: path, fileExtension: render.fileExtension, preset: request.preset,
              render: render.name, variant: variant)))
      }
      return paths
    }
  }

  /// The path of a result from here.
  private func shown(_ output: String) -> String {
    if case .folder(let folder) = request.destination, request.backupSuffix == nil {
      return Path.joining(folder, output)
    }
    return output
  }

  /// Looks at the places of results: are they free, and do they lie where they should.
  private mutating func place(_ entry: inout PlanEntry) throws(AuricleError) {
    var outputs = entry.outputs
    var thereCount = 0
    for index in outputs.indices {
      if request.existing == .rename { outputs[index] = try freeName(outputs[index]) }
      let path = shown(outputs[index])
      checkFolder(of: outputs[index])
      if let other = try self.outputs.insert(HashTable64.hash(outputs[index]), entry.index) {
        clashCount += 1
        if clashes.count < 3 { clashes.append((entry.index, path, other)) }
        continue
      }
      if try isThere(path) { thereCount += 1 }
    }
    entry.output = outputs[0]
    entry.others = Array(outputs.dropFirst())
    guard thereCount > 0 else { return }
    switch request.existing {
    case .skip:
      guard thereCount == outputs.count else {
        entry.error = AuricleError(
          .inputOutput,
          "\(thereCount) of the \(outputs.count) files that \(entry.input) gives are there already: "
            + "remove them, or give --overwrite")
        totals.failureCount += 1
        return
      }
      entry.isSkipped = true
      totals.skippedCount += 1
    case .error, .overwrite, .rename: totals.replacedCount += 1
    }
  }

  /// Whether a result's place is taken by a file that is replaced or left.
  private mutating func isThere(_ path: String) throws(AuricleError) -> Bool {
    if let suffix = request.backupSuffix {
      if FileIdentity.exists(path + suffix) {
        refuse("\(path + suffix) is there already, so the original of \(path) cannot be kept")
      }
      return false
    }
    guard FileIdentity.exists(path) else { return false }
    switch FileIdentity.of(path)?.kind {
    case .folder:
      refuse("\(path) is a folder: name it with --output, or name a file")
      return false
    // A result takes the place of its name: a device or a pipe would be gone, not written to.
    case .other:
      refuse("\(path) is no regular file (a pipe or a device): name a file to write")
      return false
    case .file, nil: break
    }
    if request.existing == .error {
      existingCount += 1
      if existing.isEmpty { existing.append(path) }
    }
    return true
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
  private mutating func checkFolder(of output: String) {
    guard let root, request.backupSuffix == nil else { return }
    let folder = output.utf8.contains(UInt8(ascii: "/")) ? Path.folder(of: output) : ""
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
