// Makes one run of the shards: one plan, one ledger.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
import HostSystem

extension RunFolder {
  /// Writes one plan and one ledger from those of the shards; removes leftovers of attempts that were killed.
  ///
  /// The shards stay as they are: an attempt that is late has its place.
  ///
  /// - Throws: `.temporary` when files are not accounted for, `.badData` when a plan is damaged.
  ///
  /// Context: control; in the folder that the run was begun in.
  public func merge(_ manifest: RunManifest, root: String) throws(AuricleError) {
    let shards = try self.shards()
    guard shards.count == manifest.shardCount else {
      throw AuricleError(
        .badData,
        "\(path) has \(shards.count) of \(manifest.shardCount ?? 0) shards: some were removed")
    }
    // Before anything is written.
    for folder in shards {
      var own = manifest
      own.planChecksum = folder.shard?.planChecksum ?? 0
      try folder.checkPlan(own)
    }
    var state = try RunState(self, fileCount: manifest.totals.fileCount)
    var progress = try ShardProgress(self, state)
    if !progress.missing.isEmpty {
      // A shard that has nothing else to do confirms the results that were named when an attempt was killed.
      for index in progress.missing { try confirm(index, manifest, root: root) }
      state = try RunState(self, fileCount: manifest.totals.fileCount)
      progress = try ShardProgress(self, state)
    }
    guard progress.missing.isEmpty else {
      throw AuricleError(
        .temporary,
        "the shards \(progress.ranges) of the run \(run) are not done: run auricle shard for "
          + "each, then merge")
    }
    try writeLedger(manifest, state)
    let plan = try LineFileWriter(path: planPath + ".part")
    for shard in shards {
      let reader = try LineFileReader(path: shard.planPath)
      while let line = try reader.next() { try plan.write(line + [0x0A]) }
    }
    guard try plan.finish() == manifest.planChecksum else {
      unsafe _ = unlink(planPath + ".part")
      throw AuricleError(
        .badData,
        "the plans of the shards in \(path) were changed after the run was planned: plan it again")
    }
    for shard in shards { try shard.removeLeftovers(root: root) }
    guard unsafe rename(planPath + ".part", planPath) == 0 else {
      throw systemError(errno, "write", planPath)
    }
    AtomicFile.synchronizeFolder(path)
  }

  private func confirm(_ index: Int, _ manifest: RunManifest, root: String) throws(AuricleError) {
    let shard = try shard(index)
    var state = try RunState(shard, fileCount: manifest.totals.fileCount)
    guard !state.unconfirmed.isEmpty else { return }
    let locate = try state.locator(manifest, of: shard, in: root)
    _ = try state.confirm(in: try shard.beginLedger(), isShared: true, locate: locate)
  }

  /// Writes the ledger of the whole run; it counts once the plan has its name.
  private func writeLedger(_ manifest: RunManifest, _ state: RunState) throws(AuricleError) {
    let place = Path.joining(path, "ledger-1.jsonl")
    let ledger = try LineFileWriter(path: place)
    func write(_ members: [(String, JSONValue?)]) throws(AuricleError) {
      try ledger.write(CheckedLine.encode(JSONValue.members(members).members ?? []) ?? [])
    }
    try write([
      ("t", "session"), ("time", .string(state.sessionStart ?? manifest.started)),
      ("process", JSONValue(Int(getpid()))),
    ])
    if let sandbox = state.sandbox { try write([("t", "sandbox"), ("text", .string(sandbox))]) }
    for verdict in state.verdicts { try write([("t", "reuse")] + verdict.members) }
    for note in state.notes { try write([("t", "note"), ("text", .string(note))]) }
    try RunRecords(self, fileCount: manifest.totals.fileCount).forEach {
      (file) throws(AuricleError) in
      guard let record = file.record else { return }
      try ledger.write(CheckedLine.encode(LedgerLine.file(record)) ?? [])
      if record.status == .done {
        try ledger.write(CheckedLine.encode(LedgerLine.kept(record.index)) ?? [])
      }
    }
    try write([
      ("t", "end"), ("state", "finished"), ("time", .string(UTCTime.text())),
    ])
    _ = try ledger.finish()
  }

  /// Removes the part files and scratch folders of attempts that were killed.
  private func removeLeftovers(root: String) throws(AuricleError) {
    var killed: [String] = []
    for path in ledgerPaths {
      let reader = try LineFileReader(path: path)
      var attempt: String?
      while let line = try reader.next() {
        guard let json = CheckedLine.decode(line) else { continue }
        if json["t"]?.text == "session" { attempt = json["attempt"]?.text }
        if json["t"]?.text == "end" { attempt = nil }
      }
      if let attempt { killed.append(attempt) }
    }
    guard !killed.isEmpty else { return }
    var plan = try PlannedJobs(path: planPath)
    while let entry = try plan.next() {
      for result in entry.outputs where !result.isEmpty {
        let path = Path.joining(root, result)
        let parent = Path.folder(of: path)
        let descriptor = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        let folder = OpenFolder(descriptor: descriptor, path: parent)
        for attempt in killed {
          PartFile.removeLeftover(
            of: Path.lastComponent(path), run: "\(run)-\(attempt)", in: folder)
        }
      }
    }
    for name in FolderListing.names(in: path) where name.hasPrefix("scratch-") {
      _ = unsafe Path.joining(path, name).withFileName { unsafe AuricleRemoveFolder($0) }
    }
  }
}
