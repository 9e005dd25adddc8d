// The content of a MIDI file, as text.
// SPDX-License-Identifier: Apache-2.0

import MIDIFiles
import RunReports

/// Lines about one MIDI file.
enum MIDIFileText {
  static func text(_ report: MIDIFileReport) -> String {
    var lines = [TerminalText.plain(report.path)]
    func add(_ name: String, _ text: String) {
      let padding = String(repeating: " ", count: max(1, 14 - name.count))
      lines.append("  \(name)\(padding)\(TerminalText.plain(text))")
    }
    let division =
      report.ticksPerBeat.map { "\($0) ticks a beat" }
      ?? "\(report.framesPerSecond ?? 0) frames a second of \(report.ticksPerFrame ?? 0) ticks"
    add("format", "\(report.format), \(division)")
    add(
      "duration",
      Figures.duration(report.seconds) + ", the last message at "
        + Figures.duration(report.lastMessageSeconds))
    for tempo in report.tempos {
      add(
        "tempo",
        "\(Figures.short(tempo.beatsPerMinute)) beats a minute" + at(tempo.seconds))
    }
    for meter in report.meters { add("meter", meter.text + at(meter.seconds)) }
    for key in report.keys { add("key", key.text + at(key.seconds)) }
    for marker in report.markers { add("marker", marker.text + at(marker.seconds)) }
    if report.lyrics > 0 { add("lyrics", "\(report.lyrics)") }
    for problem in report.problems { add("problem", problem) }
    return lines.joined(separator: "\n") + "\n" + tracks(report)
  }

  private static func at(_ seconds: Double) -> String {
    seconds > 0 ? " from \(Figures.duration(seconds))" : ""
  }

  private static func tracks(_ report: MIDIFileReport) -> String {
    var table = TextTable([.right, .right, .right, .right, .left, .left, .left])
    table.add(["track", "events", "notes", "ends", "channels", "programs", "name"])
    for track in report.tracks {
      table.add([
        "\(track.number)", "\(track.events)", "\(track.notes)", Figures.duration(track.seconds),
        list(track.channels), list(track.programs), TerminalText.plain(track.name ?? ""),
      ])
    }
    return table.text(indent: "  ")
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.isEmpty ? "none" : numbers.map(String.init).joined(separator: ",")
  }
}
