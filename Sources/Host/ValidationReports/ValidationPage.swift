// A validation as a web page: totals, faults by rule, every unit with its findings.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import ComponentValidation
import HostSystem
import RunReports
import UnitValidation

extension ValidationReport {
  /// Refuses a file that no page can be written to.
  ///
  /// Context: control.
  package static func checkPlace(of path: String) throws(AuricleError) {
    try ReportPlace.check(path, output: nil)
    try ReportPlace.checkContent(path)
  }

  /// Writes the page, whole or not at all; one that is there is replaced.
  ///
  /// Context: control.
  package func writePage(to path: String) throws(AuricleError) {
    let file = try AtomicFile(path: path, overwrite: true)
    let failure = unsafe Array(page.utf8).withUnsafeBytes {
      unsafe FileTransfer.writeAll($0, to: file.descriptor)
    }
    guard failure == 0 else { throw systemError(failure, "write", path) }
    try file.commit()
  }

  /// The page; it needs no other file and no network.
  package var page: String {
    var text = String(decoding: PackageResources.page_html, as: UTF8.self)
    for (name, value) in [
      ("style", String(decoding: PackageResources.page_css, as: UTF8.self)), ("title", title),
      ("totals", tiles), ("rules", rules), ("units", worstFirst.map(row).joined(separator: "\n")),
      ("level", "\(request.level)"), ("seed", "\(request.seed)"),
    ] { text = text.replacing("{{\(name)}}", with: value) }
    return text
  }

  /// The units, those with faults before those without.
  private var worstFirst: [ValidationOutcome] {
    [.failed, .notRun, .warnings, .passed].flatMap { verdict in
      outcomes.filter { $0.verdict == verdict }
    }
  }

  private var title: String {
    let bad = count(.failed) + count(.notRun)
    let units = "\(outcomes.count) \(outcomes.count == 1 ? "unit" : "units")"
    return bad == 0 ? "\(units), all sound" : "\(units), \(bad) not sound"
  }

  private var tiles: String {
    totals.map { verdict, count in
      let kind = verdict == .notRun ? "none" : verdict.rawValue
      return "<div class=\"tile \(kind)\"><dt>\(verdict.rawValue)</dt><dd>\(count)</dd></div>"
    }.joined()
  }

  /// Rules that were broken, those of the most units first.
  private var rules: String {
    var counts: [String: Int] = [:]
    for outcome in outcomes {
      for id in Set(outcome.faults.map(\.check)) { counts[id, default: 0] += 1 }
    }
    let rows = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { id, count in
      "<tr><td class=\"n\">\(count)</td><td><code>\(Self.escaped(id))</code></td>"
        + "<td>\(Self.escaped(check(id)?.rule ?? ""))</td>"
        + "<td>\(Self.escaped(remedy(of: id)))</td></tr>"
    }
    guard !rows.isEmpty else { return "" }
    return
      "<section class=\"rules\"><h2>Rules that were broken</h2><table><thead><tr><th>Units</th><th>Rule</th>"
      + "<th>What holds</th><th>What to do</th></tr></thead><tbody>"
      + rows.joined(separator: "\n") + "</tbody></table></section>"
  }

  /// The remedies of the faults that were found, each once.
  private func remedy(of id: String) -> String {
    var found: [String] = []
    for fault in outcomes.flatMap(\.faults) where fault.check == id {
      let remedy = fault.remedy ?? check(id)?.remedy ?? ""
      if !remedy.isEmpty, !found.contains(remedy) { found.append(remedy) }
    }
    return found.joined(separator: "; ")
  }

  private func row(_ outcome: ValidationOutcome) -> String {
    var faults = outcome.refusal.map { "<li>\(Self.escaped($0))</li>" } ?? ""
    for (fault, count) in ValidationText.grouped(outcome.faults) {
      let more = count > 1 ? " (and \(count - 1) more of this)" : ""
      faults +=
        "<li class=\"\(fault.severity.rawValue)\"><code>\(Self.escaped(fault.check))</code> "
        + "\(Self.escaped(fault.message + more))"
        + "<span class=\"seen\">\(Self.escaped(ValidationText.evidence(fault)))</span></li>"
    }
    let figures = outcome.figures.map {
      "\($0.name) \(($0.value * 10_000).rounded() / 10_000) \($0.unit)"
    }.joined(separator: ", ")
    let kind = outcome.verdict == .notRun ? "none" : outcome.verdict.rawValue
    return
      "<tr><td><b>\(Self.escaped(outcome.name))</b><br><code>\(Self.escaped(outcome.unit))</code>"
      + "<br><span class=\"seen\">\(Self.escaped(figures))</span></td>"
      + "<td class=\"\(kind)\">\(outcome.verdict.rawValue)</td>"
      + "<td class=\"n\">\((outcome.seconds * 10).rounded() / 10) s</td>"
      + "<td>\(faults.isEmpty ? "" : "<ul>\(faults)</ul>")</td></tr>"
  }
}
