// One file of a plan as the supervisor takes it.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import HostSystem

/// A file that is to be done, or that cannot be.
public struct PlanEntry: Sendable, Equatable {
  /// Its place in the plan, from 0.
  public var index: Int
  /// The path to read.
  public var input: String
  /// The path to write: below the output folder where there is one.
  public var output: String
  /// Paths of further files from the same rendering, as `output`.
  public var others: [String] = []
  /// The number of the variant, from 1; nil without variants.
  public var variant: Int?
  /// What tells the input from others where values are drawn: its path within its folder.
  public var key = ""
  /// Bytes of the input when the plan was made.
  public var byteCount = 0
  /// When the input was changed last, in nanoseconds since 1970, when the plan was made; 0 when that
  /// was not noted.
  public var modified: Int64 = 0
  /// Which of the results were there when the plan was made and stay as they are, where others are
  /// missing.
  public var kept: [Int] = []
  /// The path to open where it is not `input`, which messages show.
  public var opens: String?
  /// How messages show the result where it is not by its path.
  public var showsOutput: String?
  /// Whether the result was there when the plan was made, and stays as it is.
  public var isSkipped = false
  /// Why the file cannot be done; nil when it can.
  public var error: AuricleError?

  /// All paths to write.
  public var outputs: [String] { [output] + others }

  /// Plans a file.
  public init(index: Int, input: String, output: String) {
    self.index = index
    self.input = input
    self.output = output
  }
}

/// Where a supervisor gets its files from, one after the other.
public protocol JobSource {
  /// The next file that is not accounted for yet; nil after the last.
  mutating func next() throws(AuricleError) -> PlanEntry?

  /// Whether files may come after there was none.
  var mayGrow: Bool { get }

  /// Whether a file is struck off the plan because it is not there any more, or is another one than
  /// was planned: it comes again when it is there, as it is then.
  ///
  /// `now` is the input as it is; nil when it is not there.
  mutating func forgets(_ entry: PlanEntry, now: FileStamp?) throws(AuricleError) -> Bool
}

extension JobSource {
  /// Most sources know their files from the start.
  public var mayGrow: Bool { false }

  /// And account for each of them.
  public func forgets(_ entry: PlanEntry, now: FileStamp?) -> Bool { false }
}

/// A few files, in memory.
public struct ListedJobs: JobSource {
  private var entries: ArraySlice<PlanEntry>

  /// Hands entries out in their order.
  public init(_ entries: [PlanEntry]) { self.entries = entries[...] }

  /// The next one.
  public mutating func next() -> PlanEntry? { entries.popFirst() }
}
