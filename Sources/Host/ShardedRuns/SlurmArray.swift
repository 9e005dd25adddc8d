// The script and the commands that submit the shards of a run to Slurm as arrays of tasks.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RunLedgers
import RunReports

/// The shards of a run as arrays of Slurm.
public struct SlurmArray {
  /// Where the script lies.
  public let scriptPath: String
  /// The text of the script.
  public let script: String
  /// The words of `sbatch`, a command for each window of numbers.
  public let commands: [[String]]

  /// Makes the script and the commands for shards that are not done.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - missing: The numbers of the shards, sorted.
  ///   - program: The path of the program on every node.
  ///   - maximumSize: Slurm's `MaxArraySize`: numbers of tasks are less.
  ///   - requeues: How often a shard that is to be run again is requeued.
  ///   - atOnce: How many tasks run at once; nil for as many as there is room for.
  ///   - options: Further words for `sbatch`.
  public init(
    _ run: ShardedRun, missing: [Int], program: String, maximumSize: Int, requeues: Int,
    atOnce: Int?, options: [String]
  ) {
    let folder = run.path
    scriptPath = folder + "/slurm.sh"
    // srun is left out: a step would be one more process that can be lost.
    script = """
      #!/bin/sh
      # Does one shard of an array; see auricle submit.
      #SBATCH --requeue
      #SBATCH --open-mode=append
      #SBATCH --signal=B:TERM@120
      \(ShardWord.program) "$@" &
      child=$!
      trap 'kill -TERM "$child" 2>/dev/null' TERM
      wait "$child"; code=$?
      # A trap ends the first wait.
      while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
      id="${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
      case $code in
        75) if [ "${SLURM_RESTART_COUNT:-0}" -lt \(requeues) ]; then scontrol requeue "$id" && sleep 60; fi; exit 75 ;;
        4) scancel "$SLURM_ARRAY_JOB_ID"; exit 4 ;;
        *) exit $code ;;
      esac

      """.replacingOccurrences(
        of: ShardWord.program,
        with: "\(ShellWord.quoted(program)) shard \(ShellWord.quoted(run.output)) --run \(run.name)"
          + " -q --jobs \"${SLURM_CPUS_PER_TASK:-1}\"")
    commands = Self.windows(missing, maximumSize).map { offset, numbers in
      [
        "sbatch", "--parsable", "--job-name=auricle-\(run.name)",
        "--array=" + ShardProgress.ranges(numbers.map { $0 - offset })
          + (atOnce.map { "%\($0)" } ?? ""),
        "--export=ALL,AURICLE_SHARD_OFFSET=\(offset)", "--output=\(folder)/slurm-%A_%a.log",
      ] + options + [folder + "/slurm.sh"]
    }
  }

  /// The numbers by windows of which each fits into an array.
  private static func windows(_ missing: [Int], _ size: Int) -> [(offset: Int, numbers: [Int])] {
    var windows: [(Int, [Int])] = []
    for number in missing {
      if let last = windows.last, number - last.0 < size {
        windows[windows.count - 1].1.append(number)
      } else {
        windows.append((windows.isEmpty && number < size ? 0 : number, [number]))
      }
    }
    return windows
  }
}

/// The placeholder of the command in the script.
private enum ShardWord {
  static let program = "@shard@"
}
