// Programs that use queues, in C, on files in place of a card: speeds, volumes, parts, offline rendering, recording.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension DeviceProgramTests {
  /// Makes a file of another format of the two tones.
  private func encode(_ name: String) throws {
    let made = try runProcess(
      "ffmpeg", ["-v", "error", "-y", "-i", folder("in.wav"), folder(name)])
    try #require(made.exitCode == 0, "\(made.summary)")
  }

  /// Decodes a file by itself, into in.wav.
  private func decode(_ name: String) throws {
    let made = try runProcess(
      "ffmpeg", ["-v", "error", "-y", "-i", folder(name), "-c:a", "pcm_f32le", folder("in.wav")])
    try #require(made.exitCode == 0, "\(made.summary)")
  }

  @Test(
    "A queue plays faster or slower, at its own pitch or at that of the speed",
    arguments: [
      ("vspd", 2.0, 0.0, 2.0), ("vspd", 0.5, 0, 0.5), ("spec", 2, 0, 1), ("spec", 1, 1200, 2),
      ("tido", 0.5, 0, 1),
    ])
  func queuePitch(algorithm: String, rate: Double, cents: Double, pitch: Double) throws {
    try tones()
    try encode("two.wav")
    let raw = folder("out.raw")
    let said = try run(
      "QueuePlay", [folder("two.wav"), "offline", raw, algorithm, "\(rate)", "\(cents)"],
      device: "file:")
    #expect(said == ["early -66682, unknown -66675, same 1"])
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    let found = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    #expect(abs(Double(found.count / 2) - 48_000 / rate) < 1500)
    // The left tone has 300 Hz: of three candidates the audible one.
    let middle = found.count / 4
    func strength(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 0..<4800 {
        let angle = 2 * Double.pi * frequency * Double(frame) / 48_000
        let sample = Double(found[2 * (middle - 2400 + frame)])
        real += sample * cos(angle)
        imaginary += sample * sin(angle)
      }
      return hypot(real, imaginary)
    }
    let candidates = [150.0, 300, 600]
    #expect(candidates.max { strength($0) < strength($1) } == 300 * pitch)
  }

  @Test(
    "A queue plays a file's packets at its volume, and ends with the last",
    arguments: ["two.wav", "two.m4a"], ["thread", "late", "loop"])
  func queuePlays(name: String, way: String) throws {
    try tones()
    try encode(name)
    let device = "file:\(folder("out.wav")),clock=free,rate=48000"
    #expect(try run("QueuePlay", [folder(name), way], device: device) == ["done 1, ended 1"])
    try decode(name)
    guard name.hasSuffix("m4a") else { return try expectPlayed(gain: 0.5) }
    // Packets include the encoder's priming, which only the file says to leave out.
    let (delivered, played) = (try samples("in.wav"), try samples("out.wav"))
    func isThere(_ frame: Int, _ range: Range<Int>) -> Bool {
      range.allSatisfy { abs(played[2 * frame + $0] - 0.5 * delivered[$0]) < 1e-5 }
    }
    let delay = try #require((0..<4096).first { isThere($0, 20_000..<20_400) })
    #expect(delay >= 1024)
    #expect(isThere(delay, 2000..<94_000))
  }

  @Test(
    "A queue has levels, a bypass, channels, times, offline rendering, errors and taps",
    arguments: [
      ("levels", ["off -66684", "levels 0.50 0.50, 0.25 0.25", "decibels -6.0 -12.0"]),
      ("bypass", ["frames 8192"]),
      (
        "channels",
        [
          "size -66683, number -66675, device -66680", "running -66678",
          "no layout -66684, short -66683, same 1",
        ]
      ),
      ("time", ["stopped -66678", "frames 1, breaks 0 0", "another timeline -50, own 0"]),
      ("start", ["primed 2000"]),
      (
        "offline",
        [
          "device -66626, stopped -66678, foreign -66687",
          "first 0, frames 4096, 16384 -8192, end 0",
        ]
      ),
      ("error", ["told 1, error 1"]),
      ("siphon", ["second -66670, outside -66669", "start 1, steady 1, loudest 0.50"]),
      ("tap", ["second -66670, outside -66669", "start 1, steady 1, loudest 0.50"]),
      (
        "offlineTap",
        [
          "second -66670, outside -66669", "frames 8192, last 0.25",
          "start 1, steady 1, loudest 0.50",
        ]
      ),
    ])
  func queueParts(part: String, wanted: [String]) throws {
    #expect(
      try run("QueueParts", [part], device: "file:\(folder("out.wav")),clock=free,rate=48000")
        == wanted)
    guard ["channels", "start", "siphon", "tap"].contains(part) else { return }
    let found = try samples("out.wav")
    let start = try #require(found.firstIndex { $0 != 0 })
    // The requested start is frame 4800, on a device whose first frame is behind the three periods that it holds.
    // Further cases: two channels that change places; a tap that halves its input.
    if part == "start" { #expect(start == 2 * (4800 - 3 * 512)) }
    let pair = [found[start / 2 * 2], found[start / 2 * 2 + 1]]
    let gain: Float = part == "tap" ? 0.5 : 1
    #expect(pair == (part == "channels" ? [-0.25, 0.5] : [0.5 * gain, -0.25 * gain]))
    #expect(found.filter { $0 == pair[0] }.count == 8192)
  }

  @Test(
    "A queue may be stopped and reset in its own callback; after a stop from outside no callback comes",
    arguments: ["output", "input"], ["stop", "reset", "outside"])
  func queueStops(kind: String, way: String) throws {
    try tones()
    for place in ["thread", "loop"] {
      let said = try run(
        "QueueStops", [kind, place, way],
        device: "file:\(folder("out.wav")),in=\(folder("in.wav")),clock=real")
      #expect(
        said == ["called 1, after the stop 0, running \(way == "reset" ? 1 : 0)"], "\(place)")
    }
  }

  @Test("A queue rendered offline produces the file's samples")
  func queueOffline() throws {
    try tones()
    try encode("two.wav")
    let raw = folder("out.raw")
    _ = try run("QueuePlay", [folder("two.wav"), "offline", raw], device: "file:")
    try decode("two.wav")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    let found = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    let wanted = try samples("in.wav")
    #expect(found.count == wanted.count)
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("A queue records the device's input, as it is and encoded", arguments: ["lpcm", "aac"])
  func queueRecords(format: String) throws {
    try tones()
    let device = "file:,in=\(folder("in.wav")),clock=free"
    let said = try run("QueueRecord", [folder("rec.caf"), format, "0.8"], device: device)
    #expect(said == ["jumps 0, packets 1"])
    let delivered = try samples("in.wav")
    let made = try runProcess(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", folder("rec.caf"), "-ar", "48000", "-c:a", "pcm_f32le",
        folder("rec.wav"),
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let found = try samples("rec.wav")
    try #require(found.count > 70_000)
    if format == "lpcm" {
      #expect(zip(found, delivered).allSatisfy { abs($0 - $1) < 1.0 / 32_768 })
    } else {
      // The tone's level, in the middle.
      let middle = found[20_000..<60_000].map { Double($0) * Double($0) }.reduce(0, +) / 40_000
      let there = delivered[20_000..<60_000].map { Double($0) * Double($0) }.reduce(0, +) / 40_000
      #expect(abs(10 * log10(middle / there)) < 0.2)
    }
  }
}
