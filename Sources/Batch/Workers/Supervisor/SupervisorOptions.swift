// What a run is told besides its files: workers, places, limits.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import FileRendering
import ResultSettings
public import RunLedgers

/// What a supervisor is told.
public struct SupervisorOptions {
  /// How many workers there are at most.
  public var workerCount = 1
  /// The program that workers run, and its arguments.
  public var program: String
  /// Its arguments; the number of the supervisor's process is added.
  public var arguments: [String]
  /// What workers are told.
  public var setup: WorkerSetup
  /// The folder that all results lie below; nil when each has a path of its own.
  public var outputRoot: String?
  /// The name of the run, part of the names of unfinished files.
  public var run: String
  /// What is done about results that exist.
  public var existing = ExistingPolicy.error
  /// What is added to the name of an input that its result replaces; nil when none is.
  public var backupSuffix: String?
  /// Folders that inputs come from: when one is gone, so is its disk.
  public var inputFolders: [String] = []
  /// Those of them that were there when the run was planned, as they were then.
  public var plannedFolders: [InputFolder] = []
  /// Whether an earlier session of the run may have left unfinished files.
  public var mayHaveLeftovers = false
  /// When work is given up.
  public var limits = WorkLimits()
  /// What an earlier session of the run found out about chains.
  public var verdicts: [ReuseVerdict] = []
  /// What is to be told first, and noted in the ledger.
  public var notes: [String] = []
  /// Where pictures are kept; nil when none are made.
  public var pictureBook: PictureBook?

  /// The least that must be known.
  public init(program: String, arguments: [String], setup: WorkerSetup, run: String) {
    self.program = program
    self.arguments = arguments
    self.setup = setup
    self.run = run
  }
}

extension SupervisorOptions {
  /// How long a file may take whose sound lasts so many seconds, where nothing else is asked for.
  func longestTime(forSeconds seconds: Double) -> Duration {
    .seconds(60 + 50 * (seconds + setup.settings.longestTail))
  }
}

/// What a run has to say while it goes on.
public enum RunEvent: Sendable {
  /// The files that the preset names, before `units`.
  case sideFiles([PresetFile])
  /// It was found out whether a process may do one file after the other.
  case reuse(ReuseVerdict)
  /// The units of the chain are known; none is open.
  case units([UnitIdentity])
  /// A worker is in its sandbox; what was reached.
  case sandbox(String)
  /// A worker begins with a file.
  case started(index: Int, input: String)
  /// A file is accounted for.
  case recorded(FileRecord)
  /// A file is tried again, because of this.
  case retried(FileRecord)
  /// A line that a unit printed.
  case said(String)
  /// Something that is worth knowing.
  case note(String)
  /// Some time has passed.
  case tick
}

/// What workers are done with and has not its name yet, for a display.
public struct CommittingWork: Sendable {
  /// Bytes of the files when the plan was made.
  public private(set) var byteCount = 0
  /// Seconds of sound.
  public private(set) var seconds = 0.0

  /// Nothing.
  public init() {}

  /// Counts a file in.
  public mutating func add(_ record: FileRecord) {
    byteCount += record.inputByteCount
    seconds += record.result?.outputDuration ?? 0
  }

  /// Counts a file out.
  public mutating func remove(_ record: FileRecord) {
    byteCount -= record.inputByteCount
    seconds -= record.result?.outputDuration ?? 0
  }
}

/// How a run ended.
public enum RunEnd: Sendable {
  /// Every file is accounted for.
  case finished
  /// It was asked to stop.
  case interrupted
  /// A unit failed with too many files in a row, or cannot be used at all; `why` has no subject.
  case breaker(unit: String, why: String)
  /// It cannot go on now; what is missing can be done later.
  case stopped(AuricleError)
  /// The chain cannot be made.
  case refused(WorkerRefusal)
}

extension RunEnd {
  /// One word: `finished`, `interrupted`, `breaker`, `stopped` or `refused`.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .interrupted: "interrupted"
    case .breaker: "breaker"
    case .stopped: "stopped"
    case .refused: "refused"
    }
  }
}

extension RunEnd {
  /// Why the run ended before all was done; nil when it was not, or was asked to.
  public var reason: String? {
    switch self {
    case .finished, .interrupted: nil
    case .breaker(let unit, let why): "\(unit) \(why)"
    case .stopped(let error): error.message
    case .refused(let refusal): refusal.text
    }
  }
}

/// A run in numbers.
public struct RunSummary: Sendable {
  /// How it ended.
  public var end = RunEnd.finished
  /// Files by what became of them.
  public var counts: [FileRecord.Status: Int] = [:]
  /// Seconds of sound written.
  public var seconds = 0.0
  /// The category of the only failure, when there was just one file; nil otherwise.
  public var onlyFailure: AuricleError.Category?

  /// Nothing yet.
  public init() {}

  /// How many files ended so.
  public func count(_ status: FileRecord.Status) -> Int { counts[status, default: 0] }

  /// Files that were not done: failed or quarantined.
  public var failedCount: Int { count(.failed) + count(.quarantined) }

  /// The exit code of a run that a unit stopped.
  public static let breakerCode: Int32 = 4

  /// The exit code.
  public var exitCode: Int32 {
    switch end {
    case .interrupted: return AuricleError.Category.interrupted.rawValue
    case .breaker: return Self.breakerCode
    case .stopped(let error): return error.category.rawValue
    case .refused(let refusal): return refusal.category.rawValue
    case .finished: break
    }
    guard failedCount > 0 else { return 0 }
    return (onlyFailure ?? .someFilesFailed).rawValue
  }

  mutating func add(_ record: FileRecord) {
    let total = counts.values.reduce(0, +)
    counts[record.status, default: 0] += 1
    onlyFailure = total == 0 ? record.error?.category : nil
    if record.status == .done { seconds += record.result?.outputDuration ?? 0 }
  }
}
