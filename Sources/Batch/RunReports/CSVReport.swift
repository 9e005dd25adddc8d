// The report of a run as CSV: one line for each file, quoted as in RFC 4180.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import Foundation
import RunLedgers
import Workers

/// Lines of comma-separated values.
enum CSVReport {
  /// The names of the columns.
  static let head = joined([
    "index", "status", "input", "output", "seconds", "peak before dBFS", "peak after dBFS",
    "RMS before dBFS", "RMS after dBFS", "latency frames", "tail frames", "attempts",
    "elapsed seconds", "bytes", "xxh64", "unit", "phase", "signal", "error", "reason",
    "loudness before LUFS", "loudness after LUFS", "range before LU", "range after LU",
    "true peak before dBTP", "true peak after dBTP", "variant", "other outputs", "notes",
    "random values", "gain dB", "limiter dB",
  ])

  /// The line of a file; several outputs, notes or random values are separate lines in one cell.
  static func line(_ file: ReportedFile) -> String {
    let record = file.record
    let result = record?.result
    let others = result?.others.map(\.path) ?? file.entry.others
    return joined([
      "\(file.entry.index)", file.status, file.entry.input, record?.output ?? file.entry.output,
      seconds(result?.outputDuration), level(result?.before.peakDecibels),
      level(result?.after.peakDecibels), level(result?.before.rmsDecibels),
      level(result?.after.rmsDecibels), result.map { "\($0.latencyFrameCount)" } ?? "",
      result.map { "\($0.tailFrameCount)" } ?? "", record.map { "\($0.attempts)" } ?? "",
      seconds(result?.elapsedSeconds), record?.stored.map { "\($0.byteCount)" } ?? "",
      record?.stored?.checksumText ?? "", record?.blame?.unit ?? "", record?.blame?.phase ?? "",
      record?.blame?.signal ?? "", record?.error?.message ?? "", record?.failureReason ?? "",
      level(result?.loudnessBefore?.integrated), level(result?.loudnessAfter?.integrated),
      level(result?.loudnessBefore?.range), level(result?.loudnessAfter?.range),
      level(result?.loudnessBefore?.truePeak), level(result?.loudnessAfter?.truePeak),
      file.entry.variant.map { "\($0)" } ?? "", others.joined(separator: "\n"),
      ((result?.notes ?? []) + (result?.toleratedDamage ?? [])).joined(separator: "\n"),
      (result?.drawnValues ?? []).map { "\($0.stage) \($0.parameter): \($0.text)" }
        .joined(separator: "\n"),
      level(result?.levelChange?.gain), level(result?.levelChange?.reduction),
    ])
  }

  private static func joined(_ cells: [String]) -> String {
    cells.map(quoted).joined(separator: ",") + "\r\n"
  }

  /// Seconds with two decimals, as in other reports; nothing where they are not known.
  private static func seconds(_ value: Double?) -> String {
    value.map { String(format: "%.2f", $0) } ?? ""
  }

  /// A level with one decimal, as in other reports; nothing for silence.
  private static func level(_ value: Double?) -> String { value.map { Figures.level($0) } ?? "" }

  /// A cell; one that a spreadsheet would read as a formula is made text.
  ///
  /// Compared byte by byte: in Swift, a carriage return and a line feed are one character.
  private static func quoted(_ text: String) -> String {
    var cell = text
    if let first = cell.utf8.first,
      "=+@\t\r".utf8.contains(first) || first == UInt8(ascii: "-") && Double(cell) == nil
    {
      cell = "'" + cell
    }
    guard cell.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return cell }
    return "\"" + cell.replacingOccurrences(of: "\"", with: "\"\"", options: .literal) + "\""
  }
}
