// render --bank: as FluidSynth's own program renders it, and messages about banks.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SoundBankRenderTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    let presets = [
      SoundFontFixture.Preset("Wave", 0, 0), .init("Other", 0, 5), .init("Kit", 128, 0),
    ]
    try box.folder.write(Data(SoundFontFixture.bytes(presets)), to: "test.sf2")
    try box.folder.write("no bank", to: "bad.sf2")
  }

  /// A song whose ticks are 64 frames at 48 kHz: 375 (0x177) to the quarter, 120 quarters a minute.
  private func makeSong(
    _ name: String, program: UInt8 = 5, later ticks: Int = 0,
    others: [(tick: Int, bytes: [UInt8])] = []
  ) throws {
    func length(_ number: Int) -> [UInt8] {
      number < 128 ? [UInt8(number)] : [UInt8(number >> 7) | 0x80, UInt8(number & 0x7F)]
    }
    var events: [(tick: Int, bytes: [UInt8])] = [(0, [0xC0, program]), (0, [0xB1, 91, 100])]
    events += others
    for note in 0..<24 {
      let channel = UInt8([0, 1, 9][note % 3])
      events.append((30 + 45 * note, [0x90 | channel, UInt8(50 + note), UInt8(40 + 3 * note)]))
      events.append((30 + 45 * note + 99, [0x80 | channel, UInt8(50 + note), 0]))
      if note % 5 == 0 { events.append((33 + 45 * note, [0xE0 | channel, 0, UInt8(40 + note)])) }
    }
    var body: [UInt8] = []
    var before = 0
    for event in events.enumerated().sorted(by: { ($0.1.tick, $0.0) < ($1.1.tick, $1.0) }) {
      body += length(event.element.tick + ticks - before) + event.element.bytes
      before = event.element.tick + ticks
    }
    body += length(300) + [0xFF, 0x2F, 0x00]
    let size = (0..<4).reversed().map { UInt8(body.count >> (8 * $0) & 0xFF) }
    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x01, 0x77]
    try box.folder.write(Data(header + Array("MTrk".utf8) + size + body), to: name)
  }

  /// Renders a song with FluidSynth's program and with ours; returns our result.
  @discardableResult
  private func compare(others: [(tick: Int, bytes: [UInt8])] = []) throws -> [[Float]] {
    // That program starts its song a block after its sound.
    try makeSong("song.mid", others: others)
    try makeSong("later.mid", later: 1, others: others)
    let reference = try runProcess(
      "/usr/bin/fluidsynth",
      [
        "-q", "-F", box("theirs.wav"), "-T", "wav", "-O", "float", "-r", "48000", box("test.sf2"),
        box("song.mid"),
      ])
    #expect(reference.exitCode == 0, "\(reference.summary)")
    let result = try box.run(
      "render", "later.mid", "--unit", "dls ", "--bank", "test.sf2", "--encoding", "float32", "-o",
      "ours.wav", "--overwrite")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.isEmpty, "\(result.summary)")
    let theirs = try Sound(path: box("theirs.wav")).channels
    let ours = try Sound(path: box("ours.wav")).channels
    let count = min(theirs[0].count, ours[0].count)
    #expect(count > 80_000)
    for channel in 0..<2 {
      let isEqual = theirs[channel].prefix(count).elementsEqual(ours[channel].prefix(count))
      #expect(isEqual)
      #expect(ours[channel].contains { abs($0) > 0.01 })
    }
    return ours
  }

  @Test(
    "A song is the result of FluidSynth's program, sample for sample, where its blocks begin at the notes"
  )
  func equal() throws {
    let ours = try compare()
    // Without a unit the same one plays.
    let short = try box.run(
      "render", "later.mid", "--bank", "test.sf2", "--encoding", "float32", "-o", "short.wav")
    #expect(short.exitCode == 0, "\(short.summary)")
    #expect(try Sound(path: box("short.wav")).channels == ours)
  }

  @Test("A SysEx acts at its very frame, and of very many messages at once none is lost")
  func exclusive() throws {
    // General MIDI on, which ends the notes, and sets channels back.
    let reset: [UInt8] = [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
    try compare(others: [(93, reset), (93, [0xC0, 5]), (318, reset), (318, [0xC0, 5])])
    // The first note comes at tick 30.
    let many = (0..<20_000).map { (tick: 3, bytes: [0xB0, 20, UInt8($0 & 127)] as [UInt8]) }
    try compare(others: many + [(3, [0xB0, 7, 30])])
  }

  @Test(
    "A missing program of a bank is named with its substitute; a broken bank is one sentence"
  )
  func reported() throws {
    try makeSong("song.mid", program: 42)
    let result = try box.run("render", "song.mid", "--bank", "test.sf2", "-o", "song.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      result.standardError.contains("the bank test has no preset 0:42: 0:0 Wave is played"),
      "\(result.summary)")
    for (bank, code, word) in [
      ("bad.sf2", Int32(65), "no sound bank that can be read"),
      ("gone.sf2", 66, "there is no sound bank gone.sf2"),
    ] {
      let refused = try box.run("render", "song.mid", "--bank", bank, "-o", "a.wav")
      #expect(refused.exitCode == code, "\(refused.summary)")
      #expect(refused.standardError.contains(word), "\(refused.summary)")
      #expect(refused.standardError.split(separator: "\n").count == 1, "\(refused.summary)")
    }
  }

  @Test("A run is tied to the sounds beside an SFZ file")
  func sounds() throws {
    for name in ["a.mid", "b.mid"] { try makeSong(name) }
    try box.folder.write("<region> sample=tones/a tone.wav key=60 lokey=0 hikey=127", to: "t.sfz")
    try box.folder.makeFolder("tones")
    let tone = TestSignal.noise(seed: 1, amplitude: 0.1, frameCount: 4_800)
    try Sound([tone]).write(to: box("tones/a tone.wav"), encoding: .pcm16)
    let first = try box.run(
      "render", "a.mid", "b.mid", "--unit", "aumu:samp:appl", "--bank", "t.sfz", "-o", "out/")
    #expect(first.exitCode == 0, "\(first.summary)")
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    try FileManager.default.removeItem(atPath: box("out/.auricle/\(run)/ledger-1.jsonl"))
    for name in box.names("out") { try FileManager.default.removeItem(atPath: box("out/" + name)) }
    try Sound([tone.map { -$0 }]).write(to: box("tones/a tone.wav"), encoding: .pcm16)
    let changed = try box.run("render", "--resume", "out")
    #expect(changed.exitCode == 65, "\(changed.summary)")
    #expect(changed.standardError.contains("another content of the file"), "\(changed.summary)")
    #expect(changed.standardError.contains("a tone.wav"), "\(changed.summary)")
  }

  @Test("Presets that ship, or no chain, play the bank that is found; without one nothing is begun")
  func shipped() throws {
    try makeSong("song.mid")
    try box.folder.write(Data(contentsOf: URL(fileURLWithPath: box("test.sf2"))), to: "banks/a.sf2")
    let banks = ["AURICLE_SOUND_BANK_PATH": box("banks")]
    for preset in ["piano", "band"] {
      let made = try box.run(
        "render", "song.mid", "--preset", preset, "-o", "\(preset)/", environment: banks)
      #expect(made.exitCode == 0, "\(made.summary)")
      let sound = try Sound(path: box("\(preset)/song.wav"))
      #expect(sound.channels.count == 2 && (0.01...1).contains(peak(sound.channels[0])))
    }
    let plain = try box.run(
      "render", "song.mid", "--encoding", "float32", "-o", "plain.wav", environment: banks)
    #expect(plain.exitCode == 0, "\(plain.summary)")
    let named = try box.run(
      "render", "song.mid", "--unit", "dls ", "--encoding", "float32", "-o", "named.wav",
      environment: banks)
    #expect(named.exitCode == 0, "\(named.summary)")
    let channels = try Sound(path: box("plain.wav")).channels
    #expect(try peak(channels[0]) > 0.01 && channels == Sound(path: box("named.wav")).channels)
    let nothing = try box.run(
      "render", "song.mid", "-o", "nothing.wav",
      environment: ["AURICLE_SOUND_BANK_PATH": box("nowhere")])
    #expect(nothing.exitCode == 69, "\(nothing.summary)")
    #expect(nothing.standardError.contains("timgm6mb-soundfont"), "\(nothing.summary)")
    let bare = try box.run(
      "render", "song.mid", "--preset", "piano", "-o", "none/",
      environment: ["AURICLE_SOUND_BANK_PATH": box("nowhere")])
    #expect(bare.exitCode == 69, "\(bare.summary)")
    #expect(bare.standardError.contains("timgm6mb-soundfont"), "\(bare.summary)")
    #expect(box.names("none").isEmpty)
  }

  @Test("Without a bank, or without FluidSynth, a sentence names the package")
  func lacking() throws {
    try makeSong("song.mid")
    let bare = try box.run(
      "render", "song.mid", "--unit", "dls ", "-o", "a.wav",
      environment: ["AURICLE_SOUND_BANK_PATH": box("nowhere")])
    #expect(bare.exitCode == 69, "\(bare.summary)")
    #expect(bare.standardError.contains("timgm6mb-soundfont"), "\(bare.summary)")
    try box.folder.write("no library", to: "libfluidsynth.so.3")
    let without = try box.run(
      "render", "song.mid", "--bank", "test.sf2", "-o", "a.wav",
      environment: ["LD_LIBRARY_PATH": box.folder.path])
    #expect(without.exitCode == 69, "\(without.summary)")
    #expect(without.standardError.contains("libfluidsynth3"), "\(without.summary)")
  }
}
