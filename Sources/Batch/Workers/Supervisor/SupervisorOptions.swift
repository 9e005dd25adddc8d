// The options of a run besides its files, its events, and its summary.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import FileRendering
import ResultSettings
public import RunLedgers

/// The options of a supervisor.
public struct SupervisorOptions {
  /// The most workers at a time.
  public var workerCount = 1
  /// The program that workers run, and its arguments.
  public var program: String
  /// Its arguments; the number of the supervisor's process is added.
  public var arguments: [String]
  /// The setup of workers.
  public var setup: WorkerSetup
  /// The root of all results; nil when each has a separate path.
  public var outputRoot: String?
  /// The name of the run, which is part of the names of part files.
  public var run: String
  /// The treatment of results that exist.
  public var existing = ExistingPolicy.error
  /// The suffix of backups of replaced inputs; nil for no backup.
  public var backupSuffix: String?
  /// Folders that inputs come from: when one is gone, so is its disk.
  public var inputFolders: [String] = []
  /// The folders that existed when the run was planned, as they were then.
  public var plannedFolders: [InputFolder] = []
  /// Whether an earlier session of the run may have left part files.
  public var mayHaveLeftovers = false
  /// Whether another process may be at work on the same files.
  public var isShared = false
  /// The limits after which work is given up.
  public var limits = WorkLimits()
  /// The reuse verdicts of earlier sessions.
  public var verdicts: [ReuseVerdict] = []
  /// Notes to report first and to add to the ledger.
  public var notes: [String] = []
  /// Where pictures are stored; nil when none are made.
  public var pictureBook: PictureBook?

  /// Makes options with the required values.
  public init(program: String, arguments: [String], setup: WorkerSetup, run: String) {
    self.program = program
    self.arguments = arguments
    self.setup = setup
    self.run = run
  }
}

extension SupervisorOptions {
  /// The time limit of a file when it is begun.
  func timeLimit(of entry: PlanEntry) -> Duration {
    // Until its length is known: the longest sound of its size, at 1000 bytes a second.
    limits.file.map { .seconds($0) } ?? longestTime(forSeconds: Double(entry.byteCount) / 1000)
  }

  /// The time limit of a file with this many seconds of sound, unless another one is set.
  func longestTime(forSeconds seconds: Double) -> Duration {
    .seconds(60 + 50 * (seconds + setup.settings.longestTail))
  }
}

/// An event of a run.
public enum RunEvent: Sendable {
  /// The files that the preset names, before `units`.
  case sideFiles([PresetFile])
  /// A verdict on whether a process may process several files.
  case reuse(ReuseVerdict)
  /// The units of the chain are known; none is open.
  case units([UnitIdentity])
  /// A worker has entered its sandbox, with the rules in force.
  case sandbox(String)
  /// A worker begins with a file.
  case started(index: Int, input: String)
  /// A file was recorded.
  case recorded(FileRecord)
  /// A file is tried again, for this reason.
  case retried(FileRecord)
  /// A line of a worker's output.
  case said(String)
  /// A note for the user.
  case note(String)
  /// Some time has passed.
  case tick
}

/// Finished files whose results are not named yet, for a display.
public struct CommittingWork: Sendable {
  /// The files, by their places in the plan.
  private var files: [Int: RunForecast.Work] = [:]
  /// Seconds of sound.
  public private(set) var seconds = 0.0

  /// The files, each done wholly.
  public var work: [RunForecast.Work] { Array(files.values) }

  /// Nothing.
  public init() {}

  /// Adds a file.
  public mutating func add(_ record: FileRecord) {
    files[record.index] = RunForecast.Work(
      input: record.input, byteCount: record.inputByteCount, inputSeconds: record.inputSeconds,
      fraction: 1)
    seconds += record.result?.outputDuration ?? 0
  }

  /// Removes a file.
  public mutating func remove(_ record: FileRecord) {
    files[record.index] = nil
    seconds -= record.result?.outputDuration ?? 0
  }
}

/// The end of a run.
public enum RunEnd: Sendable {
  /// Every file was recorded.
  case finished
  /// It was asked to stop.
  case interrupted
  /// A unit failed with too many files in a row, or cannot be used at all; `why` lacks its subject.
  case breaker(unit: String, why: String)
  /// It cannot continue now; the rest can be done later.
  case stopped(AuricleError)
  /// The chain cannot be made.
  case refused(WorkerRefusal)
}

extension RunEnd {
  /// Its name in ledgers: `finished`, `interrupted`, `breaker`, `stopped` or `refused`.
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
  /// Why the run ended early; nil when it finished, or was asked to stop.
  public var reason: String? {
    switch self {
    case .finished, .interrupted: nil
    case .breaker(let unit, let why): "\(unit) \(why)"
    case .stopped(let error): error.message
    case .refused(let refusal): refusal.text
    }
  }
}

/// The counts of a run.
public struct RunSummary: Sendable {
  /// Its end.
  public var end = RunEnd.finished
  /// Files by status.
  public var counts: [FileRecord.Status: Int] = [:]
  /// Seconds of sound written.
  public var seconds = 0.0
  /// The category of the only failure, when there was just one file; nil otherwise.
  public var onlyFailure: AuricleError.Category?

  /// An empty summary.
  public init() {}

  /// The number of files with a status.
  public func count(_ status: FileRecord.Status) -> Int { counts[status, default: 0] }

  /// The number of failed and quarantined files.
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
