// The kinds of report, and which one a file's name asks for.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a report is written.
public enum ReportFormat: String, CaseIterable, Sendable {
  /// Columns of text.
  case table
  /// One JSON object.
  case json
  /// Comma-separated values, a line a file.
  case csv
  /// A web page that needs nothing else.
  case html

  /// The kind of report that a file's name asks for; nil for another.
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
}
