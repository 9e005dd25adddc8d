// Plans a run and splits it into shards, for schedulers that run many processes on many machines.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import ChainPresets
import Foundation
import ResultSettings
public import RunLedgers
import Workers

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
  let begin: BeginRun
  let host: HostPlaces
  let split: ShardSplit

  /// Makes the plan; does no file.
  func go() throws -> ShardedPlan {
    let request = begin.request
    guard let output = request.output else {
      throw AuricleError(
        .usage, "a run in shards needs a folder for its results: name it with --output")
    }
    guard request.list != "-" || request.inputs.isEmpty else {
      throw AuricleError(.usage, "give either inputs or a list on standard input")
    }
    var (preset, manifest) = try begin.prepare()
    try refuseUnfinished(output)
    let trial = try trial(preset, manifest)
    (manifest.units, manifest.sideFiles) = (trial.units, trial.sideFiles)
    manifest.toolChecksum = Self.programChecksum(host)
    let folder = try RunFolder.create(in: output, isAlone: false)
    do {
      manifest.run = folder.run
      var plan = try RunPlanning(control: begin.preparation.control, report: nil).request(manifest)
      manifest.inputFolders = manifest.inputs.compactMap(InputFolder.init(path:))
      plan.readsLengths = manifest.settings.rawInput == nil
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

  /// Has a worker make the chain: a plan for a chain that cannot be made is of no use.
  private func trial(_ preset: ChainPreset, _ manifest: RunManifest) throws -> ChainTrial {
    let options = begin.preparation.options(
      manifest.settings, chain: ChainRequest.source(of: preset), run: "plan")
    let trial = try ChainTrial(
      options: options, shouldStop: begin.preparation.control.shouldStop)
    if let refusal = trial.refusal { throw refusal }
    return trial
  }

  /// A plan is not changed: another one needs to be asked for.
  private func refuseUnfinished(_ output: String) throws {
    guard !begin.request.work.isNewRun, let last = RunFolder.all(in: output).last,
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

  /// XXH64 of the program; 0 when it cannot be read.
  static func programChecksum(_ host: HostPlaces) -> UInt64 {
    let descriptor = unsafe open(host.executable, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    return unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 ? hash : 0
  }
}

extension AuricleInstallation {
  /// Plans a run and splits it into shards; does no file.
  ///
  /// - Throws: As `run`; also when the output folder holds a run that is not finished.
  ///
  /// Context: control.
  public func plan(
    _ request: RunRequest, split: ShardSplit, control: RunControl = RunControl()
  ) throws -> ShardedPlan {
    try PlanShards(begin: BeginRun(request, host, control), host: host, split: split).go()
  }
}
