// Programs that use devices, in C, on files in place of a card.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct DeviceProgramTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Compiles a program, runs it, and returns its output.
  func run(
    _ name: String, _ arguments: [String], device: String, compiler: String = "clang"
  ) throws -> [String] {
    let program = try DevicePrograms.build(name, in: folder, compiler: compiler)
    let result = try runProcess(program, arguments, environment: ["AURICLE_DEVICE": device])
    #expect(result.exitCode == 0, "\(result.summary)")
    return result.standardOutput.split(separator: "\n").map(String.init)
  }

  /// The samples of a file of 32-bit float, interleaved.
  func samples(_ name: String) throws -> [Float] {
    let raw = folder(name + ".raw")
    let result = try runProcess(
      "sox", [folder(name), "-t", "raw", "-e", "floating-point", "-b", "32", "-L", raw])
    try #require(result.exitCode == 0, "\(result.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: raw))
    return unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
  }

  @Test("A device describes itself, and mixes the sound of its procedures")
  func procedures() throws {
    let said = try run("Procedures", ["48000"], device: "file:\(folder("out.wav")),clock=free")
    #expect(
      said == [
        "uid translated", "rate 48000, 256 frames, 1 stream of 2",
        "unknown 1, gone 1, small 1", "periods told 4, usage 1, translation settable 0",
        "stopped 1", "after the stop 0, jumps 0, time 1",
        "notices 1, no token 1",
      ])
    let found = try samples("out.wav")
    #expect(found.count >= 96_000)
    // The older registration began first; both play the same tone, each from its own start: a third of a period
    // apart the sum is as loud as one, together twice as loud.
    let loudest = found.map(abs).max() ?? 0
    #expect(abs(loudest - 0.25) < 0.002 || abs(loudest - 0.5) < 0.002)
    #expect(
      found.prefix(48).enumerated().allSatisfy { place, sample in
        abs(sample) <= 0.501 && (place % 2 == 0 || sample == found[place - 1])
      })
  }

  @Test(
    "A procedure that stops itself yields to one that starts meanwhile, and a file continues behind each stop"
  )
  func restart() throws {
    let said = try run("Restart", ["40"], device: "file:\(folder("out.wav")),clock=free")
    #expect(said == ["started 40 of 40"])
    let delivered = Set(try samples("out.wav"))
    for round in 1...40 { #expect(delivered.contains(Float(round) / 1024), "round \(round)") }
  }

  @Test("An aggregate device names its devices, and plays on them bit for bit")
  func aggregate() throws {
    let said = try run("Aggregate", ["48000"], device: "file:\(folder("out.wav")),clock=free")
    let all = [
      "class 1, transport 1, list 1, main 1, active 1, composition 1",
      "part 1, drift 1 0, quality 64",
    ]
    #expect(
      said == ["twice 1"] + all + ["gone 1, none 1"] + [all[0], "part 1, drift 0 0, quality 64"]
        + ["gone 1"])
    let found = try samples("out.wav")
    // The frames in the device at the stop in between are lost, and no more.
    let delivered = stride(from: 0, to: found.count, by: 2).map { found[$0] }.filter { $0 != 0 }
    let numbers = delivered.map { Int($0 * 1_048_576) }
    #expect(numbers.first == 1 && numbers.count >= 40_000)
    let jumps = zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }
    #expect(jumps.count <= 1 && jumps.allSatisfy { $1 > $0 && $1 - $0 < 4096 }, "\(jumps)")
  }

  @Test(
    "The voice unit removes the echo of its output from its input, and keeps the voice")
  func voice() throws {
    // A room of the far end's noise at its first reflections, and a voice of 400 Hz from the fifth second on.
    var state: UInt32 = 1
    let far = (0..<(7 * 48_000)).map { _ -> Float in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Float(state >> 8) / 8_388_608 - 1) * 0.25
    }
    let taps = [
      (1536 + 200, Float(0.5)), (1536 + 431, -0.3), (1536 + 1022, 0.2), (1536 + 2500, 0.1),
    ]
    let delivered = far.indices.map { frame -> Float in
      let echo = taps.reduce(Float(0)) { frame >= $1.0 ? $0 + $1.1 * far[frame - $1.0] : $0 }
      let swell = 0.5 + 0.5 * sin(2 * Float.pi * Float(frame % 16_000) / 16_000)
      let tone = frame >= 240_000 ? 0.1 * swell * sin(2 * Float.pi * Float(frame % 120) / 120) : 0
      return echo + tone
    }
    try unsafe delivered.withUnsafeBytes { unsafe Data($0) }.write(
      to: URL(fileURLWithPath: folder("mic.raw")))
    let made = try runProcess(
      "sox",
      [
        "-t", "raw", "-r", "48000", "-c", "1", "-e", "floating-point", "-b", "32",
        folder("mic.raw"),
        folder("mic.wav"),
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let device = "file:\(folder("out.wav")),in=\(folder("mic.wav")),clock=free"
    let said = try run("Voice", [folder("clean.raw"), "330000"], device: device)
    #expect(said == ["enable -10851, bypass 0, levelled 1, quality 127, muted 0, wrong 0"])
    let data = try Data(contentsOf: URL(fileURLWithPath: folder("clean.raw")))
    let clean = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    try #require(clean.count > 320_000)
    func level(_ samples: [Float], _ range: Range<Int>) -> Double {
      10
        * log10(
          range.reduce(1e-20) { $0 + Double(samples[$1] * samples[$1]) } / Double(range.count))
    }
    let removed = level(delivered, 150_000..<230_000) - level(clean, 150_000..<230_000)
    #expect(removed > 20, "\(removed) dB of the echo were removed")
    // The voice: the tone alone, by its phase and level in whole periods.
    func tone(_ samples: [Float]) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 264_000..<312_000 {
        real += Double(samples[frame]) * cos(2 * Double.pi * Double(frame % 120) / 120)
        imaginary += Double(samples[frame]) * sin(2 * Double.pi * Double(frame % 120) / 120)
      }
      return 20 * log10(hypot(real, imaginary) / 24_000)
    }
    #expect(
      tone(clean) > tone(delivered) - 6,
      "the voice was \(tone(delivered)) dB and is \(tone(clean)) dB")
  }

  @Test(
    "An output unit plays its callback's sound, sample by sample",
    arguments: ["def ", "sys ", "ahal", "rioc"])
  func outputUnits(subtype: String) throws {
    let device = "file:\(folder("out.wav")),clock=free,rate=48000"
    let said = try run("Sine", [subtype, "48000", "2", "28000"], device: device)
    let isDefault = subtype.hasSuffix(" ")
    #expect(
      said == [
        "device side -10865", "enable \(isDefault ? -10879 : 0)", "period 512", "too early -10867",
        "running 1, after the stop 0, jumps 0, changes 2",
      ])
    let found = try samples("out.wav")
    try #require(found.count >= 48_000)
    for place in 0..<48_000 {
      let wanted = 0.5 * sin(2 * Double.pi * 1000 * Double(place / 2) / 48_000)
      try #require(abs(Double(found[place]) - wanted) < 1e-6, "sample \(place)")
    }
  }

  @Test("An initialized unit has its side, device and format, and plays in that format")
  func lateSettings() throws {
    let said = try run(
      "LateSettings", ["20000"], device: "file:\(folder("out.wav")),clock=free,rate=48000")
    #expect(said == ["layout of 32 bytes, stereo", "running -10849", "uninitialized -10867"])
    let found = try samples("out.wav")
    try #require(found.count >= 24_000)
    for frame in 0..<12_000 {
      try #require(found[2 * frame] == Float(frame) / 32_768, "frame \(frame)")
      try #require(found[2 * frame + 1] == -Float(frame) / 32_768, "frame \(frame)")
    }
  }

  @Test(
    "A client at another rate and with one channel is converted, and plays on both sides")
  func otherFormats() throws {
    let device = "file:\(folder("out.wav")),clock=free,rate=48000"
    _ = try run("Sine", ["ahal", "44100", "1", "44100"], device: device)
    let found = try samples("out.wav")
    #expect(stride(from: 1, to: found.count, by: 2).allSatisfy { found[$0] == found[$0 - 1] })
    // Behind the filter's beginning: the level of the tone, and its frequency by its phase a second apart.
    let left = stride(from: 4000, to: 44_000, by: 2).map { Double(found[$0]) }
    let level = (left.map { $0 * $0 }.reduce(0, +) / Double(left.count)).squareRoot()
    #expect(abs(level - 0.5 / 2.0.squareRoot()) < 0.001)
    // 48 frames a period at the device's rate.
    let drift = zip(left, left.dropFirst(48)).map { abs($0 - $1) }.max() ?? 1
    #expect(drift < 0.001)
  }

  /// A file to be recorded: two tones, a second long.
  func tones() throws {
    let made = try runProcess(
      "sox",
      [
        "-n", "-r", "48000", "-c", "2", "-e", "floating-point", "-b", "32", folder("in.wav"),
        "synth", "1",
        "sine", "300", "sine", "500", "gain", "-6",
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
  }

  /// Compares the playback with the recording, from the first sound on.
  func expectPlayed(gain: Float) throws {
    let (delivered, played) = (try samples("in.wav"), try samples("out.wav"))
    let start = try #require(played.firstIndex { $0 != 0 }) / 2 * 2
    let first = try #require(delivered.firstIndex { $0 != 0 }) / 2 * 2
    let count = min(delivered.count - first, played.count - start)
    #expect(count > 80_000)
    for place in 0..<count {
      try #require(
        abs(played[start + place] - gain * delivered[first + place]) < 1e-6, "sample \(place)")
    }
  }

  @Test("An I/O unit's input can be played in the same cycle", arguments: ["ahal", "rioc"])
  func playThrough(subtype: String) throws {
    try tones()
    let device = "file:\(folder("out.wav")),in=\(folder("in.wav")),clock=free"
    let said = try run("PlayThrough", [subtype, "44000"], device: device)
    #expect(said.first?.hasPrefix("has 1, rate 48000") == true)
    #expect(said.last == "first 0 0")
    try expectPlayed(gain: 1)
  }

  @Test(
    "One unit's input is played by another over a ring by sample time",
    arguments: ["clang++", "g++"])
  func ringThrough(compiler: String) throws {
    try tones()
    let device = "file:\(folder("out.wav")),in=\(folder("in.wav")),clock=counted"
    #expect(
      try run("RingThrough", ["44000"], device: device, compiler: compiler) == [
        "period 512, wrong 0"
      ])
    try expectPlayed(gain: 1)
  }

  @Test("A graph has one I/O unit at both ends", arguments: ["straight", "mixer"])
  func graphs(way: String) throws {
    try tones()
    let device = "file:\(folder("out.wav")),in=\(folder("in.wav")),clock=free"
    let said = try run("GraphThrough", [way], device: device)
    #expect(said == ["second output node -10862", "interactions 2", "running 0"])
    try expectPlayed(gain: way == "mixer" ? 0.5 : 1)
  }

  @Test("System sounds mix, report each end on the run loop, and play whole, also at an exit")
  func systemSounds() throws {
    try tones()
    let device = "file:\(folder("out.wav")),clock=free,rate=48000"
    let asked = [
      "missing -1500",
      "interface sound 1, 4 bytes, writable; errors 1886681407 561213539 561211770",
    ]
    #expect(try run("SystemSound", [folder("in.wav"), "exit"], device: device) == asked)
    try expectPlayed(gain: 1)

    // With a constant in it, the sum of the output shows how often it was played.
    let made = try runProcess(
      "sox",
      [
        "-n", "-r", "48000", "-c", "1", "-b", "16", folder("up.wav"), "synth", "0.3", "sine", "300",
        "25", "gain", "-12",
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    #expect(
      try run("SystemSound", [folder("up.wav")], device: device) == asked + [
        "ends 2", "gone -1500",
      ])
    let (sound, played) = (try samples("up.wav"), try samples("out.wav"))
    let left = stride(from: 0, to: played.count, by: 2).map { Double(played[$0]) }
    let right = stride(from: 1, to: played.count, by: 2).map { Double(played[$0]) }
    let once = sound.map(Double.init).reduce(0, +)
    #expect(once > 500)
    for side in [left, right] { #expect(abs(side.reduce(0, +) / once - 2) < 1e-3) }
  }

  @Test(
    "An audio session has categories, preferences and routes, and notifies listeners of changes")
  func session() throws {
    // The recording has 48 kHz: the wish for another rate cannot be met.
    try tones()
    let device = "file:\(folder("out.wav")),in=\(folder("in.wav")),clock=free"
    #expect(
      try run("Session", [], device: device) == [
        "early 1", "twice 1", "category solo, mix 1, wrong 1 1", "changes 1, reason 3, inputs 1",
        "rate 48000, period 10.0 ms, 2 channels, input 1",
        "route LineOutAndMicrophone, some destinations 1",
      ])
  }

  @Test("CAShow describes the objects of handles, and says of other memory that it is no object")
  func shows() throws {
    let said = try run("Show", [], device: "file:\(folder("out.wav"))")
    let kinds = [
      "MusicSequence", "MusicTrack", "MusicPlayer", "AudioQueue", "AudioConverter", "CAClock",
      "AudioFileStream",
    ]
    for kind in kinds { #expect(said.contains { $0.hasPrefix(kind) }, "\(kind)") }
    #expect(said.filter { $0.contains("no object") }.count == 3)
    #expect(said.last?.contains("text") == true)
  }

  @Test("An output unit is rendered by its caller, too", arguments: ["def ", "ahal"])
  func renderedByCaller(subtype: String) throws {
    let device = "file:\(folder("out.wav")),clock=free,rate=48000"
    #expect(
      try run("RenderByCaller", [subtype], device: device) == [
        "alone 0.00, silent 1", "pulled 512, first 0.25",
      ])
  }

  @Test("A graph that was initialized without nodes plays nodes that are added later")
  func emptyGraph() throws {
    let device = "file:\(folder("out.wav")),clock=free,rate=48000"
    #expect(try run("EmptyGraph", [], device: device) == ["initialized 1, later 0"])
  }
}
