// Ogg Opus ends with its sound: as long as its source, and without a click behind it.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct OpusEndTests {
  /// A tone that fades out over its last 20 ms.
  private func tone(_ rate: Int, _ count: Int) -> [Float] {
    let fade = rate / 50
    return (0..<count).map { frame in
      let gain = min(1, Double(count - frame) / Double(fade))
      return Float(0.7 * gain * sin(2 * .pi * 60 * Double(frame) / Double(rate)))
    }
  }

  private static func lengths(_ rate: Int) -> [Int] {
    let packet = rate / 50
    return [1, 2, 17, packet - 1, packet, packet + 1, rate / 8]
      + (0..<12).map { rate / 2 + $0 * packet / 12 } + [rate, rate + packet / 3, 3 * rate]
  }

  private func write(_ path: String, _ rate: Int, _ channels: [[Float]]) throws {
    let format = AudioFileFormat(
      container: .opus, encoding: .opus, sampleRate: Double(rate), channelCount: channels.count)
    try writeFile(path, channels, format, overwrite: true)
  }

  @Test(arguments: [8_000, 12_000, 16_000, 24_000, 48_000], [1, 2])
  func theEndIsThatOfTheSound(rate: Int, channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.opus")
    for count in Self.lengths(rate) {
      let sound = tone(rate, count)
      try write(path, rate, Array(repeating: sound, count: channelCount))
      let (channels, reader) = try readFile(path)
      // Its source may have any rate: it is read at 48 kHz.
      let length = count * 48_000 / rate
      let expected = tone(48_000, length)
      #expect(reader.frameCount == length && reader.format.sampleRate == 48_000)
      for channel in channels {
        try #require(channel.count == length)
        let errors = zip(channel, expected).map { abs($0 - $1) }
        let last = errors.suffix(960).max() ?? 0
        // Occasional larger errors of the encoder are no click, which is as loud as the tone.
        let before = errors.dropLast(960).suffix(16_000).max() ?? 0
        #expect(last < max(1.6 * before, 0.16), "\(rate) Hz, \(count): \(last), \(before)")
      }
    }
  }

  @Test func theLastPageReportsTheLength() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.opus")
    for count in [1, 649, 24_000, 48_000, 100_000] {
      try write(path, 24_000, [tone(24_000, count)])
      let content = try bytes(of: path)
      let name = Array("OggS".utf8)[...]
      let starts = content.indices.dropLast(4).filter { content[$0..<$0 + 4] == name }
      let last = try #require(starts.last)
      let position = (0..<8).reduce(0) { $0 | Int(content[last + 6 + $1]) << (8 * $1) }
      let head = try #require(content.firstRange(of: Array("OpusHead".utf8))?.lowerBound)
      let delay = Int(content[head + 10]) | Int(content[head + 11]) << 8
      #expect(position == delay + 2 * count)
      #expect(starts.map { content[$0 + 5] & 4 != 0 } == starts.map { $0 == last })
    }
  }

  /// Three channels and more have several streams in a packet.
  @Test(arguments: [3, 6, 8])
  func manyChannelsEndWithTheirSound(channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.opus")
    for count in [1, 960, 24_131, 48_000, 96_001] {
      try write(path, 48_000, Array(repeating: tone(48_000, count), count: channelCount))
      let (channels, _) = try readFile(path)
      #expect(channels.allSatisfy { $0.count == count })
      for channel in channels { #expect(channel.suffix(144).allSatisfy { abs($0) < 0.25 }) }
    }
  }

  @Test(.enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
  func othersReadItToTheSameEnd() throws {
    let folder = try TemporaryFolder()
    for (rate, count) in [(48_000, 1), (48_000, 48_000), (48_000, 50_321), (16_000, 40_003)] {
      let sound = tone(rate, count)
      try write(folder.file("a.opus"), rate, [sound])
      let result = try runProcess(
        try #require(ffmpeg),
        ["-v", "warning", "-nostdin", "-y", "-i", "a.opus", "-c:a", "pcm_f32le", "a.wav"],
        in: folder.path)
      #expect(result.exitCode == 0 && result.standardError.isEmpty, "\(result.summary)")
      let found = try readFile(folder.file("a.wav")).channels[0]
      #expect(found.count == count * (48_000 / rate))
      #expect(found.suffix(144).allSatisfy { abs($0) < 0.2 })
    }
  }
}
