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
    // There is nothing to go on with, and the error says what to do.
    case .stopped(let error) where error.message.contains("--new-run"): nil
    case .interrupted, .breaker, .stopped: resume
    }
  }
}

/// Words of a command line.
enum ShellWord {
  /// A word as a shell takes it, in one line; a name that begins with `-`, as no option.
  static func quoted(_ word: String) -> String {
    if word.hasPrefix("-") { return quoted("./" + word) }
    if word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return escaped(word)
    }
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

  /// `$'a\nb'`, with control characters written out.
  private static func escaped(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "'", "\\": text += "\\" + String(scalar)
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        for byte in String(scalar).utf8 {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return "$'\(text)'"
  }
}
