// Writes the report of a run: file by file, in the order of the plan, in little memory.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import FileRendering
import Foundation
import HostSystem
package import RunLedgers
import Workers

/// Writes reports.
package enum RunReport {
  /// Writes the report of a run atomically to a file, whose extension selects the format.
  ///
  /// - Parameter root: The path of the output folder, relative to the working folder.
  package static func write(
    _ folder: RunFolder, _ manifest: RunManifest, _ state: RunState, root: String, to path: String
  ) throws {
    try ReportPlace.makeFolder(of: path, in: root)
    let file = try AtomicFile(path: path, overwrite: true)
    var failure: Int32 = 0
    var block = ""
    func flush() {
      if failure == 0 { failure = FileTransfer.writeAll(Array(block.utf8), to: file.descriptor) }
      block = ""
    }
    let overview = RunOverview(manifest: manifest, state: state, output: folder.output)
    let format = ReportFormat(path: path) ?? .json
    try write(folder, overview, as: format, root: root, path: path) { text in
      block += text
      if block.utf8.count > 1 << 18 { flush() }
    }
    flush()
    if failure != 0 {
      file.cancel()
      throw systemError(failure, "write the report", path)
    }
    try file.commit()
  }

  /// Hands a report over, piece by piece; results are named below `root`, or else below the output
  /// folder as it was named.
  ///
  /// - Parameter path: The file that it is written to; nil where that is not known.
  package static func write(
    _ folder: RunFolder, _ overview: RunOverview, as format: ReportFormat, root: String? = nil,
    path: String? = nil, shouldStop: @escaping () -> Bool = { false }, to write: (String) -> Void
  ) throws {
    let files = ReportedFiles(
      folder: folder, manifest: overview.manifest, root: root ?? overview.output,
      shouldStop: shouldStop)
    switch format {
    case .json: try json(overview, files, write)
    case .csv:
      write(CSVReport.head)
      try files.forEach { write(CSVReport.line($0)) }
    case .table: try table(overview, files, write)
    case .html:
      try HTMLReport(folder: folder, overview: overview, path: path).write(files, to: write)
    }
  }

  private static func json(
    _ overview: RunOverview, _ files: ReportedFiles, _ write: (String) -> Void
  ) throws {
    let head = overview.json.indentedText
    write(String(head.dropLast(2)) + ",\n  \"records\": [")
    var isFirst = true
    try files.forEach { file in
      let value: JSONValue =
        file.record?.json
        ?? .members([
          ("status", "pending"), ("index", JSONValue(file.entry.index)),
          ("variant", file.entry.variant.map { JSONValue($0) }),
          ("input", .members([("path", .string(file.entry.input))])), ("fields", file.entry.fields),
          (
            "output",
            file.entry.output.isEmpty ? nil : .members([("path", .string(file.entry.output))])
          ),
        ])
      write((isFirst ? "\n    " : ",\n    ") + value.compactText)
      isFirst = false
    }
    write("\n  ]\n}\n")
  }

  /// The beginning of the line above the files of a table.
  static let tableHead = "status          length"

  private static func table(
    _ overview: RunOverview, _ files: ReportedFiles, _ write: (String) -> Void
  ) throws {
    write(overview.text + "\n")
    // Columns of a fixed width: a million lines cannot be measured first.
    let columns = TableColumns(overview)
    write(tableHead + columns.head + "  result, or why none\n")
    let indent = String(repeating: " ", count: statusWidth)
    try files.forEach { file in
      var text = file.status.padding(toLength: statusWidth, withPad: " ", startingAt: 0)
      if let result = file.record?.result {
        let figures =
          Figures.duration(result.outputDuration).leftPadded(10) + columns.text(result)
        let name = TerminalText.plain(file.record?.output ?? "")
        let fits =
          statusWidth + TextWidth.of(figures) + 2 + TextWidth.of(name) <= TextTable.lineWidth
        text += figures + (fits ? "  " : "\n" + indent) + name
      } else {
        let input = TerminalText.plain(file.entry.input)
        let message = TerminalText.plain(file.record?.error?.message ?? "")
        var reason =
          message.contains(input) ? message : message.isEmpty ? input : "\(input): \(message)"
        if let variant = file.entry.variant { reason += " (variant \(variant))" }
        text += TextWidth.lines(reason, width: TextTable.lineWidth - statusWidth)
          .joined(separator: "\n" + indent)
      }
      write(text + "\n")
    }
  }

  /// The columns of a file's status.
  private static let statusWidth = 12
}

/// The levels of a line, by the request: loudness and true peak where they were measured, else peaks; the
/// gain where a level was set.
private struct TableColumns {
  let isLoud: Bool
  let setsLevel: Bool

  init(_ overview: RunOverview) {
    let table = HTMLTable(overview, FileLinks(overview.manifest, page: nil))
    (isLoud, setsLevel) = (table.isLoud, table.setsLevel)
  }

  var head: String {
    let gain = setsLevel ? "  gain, limiter" : ""
    return (isLoud ? "   loudness, LUFS  true peak, dBTP" : "       peak, dBFS") + gain
  }

  func text(_ result: FileResult) -> String {
    func pair(_ before: Double?, _ after: Double?) -> String {
      "\(Figures.level(before)) → \(Figures.level(after))"
    }
    // That of the input is measured on request alone.
    func peaks(_ before: Double?, _ after: Double?) -> String {
      before == nil ? Figures.level(after) : pair(before, after)
    }
    var text: String
    if isLoud {
      let (before, after) = (result.loudnessBefore, result.loudnessAfter)
      text = pair(before?.integrated, after?.integrated).leftPadded(17)
      text += peaks(before?.truePeak, after?.truePeak).leftPadded(17)
    } else {
      text = pair(result.before.peakDecibels, result.after.peakDecibels).leftPadded(17)
    }
    guard setsLevel else { return text }
    guard let change = result.levelChange else { return text + "".leftPadded(15) }
    return text
      + "\(Figures.level(change.gain)), \(Figures.level(change.reduction))".leftPadded(15)
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  fileprivate func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
