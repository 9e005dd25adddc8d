// Plans a run and splits it into shards, for schedulers that run many processes on many machines.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import AuricleHost
public import RunLedgers

/// A run that was planned in shards.
public struct ShardedPlan {
  /// The name of the run.
  public let run: String
  /// The output folder.
  public let output: String
  /// The folder of the run.
  public let path: String
  /// The plan in numbers.
  public let totals: PlanTotals
  /// The shards in order.
  public let shards: [Shard]
}

/// Plans a run in shards.
struct PlanShards {
  let installation: AuricleInstallation
  let request: RunRequest
  let split: ShardSplit
  let control: RunControl

  /// Makes the plan; does no file.
  func go() throws -> ShardedPlan {
    guard case .folder(let output) = request.destination else {
      throw AuricleError(
        .usage, "a run in shards needs a folder for its results: name it with --output")
    }
    var (manifest, plan) = try installation.prepare(request, control: control)
    try refuseUnfinished(output)
    manifest.toolChecksum = installation.programChecksum
    let folder = try RunFolder.create(in: output, isAlone: false)
    do {
      manifest.run = folder.run
      manifest.inputFolders = manifest.inputs.compactMap(InputFolder.init(path:))
      plan.lengthsTime = 20
      let made = try folder.plan(plan, outputRoot: manifest.output, split: split)
      manifest.totals = made.totals
      manifest.planChecksum = made.checksum
      manifest.shardCount = made.shards.count
      try folder.write(manifest)
      return ShardedPlan(
        run: folder.run, output: output, path: folder.path, totals: made.totals,
        shards: made.shards)
    } catch {
      folder.discard()
      throw error
    }
  }

  /// A plan is not changed: another one needs to be asked for.
  private func refuseUnfinished(_ output: String) throws {
    guard !request.work.isNewRun, let last = RunFolder.all(in: output).last,
      let before = try? last.manifest(), before.watch == nil
    else { return }
    let state = try RunState(last, fileCount: before.totals.fileCount)
    guard state.settledCount < before.totals.fileCount || before.isInShards else { return }
    throw AuricleError(
      .badData,
      "\(output) holds a run that is not finished (\(last.run), \(state.settledCount) of "
        + "\(before.totals.fileCount) files): go on with it, or give --new-run with --on-exists "
        + "skip or overwrite")
  }
}

extension AuricleInstallation {
  /// XXH64 of the program; 0 when it cannot be read.
  var programChecksum: UInt64 {
    ProgramChecksum.of(host.executable, cacheFolder: HostPlaces.cacheFolder)
  }

  /// Plans a run and splits it into shards; does no file.
  ///
  /// - Throws: As `run`; also when the output folder holds a run that is not finished.
  ///
  /// Context: control.
  public func plan(
    _ request: RunRequest, split: ShardSplit, control: RunControl = RunControl()
  ) throws -> ShardedPlan {
    try PlanShards(installation: self, request: request, split: split, control: control).go()
  }
}
