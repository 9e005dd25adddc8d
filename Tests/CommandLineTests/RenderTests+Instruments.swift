// render: presets that assign instruments to tracks and channels.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

extension RenderTests {
  @Test(
    "A band plays channels and tracks on its instruments, aligned, with effects, a bus, and stems")
  func band() throws {
    try makeOrgan("OtherOrgan", subtype: "othr")
    try makeSong("song.mid")
    try box.folder.write(
      """
      auricle: 1
      name: Band
      instruments:
        - unit: aumu:clck:AuTe
          name: Lead
          tracks: 2
          effects:
            - unit: aufx:lmtr:appl
        - unit: aumu:othr:AuTe
          name: Pad
          channels: [2-3, 16]
      """, to: "band.yaml")
    let check = try render(
      "song.mid", "--preset", "band.yaml", "-o", "mix.wav", "--encoding", "float32")
    #expect(check.exitCode == 0 && check.standardError.isEmpty, "\(check.summary)")
    // The other waits as long as the limiter is late.
    let mixed = try Sound(path: box("mix.wav")).channels[0]
    for (frame, sample) in melody() { #expect(abs(mixed[frame] - sample) < 0.01, "frame \(frame)") }
    #expect(mixed[5000] == 0.78125)

    let stems = try render(
      "song.mid", "--preset", "band.yaml", "-o", "out/", "--stems", "--encoding", "float32")
    #expect(stems.exitCode == 0, "\(stems.summary)")
    #expect(box.names("out") == ["song-01-Lead.wav", "song-02-Pad.wav", "song.wav"])
    #expect(stems.standardOutput.split(separator: "\n").count == 3, "\(stems.summary)")
    #expect(try clicks("out/song-02-Pad.wav") == [5000: 100 / 128])
    #expect(try Sound(path: box("out/song.wav")).channels[0] == mixed)
    let lead = try Sound(path: box("out/song-01-Lead.wav")).channels[0]
    let pad = try Sound(path: box("out/song-02-Pad.wav")).channels[0]
    #expect(zip(lead, pad).map { $0 + $1 } == mixed)

    // Behind all: an equaliser at 0 dB. A track that no instrument names goes to the one that names nothing, or is
    // reported.
    try box.folder.write(
      """
      auricle: 1
      name: Rest
      instruments:
        - {unit: aumu:clck:AuTe, channels: 2}
        - {unit: aumu:othr:AuTe}
      bus:
        - {unit: aufx:pmeq:appl}
      """, to: "rest.yaml")
    let rest = try render(
      "song.mid", "--preset", "rest.yaml", "-o", "rest.wav", "--encoding", "float32")
    #expect(rest.exitCode == 0, "\(rest.summary)")
    var wanted = melody()
    wanted[5000] = 100 / 128
    #expect(try clicks("rest.wav") == wanted)
    try box.folder.write(
      """
      auricle: 1
      name: Lack
      instruments: [{unit: aumu:clck:AuTe, channels: 2}]
      """, to: "lack.yaml")
    let lack = try render("song.mid", "--preset", "lack.yaml", "-o", "lack.wav")
    #expect(lack.exitCode == 0, "\(lack.summary)")
    #expect(
      lack.standardError.contains("20 notes of channel 1 are not played: no instrument names it"),
      "\(lack.summary)")
  }

  @Test("A music effect receives the notes of its instrument, and one behind all every note")
  func musicEffects() throws {
    try makeOrgan("ClickEffect", subtype: "efct", type: "aumf", flags: ["-DEFFECT"])
    try makeSong("song.mid")
    var all = melody()
    all[5000] = 100 / 128
    // The effect replaces its input: its clicks are those of the notes that it received.
    let chain = try render(
      "song.mid", "--unit", "aumu:clck:AuTe", "--unit", "aumf:efct:AuTe",
      "--encoding", "float32", "-o", "chain.wav")
    #expect(chain.exitCode == 0 && chain.standardError.isEmpty, "\(chain.summary)")
    #expect(try clicks("chain.wav") == all)
    try box.folder.write(
      """
      auricle: 1
      name: Two
      instruments:
        - {unit: aumu:clck:AuTe, channels: 1, effects: [{unit: aumf:efct:AuTe}]}
        - {unit: aumu:clck:AuTe, channels: 2}
      """, to: "two.yaml")
    let two = try render(
      "song.mid", "--preset", "two.yaml", "--encoding", "float32", "-o", "two.wav")
    #expect(two.exitCode == 0 && two.standardError.isEmpty, "\(two.summary)")
    #expect(try clicks("two.wav") == all)
    try box.folder.write(
      """
      auricle: 1
      name: Bus
      instruments:
        - {unit: aumu:clck:AuTe, channels: 1}
        - {unit: aumu:clck:AuTe, channels: 2}
      bus: [{unit: aumf:efct:AuTe}]
      """, to: "bus.yaml")
    let bus = try render(
      "song.mid", "--preset", "bus.yaml", "--encoding", "float32", "-o", "bus.wav")
    #expect(bus.exitCode == 0 && bus.standardError.isEmpty, "\(bus.summary)")
    #expect(try clicks("bus.wav") == all)
  }

  @Test("A preset of instruments is checked as a whole, and sound files are not put through it")
  func bandMistakes() throws {
    try makeSong("song.mid")
    let text = """
      auricle: 1
      name: Wrong
      instruments:
        - unit: aumu:clck:AuTe
          channels: 17
        - unit: aufx:lpas:appl
          sett: {cutoff frequency: 80 Hz}
      bus:
        - unit: aufx:none:appl
      """
    try box.folder.write(text, to: "wrong.yaml")
    let wrong = try render("song.mid", "--preset", "wrong.yaml", "-o", "a.wav")
    #expect(wrong.exitCode == 65, "\(wrong.summary)")
    for part in ["'channels' takes numbers from 1 to 16", "'sett'"] {
      #expect(wrong.standardError.contains(part), "\(wrong.summary)")
    }
    // It is rendered, without advice to do so.
    #expect(!wrong.standardError.contains("needs notes"), "\(wrong.summary)")
    try box.folder.write(
      text.replacing("17", with: "1").replacing("sett", with: "set"), to: "unknown.yaml")
    let unknown = try render("song.mid", "--preset", "unknown.yaml", "-o", "a.wav")
    #expect(unknown.standardError.contains("aufx:none:appl"), "\(unknown.summary)")
    #expect(unknown.exitCode != 0)
    try box.folder.write(
      "auricle: 1\nname: Band\ninstruments: [{unit: aumu:clck:AuTe}]\n", to: "band.yaml")
    let environment = box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 }
    let checked = try runAuricle(
      ["preset", "check", "band.yaml"], environment: environment, in: box.folder.path)
    #expect(checked.exitCode == 0, "\(checked.summary)")
    try box.makeSounds(1)
    let refused = try runAuricle(
      ["process", "in/0.wav", "--preset", "band.yaml", "-o", "processed"], environment: environment,
      in: box.folder.path)
    #expect(refused.exitCode != 0)
    #expect(refused.standardError.contains("auricle render"), "\(refused.summary)")
  }
}
