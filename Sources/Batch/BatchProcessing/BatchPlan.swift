// A plan in memory: for few files, whose results need no ledger.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// One file to process: where it is, and where the result goes.
public struct PlannedFile: Sendable, Hashable {
  /// The path to read.
  public var input: String
  /// The path to write.
  public var output: String
  /// Paths of further files from the same rendering.
  public var others: [String] = []

  /// Names both ends.
  public init(input: String, output: String, others: [String] = []) {
    self.input = input
    self.output = output
    self.others = others
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

/// The files of a run in their order, each with its destination, checked as far as possible
/// without opening one: no two inputs for one output, nothing overwritten unasked.
public struct BatchPlan: Sendable {
  /// Every file of the plan, with outputs as paths from here.
  public private(set) var entries: [PlanEntry] = []

  /// What to do, in this order.
  public var files: [PlannedFile] {
    entries.filter { $0.error == nil && !$0.isSkipped }.map {
      PlannedFile(input: $0.input, output: $0.output, others: $0.others)
    }
  }

  /// Inputs that will not be done: missing ones, folders without audio.
  public var failures: [FileFailure] {
    entries.compactMap { entry in
      entry.error.map { FileFailure(input: entry.input, error: $0) }
    }
  }

  /// Plans a run.
  ///
  /// - Throws: As `Planner`.
  ///
  /// Context: control. Touches the disk to look, never to write.
  public init(_ request: PlanRequest) throws(AuricleError) {
    var planner = Planner(request)
    var entries: [PlanEntry] = []
    _ = try planner.run { (entry) throws(AuricleError) in entries.append(entry) }
    if case .folder(let folder) = request.destination, request.backupSuffix == nil {
      for index in entries.indices where !entries[index].output.isEmpty {
        entries[index].output = Path.joining(folder, entries[index].output)
        entries[index].others = entries[index].others.map { Path.joining(folder, $0) }
      }
    }
    let known = entries
    for entry in entries {
      for output in entry.outputs { try planner.checkReplacing(entry, shown: output) }
    }
    try planner.check { index in known.indices.contains(index) ? known[index] : nil }
    self.entries = entries
  }

  /// Plans a run with the usual names.
  ///
  /// - Parameters:
  ///   - inputs: Files and folders. A file named here is always tried, whatever its name; folders
  ///     are walked, taking what looks like audio.
  ///   - destination: Where results go.
  ///   - fileExtension: The extension of results; nil keeps each input's own.
  ///   - overwrite: Whether existing files may be replaced.
  /// - Throws: As `Planner`.
  ///
  /// Context: control. Touches the disk to look, never to write.
  public init(
    inputs: [String], destination: BatchDestination, fileExtension: String? = nil,
    overwrite: Bool = false
  ) throws(AuricleError) {
    var request = PlanRequest(inputs: inputs, destination: destination)
    request.fileExtension = fileExtension
    request.existing = overwrite ? .overwrite : .error
    try self.init(request)
  }
}
