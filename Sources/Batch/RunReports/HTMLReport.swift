// The report of a run as one self-contained web page: no network, no fonts, no libraries.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import HostSystem
import RunLedgers
import Workers

/// Writes the page.
///
/// Totals and reasons are text of the page. The files, failed ones first, are tables for readers without scripts. The fields for
/// sorting and searching are JSON; the page's script shows a part at a time, so that 100,000 files can be searched.
struct HTMLReport {
  let folder: RunFolder
  let overview: RunOverview
  /// The file that the page is written to; nil where that is not known.
  let path: String?

  /// Files whose details are read together.
  private static let chunk = 100
  /// Bytes of pictures that a page may hold.
  private static let mostPictureBytes = 256 << 20

  /// Writes the page in pieces.
  func write(_ files: ReportedFiles, to write: (String) -> Void) throws {
    write(HTMLHead(overview: overview).text)
    let pictures = PictureReader(folder)
    var reasons: [String: Int] = [:]
    var rows: [JSONValue] = []
    var lines: [String] = []
    var first = 1
    let table = HTMLTable(overview, FileLinks(overview.manifest, page: path))
    var pictureBytes = 0
    var leftOut = 0
    var unpictured = 0
    func flush() {
      guard !rows.isEmpty else { return }
      write(Self.data("rows", .array(rows)) + table.text(lines, from: first))
      first += rows.count
      rows = []
      lines = []
    }
    let hasFailures = overview.state.tally.failedCount + overview.state.againTally.failedCount > 0
    try files.forEach(failuresFirst: hasFailures) { (file) throws(AuricleError) in
      var reason: Int?
      if let text = file.record?.failureReason {
        if let known = reasons[text] {
          reason = known
        } else if reasons.count < 1000 {
          reason = reasons.count
          reasons[text] = reason
        }
      }
      rows.append(HTMLRow.figures(file, reason: reason))
      var own: FilePictures?
      if let record = file.record, record.pictures != nil {
        own = pictureBytes < Self.mostPictureBytes ? pictures.pictures(of: record) : nil
        pictureBytes += (own?.before.utf8.count ?? 0) + (own?.after.utf8.count ?? 0)
        if own == nil { leftOut += 1 }
      } else if file.record?.status == .done {
        unpictured += 1
      }
      lines.append(table.row(file, own))
      if rows.count == Self.chunk { flush() }
    }
    flush()
    let names = reasons.sorted { $0.value < $1.value }.map { JSONValue.string($0.key) }
    write(
      Self.data(
        "page",
        .members([
          ("reasons", .array(names)), ("pictures", .boolean(pictureBytes > 0)),
          ("withoutPicture", JSONValue(leftOut)),
          ("neverPictured", JSONValue(pictureBytes + leftOut > 0 ? unpictured : 0)),
        ])))
    write(HTMLPage.foot)
  }

  /// Data in the page: nothing in it can end its element.
  private static func data(_ name: String, _ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    for byte in value.compactText.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes += "\\u003c".utf8
      case UInt8(ascii: "&"): bytes += "\\u0026".utf8
      default: bytes.append(byte)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return "<script type=\"application/json\" class=\"\(name)\">\(text)</script>\n"
  }
}
