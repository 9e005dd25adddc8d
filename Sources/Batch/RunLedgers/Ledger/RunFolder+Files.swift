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
    manifest.isInShards = manifest.shardCount != nil && FileIdentity.of(planPath) == nil
    // The manifest has no checksum of a growing plan; a run cut off early has no plan.
    if manifest.watch != nil, FileIdentity.of(planPath) != nil {
      manifest.totals = try PlanFile.totals(planPath)
    }
    return manifest
  }

  /// The folder watched by the run, in any state of its plan; nil for a run of another kind.
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
        "\(manifestPath) was changed: its preset does not match its checksum (sha256); "
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
    let jobs = try PlannedJobs(path: planPath, isSettled: isSettled)
    return shard == nil ? jobs : ShardJobs(jobs, beside: self)
  }

  /// Checks that the plan is the one in the manifest.
  ///
  /// - Throws: `.badData` with the first line that is damaged, missing or out of place.
  public func checkPlan(_ manifest: RunManifest) throws(AuricleError) {
    guard manifest.watch == nil else { return }
    let command = manifest.shardCount == nil ? manifest.command : "plan"
    let advice =
      "repeat the whole auricle \(command) command with --new-run --on-exists skip, which keeps "
      + "finished results"
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
      let damaged = try PlanFile.firstDamagedLine(planPath, from: shard?.first ?? 0)
      throw AuricleError(
        .badData,
        "\(planPath) was changed since the run was begun, from line \(damaged) on, so it cannot go on: "
          + advice, cause: .needsNewRun)
    }
  }

  // MARK: Ledgers

  /// The ledgers, the oldest first; those of a run in shards are in the order of its shards.
  var ledgerPaths: [String] {
    let shards = shard == nil && FileIdentity.of(planPath) == nil ? shardPaths : []
    return (shards.isEmpty ? [path] : shards).flatMap { ledgerPaths(in: $0) }
  }

  private func ledgerPaths(in folder: String) -> [String] {
    Self.numbers(of: "ledger-", in: folder).map { Path.joining(folder, "ledger-\($0).jsonl") }
  }

  /// The sorted numbers of the files with a prefix; there may be gaps.
  private func numbers(of prefix: String) -> [Int] { Self.numbers(of: prefix, in: path) }

  private static func numbers(of prefix: String, in folder: String) -> [Int] {
    FolderListing.names(in: folder).compactMap { name -> Int? in
      guard name.hasPrefix(prefix), name.hasSuffix(".jsonl"),
        let number = Int32(name.dropFirst(prefix.count).dropLast(6)), number > 0,
        name == "\(prefix)\(number).jsonl"
      else { return nil }
      return Int(number)
    }.sorted()
  }

  /// Begins a ledger for this process; its name and the run's folder survive a loss of power.
  public func beginLedger() throws(AuricleError) -> RunJournal {
    let journal = try newJournal()
    var members: [JSONValue.Member] = [
      JSONValue.Member("t", "session"), JSONValue.Member("time", .string(UTCTime.text())),
      JSONValue.Member("process", JSONValue(Int(getpid()))),
    ]
    if let shard { members.append(JSONValue.Member("attempt", .string(shard.attempt))) }
    let failure = journal.writer.append([members])
    guard failure == 0 else { throw systemError(failure, "write", journal.writer.path) }
    for folder in [path, Path.folder(of: path), output] { AtomicFile.synchronizeFolder(folder) }
    return journal
  }

  /// A ledger with the next number; two attempts at a shard that begin at once get two.
  private func newJournal() throws(AuricleError) -> RunJournal {
    for _ in 0..<100 {
      let number = (numbers(of: "ledger-").last ?? 0) + 1
      let place = Path.joining(path, "ledger-\(number).jsonl")
      do throws(AuricleError) { return try RunJournal(path: place) } catch {
        guard shard != nil, FileIdentity.exists(place) else { throw error }
      }
    }
    throw AuricleError(.temporary, "no free name for a ledger is left in \(path)")
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
