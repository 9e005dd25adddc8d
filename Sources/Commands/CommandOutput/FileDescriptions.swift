// Files described one by one: text as they come, or one JSON array; an unreadable file ends no command.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import AudioTypes
import RunReports

/// The common part of `file info` and `midi info`.
package enum FileDescriptions {
  /// Describes files.
  ///
  /// - Parameters:
  ///   - files: Their paths.
  ///   - format: The format of the output.
  ///   - report: Reads one; an `AuricleError` is reported, and the others go on.
  ///   - text: The report as lines.
  ///   - advised: Returns a failure with advice, where there is some.
  /// - Throws: The exit code: that of the failure of a single file, 1 where some of several failed.
  ///
  /// Context: control.
  package static func write<Report: Encodable>(
    _ files: [String], as format: OutputFormat,
    report: (String) throws -> Report, text: (Report) -> String,
    advised: (AuricleError) -> AuricleError? = { _ in nil }
  ) throws {
    var reports: [Report] = []
    var failures: [AuricleError] = []
    for file in files {
      do {
        let made = try report(file)
        reports.append(made)
        if format == .text {
          if reports.count > 1 { StandardStreams.writeResult("\n") }
          StandardStreams.writeResult(text(made))
        }
      } catch let error as AuricleError {
        let error = StandardInput.named(advised(error) ?? error, argument: file)
        StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
        failures.append(error)
      }
    }
    if format == .json { try JSONResult.write(reports) }
    guard let first = failures.first else { return }
    throw ExitCode(
      files.count == 1 ? first.category.rawValue : AuricleError.Category.someFilesFailed.rawValue)
  }
}
