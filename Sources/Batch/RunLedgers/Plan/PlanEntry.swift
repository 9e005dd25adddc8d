// One file of a plan, and the sources of such entries.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import HostSystem
public import ResultSettings

/// A file to process, or one that cannot be processed.
public struct PlanEntry: Sendable, Equatable {
  /// Its place in the plan, from 0.
  public var index: Int
  /// The path to read.
  public var input: String
  /// The path to write: relative to the output folder if there is one.
  public var output: String
  /// Paths of further deliverables of the same rendering, like `output`.
  public var others: [String] = []
  /// The number of the variant, from 1; nil without variants.
  public var variant: Int?
  /// The key of the input for random values: its path within its folder.
  public var key = ""
  /// Bytes of the input when the plan was made.
  public var byteCount = 0
  /// Seconds of sound of the input, by its header when the plan was made; nil where it had none.
  public var seconds: Double?
  /// When the input was changed last, in nanoseconds since 1970, when the plan was made; 0 when that
  /// was not noted.
  public var modified: Int64 = 0
  /// The results that existed when the plan was made and are kept, while others are missing.
  public var kept: [Int] = []
  /// The path to open if it is not `input`, which messages show.
  public var opens: String?
  /// The track of a song that is played alone, from 1, where it is not that of all; for files that are listed.
  public var track: Int?
  /// The result's name in messages if not its path.
  public var showsOutput: String?
  /// Whether the result existed when the plan was made and is kept.
  public var isSkipped = false
  /// The part of the input that is done; nil for all of it.
  public var segment: SoundSegment?
  /// The fields of the file in a manifest of inputs besides its place and length; nil without any.
  public var fields: JSONValue?
  /// Why the file cannot be processed; nil when it can.
  public var error: AuricleError?

  /// All paths to write.
  public var outputs: [String] { [output] + others }

  /// Makes an entry.
  public init(index: Int, input: String, output: String) {
    self.index = index
    self.input = input
    self.output = output
  }
}

/// A source of files for a supervisor.
public protocol JobSource {
  /// The next file that is not settled; nil after the last.
  mutating func next() throws(AuricleError) -> PlanEntry?

  /// Whether more files may follow after nil.
  var mayGrow: Bool { get }

  /// Whether a file is removed from the plan because it is missing or has changed: it is planned again once
  /// it has settled.
  ///
  /// `now` is the current stamp of the input; nil when it is missing.
  mutating func forgets(_ entry: PlanEntry, now: FileStamp?) throws(AuricleError) -> Bool

  /// Whether another process has settled a file meanwhile: asked when it is about to be begun.
  mutating func isSettledElsewhere(_ entry: PlanEntry) -> Bool
}

extension JobSource {
  /// Most sources know their files from the start.
  public var mayGrow: Bool { false }

  /// Most sources settle each of their files.
  public func forgets(_ entry: PlanEntry, now: FileStamp?) -> Bool { false }

  /// Most runs have one process.
  public func isSettledElsewhere(_ entry: PlanEntry) -> Bool { false }
}

/// A few files, in memory.
public struct ListedJobs: JobSource {
  private var entries: ArraySlice<PlanEntry>

  /// Returns these entries in order.
  public init(_ entries: [PlanEntry]) { self.entries = entries[...] }

  /// The next one.
  public mutating func next() -> PlanEntry? { entries.popFirst() }
}
