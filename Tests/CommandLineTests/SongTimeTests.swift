// render: instruments and effects know the beats, tempos and meters of the song.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

extension RenderTests {
  /// Puts the plug-ins that sound as the beat into a folder.
  private func makeBeats() throws {
    let source = Places.inPackage("Tests/Fixtures/SongTime/song-time.lv2")
    try box.folder.makeFolder("lv2")
    try FileManager.default.copyItem(atPath: source, toPath: box("lv2/song-time.lv2"))
    let arguments = [
      "-std=gnu11", "-shared", "-fPIC", "-O1", source + "/plugin.c", "-o",
      box("lv2/song-time.lv2/plugin.so"),
    ]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
  }

  private func beats(_ more: String...) throws -> ProcessResult {
    try runAuricle(
      ["render", "song.mid", "-o", "beats.wav", "--encoding", "float32"] + more,
      environment: box.environment.merging([
        "AURICLE_COMPONENT_PATH": units.path, "LV2_PATH": box("lv2"),
        "XDG_CACHE_HOME": box("cache"),
      ]) { $1 }, in: box.folder.path)
  }

  /// Ten beats at 120 a minute, a change to 3/4 and 240 after eight and ten.
  private func makeWaltz() throws {
    let tempos: [(Int, [UInt8])] = [
      (0, [0xFF, 0x58, 0x04, 4, 2, 24, 8]), (0, [0xFF, 0x51, 0x03, 0x07, 0xA1, 0x20]),
      (3840, [0xFF, 0x58, 0x04, 3, 2, 24, 8]), (4800, [0xFF, 0x51, 0x03, 0x03, 0xD0, 0x90]),
    ]
    let notes: [(Int, [UInt8])] = [(0, [0x90, 60, 100]), (9600, [0x80, 60, 0])]
    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 2, 0x01, 0xE0]
    try box.folder.write(
      Data(header + track(tempos, name: "tempo") + track(notes, name: "notes")), to: "song.mid")
  }

  @Test(
    "Plug-ins receive the beats and meters of the song, frame by frame through changes of tempo")
  func songTime() throws {
    try makeBeats()
    try makeWaltz()
    let result = try beats("--unit", "urn:auricle:test:song-time")
    #expect(result.exitCode == 0, "\(result.summary)")
    let rows = try Sound(path: box("beats.wav")).channels
    try #require(rows.count == 2 && rows[0].count >= 360_000)
    // A change arrives at the next slice, of 512 frames at the most.
    let slack = 512 * 2.0 / 24_000
    for frame in stride(from: 0, to: 360_000, by: 97) {
      let beat =
        frame < 240_000 ? Double(frame) / 24_000 : 10 + Double(frame - 240_000) / 12_000
      let reported = Double(rows[0][frame]) * 100
      let near = (240_000..<240_512).contains(frame) ? slack : 1e-3
      #expect(abs(reported - beat) <= near, "frame \(frame): \(reported), not \(beat)")
      guard !(192_000..<192_512).contains(frame) else { continue }
      #expect(rows[1][frame] == (frame < 192_000 ? 0.04 : 0.03), "frame \(frame)")
    }
  }

  @Test("Effects behind instruments, and behind all, receive the song's position of their input")
  func effectTime() throws {
    try makeBeats()
    try makeWaltz()
    try box.folder.write(
      """
      auricle: 1
      name: Beats
      instruments:
        - unit: urn:auricle:test:song-time
          effects:
            - unit: urn:auricle:test:song-time-behind
        - unit: aumu:clck:AuTe
          effects:
            - unit: aufx:lmtr:appl
      bus:
        - unit: urn:auricle:test:song-time-behind
      """, to: "beats.yaml")
    let band = try beats("--preset", "beats.yaml")
    #expect(band.exitCode == 0, "\(band.summary)")
    // The first removes the instrument's output; the sum, which comes late, has the beats of its frames once.
    let left = try Sound(path: box("beats.wav")).channels[0]
    try #require(left.count >= 240_000)
    for frame in stride(from: 24_000, to: 240_000, by: 97) {
      let reported = Double(-left[frame]) * 100
      #expect(abs(reported - Double(frame) / 24_000) < 5e-4, "frame \(frame): \(reported)")
    }
  }
}
