// What a plan is made of, and what it comes to.
// SPDX-License-Identifier: Apache-2.0

public import ResultSettings

/// What a plan is made of.
public struct PlanRequest: Sendable {
  /// Files and folders as they were named.
  public var inputs: [String]
  /// A file that lists more of them, `-` for standard input; nil for none.
  public var list: String?
  /// The folder that files named here count as lying in, below the one that names are told from.
  package var dir = ""
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

  /// The report that is to be written, which must not be one of the inputs; nil for none.
  public var report: String?
  /// Asked while files are looked for; true ends that.
  public var shouldStop: @Sendable () -> Bool = { false }

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

  /// Names that lead to a file which another name leads to already.
  public var repeatCount = 0
  /// The first of them.
  public var firstRepeat: String?

  /// Nothing.
  public init() {}

  /// What is to be said of names that were left out; nil where none were.
  public var repeats: String? {
    guard repeatCount > 0, let firstRepeat else { return nil }
    return repeatCount == 1
      ? "\(firstRepeat) is another name of a file that is done: it is left out"
      : "\(firstRepeat) and \(repeatCount - 1) more are other names of files that are done: they "
        + "are left out"
  }
}

/// Where results go.
public enum BatchDestination: Sendable, Equatable {
  /// Into a folder: files by their names, the tree below a folder given as input mirrored.
  case folder(String)
  /// Into this file; exactly one input.
  case file(String)
}
