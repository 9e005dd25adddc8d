// The files in the folder of a run: manifest, plan, ledgers and pictures.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
import HostSystem

extension RunFolder {
  /// The longest manifest: 16 MiB.
  private static let longestManifest = 16 << 20

  /// Writes the manifest to the disk atomically.
  public func write(_ manifest: RunManifest) throws(AuricleError) {
    let file = try AtomicFile(path: manifestPath, overwrite: true)
    let bytes = Array((manifest.json.indentedText + "\n").utf8)
    let number = FileTransfer.writeAll(bytes, to: file.descriptor)
    guard number == 0 else {
      file.cancel()
      throw systemError(number, "write", manifestPath)
    }
    try file.commit()
  }

  /// Reads the manifest.
  public func manifest() throws(AuricleError) -> RunManifest {
    var manifest = try writtenManifest()
    // The manifest has no checksum of a growing plan; a run cut off early has no plan.
    if manifest.watch != nil, FileIdentity.of(planPath) != nil {
      manifest.totals = try PlanFile.totals(planPath)
    }
    return manifest
  }

  /// What the run watches, whatever became of its plan; nil for a run of another kind.
  public var watch: WatchRequest? { (try? writtenManifest())?.watch }

  /// The manifest as stored on the disk.
  private func writtenManifest() throws(AuricleError) -> RunManifest {
    let descriptor = try InputFile.open(manifestPath)
    defer { close(descriptor) }
    guard let bytes = FileTransfer.readAll(descriptor, limit: Self.longestManifest + 1) else {
      throw systemError(errno, "read", manifestPath)
    }
    guard bytes.count <= Self.longestManifest, let json = JSONValue(bytes),
      let manifest = RunManifest(json: json)
    else {
      throw AuricleError(
        .badData,
        "\(manifestPath) is damaged, or of another version of the program: begin a new run with "
          + "the command that began this one and --on-exists skip")
    }
    guard json["preset"]?["sha256"]?.text == manifest.presetHash else {
      throw AuricleError(
        .badData,
        "\(manifestPath) was changed: its preset is not the one that its checksum (sha256) tells of; "
          + "begin a new run with the command that began this one and --on-exists skip")
    }
    return manifest
  }

  // MARK: The plan

  /// Makes the plan of a new run.
  ///
  /// - Throws: As `Planner`.
  public func plan(
    _ request: PlanRequest, outputRoot: String?
  ) throws(AuricleError) -> (totals: PlanTotals, checksum: UInt64) {
    try PlanFile.write(request, to: planPath, outputRoot: outputRoot)
  }

  /// The files of the plan that are not settled yet.
  public func jobs(
    isSettled: @escaping (Int) -> Bool = { _ in false }
  ) throws(AuricleError) -> any JobSource {
    try PlannedJobs(path: planPath, isSettled: isSettled)
  }

  /// Checks that the plan is the one in the manifest.
  public func checkPlan(_ manifest: RunManifest) throws(AuricleError) {
    guard manifest.watch == nil else { return }
    let advice =
      "give the whole auricle process command again with --new-run --on-exists skip, which keeps "
      + "what is done"
    guard FileIdentity.of(planPath) != nil else {
      throw AuricleError(
        .badData, "\(planPath) is missing, so the run cannot go on: \(advice)",
        cause: .needsNewRun)
    }
    let descriptor = try InputFile.open(planPath)
    defer { close(descriptor) }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    let number = unsafe AuricleXXH64File(descriptor, &hash, &count)
    guard number == 0 else { throw systemError(number, "read", planPath) }
    guard hash == manifest.planChecksum else {
      throw AuricleError(
        .badData,
        "\(planPath) was changed since the run was begun, so it cannot go on: \(advice)",
        cause: .needsNewRun)
    }
  }

  // MARK: Ledgers

  /// The ledgers, the oldest first.
  var ledgerPaths: [String] {
    numbers(of: "ledger-").map { Path.joining(path, "ledger-\($0).jsonl") }
  }

  /// The sorted numbers of the files with a prefix; there may be gaps.
  private func numbers(of prefix: String) -> [Int] {
    FolderListing.names(in: path).compactMap { name -> Int? in
      guard name.hasPrefix(prefix), name.hasSuffix(".jsonl"),
        let number = Int32(name.dropFirst(prefix.count).dropLast(6)), number > 0,
        name == "\(prefix)\(number).jsonl"
      else { return nil }
      return Int(number)
    }.sorted()
  }

  /// Begins a ledger for this process; its name and the run's folder survive a loss of power.
  public func beginLedger() throws(AuricleError) -> RunJournal {
    let number = (numbers(of: "ledger-").last ?? 0) + 1
    let journal = try RunJournal(path: Path.joining(path, "ledger-\(number).jsonl"))
    let members: [JSONValue.Member] = [
      JSONValue.Member("t", "session"), JSONValue.Member("time", .string(UTCTime.text())),
      JSONValue.Member("process", JSONValue(Int(getpid()))),
    ]
    let failure = journal.writer.append([members])
    guard failure == 0 else { throw systemError(failure, "write", journal.writer.path) }
    for folder in [path, Path.folder(of: path), output] { AtomicFile.synchronizeFolder(folder) }
    return journal
  }

  /// The file of a book of pictures.
  func picturePath(_ number: Int) -> String { Path.joining(path, "pictures-\(number).jsonl") }

  /// Begins a book of pictures for this process, after its ledger.
  public func beginPictures() throws(AuricleError) -> PictureBook {
    // The ledger's number, or a higher one if a ledger was lost.
    let number = max(
      numbers(of: "ledger-").last ?? 1, (numbers(of: "pictures-").last ?? 0) + 1)
    return try PictureBook(number: number, path: picturePath(number))
  }
}
