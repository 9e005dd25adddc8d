// Compressed sound in CAF: written, read to the frame, with its texts and channels, and its faults.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

private let hasCodec = FileManager.default.fileExists(
  atPath: Places.builtProducts + "/Codecs/FFmpeg.so")

@Suite(.enabled(if: hasCodec, "the FFmpeg codec is not built: make codecs"))
struct PacketSoundTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Tones of a channel each.
  private func tones(_ channels: Int, frames: Int) -> [[Float]] {
    (0..<channels).map { channel in
      (0..<frames).map {
        0.4 * sin(Float($0) * Float(200 + 150 * channel) * 2 * .pi / 48_000)
      }
    }
  }

  /// Returns the ratio of a sound to an error, in decibels.
  private func distance(_ sound: [Float], _ other: [Float]) -> Double {
    let error = zip(sound, other).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
    let power = sound.reduce(0.0) { $0 + pow(Double($1), 2) }
    return 10 * log10(power / max(error, 1e-12))
  }

  @Test("AAC in CAF comes back frame for frame, channel for channel", arguments: [1, 2, 5, 6])
  func comesBack(channels: Int) throws {
    let path = folder.file("a.caf")
    var format = AudioFileFormat(
      container: .caf, encoding: .aac, sampleRate: 48_000, channelCount: channels)
    format.bitRate = 96_000 * channels
    var metadata = AudioFileMetadata()
    metadata.texts = [.title: "Tones", .artist: "Nobody", .date: "2001"]
    let sound = tones(channels, frames: 50_001)
    let writer = try writeFile(path, sound, format, metadata: metadata)
    #expect(writer.fillingFrameCount == 0)
    let (read, reader) = try readFile(path)
    #expect(reader.format.encoding == .aac && reader.format.container == .caf)
    #expect(reader.frameCount == 50_001)
    #expect(reader.metadata.texts == metadata.texts)
    for channel in 0..<channels {
      #expect(read[channel].count == 50_001)
      // The last channel of six is for low tones alone: its encoder removes the others.
      guard channels < 6 || channel != 3 else { continue }
      #expect(distance(sound[channel], read[channel]) > 15, "channel \(channel)")
    }
    let again = folder.file("b.caf")
    try writeFile(again, sound, format, metadata: metadata)
    #expect(try bytes(of: again) == bytes(of: path))
  }

  @Test("ffmpeg's CAF files are read", arguments: ["mp3", "opus"])
  func fromOthers(encoding: String) throws {
    let sound = tones(2, frames: 48_000)
    let plain = AudioFileFormat(
      container: .wav, encoding: .pcm16, sampleRate: 48_000, channelCount: 2)
    try writeFile(folder.file("in.wav"), sound, plain)
    let options = ["-c:a", encoding == "mp3" ? "libmp3lame" : "libopus", "-b:a", "192k"]
    let made = try runProcess(
      "ffmpeg", ["-v", "error", "-i", folder.file("in.wav")] + options + [folder.file("out.caf")])
    try #require(made.exitCode == 0, "\(made.summary)")
    let (read, reader) = try readFile(folder.file("out.caf"))
    #expect(reader.format.encoding == (encoding == "mp3" ? .mpegLayer3 : .opus))
    // FFmpeg does not state in CAF how much its encoders add.
    #expect((48_000...52_000).contains(read[0].count))
  }

  @Test("A cut file and a damaged packet are reported")
  func damaged() throws {
    let path = folder.file("a.caf")
    let format = AudioFileFormat(
      container: .caf, encoding: .aac, sampleRate: 48_000, channelCount: 2)
    try writeFile(path, tones(2, frames: 96_000), format)
    let whole = try bytes(of: path)
    try put(Array(whole.prefix(whole.count / 2)), folder.file("cut.caf"))
    #expect(failure { _ = try readFile(folder.file("cut.caf")) }?.category == .badData)
    var broken = whole
    for place in (whole.count / 2)..<(whole.count / 2 + 900) { broken[place] = 0xFF }
    try put(broken, folder.file("broken.caf"))
    let error = failure { _ = try readFile(folder.file("broken.caf")) }
    #expect(error?.category == .badData, "\(String(describing: error))")
    #expect(error?.message.contains("after frame") == true)
  }

  @Test("A sound without frames is a file, and 7 channels are refused")
  func limits() throws {
    let format = AudioFileFormat(
      container: .caf, encoding: .aac, sampleRate: 48_000, channelCount: 7)
    #expect(format.writingProblem?.contains("take no 7 channels") == true)
    #expect(AudioContainer.caf.defaultEncoding == .pcm16)
    #expect(AudioContainer.caf.encoding(nearest: .aac) == .pcm16)
    let mono = AudioFileFormat(
      container: .caf, encoding: .aac, sampleRate: 44_100, channelCount: 1)
    try writeFile(folder.file("one.caf"), [[0.5]], mono)
    #expect(try readFile(folder.file("one.caf")).channels[0].count == 1)
  }
}
