// Runs files through a chain, watches their progress and reads the report, without the command line.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import ChainPresets
import FileRendering
import ResultSettings
import RunLedgers
import RunReports
import Workers

/// `run-a-batch UNIT INPUTS OUTPUT`: the files of a folder through one unit.
@main
enum RunABatch {
  static func main() throws {
    // Plug-ins run in child processes of this program.
    HostProcess.serveIfChild()
    let words = CommandLine.arguments
    guard words.count == 4 else { return print("usage: run-a-batch UNIT INPUTS OUTPUT") }

    var request = RunRequest(
      chain: .units([UnitEntry(unit: words[1])]), inputs: [words[2]],
      destination: .folder(words[3]))
    request.results.tail = TailPolicy.none
    request.work.workerCount = 2
    let control = RunControl(onUpdate: show)
    do {
      let outcome = try AuricleInstallation().run(request, control: control)
      if let reason = outcome.summary.end.reason { return print("not begun: \(reason)") }
      print("ended with \(outcome.exitCode)")
      try report(on: words[3])
    } catch let refusal as WorkerRefusal {
      print("refused: \(refusal.text)")
    } catch let error as AuricleError {
      print("failed: \(error.message)")
    }
  }

  /// Shows the reports of the run.
  private static func show(_ update: RunUpdate) {
    switch update {
    case .began(let start): print("begins with \(start.fileCount ?? 0) files")
    case .event(.recorded(let record)): print("\(record.status) \(record.input)")
    case .progress(let workers): for worker in workers { print("at \(worker.input)") }
    default: break
    }
  }

  /// Reads the report of the run in a folder, file by file and as a table.
  private static func report(on folder: String) throws {
    let run = try RecordedRun(in: folder)
    print("\(run.stateName): \(run.counts[.done, default: 0]) of \(run.fileCount) done")
    for failure in run.failures { print("\(failure.count) because it \(failure.reason)") }
    try run.forEachFile { entry, record in
      let peak = record?.result.map { "\($0.after.peakDecibels ?? 0 < -3)" } ?? "unknown"
      print("\(entry.input) is below -3 dBFS: \(peak)")
    }
    try run.writeReport(as: .csv) { print($0, terminator: "") }
  }
}
