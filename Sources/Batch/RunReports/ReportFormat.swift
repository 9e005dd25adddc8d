// The formats of reports, by file name.
// SPDX-License-Identifier: Apache-2.0

import Foundation

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
}
