// A scan as text.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import CommandOutput
import RunReports

/// Formats the result of a scan.
enum ScanText {
  static func write(_ report: ScanReport) {
    var table = TextTable([.left, .left])
    for (word, items) in [("new", report.new), ("changed", report.changed), ("gone", report.gone)] {
      for item in items {
        let units = item.units.count == 1 ? item.units[0] : "\(item.units.count) units"
        table.add([word, TerminalText.plain("\(item.path): \(units)")])
      }
    }
    for item in report.shadowed {
      table.add([
        "shadowed",
        TerminalText.plain(
          "\(item.unit) \(item.version) in \(item.path): \(item.usedVersion) in \(item.usedPath) is used"
        ),
      ])
    }
    for item in report.broken {
      var place = item.path
      if let file = item.file {
        place = item.line.map { "\(file):\($0):\(item.column ?? 0)" } ?? file
      }
      if let unit = item.unit { place += ": \(unit)" }
      table.add(["broken", TerminalText.plain("\(place): \(item.cause); \(item.remedy)")])
    }
    for item in report.blocked {
      table.add(["blocked", TerminalText.plain("\(item.unit): it \(item.cause)")])
    }
    for item in report.inOrder {
      let note = item.chains.map { "; chains do not take it: \($0)" } ?? ""
      table.add([
        "in order", TerminalText.plain("\(item.unit): \(item.name) was opened and run\(note)"),
      ])
    }
    StandardStreams.writeResult(table.text(wrappedAt: TextTable.lineWidth))
    StandardStreams.writeResult(
      Figures.count(report.plugInCount, "plug-in", "plug-ins") + " and "
        + Figures.count(report.presetCount, "preset", "presets") + " in "
        + Figures.count(report.bundleCount, "bundle or file", "bundles and files") + ", "
        + Figures.count(report.nativeCount, "native unit", "native units")
        + "\n\(report.broken.count) broken, \(report.blocked.count) blocked, "
        + "\(Figures.duration(report.elapsedSeconds))\n")
  }
}
