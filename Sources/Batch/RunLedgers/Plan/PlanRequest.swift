// The request of a plan, and its totals.
// SPDX-License-Identifier: Apache-2.0

public import ResultSettings

/// The request of a plan.
public struct PlanRequest: Sendable {
  /// Files and folders as they were named.
  public var inputs: [String]
  /// A file that lists more of them, `-` for standard input; nil for none.
  public var list: String?
  /// The folder that named files belong to, for templates.
  package var dir = ""
  /// Where results go.
  public var destination: BatchDestination
  /// The names of results in a folder.
  public var template = OutputTemplate.standard
  /// The name of the preset, for templates.
  public var preset = ""
  /// The extension of results; nil keeps each input's own.
  public var fileExtension: String?
  /// The deliverables of each input; empty for one with the extension above.
  public var renders: [PlannedRender] = []
  /// The number of variants of each input; 0 for none.
  public var variantCount = 0
  /// The treatment of results that exist.
  public var existing = ExistingPolicy.error
  /// Whether subfolders are walked.
  public var isRecursive = true
  /// Whether the inputs are MIDI files, and not audio files.
  public var acceptsSongs = false
  /// The suffix of the backup when each result replaces its input; nil when results do not.
  public var backupSuffix: String?

  /// Whether headers of inputs are read for their lengths, as far as that needs no more than a second.
  public var readsLengths = false
  /// For how many seconds that is done; every header is read for longer than one.
  public var lengthsTime = 1.0
  /// The report that is to be written, which must not be one of the inputs; nil for none.
  public var report: String?
  /// Called while files are searched; true ends the search.
  public var shouldStop: @Sendable () -> Bool = { false }

  /// Plans these inputs.
  public init(inputs: [String], destination: BatchDestination) {
    self.inputs = inputs
    self.destination = destination
  }
}

/// The totals of a plan.
public struct PlanTotals: Sendable, Equatable {
  /// All files, including any that cannot be processed.
  public var fileCount = 0
  /// Files that cannot be processed.
  public var failureCount = 0
  /// Files whose result exists and is kept.
  public var skippedCount = 0
  /// Results that exist and will be replaced.
  public var replacedCount = 0
  /// Bytes of all inputs.
  public var byteCount = 0
  /// The amounts of the inputs, without files that cannot be done.
  public var inputs = InputAmounts()

  /// Names of files that another name leads to already.
  public var repeatCount = 0
  /// The first of them.
  public var firstRepeat: String?

  /// Nothing.
  public init() {}

  /// The sentence about repeated names; nil without any.
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
  /// Into a folder: files by name, with the tree of an input folder mirrored.
  case folder(String)
  /// Into this file; exactly one input.
  case file(String)
}
