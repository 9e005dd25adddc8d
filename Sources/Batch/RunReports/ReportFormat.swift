// The formats of reports, by file name.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem

/// The format of a report.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// Columns of text.
  case table
  /// One JSON object.
  case json
  /// Comma-separated values, one line for each file.
  case csv
  /// A self-contained web page.
  case html

  /// The format for a file's extension; nil for another.
  ///
  /// Context: any.
  public init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "html", "htm": self = .html
    case "json": self = .json
    case "csv": self = .csv
    case "txt": self = .table
    default: return nil
    }
  }

  /// Whether a file is empty or begins as a report does, of a run or of a validation: it may be replaced by another.
  ///
  /// Context: control. Reads the beginning of the file.
  package static func isReport(_ path: String) -> Bool {
    guard let file = try? FileDescriptor(opening: path),
      let bytes = FileTransfer.readAll(file.number, limit: longestHead)
    else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    let ends = ["Auricle</title>", "auricle validate</title>"]
    return text.isEmpty || text.hasPrefix(CSVReport.head) || text.hasPrefix("{\n  \"run\": \"")
      || text.contains(RunReport.tableHead)
      || text.hasPrefix("<!doctype html>") && ends.contains(where: text.contains)
  }

  /// Bytes in which a report shows that it is one.
  private static let longestHead = 1 << 16
}
