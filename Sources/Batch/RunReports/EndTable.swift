// The table printed at the end of a run: files, failures by reason, levels, time, paths.
// SPDX-License-Identifier: Apache-2.0

package import RunLedgers
import Workers

/// The end of a run as a table.
package struct EndTable {
  /// The totals of this session.
  package let session: RunTally
  /// The totals of all sessions, without files that are tried again.
  package let whole: RunTally
  /// Files that failed in this session and are tried again: the disk may have room then.
  package let again: RunTally
  /// The names and paths of the run.
  package let context: RunContext
  /// Files that are not accounted for.
  package let pendingCount: Int

  /// - Parameters:
  ///   - session: The totals of this session.
  ///   - whole: The totals of all sessions, without files that are tried again.
  ///   - again: Files that failed and are tried again.
  ///   - pendingCount: Files that are not accounted for.
  package init(
    session: RunTally, whole: RunTally, again: RunTally, context: RunContext, pendingCount: Int
  ) {
    self.session = session
    self.whole = whole
    self.again = again
    self.context = context
    self.pendingCount = pendingCount
  }

  /// The most reasons shown.
  private static let mostReasons = 12

  /// The table, each line ended by a newline.
  package var text: String {
    var table = TextTable([.left, .right, .left])
    let againCount = again.failedCount
    for status in FileRecord.Status.allCases {
      // Every file counts in one line: those tried again count as pending.
      let count = session.counts[status, default: 0] - again.counts[status, default: 0]
      let total = whole.counts[status, default: count]
      guard total > 0 || count > 0 else { continue }
      table.add([status.rawValue, "\(count)", total > count ? "\(total) in the whole run" : ""])
    }
    if pendingCount > 0 {
      let words = Self.again(againCount, of: pendingCount)
      table.add(["pending", "\(pendingCount)", words ?? ""])
    }
    return table.text(indent: "  ") + Self.reasons(whole.failures(with: again)) + figures
  }

  /// The remark on pending files that failed before; nil without any.
  package static func again(_ count: Int, of pendingCount: Int) -> String? {
    guard count > 0 else { return nil }
    return (count == pendingCount ? "" : "\(count) ") + "failed, to be tried again"
  }

  /// Failures by reason.
  package static func reasons(
    _ failures: [(reason: String, count: Int)], indent: String = "  ",
    title: String = "why files failed"
  ) -> String {
    guard !failures.isEmpty else { return "" }
    var table = TextTable([.right, .left])
    for failure in failures.prefix(mostReasons) {
      table.add(["\(failure.count)×", TerminalText.plain(failure.reason)])
    }
    if failures.count > mostReasons {
      let rest = failures.dropFirst(mostReasons).reduce(0) { $0 + $1.count }
      table.add(["\(rest)×", "\(failures.count - mostReasons) other reasons"])
    }
    return "\(indent)\(title):\n" + table.text(indent: indent + "  ")
  }

  private var figures: String {
    var table = TextTable([.left, .left])
    for (name, value) in Self.levels(session) { table.add([name, value]) }
    if let ledger = context.ledger { table.add(["ledger", TerminalText.plain(ledger)]) }
    if let report = context.report { table.add(["report", TerminalText.plain(report)]) }
    return table.text(indent: "  ")
  }

  /// Levels of inputs and results in words.
  package static func levels(_ tally: RunTally) -> [(String, String)] {
    var rows: [(String, String)] = []
    func row(_ name: String, _ level: KeyPath<RunTally.LevelRanges, RunTally.Range>, _ unit: String)
    {
      guard let now = range(tally.after[keyPath: level]) else { return }
      let before = range(tally.before[keyPath: level]).map { $0 + " → " } ?? ""
      rows.append((name, before + now + " " + unit))
    }
    row("loudness", \.loudness, "LUFS")
    if tally.after.loudnessHistogram.count > 1, let now = tally.after.loudnessHistogram.median {
      let before = tally.before.loudnessHistogram.median.map { Figures.level($0) + " → " } ?? ""
      rows.append(("median", before + Figures.level(now) + " LUFS"))
    }
    row("true peak", \.truePeak, "dBTP")
    row("peak", \.peak, "dBFS")
    row("RMS", \.rms, "dBFS")
    if tally.fullScaleCount > 0 {
      rows.append(
        (
          "full scale",
          Figures.count(tally.fullScaleCount, "result reaches it", "results reach it")
        ))
    }
    if tally.after.silentCount > 0 {
      rows.append(("silence", Figures.count(tally.after.silentCount, "result", "results")))
    }
    return rows
  }

  private static func range(_ range: RunTally.Range) -> String? {
    guard range.count > 0 else { return nil }
    let (low, high) = (Figures.level(range.least), Figures.level(range.greatest))
    return low == high ? low : "\(low) … \(high)"
  }
}
