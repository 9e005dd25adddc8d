// SFZ files: tuning, levels, the choice among regions, opcodes that are left out, and the sound between frames.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("SFZ files") struct SFZTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-sfz")
    try FileManager.default.createDirectory(
      atPath: folder("Samples"), withIntermediateDirectories: true)
    // 480 Hz at full scale, looped or not; they differ in level.
    try folder.write(wave { sin(2 * .pi * $0 / 100) }, to: "tone.wav")
    for (name, level) in [("a", 0.1), ("b", 0.2), ("c", 0.4), ("d", 0.8)] {
      try folder.write(wave { _ in level }, to: "Samples/\(name).wav")
    }
  }

  private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A WAVE file of 48,000 frames in 32-bit numbers.
  private func wave(rate: Int = 48_000, _ value: (Double) -> Double) -> Data {
    let samples = (0..<48_000).flatMap { little(Int(Float(value(Double($0))).bitPattern), 4) }
    let format =
      little(3, 2) + little(1, 2) + little(rate, 4) + little(4 * rate, 4) + little(4, 2)
    let body =
      Array("WAVEfmt ".utf8) + little(16, 4) + format + little(32, 2) + Array("data".utf8)
      + little(samples.count, 4) + samples
    return Data(Array("RIFF".utf8) + little(body.count, 4) + body)
  }

  private typealias Message = (frame: Int, bytes: [UInt8])

  private func open(_ text: String, rate: Double = 48_000) throws -> AudioUnit {
    try folder.write(text, to: "test.sfz")
    let unit = try Shipped.open(name: "aumu:samp:appl")
    try unit.setText("bank", folder("test.sfz"))
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: rate, channelCount: 2), scope: kAudioUnitScope_Output)
    try unit.initialize()
    return unit
  }

  /// Reads the unit's sentences about parts that it left out.
  private func notes(_ unit: AudioUnit) throws -> String {
    try unit.stringProperty(AudioUnitPropertyID(kAuricleProperty_LoadNotes)) ?? ""
  }

  private func render(
    _ unit: AudioUnit, _ messages: [Message], frames: Int = 24_000, slices: [Int] = [480]
  ) throws -> [[Float]] {
    try renderInSlices(unit, frames: frames, channels: 2, slices: slices) { slice in
      for message in messages where slice.contains(message.frame) {
        try unit.sendMIDI(
          status: message.bytes[0], message.bytes[1], message.bytes[2],
          atFrame: message.frame - slice.lowerBound)
      }
    }
  }

  private func frequency(_ samples: [Float]) -> Double {
    let part = Array(samples.suffix(samples.count / 2))
    let crossings = part.indices.dropFirst().filter { part[$0 - 1] < 0 && part[$0] >= 0 }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 2 else {
      return 0
    }
    return Double(crossings.count - 1) * 48_000 / Double(last - first)
  }

  /// The levels in the middle of notes of 100 ms, one behind the other; keys are let go after 80 ms.
  private func levels(_ text: String, _ keys: [UInt8], before: [Message] = []) throws -> [Float] {
    let notes = keys.enumerated().flatMap { index, key -> [Message] in
      [(4800 * index + 480, [0x90, key, 127]), (4800 * index + 3840, [0x80, key, 0])]
    }
    let sound = try render(open(text), before + notes, frames: 4800 * keys.count + 480)[0]
    return keys.indices.map { (sound[4800 * $0 + 2400] * 1000).rounded() / 1000 }
  }

  @Test(
    "Tuning has its sign, in cents",
    arguments: [-1250, -100, -99, -50, -10, -1, 1, 10, 49, 50, 99, 100, 150, 1201])
  func tuning(cents: Int) throws {
    let sound = try render(
      open("<region> sample=tone.wav key=69 tune=\(cents)"), [(0, [0x90, 69, 127])])[0]
    #expect(abs(1200 * log2(frequency(sound) / 480) - Double(cents)) < 0.5)
    let moved = try render(
      open("<region> sample=tone.wav pitch_keycenter=69 transpose=2 tune=\(cents)"),
      [(0, [0x90, 69, 127])])[0]
    #expect(abs(1200 * log2(frequency(moved) / 480) - Double(200 + cents)) < 0.5)
  }

  @Test("A full-scale file plays at full scale, frame by frame, whatever the slices")
  func fullScale() throws {
    let unit = try open("<region> sample=tone.wav key=69")
    let sound = try render(unit, [(100, [0x90, 69, 127])])
    #expect(abs(peak(sound[0]) - 1) < 1e-6 && sound[0] == sound[1])
    for frame in 0..<1000 {
      #expect(abs(sound[0][100 + frame] - Float(sin(2 * .pi * Double(frame) / 100))) < 1e-6)
    }
    let bent: [Message] = [(100, [0x90, 69, 100]), (777, [0xE0, 10, 90]), (4001, [0x80, 69, 0])]
    let whole = try render(open("<region> sample=tone.wav key=69"), bent)
    for slices in [[1], [7, 64, 480], [333]] {
      #expect(try render(open("<region> sample=tone.wav key=69"), bent, slices: slices) == whole)
    }
  }

  @Test("Images of a slow file, and aliases, are far below the sound")
  func images() throws {
    // 4 kHz at 11,025 Hz on 96 kHz: images at 7,025 and 15,025 Hz.
    try folder.write(
      wave(rate: 11_025) { 0.5 * sin(2 * .pi * 4000 * $0 / 11_025) }, to: "slow.wav")
    let slow = try render(
      open("<region> sample=slow.wav key=60", rate: 96_000), [(0, [0x90, 60, 127])],
      frames: 48_000)[0]
    func level(_ samples: [Float], _ hertz: Double, _ rate: Double) -> Double {
      let part = samples[8192..<40_960]
      var (re, im) = (0.0, 0.0)
      for (index, sample) in part.enumerated() {
        let angle = 2 * .pi * hertz * Double(index) / rate
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / 32_768)
        re += Double(sample) * window * cos(angle)
        im += Double(sample) * window * sin(angle)
      }
      return 20 * log10((re * re + im * im).squareRoot() / 8192 + 1e-12)
    }
    let own = level(slow, 4000, 96_000)
    #expect(abs(own + 6.02) < 0.1)
    for image in [7025.0, 15_025, 18_050, 26_050] {
      #expect(level(slow, image, 96_000) < own - 80, "\(image) Hz")
    }
    // 9 kHz two octaves up would be 36 kHz, and come back as 12 kHz.
    try folder.write(wave { 0.5 * sin(2 * .pi * 9000 * $0 / 48_000) }, to: "high.wav")
    let high = try render(
      open("<region> sample=high.wav pitch_keycenter=60"), [(0, [0x90, 84, 127])], frames: 12_000)[
        0]
    #expect(peak(Array(high[2400..<9600])) < 0.000_1)
  }

  @Test("Notes alternate, and a random number chooses, the same after a reset")
  func choices() throws {
    let turns = """
      <control> default_path=Samples\\
      <group> seq_length=3 key=60
      <region> sample=a.wav seq_position=1 <region> sample=b.wav seq_position=2
      <region> sample=c.wav seq_position=3
      """
    #expect(try levels(turns, [60, 60, 60, 60, 60]) == [0.1, 0.2, 0.4, 0.1, 0.2])
    let random = """
      <control> default_path=Samples/
      <group> key=60
      <region> sample=a.wav hirand=0.5
      <region> sample=b.wav lorand=0.5
      """
    let keys = [UInt8](repeating: 60, count: 24)
    let first = try levels(random, keys)
    #expect(first.filter { $0 == 0.1 }.count > 4 && first.filter { $0 == 0.2 }.count > 4)
    #expect(first.allSatisfy { $0 == 0.1 || $0 == 0.2 })
    #expect(try levels(random, keys) == first)
  }

  @Test("Switches choose, the first one among them; keys that are down, and the key before")
  func switches() throws {
    let text = """
      <control> default_path=Samples/
      <global> sw_lokey=24 sw_hikey=26 sw_default=25
      <group> lokey=60 hikey=72
      <region> sample=a.wav sw_last=24 <region> sample=b.wav sw_last=c#1
      <region> sample=c.wav sw_last=26
      """
    #expect(try levels(text, [60, 24, 60, 26, 72, 30, 60]) == [0.2, 0, 0.1, 0, 0.4, 0, 0.4])
    let down = """
      <control> default_path=Samples/
      <region> sample=a.wav key=60 sw_down=36 <region> sample=b.wav key=60 sw_up=36
      <region> sample=c.wav key=62 sw_previous=60
      """
    #expect(try levels(down, [60]) == [0.2])
    #expect(try levels(down, [60], before: [(0, [0x90, 36, 100])]) == [0.1])
    #expect(try levels(down, [62, 60, 62]) == [0, 0.2, 0.4])
    let legato = """
      <control> default_path=Samples/ <group> lokey=60 hikey=72
      <region> sample=a.wav trigger=first <region> sample=b.wav trigger=legato
      """
    #expect(try levels(legato, [60, 62]) == [0.1, 0.1])
    #expect(try levels(legato, [60], before: [(0, [0x90, 30, 100])]) == [0.2])
  }

  @Test("A key that is let go plays its release, softer with time, and behind the pedal")
  func releases() throws {
    let text = """
      <control> default_path=Samples/
      <region> sample=a.wav key=60 trigger=release rt_decay=20
      <region> sample=d.wav key=62 trigger=release_key
      """
    let messages: [Message] = [
      (0, [0x90, 60, 127]), (0, [0x90, 62, 127]), (4800, [0xB0, 64, 127]),
      (9600, [0x80, 60, 0]), (19_200, [0xB0, 64, 0]),
    ]
    let sound = try render(open(text), messages)[0]
    #expect(peak(Array(sound[0..<19_200])) == 0)
    // 0.4 seconds at 20 dB a second.
    #expect(abs(decibels(sound[20_000] / 0.1) + 8) < 0.1)
    let key = try render(
      open(text), [(0, [0x90, 62, 127]), (480, [0xB0, 64, 127]), (9600, [0x80, 62, 0])])[0]
    #expect(key[9599] == 0 && abs(key[9800] - 0.8) < 1e-5)
  }

  @Test("Levels: velocity, crossfades, controllers, amplitude, and groups that end each other")
  func levels() throws {
    func level(_ opcodes: String, velocity: UInt8 = 127, _ before: [Message] = []) throws -> Float {
      try render(
        open("<region> sample=Samples/d.wav key=60 \(opcodes)"),
        before + [(480, [0x90, 60, velocity])], frames: 4800)[0][2400] / 0.8
    }
    #expect(try abs(level("", velocity: 64) - 0.25395) < 1e-4)
    #expect(try abs(level("amp_veltrack=0", velocity: 64) - 1) < 1e-5)
    #expect(try abs(level("amp_veltrack=50", velocity: 64) - 0.62697) < 1e-4)
    #expect(try abs(level("amplitude=50 volume=6.0206") - 1) < 1e-4)
    #expect(
      try abs(
        level("xfin_lovel=0 xfin_hivel=127 xf_velcurve=gain amp_veltrack=0", velocity: 64) - 0.50394
      ) < 1e-4)
    #expect(try abs(level("xfout_lokey=50 xfout_hikey=70") - 0.70711) < 1e-4)
    #expect(try abs(level("xfin_locc1=0 xfin_hicc1=127", [(0, [0xB0, 1, 127])]) - 1) < 1e-5)
    #expect(try level("xfin_locc1=0 xfin_hicc1=127") == 0)
    #expect(try level("locc1=64") == 0)
    #expect(try abs(level("locc1=64", [(0, [0xB0, 1, 64])]) - 1) < 1e-5)
    #expect(try level("pan=-100") == 1 && level("pan=100") == 0)
    let closed = """
      <group> group=1 off_by=1 <region> sample=tone.wav key=42 <region> sample=Samples/a.wav key=46
      """
    let sound = try render(open(closed), [(0, [0x90, 42, 127]), (4800, [0x90, 46, 127])])[0]
    #expect(peak(Array(sound[0..<4800])) > 0.9 && abs(sound[6000] - 0.1) < 1e-5)
  }

  @Test("Definitions, other files, comments and notes by name")
  func text() throws {
    try folder.write("<region> sample=b.wav key=$LOW$X", to: "more.sfz")
    let text = """
      /* two
      lines */ #define $LOW 6
      #define $LOWER 61 // behind
      #define $X 2
      <control> default_path=Samples/
      <region> sample=a.wav key=c4
      #include "more.sfz"
      <region> sample=c.wav pitch_keycenter=g9
      lokey=G9 hikey=g9 <region> sample=d.wav key=$LOWER
      """
    #expect(try levels(text, [60, 61, 62, 127]) == [0.1, 0.8, 0.2, 0.4])
  }

  @Test("Regions that something unknown would choose are left out, with a note, and do not play")
  func omissions() throws {
    for opcode in [
      "trigger=strum", "on_locc64=127 on_hicc64=127", "start_locc1=64", "lobpm=120 hibpm=130",
      "lotimer=1", "locc131=64", "sample=*saw", "hikey=-1", "end=-1",
    ] {
      let unit = try open(
        "<region> sample=Samples/a.wav key=60 \(opcode) <region> sample=Samples/b.wav key=62")
      let note = try notes(unit)
      #expect(note.contains("1 of 2 regions is left out"), "\(opcode): \(note)")
      let sound = try render(
        unit, [(0, [0x90, 60, 127]), (2400, [0x90, 62, 127])], frames: 4800)[0]
      #expect(peak(Array(sound[0..<2400])) == 0 && peak(sound) > 0.19, "\(opcode)")
    }
    let quiet = try open(
      "<region> sample=Samples/a.wav key=60 lobpm=0 hibpm=500 locc1=0 hicc1=127 sw_label=x")
    #expect(try notes(quiet).isEmpty)
    let filter = try open("<region> sample=Samples/a.wav key=60 cutoff=500 fil_type=lpf_2p")
    #expect(
      try notes(filter).contains("cutoff, fil_type"))
  }
}
