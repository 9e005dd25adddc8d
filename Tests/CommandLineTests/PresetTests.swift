// `auricle preset` and `auricle measure`.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct PresetTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test func whatShipsIsListedShownAndInOrder() throws {
    let list = try box.run("preset", "list", "--format", "json")
    #expect(list.exitCode == 0)
    let presets = try #require(try list.json as? [[String: Any]])
    #expect(presets.count >= 8)
    let names = presets.compactMap { $0["name"] as? String }
    #expect(names.contains("podcast-voice"))
    let text = try box.run("preset", "list")
    // A wrapped line goes on below the last column.
    #expect(text.lines.filter { !$0.hasPrefix(" ") }.count == presets.count)
    let check = try runAuricle(
      ["preset", "check"] + names, environment: box.environment, in: box.folder.path)
    #expect(check.exitCode == 0, "\(check.summary)")
    #expect(check.lines == names.map { "\($0): in order" })
    for name in names {
      let shown = try box.run("preset", "show", name)
      #expect(shown.exitCode == 0 && !shown.lines.isEmpty, "\(shown.summary)")
    }
  }

  @Test func aPresetIsShownAsItsFile() throws {
    let shown = try box.run("preset", "show", "telephone", "--format", "yaml")
    let file = try String(
      contentsOfFile: Places.inPackage("presets/telephone.yaml"), encoding: .utf8)
    #expect(shown.standardOutput == file)
    let json = try box.run("preset", "show", "telephone", "--format", "json")
    #expect((try json.json as? [String: Any])?["units"] is [Any])
    let missing = try box.run("preset", "show", "telefone")
    #expect(missing.exitCode == 66)
    #expect(missing.standardError.contains("telephone"))
  }

  @Test func everyFaultIsReportedAtOnce() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Faulty
      units:
        - unit: aufx:lpas:appl
          parameters: {cutoff frequency: 1 MHz, wobble: 3}
        - unit: aufx:nope:appl
          mixx: 0.5

      """, to: "faulty.yaml")
    let result = try box.run("preset", "check", "faulty.yaml")
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(result.standardError.contains("faulty.yaml:7:5: error:"), "\(result.summary)")
    #expect(result.standardError.contains("mixx"))
    let json = try box.run("preset", "check", "faulty.yaml", "--format", "json")
    #expect(json.exitCode == 65)
    let files = try #require(try json.json as? [[String: Any]])
    let faults = try #require(files.first?["errors"] as? [[String: Any]])
    #expect(faults.map { $0["line"] as? Int } == [5, 5, 6, 7])

    try box.folder.write(
      """
      auricle: 1
      name: Faulty
      units:
        - unit: aufx:lpas:appl
          parameters: {cutoff frequency: 1 MHz, wobble: 3}
        - unit: aufx:nope:appl

      """, to: "units.yaml")
    let units = try box.run("preset", "check", "units.yaml")
    #expect(units.exitCode == 65, "\(units.summary)")
    for place in ["units.yaml:5:36: error:", "units.yaml:5:43: error:", "units.yaml:6:11: error:"] {
      #expect(units.standardError.contains(place), "\(place)\n\(units.summary)")
    }
    // Without the units the text is all there is to check.
    #expect(try box.run("preset", "check", "--text-only", "units.yaml").exitCode == 0)
  }

  /// An option may change them, so that it is no fault where files are processed.
  @Test func encodingsThatFilesDoNotAcceptAreReportedByTheCheck() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Two
      units: [{unit: aufx:lpas:appl}]
      output: {encoding: pcm24}
      render: [{name: a, container: wav}, {name: b, container: ogg}]

      """, to: "two.yaml")
    for options in [[], ["--text-only"]] {
      let result = try runAuricle(
        ["preset", "check"] + options + ["two.yaml"], environment: box.environment,
        in: box.folder.path)
      #expect(result.exitCode == 65, "\(result.summary)")
      let fault = "two.yaml:5:58: error: ogg files do not take the encoding pcm24; they take vorbis"
      #expect(result.standardError.contains(fault), "\(result.summary)")
    }
    try Sound([TestSignal.silence(frameCount: 100)]).write(to: box("a.wav"))
    let result = try box.run(
      "process", "--preset", "./two.yaml", "--container", "wav", "--output", "out", "a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test func ownPresetsAreFoundByName() throws {
    try box.folder.write(
      "auricle: 1\nname: Mine\nunits: [{unit: aufx:lpas:appl}]\n",
      to: "home/.config/auricle/presets/mine.yaml")
    #expect(try box.run("preset", "show", "mine").exitCode == 0)
    try Sound([TestSignal.silence(frameCount: 100)]).write(to: box("a.wav"))
    let result = try box.run("process", "--preset", "mine", "--output", "out", "a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}

@Suite struct MeasureTests {
  @Test func figuresAreRight() throws {
    let box = try Sandbox()
    let sine = TestSignal.sine(frequency: 997, amplitude: 1, frameCount: 48_000 * 5)
    try Sound([sine, sine]).write(to: box("sine.wav"))
    let result = try box.run("measure", "sine.wav", "--format", "json")
    #expect(result.exitCode == 0)
    let file = try #require((try result.json as? [[String: Any]])?.first)
    #expect(abs((file["peakDecibels"] as? Double ?? 9)) < 0.01)
    #expect(abs((file["rmsDecibels"] as? Double ?? 9) + 3.01) < 0.01)
    // Stereo, 997 Hz, full scale: 0 LUFS by EBU Tech 3341.
    #expect(abs((file["integratedLoudness"] as? Double ?? 9)) < 0.1)
    let text = try box.run("measure", "sine.wav")
    #expect(text.lines.count == 2)
    #expect(text.lines[1].contains("5.00 s"))
  }

  @Test func badFilesAreReportedAndOthersMeasured() throws {
    let box = try Sandbox()
    try Sound([TestSignal.silence(frameCount: 4800)]).write(to: box("a.wav"))
    let result = try box.run("measure", "nowhere.wav", "a.wav")
    #expect(result.exitCode == 1)
    #expect(result.lines.count == 2)
    #expect(result.lines.last?.contains("-inf") == true)
    #expect(try box.run("measure", "nowhere.wav").exitCode == 66)
  }
}
