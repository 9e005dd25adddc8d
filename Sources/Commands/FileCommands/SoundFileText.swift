// The content of a sound file, as text.
// SPDX-License-Identifier: Apache-2.0

import RunReports
import SoundFileReports

/// Lines about one sound file.
enum SoundFileText {
  static func text(_ report: SoundFileReport) -> String {
    var lines = [TerminalText.plain(report.path)]
    let widest = report.info.keys.map(\.count).max() ?? 0
    func add(_ name: String, _ text: String?) {
      guard let text else { return }
      let padding = String(repeating: " ", count: max(1, max(13, widest) + 1 - name.count))
      lines.append("  \(name)\(padding)\(TerminalText.plain(text))")
    }
    add("file type", "\(report.fileType.name) (\(report.fileType.code))")
    add("format", "\(report.format.name) (\(report.format.code))")
    add(
      "sound",
      "\(Figures.plain(report.sampleRate)) Hz, \(report.channels) channel"
        + (report.channels == 1 ? "" : "s")
        + (report.bitsPerSample.map { ", \($0) bits" } ?? ""))
    add("layout", report.layout)
    add("duration", "\(Figures.duration(report.seconds)), \(report.frames) frames")
    if let priming = report.primingFrames, let remainder = report.remainderFrames {
      add("added", "\(priming) frames before (priming), \(remainder) after (remainder)")
    }
    // Packets are unknown for kinds that only the sound reader reads.
    if report.largestPacket > 0 || report.soundOffset > 0 {
      add("packets", packets(report))
      add("bit rate", "\((report.bitRate + 500) / 1000) kbit/s")
      add("bytes", "\(report.soundBytes) of sound, from byte \(report.soundOffset)")
    }
    add("cookie", report.cookieBytes.map { "\($0) bytes" })
    add("chunks", report.chunks.map { $0.joined(separator: " ") })
    if !report.isOptimized {
      add("growth", "chunks follow the sound: it can grow once the file is optimized")
    }
    if let loudness = report.loudness {
      let figures = [
        loudness.integrated.map { "\(Figures.level($0)) LUFS" },
        loudness.range.map { "range \(Figures.level($0)) LU" },
        loudness.truePeak.map { "true peak \(Figures.level($0)) dBTP" },
      ]
      add("loudness", figures.compactMap { $0 }.joined(separator: ", ") + " (stored in the file)")
    }
    for problem in report.damage ?? [] { add("damage", problem) }
    for (key, text) in report.info.sorted(by: { $0.key < $1.key }) { add(key, text) }
    for marker in report.markers ?? [] {
      add(
        "marker",
        "at frame \(Figures.plain(marker.frame))" + (marker.name.isEmpty ? "" : ": \(marker.name)"))
    }
    for (index, packet) in (report.packetList ?? []).enumerated() {
      add("packet \(index)", "\(packet.bytes) bytes at \(packet.offset)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func packets(_ report: SoundFileReport) -> String {
    let frames = report.framesPerPacket.map { "\($0) frame\($0 == 1 ? "" : "s") each" }
    let bytes =
      report.bytesPerPacket.map { "\($0) bytes each" } ?? "at most \(report.largestPacket) bytes"
    return (["\(report.packets)", frames, bytes] as [String?]).compactMap { $0 }
      .joined(separator: ", ")
  }
}
