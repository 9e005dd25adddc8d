// The head of a report's page: the run, its totals, failures by reason.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem
import ResultSettings
import RunLedgers
import Workers

/// The page up to the table of files.
struct HTMLHead {
  let overview: RunOverview

  private var manifest: RunManifest { overview.manifest }
  private var tally: RunTally { overview.state.tally }

  var text: String {
    // Scripts and styles of the page itself, by their checksums; pictures in it; sound files beside it; nothing else.
    let policy =
      "default-src 'none'; img-src data:; media-src 'self' file:; style-src '\(Self.checksum(HTMLPage.style))'; "
      + "script-src '\(Self.checksum(HTMLPage.script))'; base-uri 'none'; form-action 'none'"
    return HTMLPage.head([
      "policy": policy, "name": Self.escaped(presetName ?? "Run"),
      "preset": presetName.map { "Preset <b>\(Self.escaped($0))</b>, begun" } ?? "Begun",
      "run": Self.escaped(manifest.run), "title": Self.escaped(title),
      "started": Self.escaped(manifest.started), "date": Self.escaped(Self.date(manifest.started)),
      "output": Self.escaped(overview.output),
      "totals": tiles + reasons + request + levels + about,
    ])
  }

  private var presetName: String? { manifest.namedPreset }

  private var title: String {
    let count = Figures.count(overview.fileCount, "file", "files")
    switch overview.word {
    case "finished":
      return count
        + (tally.failedCount == 0 ? ", all accounted for" : ", \(tally.failedCount) failed")
    case "watching": return "\(count), the folder is watched"
    case "running": return "\(count), the run goes on"
    case "interrupted": return "\(count), the run was interrupted"
    case "unfinished" where overview.state.lastEnd == "finished":
      let failed = tally.failedCount > 0 ? ", \(tally.failedCount) failed" : ""
      return "\(count)\(failed), \(overview.pendingCount) to be tried again"
    case "unfinished": return "\(count), the run was cut off"
    default: return "\(count), the run was stopped"
    }
  }

  private var tiles: String {
    var list: [(String, String, String)] = []
    func add(_ status: FileRecord.Status, _ name: String) {
      let count = tally.counts[status, default: 0]
      if count > 0 || status == .done { list.append((status.rawValue, Self.grouped(count), name)) }
    }
    add(.done, "done")
    if tally.counts[.failed, default: 0] == 0 { list.append(("none", "0", "failed")) }
    add(.failed, "failed")
    add(.quarantined, "quarantined")
    add(.skipped, "skipped")
    if overview.pendingCount > 0 {
      let again = EndTable.again(overview.againCount, of: overview.pendingCount)
      list.append(
        (
          "pending", Self.grouped(overview.pendingCount),
          again.map { "pending (\($0))" } ?? "pending"
        ))
    }
    list.append(("", Figures.duration(tally.outputSeconds), "of sound"))
    if tally.workSeconds > 0 {
      list.append(
        ("", Figures.speed(tally.outputSeconds / tally.workSeconds), "real time, per worker"))
    }
    let items = list.map { kind, number, name in
      "<div class=\"tile \(kind)\"><dt>\(name)</dt><dd>\(Self.escaped(number))</dd></div>"
    }
    let reason = overview.state.endReason.map { "<p class=\"bad\">\(Self.escaped($0))</p>" } ?? ""
    return
      "<section aria-label=\"Totals\"><dl class=\"tiles\">\(items.joined())</dl>\(reason)</section>\n"
  }

  private var reasons: String {
    let failures = overview.failures
    guard !failures.isEmpty else { return "" }
    let total = Double(max(failures.reduce(0) { $0 + $1.count }, 1))
    let rows = failures.map { failure in
      let width = max(1, Int(Double(failure.count) / total * 120))
      return """
        <tr><td class="n">\(Self.grouped(failure.count))</td><td class="bar"><svg width="120" \
        height="10" aria-hidden="true"><rect width="\(width)" height="10"/></svg></td>\
        <td class="reason">\(Self.escaped(failure.reason))</td></tr>
        """
    }
    return """
      <section aria-labelledby="why"><h2 id="why">Why files failed</h2>
      <table class="reasons"><thead><tr><th scope="col" class="n">Files</th>\
      <th scope="col" class="bar"><span class="quiet">Share</span></th>\
      <th scope="col">Reason</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))</tbody></table></section>

      """
  }

  /// The run's request.
  private var request: String {
    "<section aria-labelledby=\"asked\"><h2 id=\"asked\">What was asked for</h2>"
      + Self.table(RequestText(manifest: manifest).rows) + "</section>\n"
  }

  private var levels: String {
    let rows = EndTable.levels(tally).map {
      ($0.0.prefix(1).uppercased() + $0.0.dropFirst(), $0.1.replacing("-", with: "\u{2212}"))
    }
    guard !rows.isEmpty else { return "" }
    let targets = Set(manifest.settings.deliverables.compactMap(\.loudness))
    let chart = LoudnessChart(
      before: tally.before.loudnessHistogram, after: tally.after.loudnessHistogram,
      target: targets.count == 1 ? targets.first : nil)
    return "<section aria-labelledby=\"levels\"><h2 id=\"levels\">Levels</h2>"
      + Self.table(rows) + chart.svg + "</section>\n"
  }

  /// Names and their meanings.
  private static func table(_ rows: [(String, String)]) -> String {
    let lines = rows.map { "<tr><th scope=\"row\">\(escaped($0))</th><td>\(escaped($1))</td></tr>" }
    return "<table class=\"plain\"><tbody>\(lines.joined())</tbody></table>"
  }

  private var about: String {
    var rows: [(String, String)] = [
      ("Run", manifest.run), ("Auricle", manifest.tool),
      (presetName == nil ? "Chain, SHA-256" : "Preset, SHA-256", manifest.presetHash),
    ]
    if let sandbox = overview.state.sandbox { rows.append(("Sandbox", sandbox)) }
    rows.append(("Sessions", "\(overview.state.sessionCount)"))
    if overview.state.damagedLineCount > 0 {
      rows.append(("Torn lines of ledgers", "\(overview.state.damagedLineCount)"))
    }
    rows += overview.state.notes.prefix(50).map { ("Note", $0) }
    return "<details class=\"about\"><summary>About the run</summary>" + Self.table(rows)
      + "</details>\n"
  }

  // MARK: Text

  /// A text escaped for HTML, in elements and in attributes.
  static func escaped(_ text: some StringProtocol) -> String {
    // Most texts need no escaping.
    let isHarmless = text.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "<")
        && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
    }
    if isHarmless { return String(text) }
    var result = ""
    for scalar in TerminalText.plain(String(text)).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// `12 345`, with thin spaces.
  static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0, digit != "-" { text.append("\u{202F}") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  private static func date(_ text: String) -> String {
    text.replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  private static func checksum(_ text: String) -> String {
    "sha256-" + Data(SHA256.sum(Array(text.utf8))).base64EncodedString()
  }
}
