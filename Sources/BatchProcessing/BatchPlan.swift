// What a run will do, known in full before the first file is touched.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// One file to process: where it is, and where the result goes.
public struct PlannedFile: Sendable, Hashable {
  /// The path to read.
  public var input: String
  /// The path to write.
  public var output: String

  /// Names both ends.
  public init(input: String, output: String) {
    self.input = input
    self.output = output
  }
}

/// An input that cannot be processed, with why; the others are done all the same.
public struct FileFailure: Sendable, Equatable {
  /// The path as it was given or found.
  public var input: String
  /// What is wrong with it.
  public var error: AuricleError

  /// Ties an error to its file.
  public init(input: String, error: AuricleError) {
    self.input = input
    self.error = error
  }
}

/// Where results go.
public enum BatchDestination: Sendable, Equatable {
  /// Into a folder: files by their names, the tree below a folder given as input mirrored.
  case folder(String)
  /// Into this file; exactly one input.
  case file(String)
}

/// The files of a run in their order, each with its destination, checked as far as possible
/// without opening one: no two inputs for one output, nothing overwritten unasked.
public struct BatchPlan: Sendable {
  /// What to do, in this order.
  public private(set) var files: [PlannedFile] = []
  /// Inputs that will not be done: missing ones, folders without audio.
  public private(set) var failures: [FileFailure] = []

  /// Plans a run.
  ///
  /// - Parameters:
  ///   - inputs: Files and folders. A file named here is always tried, whatever its name; folders
  ///     are walked, taking what looks like audio.
  ///   - destination: Where results go.
  ///   - fileExtension: The extension of results; nil keeps each input's own.
  ///   - overwrite: Whether existing files may be replaced.
  /// - Throws: `.usage` when an output would be an input, or two inputs meet in one output;
  ///   `.inputOutput` when outputs exist and `overwrite` is false.
  ///
  /// Context: control. Touches the disk to look, never to write.
  public init(
    inputs: [String], destination: BatchDestination, fileExtension: String? = nil,
    overwrite: Bool = false
  ) throws(AuricleError) {
    collect(inputs, destination: destination, fileExtension: fileExtension)
    if case .file(let path) = destination {
      if files.count + failures.count != 1 {
        throw AuricleError(
          .usage,
          "\(files.count) input files cannot all be written to \(path): give one file, or a folder "
            + "with --output")
      }
      if FileIdentity.of(path)?.kind == .folder {
        throw AuricleError(.usage, "\(path) is a folder: name it with --output, or name a file")
      }
    }
    try refuseCollisions()
    try refuseWritingOverInputs()
    try refuseDevices()
    if !overwrite { try refuseExisting() }
  }

  private mutating func collect(
    _ inputs: [String], destination: BatchDestination, fileExtension: String?
  ) {
    var seen: Set<FileIdentity> = []
    var outputFolder: FileIdentity?
    if case .folder(let folder) = destination { outputFolder = FileIdentity.of(folder)?.identity }

    func output(for relativePath: String) -> String {
      switch destination {
      case .file(let path): return path
      case .folder(let folder):
        let path = Path.joining(folder, relativePath)
        guard let fileExtension else { return path }
        return Path.replacingExtension(of: path, with: fileExtension)
      }
    }

    for input in inputs {
      guard let entry = FileIdentity.of(input) else {
        fail(input, .noInput, "there is no file or folder \(input)")
        continue
      }
      switch entry.kind {
      case .file, .other:
        // One file named twice is one file.
        guard seen.insert(entry.identity).inserted else { continue }
        files.append(
          PlannedFile(input: input, output: output(for: Path.lastComponent(input))))
      case .folder:
        // The output folder is left out when it lies inside, so that a second run sees the same.
        let excluded = outputFolder == entry.identity ? nil : outputFolder
        let walk = FolderWalk(folder: Path.trimmed(input), excluding: excluded)
        for problem in walk.problems {
          fail(
            problem.path, .inputOutput,
            "cannot read the folder \(problem.path): \(problem.message)")
        }
        if walk.files.isEmpty, walk.problems.isEmpty {
          fail(input, .noInput, "the folder \(input) has no audio files in it")
        }
        for found in walk.files {
          guard let identity = FileIdentity.of(found.path)?.identity,
            seen.insert(identity).inserted
          else { continue }
          files.append(PlannedFile(input: found.path, output: output(for: found.relativePath)))
        }
      }
    }
  }

  private mutating func fail(
    _ input: String, _ category: AuricleError.Category, _ message: String
  ) {
    failures.append(FileFailure(input: input, error: AuricleError(category, message)))
  }

  // MARK: Refusals

  private func refuseCollisions() throws(AuricleError) {
    var inputByOutput: [String: String] = [:]
    var clashes: [String] = []
    for file in files {
      if let other = inputByOutput.updateValue(file.input, forKey: file.output) {
        clashes.append("\(other) and \(file.input) would both be written to \(file.output)")
      }
    }
    guard !clashes.isEmpty else { return }
    throw AuricleError(
      .usage, Self.sentence(clashes) + ": process them in two runs with different --output folders")
  }

  private func refuseWritingOverInputs() throws(AuricleError) {
    var inputs: [FileIdentity: String] = [:]
    for file in files {
      if let identity = FileIdentity.of(file.input)?.identity { inputs[identity] = file.input }
    }
    var clashes: [String] = []
    for file in files {
      guard let existing = FileIdentity.of(file.output), let input = inputs[existing.identity]
      else { continue }
      clashes.append("the result of \(file.input) would replace the input \(input)")
    }
    guard !clashes.isEmpty else { return }
    throw AuricleError(.usage, Self.sentence(clashes) + ": choose another --output folder")
  }

  /// A result takes the place of its name: a device or a pipe would be gone, not written to.
  private func refuseDevices() throws(AuricleError) {
    for file in files where FileIdentity.of(file.output)?.kind == .other {
      throw AuricleError(
        .usage, "\(file.output) is no regular file (a pipe or a device): name a file to write")
    }
  }

  private func refuseExisting() throws(AuricleError) {
    let existing = files.lazy.map(\.output).filter { FileIdentity.of($0) != nil }
    let list = Array(existing)
    guard let first = list.first else { return }
    let text =
      list.count == 1
      ? "\(first) exists" : "\(first) and \(list.count - 1) more of the outputs exist"
    throw AuricleError(
      .inputOutput, text + ", nothing was done: give --overwrite to replace, or another --output")
  }

  /// The first few of a list of faults, and how many more there are.
  private static func sentence(_ faults: [String]) -> String {
    let shown = faults.prefix(3).joined(separator: "; ")
    return faults.count > 3 ? shown + "; and \(faults.count - 3) more" : shown
  }
}
