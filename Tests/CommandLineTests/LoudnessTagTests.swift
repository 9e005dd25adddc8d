// `auricle tag --replaygain`, `auricle measure` and `--input-loudness`, as a user types them.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct LoudnessTagTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    for (index, name) in ["music/a.flac", "music/b.mp3", "music/other/c.opus"].enumerated() {
      let noise = TestSignal.noise(
        seed: UInt64(index + 1), amplitude: [0.5, 0.05, 0.1][index], frameCount: 96_000)
      try FileManager.default.createDirectory(
        atPath: (box(name) as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      let container = try #require(AudioContainer(path: name))
      try Sound([noise, noise]).write(
        to: box(name), encoding: try #require(container.defaultEncoding))
    }
  }

  /// Tags as ffprobe reads them.
  private func tags(_ name: String) throws -> [String: String] {
    let result = try runProcess(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-of", "json", box(name)])
    let json = try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8))
    let root = try #require(json as? [String: Any])
    let parts =
      (root["streams"] as? [[String: Any]] ?? []) + [root["format"] as? [String: Any] ?? [:]]
    var tags: [String: String] = [:]
    for part in parts {
      for (key, value) in part["tags"] as? [String: String] ?? [:] {
        tags[key.uppercased()] = value
      }
    }
    return tags
  }

  @Test func everyFileGetsItsGainAndThatOfItsAlbum() throws {
    let before = try ["music/a.flac", "music/b.mp3", "music/other/c.opus"].map {
      try Sound(path: box($0))
    }
    let result = try box.run("tag", "--replaygain", "--recursive", "--format", "json", "music")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.lines.count == 3)
    for (name, sound) in zip(["music/a.flac", "music/b.mp3"], before) {
      let judged = sound.judged()
      let tags = try tags(name)
      let gain = try #require(
        Double(tags["REPLAYGAIN_TRACK_GAIN"]?.replacing(" dB", with: "") ?? ""))
      #expect(abs(gain + 18 + (judged.integrated ?? 0)) < 0.02)
      let peak = try #require(Double(tags["REPLAYGAIN_TRACK_PEAK"] ?? ""))
      // Oversampled eight times, noise is higher.
      #expect((-0.02...2).contains(decibels(peak) - (judged.truePeak ?? 0)))
      #expect(try Sound(path: box(name)) == sound)
      // The louder of the two is nearly all of the album's sound.
      let album = try #require(
        Double(tags["REPLAYGAIN_ALBUM_GAIN"]?.replacing(" dB", with: "") ?? ""))
      let loud = try #require(before[0].judged().integrated)
      #expect(abs(album + 18 + loud) < 3.2)
    }
    let opus = try tags("music/other/c.opus")
    let gain = try #require(Int(opus["R128_TRACK_GAIN"] ?? ""))
    let loudness = try #require(before[2].judged().integrated)
    #expect(abs(Double(gain) / 256 + 23 + loudness) < 0.02)
    #expect(opus["R128_ALBUM_GAIN"] == opus["R128_TRACK_GAIN"])
    #expect(opus["REPLAYGAIN_TRACK_GAIN"] == nil)
    #expect(try Sound(path: box("music/other/c.opus")) == before[2])
  }

  @Test func nothingIsWrittenWhereNothingIsToBe() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: box("music/a.flac")))
    let result = try box.run("tag", "--replaygain", "--dry-run", "music", "nowhere.flac")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.lines.count == 3)
    #expect(result.standardError.contains("nowhere.flac"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("music/a.flac"))) == before)
    #expect(try box.run("tag", "music").exitCode == 64)
  }

  @Test func measureReportsMomentsAndPeaks() throws {
    let result = try box.run("measure", "--format", "json", "music/a.flac")
    let file = try #require((try result.json as? [[String: Any]])?.first)
    let sound = try Sound(path: box("music/a.flac"))
    let integrated = try #require(file["integratedLoudness"] as? Double)
    #expect(abs(integrated - (sound.judged().integrated ?? 0)) < 0.01)
    #expect(abs(try #require(file["maximumMomentary"] as? Double) - integrated) < 0.5)
    #expect(file["maximumShortTerm"] == nil)
    let peak = try #require(file["truePeakDecibels"] as? Double)
    #expect((-0.02...2).contains(peak - (sound.judged().truePeak ?? 0)))
    let text = try box.run("measure", "music/a.flac")
    #expect(text.lines.first?.contains("peak dBTP") == true)
  }

  /// The same voice 24 dB softer comes out of a compressor as it does at its usual level.
  @Test func compressorsGetTheLevelTheyAreSetFor() throws {
    let noise = TestSignal.noise(seed: 7, amplitude: 0.4, frameCount: 96_000)
    let loud = noise.enumerated().map { $0.element * ($0.offset / 12_000 % 2 == 0 ? 1 : 0.1) }
    try Sound([loud]).write(to: box("loud.wav"))
    try Sound([loud.map { $0 / 16 }]).write(to: box("soft.wav"))
    let result = try box.run(
      "process", "--unit", "aufx:dcmp:appl", "--set", "threshold=-30 dB", "--input-loudness", "-18",
      "--format", "json", "--output", "out", "loud.wav", "soft.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let (first, second) = (
      try Sound(path: box("out/loud.wav")), try Sound(path: box("out/soft.wav"))
    )
    #expect(maximumDifference(first.channels[0], second.channels[0]) < 1e-4)
    let gains = try result.fileLines.compactMap {
      ($0["input"] as? [String: Any])?["gainDecibels"] as? Double
    }
    #expect(gains.count == 2 && abs(abs(gains[0] - gains[1]) - 24.08) < 0.01)
  }
}
