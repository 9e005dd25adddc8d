// `auricle status`, `report` and `verify`: read the ledger of an output folder.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import CommandOutput
import FileRendering
import Foundation
import HostSystem
import RunLedgers
import RunReports
import Workers

/// Selects the run of a command.
struct RunSelection: ParsableArguments {
  @Option(help: ArgumentHelp("The run, when it is not the latest.", valueName: "name"))
  var run: String?

  @Argument(
    help: ArgumentHelp("The output folder of the run.", valueName: "folder"), completion: .directory
  )
  var folder: String

  /// The folder and state of the named run, or of the latest.
  ///
  /// - Parameter prefersWork: Whether to prefer a running run to later ones.
  func open(prefersWork: Bool = false) throws(AuricleError) -> (RunFolder, RunOverview) {
    var found = try RunFolder.find(in: folder, run: run)
    if prefersWork, run == nil, !found.isInUse {
      found = RunFolder.all(in: folder).last(where: \.isInUse) ?? found
    }
    return (found, try RunOverview(found))
  }
}

/// Prints the state of a run.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the progress of a run.",
    discussion: """
      Counts the files of the run in an output folder by their state, and shows whether the run is \
      going on, was interrupted or is finished. Of several runs it shows the one that is going on, \
      else the latest.

      EXAMPLES:
        auricle status out/
        auricle status out/ --format json
      """)

  @OptionGroup var selection: RunSelection

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    let (folder, overview) = try selection.open(prefersWork: true)
    switch format {
    case .json: StandardStreams.writeResult(overview.json.indentedText + "\n")
    case .text: StandardStreams.writeResult(overview.text)
    }
    guard selection.run == nil else { return }
    // A watch may run while later runs begin and end.
    let all = RunFolder.all(in: selection.folder)
    for other in all where other.run != folder.run {
      let what = other.isInUse ? "is going on as well" : "was begun later"
      guard other.isInUse || other.run == all.last?.run else { continue }
      StandardStreams.writeMessage(
        "note: the run \(other.run) \(what): auricle status --run \(other.run) "
          + ShellWord.quoted(selection.folder))
    }
  }
}

/// Prints the record of every file.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Report every file of a run.",
    discussion: """
      Lists every file of the run in an output folder, in the order of its plan: done, failed, \
      quarantined, skipped or pending, with levels before and after, or with the reason.

      EXAMPLES:
        auricle report out/
        auricle report out/ --format json > report.json
        auricle report out/ --format csv > report.csv
        auricle report out/ --format html > report.html
      """)

  @OptionGroup var selection: RunSelection

  @Option(
    help: ArgumentHelp(
      "The format of the report.",
      valueName: ReportFormat.allCases.map(\.rawValue).joined(separator: "|")))
  var format = ReportFormat.table

  func run() throws {
    Interruption.install()
    let (folder, overview) = try selection.open()
    try RunReport.write(folder, overview, as: format, shouldStop: { Interruption.isRequested }) {
      StandardStreams.writeResult($0)
    }
  }
}

/// Checks that results are unchanged.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the results of a run are unchanged.",
    discussion: """
      Reads every result in the ledger of an output folder, and compares its length and checksum. \
      Exits with 1 when a result is missing or changed, and names each.

      EXAMPLES:
        auricle verify out/
        auricle verify out/ --format json
      """)

  @OptionGroup var selection: RunSelection

  @Option(help: ArgumentHelp("Print text, or one JSON line per fault.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    Interruption.install()
    let (folder, overview) = try selection.open()
    var good = 0
    var bad = 0
    let root = selection.folder
    let records = try RunRecords(folder, fileCount: overview.manifest.totals.fileCount)
    // Only in a watched folder may several files have the same result, each newer than the last.
    let newest = overview.manifest.watch.map { _ in NewestResults() }
    if let newest {
      try records.forEach { (file) throws(AuricleError) in
        guard !Interruption.isRequested, let record = file.record else { return }
        try newest.add(overview.manifest.located(record, as: file.entry, in: root))
      }
    }
    try records.forEach { (file) throws(AuricleError) in
      guard !Interruption.isRequested else { return }
      let manifest = overview.manifest
      guard let record = file.record.map({ manifest.located($0, as: file.entry, in: root) }) else {
        return
      }
      for (recorded, stored) in record.storedFiles {
        if let newest, try !newest.isNewest(record, at: recorded) { continue }
        let path =
          manifest.output == nil ? manifest.location(of: recorded, in: root) : recorded
        guard let problem = StoredFile.problem(at: path, expected: stored) else {
          good += 1
          continue
        }
        bad += 1
        switch format {
        case .text: StandardStreams.writeResult("\(TerminalText.plain(path)) \(problem)\n")
        case .json:
          let line = JSONValue.members([
            ("path", .string(path)), ("index", JSONValue(record.index)),
            ("problem", .string(problem)),
          ])
          StandardStreams.writeResult(line.compactText + "\n")
        }
      }
    }
    if Interruption.isRequested {
      throw AuricleError(
        .interrupted,
        "interrupted: so far \(Figures.count(good, "result is", "results are")) as written, "
          + "\(bad) not; run the command again to check all")
    }
    var text = "\(Figures.count(good, "result is", "results are")) as written"
    if bad > 0 { text += ", \(bad) not" }
    if overview.pendingCount > 0 {
      text += "; \(Figures.count(overview.pendingCount, "file is", "files are")) pending"
    }
    StandardStreams.writeMessage(text)
    if bad > 0 {
      StandardStreams.writeMessage(
        "to make them again, move the changed files away, and repeat the command of the run with "
          + "--new-run --on-exists skip")
    }
    if bad > 0 { throw ExitCode(AuricleError.Category.someFilesFailed.rawValue) }
  }
}
