// What a run is called and where its things lie: for what is printed of it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import BatchProcessing

/// Names and places of a run.
struct RunContext {
  /// The name of the run; nil for one without a ledger.
  var run: String?
  /// The preset's name.
  var presetName: String?
  /// The folder of results as it is named from here.
  var output: String?
  /// The run's folder.
  var ledger: String?
  /// Where the report is written; nil for none.
  var report: String?
  /// Bytes of all inputs.
  var byteCount: Int?
  /// How many files are done at once.
  var workerCount = 1
  /// The command that goes on with the run; nil when it cannot go on.
  var resume: String?

  /// The command that goes on after an end; nil when there is nothing to go on with.
  func resumeCommand(after end: RunEnd) -> String? {
    switch end {
    case .finished, .refused: nil
    // What disagrees with the run does so the next time as well.
    case .stopped(let error) where error.category == .badData: nil
    case .interrupted, .breaker, .stopped: resume
    }
  }
}

/// Words of a command line.
enum ShellWord {
  /// A word as a shell takes it.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
        true
      default: "_-./+:,@%=".utf8.contains(byte)
      }
    }
    if plain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
