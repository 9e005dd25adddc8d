// A file of a report's page: as JSON for the script, and as a row of a table for everyone.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import FileRendering
import HostSystem
import RunLedgers
import Workers

/// A file of the report.
enum HTMLRow {
  /// The figures that the script sorts and searches.
  static func figures(_ file: ReportedFile, reason: Int?) -> JSONValue {
    let record = file.record
    let result = record?.result
    func number(_ value: Double?) -> JSONValue {
      value.map { JSONValue(($0 * 100).rounded() / 100) } ?? .null
    }
    let place = reason.map { JSONValue($0) } ?? .null
    let others = result?.others.map(\.path) ?? file.entry.others
    let outputs = [record?.output ?? file.entry.output] + others
    let values: [JSONValue] = [
      .string(file.status), .string(file.entry.input), .string(outputs.joined(separator: "\n")),
      number(result?.outputDuration),
      number(result?.loudnessBefore?.integrated), number(result?.loudnessAfter?.integrated),
      number(result?.loudnessBefore?.range), number(result?.loudnessAfter?.range),
      number(result?.loudnessBefore?.truePeak), number(result?.loudnessAfter?.truePeak),
      number(result?.before.peakDecibels), number(result?.after.peakDecibels),
      number(result?.before.rmsDecibels), number(result?.after.rmsDecibels),
      place, .string(record?.error?.message ?? ""), number(result?.levelChange?.gain),
      number(result?.levelChange?.reduction),
    ]
    return .array(values)
  }

  /// A level with a true minus; a dash for none.
  static func level(_ decibels: Double?) -> String {
    guard let decibels, decibels.isFinite else { return "–" }
    return Figures.level(decibels).replacing("-", with: "\u{2212}")
  }

  /// Something that is known of a file.
  struct Detail {
    var name: String
    var value: String
    /// Where it leads to; nil for a text.
    var link: String?
  }

  /// All else that is known of a file, each with its name.
  static func details(
    _ file: ReportedFile, keepsLatency: Bool, _ links: FileLinks
  ) -> [Detail] {
    let record = file.record
    let result = record?.result
    var list: [Detail] = []
    func add(_ name: String, _ value: String?, link: String? = nil) {
      if let value, !value.isEmpty { list.append(Detail(name: name, value: value, link: link)) }
    }
    add("Place in the plan", "\(file.entry.index + 1)")
    add("Input", file.entry.input, link: links.input(file.entry.input))
    add("Format", format(record, "input"))
    add("Length", (result?.inputDuration).map(Figures.duration))
    add("Variant", file.entry.variant.map(String.init))
    for value in result?.drawnValues ?? [] {
      add("Random value", "\(value.stage) \(value.parameter): \(value.text)")
    }
    add(
      "Result", record?.output ?? file.entry.output,
      link: record?.stored == nil ? nil : links.result(record?.output ?? file.entry.output))
    add("Format", format(record, "output"))
    if let stored = record?.stored {
      add(
        "Size", "\(Figures.count(stored.byteCount, "byte", "bytes")), XXH64 \(stored.checksumText)")
    }
    for other in result?.others ?? [] {
      add("Further result", description(other), link: links.result(other.path))
    }
    if let result {
      let what = keepsLatency ? "kept" : "cut off in front"
      add("Latency", "\(Figures.count(result.latencyFrameCount, "frame", "frames")), \(what)")
      add("Tail", Figures.count(result.tailFrameCount, "frame", "frames"))
      if let change = result.levelChange { add("Gain", words(change)) }
      let (before, after) = (result.loudnessBefore, result.loudnessAfter)
      if before?.range != nil || after?.range != nil {
        add("Loudness range", "\(level(before?.range)) → \(level(after?.range)) LU")
      }
      let (old, new) = (result.before, result.after)
      add("Peak", "\(level(old.peakDecibels)) → \(level(new.peakDecibels)) dBFS")
      add("RMS", "\(level(old.rmsDecibels)) → \(level(new.rmsDecibels)) dBFS")
      add("Time", Figures.duration(result.elapsedSeconds))
    }
    add("Attempts", (record?.attempts).map { "\($0)" })
    add("Error", record?.error?.message)
    if let blame = record?.blame {
      let signal = blame.signal.map { ", \($0)" } ?? ""
      add("To blame", "\(blame.unit), \(blame.phase)\(signal)")
    }
    for note in result?.notes ?? [] { add("Note", note) }
    for damage in result?.toleratedDamage ?? [] { add("Damage", damage) }
    return list
  }

  private static func format(_ record: FileRecord?, _ name: String) -> String? {
    guard let side = record?.json[name], let container = side["container"]?.text,
      let encoding = side["encoding"]?.text, let rate = side["sampleRate"]?.number,
      let channels = side["channels"]?.integer
    else { return nil }
    return "\(container) \(encoding), \(Int(rate)) Hz, "
      + Figures.count(channels, "channel", "channels")
  }

  /// `3.1 dB, the limiter turned down by 2.0 dB at most`.
  private static func words(_ change: LevelChange) -> String {
    let limited =
      change.reduction > 0
      ? "the limiter turned down by \(level(change.reduction)) dB at most"
      : "the limiter had nothing to do"
    return "\(level(change.gain)) dB, \(limited)"
  }

  /// One of several files of a rendering in words.
  private static func description(_ other: DeliverableResult) -> String {
    var text = "\(other.path): \(other.format.container.name) \(other.format.encoding.name), "
    text += "\(Int(other.format.sampleRate)) Hz, "
    text += Figures.count(other.format.channelCount, "channel", "channels")
    text += ", peak \(level(other.levels.peakDecibels)) dBFS"
    if let loudness = other.loudness { text += ", \(level(loudness.integrated)) LUFS" }
    if let change = other.levelChange { text += ", gain " + words(change) }
    return text
  }
}
