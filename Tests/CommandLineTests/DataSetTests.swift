// Presets that make data sets: random values are recorded, match the files, and are repeatable.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct DataSetTests {
  private let box: Sandbox
  private let clip = TestSignal.noise(seed: 9, amplitude: 0.2, frameCount: 24_000)

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("noises/street")
    for (number, name) in ["noises/a.wav", "noises/street/b.wav"].enumerated() {
      let noise = TestSignal.noise(
        seed: UInt64(number + 50), amplitude: 0.1 + 0.3 * Float(number), frameCount: 7_000)
      try Sound([noise]).write(to: box(name))
    }
    try Sound([clip]).write(to: box("clip.wav"))
    try box.folder.write(
      """
      auricle: 1
      name: Set
      units:
        - {noise: {folder: noises}, snr: {random: [5 dB, 25 dB]}, name: Noise}
      output: {tail: keep-length}
      """, to: "noise.yaml")
    try box.folder.write(
      """
      auricle: 1
      name: All
      units:
        - {unit: "aufx:hpas:appl", name: Cut, mix: {random: [0.2, 0.9]}, bypass: {probability: 50 %}}
        - name: Room
          bypass: {probability: 0.3}
          parallel: [{}, {name: Late, gain: {random: [-20 dB, -6 dB]}, units: [{unit: "aufx:lpas:appl"}]}]
        - {noise: {folder: noises}, snr: {choose: [10 dB, 20 dB]}, bypass: {probability: 0.2}}
      output: {tail: keep-length, crop: {random: [100 ms, 200 ms]}, peak: {random: [-20, -3 dBFS]}}
      """, to: "all.yaml")
  }

  private func drawn(_ line: [String: Any]) -> [String: Double] {
    var found: [String: Double] = [:]
    for value in line["drawn"] as? [[String: Any]] ?? [] {
      let name = "\(value["stage"] as? String ?? "") \(value["parameter"] as? String ?? "")"
      found[name] = value["value"] as? Double
    }
    return found
  }

  private func power(_ samples: [Float]) -> Double {
    samples.reduce(0.0) { $0 + Double($1) * Double($1) }
  }

  /// The added noise is as much softer as the ledger says.
  @Test func noiseHasTheRatioThatWasDrawn() throws {
    let result = try box.run(
      "process", "--preset", "noise.yaml", "--variants", "6", "--seed", "3", "--format", "json",
      "-o", "out", "clip.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    var files: Set<Double> = []
    for line in try result.fileLines {
      let output = try #require((line["output"] as? [String: Any])?["path"] as? String)
      let sound = try Sound(path: box(output)).channels[0]
      try #require(sound.count == clip.count)
      let values = drawn(line)
      let ratio = try #require(values["Noise snr"])
      #expect((5...25).contains(ratio))
      files.insert(try #require(values["Noise file"]))
      let found = 10 * log10(power(clip) / power(zip(sound, clip).map { $0 - $1 }))
      #expect(abs(found - ratio) < 0.02, "\(found) \(ratio)")
    }
    #expect(files == [0, 1])
  }

  /// Noise is as much softer than the input at the level that the chain gets it.
  @Test func noiseFollowsTheLevelOfTheInput() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Level
      input: {loudness: -40 LUFS}
      units: [{noise: {folder: noises}, snr: 12 dB}]
      output: {tail: keep-length}
      """, to: "level.yaml")
    let result = try box.run("process", "--preset", "level.yaml", "-o", "out", "clip.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let sound = try Sound(path: box("out/clip.wav")).channels[0]
    // The amount of the clip; the noise has next to nothing of it.
    let product = zip(sound, clip).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    let factor = Float(product / power(clip))
    #expect(factor < 0.5, "\(factor)")
    let signal = clip.map { $0 * factor }
    let found = 10 * log10(power(signal) / power(zip(sound, signal).map { $0 - $1 }))
    #expect(abs(found - 12) < 0.2, "\(found)")
  }

  /// The same seed makes the same bytes, for any number of jobs; another seed makes others.
  @Test func theSameSeedProducesTheSameBytes() throws {
    var results: [[Data]] = []
    for (number, words) in [["3", "1"], ["3", "2"], ["4", "2"]].enumerated() {
      let result = try box.run(
        "process", "--preset", "all.yaml", "--variants", "5", "--seed", words[0], "--jobs",
        words[1],
        "-o", "out\(number)", "--report", "r\(number).csv", "-q", "clip.wav")
      #expect(result.exitCode == 0, "\(result.summary)")
      let names = box.names("out\(number)")
      #expect(names.count == 5)
      results.append(
        try names.map { try Data(contentsOf: URL(fileURLWithPath: box("out\(number)/\($0)"))) })
    }
    #expect(results[0] == results[1])
    #expect(Set(results[0]).isDisjoint(with: results[2]))
    let table = try String(contentsOfFile: box("r0.csv"), encoding: .utf8)
    for name in [
      "Cut mix: ", "Cut bypass: ", "Room bypass: ", "Late gain: ", "Noise snr: ", "output peak: ",
      "output crop start: ", "output crop length: ",
    ] { #expect(table.contains(name), "\(name)\n\(table)") }
  }

  /// Pieces are of the file, as long and as loud as was drawn.
  @Test func piecesAndLevelsAreThoseThatWereDrawn() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Pieces
      output: {crop: {random: [100 ms, 200 ms]}, peak: {random: [-20 dBFS, -3 dBFS]}}
      """, to: "pieces.yaml")
    let result = try box.run(
      "process", "--preset", "pieces.yaml", "--variants", "4", "--format", "json", "-o", "out",
      "clip.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    for line in try result.fileLines {
      let output = try #require((line["output"] as? [String: Any])?["path"] as? String)
      let sound = try Sound(path: box(output)).channels[0]
      let values = drawn(line)
      let start = try #require(values["output crop start"])
      let peak = try #require(values["output peak"])
      #expect((4_800...9_600).contains(sound.count))
      let first = Int((start * 48_000).rounded())
      let piece = Array(clip[first..<first + sound.count])
      let gain = Float(pow(10, peak / 20)) / (piece.map(abs).max() ?? 1)
      #expect(maximumDifference(sound, piece.map { $0 * gain }) < 1e-4)
    }
  }

  @Test func aFolderWithoutSoundIsRefused() throws {
    try box.folder.makeFolder("empty")
    for (folder, reported) in [("empty", "holds no audio files"), ("gone", "there is no folder")] {
      try box.folder.write(
        "auricle: 1\nname: x\nunits: [{noise: {folder: \(folder)}, snr: 3 dB}]\n", to: "bad.yaml")
      let result = try box.run("process", "--preset", "bad.yaml", "-o", "out", "clip.wav")
      #expect(result.exitCode == 65, "\(result.summary)")
      #expect(result.standardError.contains(reported), "\(result.summary)")
    }
  }

  /// An exported preset brings its noises along, and draws the same.
  @Test func anExportDrawsTheSame() throws {
    let exported = try box.run("preset", "export", "noise.yaml", "away")
    #expect(exported.exitCode == 0, "\(exported.summary)")
    var files: [Data] = []
    for preset in ["noise.yaml", "away/noise.json"] {
      let result = try box.run(
        "process", "--preset", preset, "--seed", "8", "--output-file", "x.wav", "--overwrite",
        "clip.wav")
      #expect(result.exitCode == 0, "\(result.summary)")
      files.append(try Data(contentsOf: URL(fileURLWithPath: box("x.wav"))))
    }
    #expect(files[0] == files[1])
  }
}
