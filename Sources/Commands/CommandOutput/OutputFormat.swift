// Text for people, JSON for programs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RunReports

/// The format of a command's results.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// A path that a command wrote or removed.
package struct PathResult: Encodable {
  var path: String

  /// A path as it was written.
  package init(path: String) { self.path = path }

  /// Prints files and folders, one a line or as an array.
  package static func write(_ paths: [String], as format: OutputFormat) throws {
    switch format {
    case .text:
      for path in paths { StandardStreams.writeResult("\(TerminalText.plain(path))\n") }
    case .json: try JSONResult.write(paths.map(PathResult.init))
    }
  }
}

/// Writes values as JSON to standard output.
package enum JSONResult {
  /// One document, indented.
  package static func write(_ value: some Encodable) throws {
    try write(value, formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// One line of a stream.
  package static func writeLine(_ value: some Encodable) throws {
    try write(value, formatting: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func write(
    _ value: some Encodable, formatting: JSONEncoder.OutputFormatting
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let data = try encoder.encode(value)
    StandardStreams.writeResult(String(decoding: data, as: UTF8.self) + "\n")
  }
}
