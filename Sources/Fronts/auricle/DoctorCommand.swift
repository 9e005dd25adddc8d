// `auricle doctor`: the state of this machine, for a report of a fault.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunReports
import SystemReports

/// Prints the state of this machine.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show the state of this machine, for a bug report.",
    discussion: """
      Shows the version and commit; the kernel, and the parts of the sandbox that it has and \
      lacks; libraries that are loaded at run time; sound devices; the folders of plug-ins; the \
      cache; limits. Nothing in it is private: no name of the user or the machine, and the home \
      folder is "~". No plug-in is opened.

      EXAMPLES:
        auricle doctor
        auricle doctor --json > doctor.json
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @Flag(help: "The same as --format json.")
  var json = false

  func run() throws {
    let report = AuricleInstallation().systemReport()
    if json || format == .json { return try JSONResult.write(report) }
    StandardStreams.writeResult(DoctorText(report).lines.joined(separator: "\n") + "\n")
  }
}

/// The text of a report, in tables.
private struct DoctorText {
  private(set) var lines: [String]

  init(_ report: SystemReport) {
    lines = [
      "auricle \(report.program.version), commit \(report.program.commit ?? "unknown")"
    ]
    addSystem(report)
    add(
      "libraries",
      report.libraries.map {
        [
          $0.name, $0.path == nil ? "missing" : $0.version ?? "found",
          $0.purpose + ($0.path.map { ": \($0)" } ?? ""),
        ]
      })
    addDevices(report.devices)
    for path in report.searchPaths {
      add(
        "folders of \(path.format) (\(path.variable)\(path.isSet ? ", which is set" : ""))",
        path.folders.map { [$0.path, $0.bundleCount.map { "\($0) bundles" } ?? "not there"] })
    }
    add(
      "cache",
      [
        ["folder", report.cache.path ?? "none"],
        ["files", "\(report.cache.fileCount), \(report.cache.byteCount >> 10) KiB"],
        ["blocked units", "\(report.cache.blockedUnitCount)"],
      ])
    add(
      "limits",
      report.limits.map { limit in
        let most = limit.most.map { "at most \($0)" } ?? ""
        return [limit.name, limit.value.map { "\($0)" } ?? "none", most]
      })
  }

  private mutating func addSystem(_ report: SystemReport) {
    let system = report.system
    add(
      "system",
      [
        ["kernel", "\(system.kernel), \(system.architecture)"],
        ["distribution", system.distribution ?? "unknown"], ["C library", system.library],
        ["processors", "\(system.processorCount)"], ["memory", "\(system.memory >> 20) MiB"],
        ["program", report.program.path], ["build id", report.program.buildID ?? "none"],
      ])
    let sandbox = report.sandbox
    add(
      "sandbox",
      [
        ["Landlock", sandbox.landlock > 0 ? "version \(sandbox.landlock)" : "none"],
        ["in force", sandbox.strict ?? "unknown: no process could be started"],
        ["lacks", sandbox.weakness ?? "nothing"],
      ])
  }

  private mutating func addDevices(_ devices: [SystemReport.Device]) {
    guard !devices.isEmpty else { return add("devices", [["none"]]) }
    add(
      "devices",
      devices.map { device in
        let sides = [device.plays ? "plays" : nil, device.records ? "records" : nil]
        let text = sides.compactMap(\.self).joined(separator: ", ")
        return [device.isDefault ? "*" : " ", device.name, text]
      })
  }

  private mutating func add(_ title: String, _ rows: [[String]]) {
    var table = TextTable(Array(repeating: .left, count: rows.first?.count ?? 1))
    for row in rows { table.add(row.map { TerminalText.plain($0) }) }
    lines += ["", title + ":"]
    lines += table.text(indent: "  ", wrappedAt: TextTable.lineWidth).split(separator: "\n")
      .map(String.init)
  }
}
