// Channels keep their loudspeakers, in any file kind's own channel order.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import CSndFile
import Foundation
import TestSupport
import Testing

@Suite struct ChannelOrderTests {
  /// Loudspeakers by number of channels, in the order of WAV.
  private static let maps: [Int: [Int32]] = [
    3: [2, 3, 4], 4: [2, 3, 9, 10], 5: [2, 3, 4, 9, 10], 6: [2, 3, 4, 11, 9, 10],
    7: [2, 3, 4, 11, 8, 14, 15], 8: [2, 3, 4, 11, 9, 10, 14, 15],
  ]

  /// A tone in each channel, low enough for the one of low frequencies; their number is their pitch.
  private static func tones(_ count: Int) -> [[Float]] {
    (0..<count).map { channel in
      TestSignal.sine(
        frequency: 40 + 10 * Double(channel), amplitude: 0.3, sampleRate: 48_000,
        frameCount: 24_000)
    }
  }

  /// Which tone a channel holds.
  private static func tone(in channel: [Float], of count: Int) -> Int {
    (0..<count).max { power($0, channel) < power($1, channel) } ?? -1
  }

  private static func power(_ tone: Int, _ channel: [Float]) -> Double {
    let step = 2 * Double.pi * (40 + 10 * Double(tone)) / 48_000
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in channel.enumerated() {
      real += Double(sample) * cos(step * Double(index))
      imaginary += Double(sample) * sin(step * Double(index))
    }
    return real * real + imaginary * imaginary
  }

  /// Reads the channels directly from the file library, in its order.
  private static func libraryChannels(_ path: String, _ count: Int) -> [[Float]] {
    var info = SF_INFO()
    guard let file = unsafe sf_open(path, Int32(SFM_READ), &info) else { return [] }
    defer { unsafe sf_close(file) }
    var samples = [Float](repeating: 0, count: count * Int(info.frames))
    let got = unsafe Int(sf_readf_float(file, &samples, info.frames))
    return (0..<count).map { channel in (0..<got).map { samples[$0 * count + channel] } }
  }

  @Test(
    arguments: [
      (AudioContainer.ogg, AudioEncoding.vorbis), (.opus, .opus), (.flac, .pcm16),
      (.caf, .alac16), (.caf, .pcm16), (.wav, .pcm16),
    ], [3, 4, 5, 6])
  func channelsComeBackToTheirPlaces(
    kind: (container: AudioContainer, encoding: AudioEncoding), count: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.\(kind.container.fileExtension)")
    let sound = Self.tones(count)
    var metadata = AudioFileMetadata()
    metadata.channelMap = try #require(Self.maps[count])
    let format = AudioFileFormat(
      container: kind.container, encoding: kind.encoding, sampleRate: 48_000, channelCount: count)
    let writer = try writeFile(path, sound, format, metadata: metadata)
    #expect(writer.droppedMetadata.isEmpty)
    let (channels, reader) = try readFile(path)
    #expect(channels.map { Self.tone(in: $0, of: count) } == Array(0..<count))
    #expect(reader.metadata.channelMap == metadata.channelMap)
  }

  /// Left, centre, right: every player's assignment of the three channels of Vorbis.
  @Test(arguments: [3, 5, 6, 7, 8])
  func vorbisHasTheCentreSecond(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.ogg")
    let format = AudioFileFormat(
      container: .ogg, encoding: .vorbis, sampleRate: 48_000, channelCount: count)
    try writeFile(path, Self.tones(count), format)
    let order = [
      3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 4, 5, 3], 7: [0, 2, 1, 5, 6, 4, 3],
      8: [0, 2, 1, 6, 7, 4, 5, 3],
    ]
    let library = Self.libraryChannels(path, count)
    #expect(library.map { Self.tone(in: $0, of: count) } == order[count])
    #expect(try readFile(path).channels.map { Self.tone(in: $0, of: count) } == Array(0..<count))
  }

  /// Loudspeakers that Vorbis lacks are replaced by available ones.
  @Test(
    arguments: [
      ([2, 3, 11], [0, 2, 1]), ([2, 3, 4, 8], [0, 1, 2, 3]),
      ([2, 3, 4, 11, 9, 10, 12, 13], [0, 2, 1, 6, 7, 4, 5, 3]),
    ] as [([Int32], [Int])])
  func vorbisWithOtherLoudspeakers(map: [Int32], order: [Int]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.ogg")
    let format = AudioFileFormat(
      container: .ogg, encoding: .vorbis, sampleRate: 48_000, channelCount: map.count)
    var metadata = AudioFileMetadata()
    metadata.channelMap = map
    let writer = try writeFile(path, Self.tones(map.count), format, metadata: metadata)
    #expect(writer.droppedMetadata == ["channel map"])
    let library = Self.libraryChannels(path, map.count)
    #expect(library.map { Self.tone(in: $0, of: map.count) } == order)
  }

  /// FLAC stores unusual loudspeakers in a tag.
  @Test func flacNamesOtherLoudspeakers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.flac")
    let format = AudioFileFormat(
      container: .flac, encoding: .pcm16, sampleRate: 48_000, channelCount: 6)
    var metadata = AudioFileMetadata()
    metadata.channelMap = [2, 3, 4, 11, 14, 15]
    try writeFile(path, Self.tones(6), format, metadata: metadata)
    let again = try readFile(path).reader.metadata
    #expect(again.channelMap == metadata.channelMap)
    #expect(again.tags.isEmpty)
  }

  /// The file library confuses such channels when it returns many frames at once.
  @Test(arguments: [3, 5, 6])
  func parisFilesOf24BitsKeepTheirChannelsApart(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.paf")
    let format = AudioFileFormat(
      container: .paf, encoding: .pcm24, sampleRate: 44_100, channelCount: count)
    try writeFile(path, Self.tones(count), format)
    let channels = try readFile(path).channels.map { Array($0.prefix(24_000)) }
    for (channel, sound) in zip(channels, Self.tones(count)) {
      let worst = zip(channel, sound).map { abs($0 - $1) }.max() ?? 1
      #expect(channel.count == sound.count && worst < 1e-6)
    }
  }
}
