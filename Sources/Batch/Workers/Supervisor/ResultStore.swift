// Passes results and records to the committer and handles results that could not be committed.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem
import ResultSettings
import RunLedgers

/// Submits the results and records of a run to the committer, and receives the outcomes.
final class ResultStore {
  /// The outcome of a record.
  enum Event {
    /// It is in the ledger, and its results have their names.
    case recorded(FileRecord)
    /// Nothing more can be recorded.
    case stopped(AuricleError)
  }

  let places: OutputPlaces
  let committer: Committer
  private let options: SupervisorOptions
  private let forms: RecordForms
  /// Records at the committer.
  private(set) var pendingCount = 0
  /// Files that workers have finished and that are not recorded yet.
  private(set) var committing = CommittingWork()

  private var lastCheck: ContinuousClock.Instant?
  private static let checkInterval = Duration.seconds(1)

  /// The most results that wait for the committer; they are open files: at most 256, and a quarter of this
  /// process's limit.
  private static let mostOpenResults: Int = {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    return limit > 0 ? min(256, limit / 4) : 256
  }()

  init(
    _ options: SupervisorOptions, forms: RecordForms, journal: RunJournal?
  ) throws(AuricleError) {
    self.options = options
    self.forms = forms
    places = try OutputPlaces(root: options.outputRoot)
    committer = try Committer(ledger: journal?.writer, isShared: options.isShared)
  }

  /// Whether more files may be begun.
  var hasRoom: Bool {
    pendingCount
      < max(2, Self.mostOpenResults / max(1, options.setup.settings.deliverables.count))
  }

  /// Adds a line without results to the ledger.
  func note(_ members: [(String, JSONValue?)]) {
    committer.submit(.line(nil, JSONValue.members(members).members ?? []))
  }

  /// Adds the end of the run to the ledger.
  func note(_ end: RunEnd) {
    note([
      ("t", "end"), ("state", .string(end.name)), ("time", .string(UTCTime.text())),
      ("error", end.reason.map(JSONValue.string)),
    ])
  }

  /// Adds an event to the ledger.
  func note(_ event: RunEvent) {
    switch event {
    case .note(let text): note([("t", "note"), ("text", .string(text))])
    case .sandbox(let text): note([("t", "sandbox"), ("text", .string(text))])
    case .reuse(let verdict): note([("t", "reuse")] + verdict.members)
    default: break
    }
  }

  /// The error that the disk of the results was removed, checked periodically: open files can still be
  /// written, but nobody would find them. Nil while it is there.
  func lossOfOutput(_ now: ContinuousClock.Instant, isLast: Bool) -> AuricleError? {
    guard isLast || lastCheck.map({ now - $0 > Self.checkInterval }) ?? true else { return nil }
    lastCheck = now
    guard !places.isInPlace else { return nil }
    return AuricleError(
      .temporary, "the output folder \(options.outputRoot ?? "") no longer exists")
  }

  /// Submits the record of a file without a result.
  func submit(_ record: FileRecord) {
    pendingCount += 1
    removeLeftover(of: record)
    committer.submit(.line(record, LedgerLine.file(record)))
  }

  /// Submits the results of a file.
  func submit(_ record: FileRecord, _ parts: [PartFile]) {
    pendingCount += 1
    committing.add(record)
    let backup = options.backupSuffix.flatMap { suffix in parts.first.map { $0.name + suffix } }
    committer.submit(
      .result(
        record, parts, replaces: options.existing == .overwrite || backup != nil, backup: backup))
  }

  /// Removes the part files that an earlier, killed session left of a file without a result.
  private func removeLeftover(of record: FileRecord) {
    guard options.mayHaveLeftovers, !record.output.isEmpty else { return }
    do throws(AuricleError) {
      let (folder, name) = try places.place(of: forms.planned(record.output))
      PartFile.removeLeftover(of: name, run: options.run, in: folder)
    } catch {
      // Without the folder there can be no leftover.
    }
  }

  /// Events since the last call: committed results, and failed ones.
  func collect() -> [Event] {
    committer.drainOutcomes().compactMap { outcome in
      if let record = outcome.record {
        pendingCount -= 1
        if record.status == .done { committing.remove(record) }
      }
      guard let (number, step) = outcome.failure else { return outcome.record.map(Event.recorded) }
      return failure(outcome.record, number, step)
    }
  }

  /// The last events after the last submission; waits for the disk.
  func finish(_ handle: (Event) -> Void) {
    committer.close()
    while true {
      let hasEnded = committer.hasEnded
      collect().forEach(handle)
      if hasEnded { return }
      committer.wake.wait(atMost: .seconds(1))
    }
  }

  /// Handles a result that cannot be written: submits the failure of its file, or returns that of the disk.
  func outputFailed(_ entry: PlanEntry, _ error: AuricleError) -> AuricleError? {
    if error.category == .temporary || !places.isInPlace { return error.gone("the output folder") }
    submit(forms.failure(of: entry, error, .output))
    return nil
  }

  /// An uncommitted result fails its file, or stops the run.
  private func failure(_ record: FileRecord?, _ number: Int32, _ step: String) -> Event? {
    if step == Committer.ledgerStep {
      let reason =
        number == LedgerWriter.lost
        ? "it was removed during the run; finished results are in place, so repeat the whole command "
          + "with --new-run --on-exists skip" : systemReason(number)
      return .stopped(
        AuricleError(
          .temporary, "the ledger of the run cannot be written: \(reason)",
          cause: number == LedgerWriter.lost ? .needsNewRun : .errno(number)))
    }
    guard let record else { return nil }
    let entry = forms.entry(of: record)
    if number == EEXIST, options.backupSuffix == nil {
      submit(forms.alreadyThere(entry, entry.output))
      return nil
    }
    if let sentence = sentence(number, record) {
      submit(forms.failure(of: entry, AuricleError(.inputOutput, sentence), .output))
      return nil
    }
    let error = systemError(number, step, record.output)
    // A name that may not last is no failure of the file: the ledger has announced it, and a resumed run
    // checks whether it exists.
    if error.category == .temporary || step == Committer.folderStep || !places.isInPlace {
      return .stopped(
        AuricleError(.temporary, status: error.status, error.message, cause: error.cause))
    }
    submit(forms.failure(of: entry, error, .output))
    return nil
  }

  /// The sentence for a result that was lost for another reason than the disk.
  private func sentence(_ number: Int32, _ record: FileRecord) -> String? {
    switch number {
    case EEXIST:
      options.backupSuffix.map { suffix in
        "the original of \(record.output) cannot be kept: \(record.output + suffix) is there already and "
          + "is another file; \(record.output) may have been done before: find out which is the original, "
          + "and move the other away"
      }
    case PartFile.lost:
      "the unfinished file of \(record.output) was removed or replaced by another program: keep "
        + "it out of the folder and resume the run"
    case PartFile.changed:
      "\(record.output) was changed after it was done, perhaps by a unit that keeps foreign memory or files, "
        + "and was not kept: resume the run"
    default: nil
    }
  }
}
