// render: a MIDI file through an instrument is exact to the frame, and one bad song costs no other.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct RenderTests {
  let box: Sandbox
  let units: TemporaryFolder

  init() throws {
    box = try Sandbox()
    units = try TemporaryFolder("auricle-organs")
    try makeOrgan("ClickOrgan", subtype: "clck")
  }

  /// Puts the instrument, or the music effect of the same source, into the folder of units.
  func makeOrgan(
    _ name: String, subtype: String, type: String = "aumu", flags more: [String] = []
  ) throws {
    let flags =
      more + [
        Places.inPackage("SDK/CUnit/AuricleUnit.c"), "-I", Places.inPackage("SDK/include"),
      ]
    let binary = try ComponentFixture.binary("ClickOrgan", flags: flags)
    let info = ComponentFixture.info(name, subtype: subtype).replacing("aufx", with: type)
      .replacing("\(name)Factory", with: "ClickOrganFactory")
    try ComponentFixture.makeBundle(name, info: info, binary: binary, in: units)
  }

  func render(_ arguments: String..., more: [String] = []) throws -> ProcessResult {
    try runAuricle(
      ["render"] + arguments + more,
      environment: box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 },
      in: box.folder.path)
  }

  /// A number of MIDI's variable length.
  func length(_ number: Int) -> [UInt8] {
    var bytes = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  func track(_ events: [(tick: Int, bytes: [UInt8])], name: String) -> [UInt8] {
    var body = [0x00, 0xFF, 0x03] + length(name.utf8.count) + Array(name.utf8)
    var before = 0
    for event in events {
      body += length(event.tick - before) + event.bytes
      before = event.tick
    }
    body += [0x00, 0xFF, 0x2F, 0x00]
    let size = (0..<4).reversed().map { UInt8(body.count >> (8 * $0) & 0xFF) }
    return Array("MTrk".utf8) + size + body
  }

  /// Two tracks: 20 notes a quarter apart with a change of tempo in the middle, and one long note.
  func makeSong(_ name: String) throws {
    var melody: [(Int, [UInt8])] = []
    for note in 0..<20 {
      melody.append((480 * note, [0x90, UInt8(40 + note), UInt8(20 + note)]))
      melody.append((480 * note + 240, [0x80, UInt8(40 + note), 0]))
    }
    let tempos: [(Int, [UInt8])] = [
      (0, [0xFF, 0x51, 0x03, 0x07, 0xA1, 0x20]), (4800, [0xFF, 0x51, 0x03, 0x03, 0xD0, 0x90]),
    ]
    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 3, 0x01, 0xE0]
    let bytes =
      header + track(tempos, name: "tempo") + track(melody, name: "Melody")
      + track([(100, [0x91, 100, 100]), (960, [0x81, 100, 0])], name: "Pad/low")
    try box.folder.write(Data(bytes), to: name)
  }

  /// The frames at which a file is not silent, and the left samples there.
  func clicks(_ name: String) throws -> [Int: Float] {
    let row = try Sound(path: box(name)).channels[0]
    return Dictionary(
      uniqueKeysWithValues: row.enumerated().filter { $0.element != 0 }.map {
        ($0.offset, $0.element)
      })
  }

  /// Frames of the notes of the melody at 48 kHz: half a second a note, from the tenth on a quarter.
  func melody() -> [Int: Float] {
    var frames: [Int: Float] = [:]
    for note in 0..<20 {
      let frame = note < 10 ? 24_000 * note : 240_000 + 12_000 * (note - 10)
      frames[frame] = Float(20 + note) / 128
    }
    return frames
  }

  @Test("Every note sounds at its frame, through changes of tempo, with effects of latency behind")
  func exact() throws {
    try makeSong("song.mid")
    let all = try render(
      "song.mid", "--unit", "aumu:clck:AuTe", "--encoding", "float32", "-o", "song.wav")
    #expect(all.exitCode == 0, "\(all.summary)")
    #expect(all.standardOutput.hasPrefix("song.wav  "), "\(all.summary)")
    #expect(!all.standardOutput.contains("→"), "\(all.summary)")
    var wanted = melody()
    wanted[5000] = 100 / 128
    #expect(try clicks("song.wav") == wanted)
    let delayed = try render(
      "song.mid", "--unit", "aumu:clck:AuTe", "--unit", "aufx:lmtr:appl", "--encoding", "float32",
      "-o", "limited.wav")
    #expect(delayed.exitCode == 0, "\(delayed.summary)")
    let peaks = try Sound(path: box("limited.wav")).channels[0]
    for (frame, sample) in wanted {
      #expect(abs(peaks[frame] - sample) < 0.01, "frame \(frame)")
    }
    let again = try render("song.mid", "--unit", "aumu:clck:AuTe", "-o", "song.wav")
    #expect(again.exitCode == 74, "\(again.summary)")
  }

  @Test("Stems are a file a track that has notes, and a track can be rendered alone")
  func stems() throws {
    try makeSong("song.mid")
    let result = try render(
      "song.mid", "--unit", "aumu:clck:AuTe", "--encoding", "float32", "-o", "out", "--stems",
      "--jobs", "2")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["song-02-Melody.wav", "song-03-Pad-low.wav"])
    #expect(try clicks("out/song-02-Melody.wav") == melody())
    #expect(try clicks("out/song-03-Pad-low.wav") == [5000: 100 / 128])
    let alone = try render(
      "song.mid", "--unit", "aumu:clck:AuTe", "--encoding", "float32", "-o", "pad.wav", "--track",
      "3")
    #expect(alone.exitCode == 0, "\(alone.summary)")
    #expect(try clicks("pad.wav") == [5000: 100 / 128])
  }

  @Test("An instrument of one channel plays on both; cut and silent sound is reported")
  func levels() throws {
    try makeOrgan("MonoOrgan", subtype: "mono", flags: ["-DMONO"])
    try makeSong("song.mid")
    let mono = try render(
      "song.mid", "--unit", "aumu:mono:AuTe", "--encoding", "float32", "-o", "mono.wav")
    #expect(mono.exitCode == 0, "\(mono.summary)")
    let rows = try Sound(path: box("mono.wav")).channels
    #expect(rows.count == 2 && rows[0] == rows[1])
    #expect(rows[0][5000] == 0.78125)

    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x01, 0xE0]
    let loud = track([(0, [0x90, 60, 127]), (0, [0x90, 64, 127])], name: "loud")
    try box.folder.write(Data(header + loud), to: "loud.mid")
    let cut = try render("loud.mid", "--unit", "aumu:clck:AuTe", "-o", "loud.wav")
    #expect(cut.exitCode == 0, "\(cut.summary)")
    #expect(
      cut.standardError.contains("beyond full scale were clipped, by up to 6.0 dB"),
      "\(cut.summary)")
    let whole = try render(
      "loud.mid", "--unit", "aumu:clck:AuTe", "-o", "whole.wav", "--encoding", "float32")
    #expect(whole.standardError.isEmpty, "\(whole.summary)")
    try box.folder.write(Data(header + track([], name: "nothing")), to: "quiet.mid")
    let quiet = try render("quiet.mid", "--unit", "aumu:clck:AuTe", "-o", "quiet.wav")
    #expect(quiet.exitCode == 0, "\(quiet.summary)")
    #expect(
      quiet.standardError.contains("the result is silent: an instrument may need a bank"),
      "\(quiet.summary)")
    let folder = try render("quiet.mid", "song.mid", "--unit", "aumu:clck:AuTe", "-o", "two/")
    #expect(folder.exitCode == 0, "\(folder.summary)")
    let notes = folder.standardError.split(separator: "\n").filter {
      $0.contains("the result is silent")
    }
    #expect(notes.count == 1 && notes[0].contains("quiet.mid"), "\(folder.summary)")
  }

  @Test("A song whose instrument crashes is tried again and left out; the others are done")
  func crash() throws {
    try makeOrgan("CrashOrgan", subtype: "crsh", flags: ["-DCRASHING"])
    try makeSong("songs/a/long.mid")
    try box.folder.write(Data(short), to: "songs/short.mid")
    try box.folder.write("no song", to: "songs/bad.mid")
    try box.makeSounds(1)
    let result = try render(
      "songs", "gone.mid", "--unit", "aumu:crsh:AuTe", "-o", "out", "--report", "out/report.json")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(box.names("out") == ["a", "report.json", "short.wav"])
    #expect(box.names("out/a").isEmpty)
    for part in [
      "long.mid is tried once more in a fresh process: Auricle Tests: CrashOrgan (aumu:crsh:AuTe)",
      "bad.mid: it is no MIDI file", "gone.mid", "1 file done, 3 failed",
    ] { #expect(result.standardError.contains(part), "\(result.summary)") }
    let status = try box.run("status", "out")
    #expect(status.standardOutput.contains("quarantined"), "\(status.summary)")
    let verify = try box.run("verify", "out")
    #expect(verify.exitCode == 0, "\(verify.summary)")
    // Stems are made beside each other, without a ledger; a track of one note is whole.
    let stems = try render(
      "songs/a/long.mid", "songs/short.mid", "--unit", "aumu:crsh:AuTe", "-o", "stems", "--stems")
    #expect(stems.exitCode == 1, "\(stems.summary)")
    #expect(box.names("stems") == ["long-03-Pad-low.wav", "short-01-one.wav"])
    for part in ["long.mid, track 2 is tried once more", "2 files done, 1 failed"] {
      #expect(stems.standardError.contains(part), "\(stems.summary)")
    }
    let alone = try render("songs/a/long.mid", "--unit", "aumu:crsh:AuTe", "-o", "alone.wav")
    #expect(alone.exitCode == 70 && alone.standardOutput.isEmpty, "\(alone.summary)")
    let lines = alone.standardError.split(separator: "\n").map(String.init)
    #expect(lines.count == 2 && lines[0].contains("is tried once more"), "\(alone.summary)")
    #expect(lines.last?.hasPrefix("auricle: songs/a/long.mid: ") == true, "\(alone.summary)")
    #expect(!box.names(".").contains { $0.contains("alone") })
  }

  @Test(
    "The output of a preset is respected for a song alone; stems keep the level that they play at")
  func output() throws {
    try makeSong("song.mid")
    try box.folder.write(
      """
      auricle: 1
      name: Soft
      instruments:
        - {unit: aumu:clck:AuTe, name: Lead, tracks: 2}
        - {unit: aumu:clck:AuTe, name: Pad, tracks: 3}
      bus:
        - {unit: aufx:lmtr:appl}
      output: {peak: -12 dBFS, encoding: float32}
      """, to: "soft.yaml")
    let alone = try render("song.mid", "--preset", "soft.yaml", "-o", "song.wav")
    #expect(alone.exitCode == 0 && alone.standardError.isEmpty, "\(alone.summary)")
    let song = try Sound(path: box("song.wav")).channels
    #expect(song.count == 2 && abs(peak(song[0]) - 0.2512) < 1e-3)
    let stems = try render("song.mid", "--preset", "soft.yaml", "-o", "out", "--stems")
    #expect(stems.exitCode == 0, "\(stems.summary)")
    #expect(try Sound(path: box("out/song.wav")).channels == song)
    // The output of the last effects is late; the parts are not.
    #expect(try clicks("out/song-01-Lead.wav") == melody())
    #expect(try clicks("out/song-02-Pad.wav") == [5000: 100 / 128])
    let lengths = try ["song", "song-01-Lead", "song-02-Pad"].map {
      try Sound(path: box("out/\($0).wav")).channels[0].count
    }
    #expect(Set(lengths).count == 1)
  }

  /// One note.
  private var short: [UInt8] {
    Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0x01, 0xE0]
      + track([(0, [0x90, 60, 64]), (10, [0x80, 60, 0])], name: "one")
  }

  @Test(
    "Songs in a folder are the same samples as alone, whatever the number of workers, and go on where they were cut off"
  )
  func folder() throws {
    try makeSong("long.mid")
    try box.folder.write(Data(short), to: "short.mid")
    try box.folder.write(
      """
      auricle: 1
      name: Drawn
      instruments:
        - unit: aumu:clck:AuTe
          effects: [{unit: aufx:lpas:appl, parameters: {cutoff frequency: {random: [200 Hz, 9 kHz]}}}]
      bus: [{unit: aufx:lmtr:appl}]
      """, to: "drawn.yaml")
    let chain = ["--preset", "drawn.yaml", "--encoding", "float32", "--seed", "7"]
    let alone = try render("long.mid", "-o", "alone.wav", more: chain)
    #expect(alone.exitCode == 0, "\(alone.summary)")
    for jobs in ["1", "2"] {
      let both = try render(
        "long.mid", "short.mid", "-o", "out\(jobs)/", "--jobs", jobs, more: chain)
      #expect(both.exitCode == 0, "\(both.summary)")
    }
    let first = try Data(contentsOf: URL(fileURLWithPath: box("out1/long.wav")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out2/long.wav"))) == first)
    #expect(
      try Sound(path: box("out1/long.wav")).channels == Sound(path: box("alone.wav")).channels)
    let variants = try render("short.mid", "-o", "many/", "--variants", "2", more: chain)
    #expect(variants.exitCode == 0, "\(variants.summary)")
    #expect(box.names("many") == ["short-1.wav", "short-2.wav"])
    #expect(
      try Sound(path: box("many/short-1.wav")).channels
        != Sound(path: box("many/short-2.wav")).channels)
    let report = try box.run("report", "many", "--format", "csv")
    #expect(report.standardOutput.contains("cutoff frequency"), "\(report.summary)")

    // A run that was refused a bank before it began.
    let bank = try render("long.mid", "short.mid", "--bank", "gone.sf2", "-o", "banks")
    #expect(bank.exitCode != 0 && !bank.standardError.contains("long.mid"), "\(bank.summary)")
    let again = try render("--resume", "out1")
    #expect(again.exitCode == 0, "\(again.summary)")
    #expect(again.standardError.contains("2 before"), "\(again.summary)")
    let other = try render("--resume", "out1", "--channels", "1")
    #expect(other.exitCode == 65, "\(other.summary)")
    #expect(other.standardError.contains("auricle render command again"), "\(other.summary)")
  }

  @Test("A song that cannot be rendered is refused with a sentence and its exit code")
  func refusals() throws {
    try makeSong("song.mid")
    for (arguments, code) in [
      (["--unit", "aufx:lpas:appl", "-o", "a.wav"], 64),
      (["--unit", "aumu:clck:AuTe", "-o", "a.xyz"], 64),
      (["--unit", "aumu:clck:AuTe", "-o", "a.wav", "--track", "9"], 64),
      (["--unit", "aumu:none:AuTe", "-o", "a.wav"], 69),
      (["--unit", "aumu:clck:AuTe", "-o", "a.wav", "--encoding", "pcm7"], 64),
    ] as [([String], Int32)] {
      let result = try runAuricle(
        ["render", "song.mid"] + arguments,
        environment: box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 },
        in: box.folder.path)
      #expect(result.exitCode == code, "\(arguments): \(result.summary)")
      #expect(result.standardError.split(separator: "\n").count >= 1)
    }
    #expect(!box.names(".").contains { $0.hasPrefix("a.") })
  }
}
