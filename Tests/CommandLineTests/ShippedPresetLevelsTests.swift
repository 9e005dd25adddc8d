// Every preset that ships, over the sample of speech and music: sane levels, and the loudness it promises.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct ShippedPresetLevelsTests {
  static let folder = Places.inPackage("presets")
  static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".yaml") }.sorted()
  /// The presets for sound files.
  static let chains = files.filter {
    (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).contains("\ninstruments:"))
      == false
  }

  /// The loudness that a preset promises for its output, in LUFS; that of its input is where its units begin.
  private static func promise(_ text: String) -> Double? {
    text.firstMatch(of: #/\noutput: [^\n]*loudness: (-?[0-9.]+) LUFS/#).flatMap { Double($0.1) }
  }

  @Test func fiftyShip() throws {
    #expect(Self.files.count >= 50)
    let promises = try Self.chains.filter { file in
      try Self.promise(String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)) != nil
    }
    #expect(promises.count >= 18, "\(promises)")
  }

  @Test(arguments: chains) func levelsAreSaneAndAsPromised(file: String) throws {
    let box = try Sandbox()
    let text = try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)
    let sample = Places.inPackage("samples/voice-and-music.flac")
    let made = try box.run(
      "process", "--preset", "\(Self.folder)/\(file)", "--start", "2", "--end", "9",
      "--output-file", "out.wav", sample)
    #expect(made.exitCode == 0, "\(made.summary)")
    let sound = try Sound(path: box("out.wav"))
    for samples in sound.channels {
      #expect(samples.allSatisfy { $0.isFinite && abs($0) <= 1 }, "clipped")
      #expect(decibels(rootMeanSquare(samples)) > -65, "silent")
    }
    if let promise = Self.promise(text) {
      let loudness = try #require(sound.judged().integrated)
      #expect(abs(loudness - promise) < 0.5, "\(loudness) LUFS")
    }
  }

  /// A kit of five seconds: low beats and bursts of noise in turn, with a crest of 20 dB or so.
  private static func drums(amplitude: Double) -> Sound {
    let noise = TestSignal.noise(seed: 17, amplitude: 1, frameCount: 24_000)
    let samples = (0..<(48_000 * 5)).map { frame -> Float in
      let (beat, place) = (frame / 24_000, frame % 24_000)
      let time = Double(place) / 48_000
      let low = sin(2 * Double.pi * 55 * time) * exp(-10 * time)
      let burst = Double(noise[place]) * exp(-25 * time)
      return Float(amplitude * (beat % 2 == 0 ? low : burst))
    }
    return Sound([samples, samples])
  }

  @Test(
    "Presets for lossy encoders leave them room: the decoded MP3 stays below -1 dBTP",
    arguments: ["brickwall-safety-limiter", "broadcast-voice", "music-master-gentle"])
  func encodersHaveRoom(preset: String) throws {
    let box = try Sandbox()
    var inputs = [Places.inPackage("samples/voice-and-music.flac")]
    for (name, amplitude) in [("soft", 0.05), ("loud", 0.3), ("hot", 0.99)] {
      try Self.drums(amplitude: amplitude).write(to: box("\(name).wav"))
      inputs.append(box("\(name).wav"))
    }
    let made = try box.run(
      ["process", "--preset", "\(Self.folder)/\(preset).yaml", "--tail", "none"]
        + ["--output", "wav", "--container", "wav"] + inputs)
    #expect(made.exitCode == 0, "\(made.summary)")
    for input in inputs {
      let name = URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
      let encoded = try box.run(
        "convert", "--bit-rate", "128k", "wav/\(name).wav", "\(name).mp3")
      #expect(encoded.exitCode == 0, "\(encoded.summary)")
      let peak = try #require(Sound(path: box("\(name).mp3")).judged().truePeak)
      #expect(peak < -1, "\(name)")
    }
  }
}
