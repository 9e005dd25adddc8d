// The report of a run as one web page that needs nothing else: no network, no fonts, no libraries.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import BatchProcessing
import Foundation

/// Writes the page.
///
/// Totals and reasons stand in the page as text; the files stand in it as JSON that the script of the
/// page shows a part of at a time, so that 100,000 of them can be looked through.
struct HTMLReport {
  let folder: RunFolder
  let overview: RunOverview

  /// Files whose details are read together.
  private static let chunk = 100
  /// Bytes of pictures that a page may hold.
  private static let mostPictureBytes = 256 << 20

  /// Hands the page over, piece by piece.
  func write(to write: (String) -> Void) throws {
    write(HTMLHead(overview: overview).text)
    let pictures = PictureReader(folder)
    var reasons: [String: Int] = [:]
    var rows: [JSONValue] = []
    var details: [JSONValue] = []
    var pictureBytes = 0
    var leftOut = 0
    let fileCount = overview.manifest.totals.fileCount
    func flush() {
      guard !rows.isEmpty else { return }
      write(Self.data("rows", .array(rows)) + Self.data("more", .array(details)))
      rows = []
      details = []
    }
    try RunRecords(folder, fileCount: fileCount).forEach { (file) throws(AuricleError) in
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
      }
      details.append(HTMLRow.details(file, own))
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
          ("keepsLatency", .boolean(overview.manifest.settings.latency == .keep)),
        ])))
    write("<script>\(HTMLScript.text)</script>\n</body>\n</html>\n")
  }

  /// Data in the page: nothing in it can end the element it stands in.
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

/// A file of the report.
enum HTMLRow {
  /// What the table shows, sorts by and searches.
  static func figures(_ file: ReportedFile, reason: Int?) -> JSONValue {
    let record = file.record
    let result = record?.result
    func number(_ value: Double?) -> JSONValue {
      value.map { JSONValue(($0 * 100).rounded() / 100) } ?? .null
    }
    return .array([
      .string(file.status), .string(file.entry.input), .string(record?.output ?? file.entry.output),
      number(result?.outputDuration),
      number(result?.loudnessBefore?.integrated), number(result?.loudnessAfter?.integrated),
      number(result?.loudnessBefore?.range), number(result?.loudnessAfter?.range),
      number(result?.loudnessBefore?.truePeak), number(result?.loudnessAfter?.truePeak),
      number(result?.before.peakDecibels), number(result?.after.peakDecibels),
      number(result?.before.rmsDecibels), number(result?.after.rmsDecibels),
      reason.map(JSONValue.init) ?? .null, .string(record?.error?.message ?? ""),
    ])
  }

  /// What is shown of a file that is opened, and its pictures.
  static func details(_ file: ReportedFile, _ pictures: FilePictures?) -> JSONValue {
    let record = file.record
    let result = record?.result
    func format(_ name: String) -> String? {
      guard let side = record?.json[name], let container = side["container"]?.text,
        let encoding = side["encoding"]?.text, let rate = side["sampleRate"]?.number,
        let channels = side["channels"]?.integer
      else { return nil }
      return "\(container) \(encoding), \(Int(rate)) Hz, "
        + Figures.count(channels, "channel", "channels")
    }
    var notes = (result?.notes ?? []) + (result?.toleratedDamage ?? []).map { "damaged: \($0)" }
    if let blame = record?.blame {
      notes.append(
        "to blame: \(blame.unit), \(blame.phase)" + (blame.signal.map { ", \($0)" } ?? ""))
    }
    let drawn = (result?.drawnValues ?? []).map { "\($0.stage) \($0.parameter): \($0.text)" }
    let others = (result?.others ?? []).map(description)
    return .members([
      ("variant", file.entry.variant.map(JSONValue.init)),
      ("drawn", drawn.isEmpty ? nil : .array(drawn.map(JSONValue.string))),
      ("others", others.isEmpty ? nil : .array(others.map(JSONValue.string))),
      ("place", JSONValue(file.entry.index)), ("from", format("input").map(JSONValue.string)),
      ("to", format("output").map(JSONValue.string)),
      ("inputSeconds", (result?.inputDuration).map(JSONValue.init)),
      ("latency", (result?.latencyFrameCount).map(JSONValue.init)),
      ("tail", (result?.tailFrameCount).map(JSONValue.init)),
      ("elapsed", (result?.elapsedSeconds).map(JSONValue.init)),
      ("attempts", (record?.attempts).map(JSONValue.init)),
      ("bytes", (record?.stored?.byteCount).map(JSONValue.init)),
      ("xxh64", (record?.stored?.checksumText).map(JSONValue.string)),
      ("notes", notes.isEmpty ? nil : .array(notes.map(JSONValue.string))),
      ("before", (pictures?.before).map(JSONValue.string)),
      ("after", (pictures?.after).map(JSONValue.string)),
    ])
  }

  /// One of several files of a rendering in words.
  private static func description(_ other: DeliverableResult) -> String {
    var text = "\(other.path): \(other.format.container.name) \(other.format.encoding.name), "
    text += "\(Int(other.format.sampleRate)) Hz, "
    text += Figures.count(other.format.channelCount, "channel", "channels")
    text += ", peak \(Figures.level(other.levels.peakDecibels)) dBFS"
    if let loudness = other.loudness { text += ", \(Figures.level(loudness.integrated)) LUFS" }
    return text
  }
}
