// Does one shard of a run, and makes one run of all that are done.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AuricleHost
import Foundation
import HostSystem
public import RunLedgers

/// A run in shards.
public struct ShardedRun {
  private let folder: RunFolder
  /// The manifest that the run is tied to.
  public let manifest: RunManifest
  private let installation: AuricleInstallation

  init(in place: String, run: String?, _ installation: AuricleInstallation) throws(AuricleError) {
    self.installation = installation
    // The folder of a run is accepted as well as that of its results.
    var (output, run) = (WorkingFolder.absolute(place), run)
    let parent = (output as NSString).deletingLastPathComponent
    if run == nil, (parent as NSString).lastPathComponent == RunFolder.name {
      run = (output as NSString).lastPathComponent
      output = (parent as NSString).deletingLastPathComponent
    }
    folder = try RunFolder.find(in: output, run: run)
    manifest = try folder.manifest()
    guard manifest.shardCount != nil else {
      throw AuricleError(
        .usage,
        "the run \(folder.run) in \(place) is not in shards: auricle plan makes one that is")
    }
  }

  /// The name of the run.
  public var name: String { folder.run }
  /// The folder of the run.
  public var path: String { folder.path }
  /// The program that planned it.
  public var program: String { installation.host.executable }
  /// The output folder.
  public var output: String { folder.output }

  /// Which shards are done.
  ///
  /// Context: control. Reads the ledgers of all.
  public func progress() throws(AuricleError) -> ShardProgress {
    try ShardProgress(folder, RunState(folder, fileCount: manifest.totals.fileCount))
  }

  /// Does the files of one shard that are not done.
  ///
  /// Changes the process's working folder to the one the run was planned in.
  ///
  /// - Throws: `.badData` when it can never be done as it was planned: the plan was changed, or the program or a unit
  ///   is another one here.
  ///
  /// Context: control; returns when the shard is done or the run was asked to stop.
  public func run(
    shard index: Int, work: WorkRequest = WorkRequest(), control: RunControl = RunControl()
  ) throws -> RunOutcome {
    let shardFolder = try folder.shard(index)
    if let difference = toolDisagreement {
      throw AuricleError(
        .badData,
        "the run \(folder.run) in \(folder.output) was planned with \(difference): install that one "
          + "here, or plan anew with --new-run --on-exists skip")
    }
    guard let shard = shardFolder.shard else {
      throw AuricleError(.software, "the folder of shard \(index) has none")
    }
    var manifest = manifest
    manifest.totals.fileCount = shard.fileCount
    manifest.planChecksum = shard.planChecksum
    manifest.report = nil
    var outcome = try installation.run(part: shardFolder, manifest, work: work, control: control)
    // A shard is done when each of its files has a record, and at no time before.
    let isEnded = [0, AuricleError.Category.someFilesFailed.rawValue].contains(outcome.exitCode)
    if isEnded, let state = outcome.state, !shard.isSettled(in: state) {
      outcome.exitCode = AuricleError.Category.temporary.rawValue
    }
    return outcome
  }

  private var toolDisagreement: String? {
    if let difference = manifest.toolDisagreement(AuricleVersion.text) { return difference }
    let own = installation.programChecksum
    guard manifest.toolChecksum != 0, own != 0, own != manifest.toolChecksum else { return nil }
    return
      "another build of the program (\(manifest.tool), \(installation.host.executable) is not the same file)"
  }

  /// Makes one run of the shards, which status, report and verify then read like any other.
  ///
  /// - Throws: `.temporary` when a shard is not done.
  ///
  /// Context: control.
  public func merge() throws(AuricleError) {
    guard manifest.isInShards else { return }
    let output = folder.output
    _ = WorkingFolder.enter(manifest.workingFolder)
    try folder.merge(manifest, root: output)
  }
}

extension AuricleInstallation {
  /// The run in shards of an output folder.
  ///
  /// - Parameters:
  ///   - folder: The output folder, or that of the run.
  ///   - run: The run's name; nil for the latest.
  /// - Throws: `.noInput` when there is none, `.usage` when it is not in shards.
  ///
  /// Context: control.
  public func shardedRun(
    in folder: String, run: String? = nil
  ) throws(AuricleError) -> ShardedRun {
    try ShardedRun(in: folder, run: run, self)
  }
}
