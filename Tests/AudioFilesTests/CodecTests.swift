// Reading and writing by the codec found at run time: length, alignment, places, marks, damage.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

private let hasCodec = CodecLibrary.path != nil

@Suite(.enabled(if: hasCodec, "the FFmpeg codec is not built: make codecs"))
struct CodecTests {
  /// One sample of full height in quiet noise, so that every frame has a place.
  static func click(frames: Int, at index: Int, channels: Int = 2) -> [[Float]] {
    var sound = [Float](repeating: 0, count: frames)
    sound[index] = 0.9
    return [[Float]](repeating: sound, count: channels)
  }

  static func peak(_ sound: [Float]) -> Int {
    sound.indices.max { abs(sound[$0]) < abs(sound[$1]) } ?? -1
  }

  static func format(
    _ container: AudioContainer, _ encoding: AudioEncoding, rate: Double = 48_000,
    channels: Int = 2
  ) -> AudioFileFormat {
    AudioFileFormat(
      container: container, encoding: encoding, sampleRate: rate, channelCount: channels)
  }

  /// Length and place of the sound come back to the frame, at lengths around those of blocks.
  @Test(arguments: [
    (AudioContainer.m4a, AudioEncoding.aac, 44_100.0), (.m4a, .aac, 48_000),
    (.m4a, .alac16, 44_100), (.m4a, .alac24, 96_000), (.mka, .alac24, 48_000),
    (.mka, .aac, 44_100), (.mka, .aac, 48_000),
    (.mp3, .mpegLayer3, 44_100), (.opus, .opus, 48_000), (.flac, .pcm24, 48_000),
  ])
  func exactly(container: AudioContainer, encoding: AudioEncoding, rate: Double) throws {
    let folder = try TemporaryFolder()
    for frames in [20_000, 20_480, 20_479, 20_481, 9_217, 30_011] {
      let path = folder.file("click-\(frames).\(container.fileExtension)")
      try writeFile(
        path, Self.click(frames: frames, at: 7_001), Self.format(container, encoding, rate: rate))
      let (channels, reader) = try readFile(path)
      // libsndfile counts MP3 in whole blocks unless a tag has the exact length.
      if container != .mp3 { #expect(channels[0].count == frames, "\(container) \(frames)") }
      #expect(Self.peak(channels[1]) == 7_001, "\(container) \(encoding) of \(frames) frames")
      #expect(reader.format.encoding == encoding)
    }
  }

  /// Bare streams have no length: the sound keeps its place, and is complete.
  @Test(arguments: [(AudioContainer.ac3, AudioEncoding.ac3), (.eac3, .eac3)])
  func bareStreams(container: AudioContainer, encoding: AudioEncoding) throws {
    let folder = try TemporaryFolder()
    for frames in [1_536 * 9, 1_536 * 9 - 200, 1_536 * 9 - 1, 1_536 * 9 + 1] {
      let path = folder.file("click-\(frames).\(container.fileExtension)")
      try writeFile(path, Self.click(frames: frames, at: 7_001), Self.format(container, encoding))
      let (channels, _) = try readFile(path)
      #expect(channels[0].count >= frames && channels[0].count < frames + 2 * 1_536)
      #expect(Self.peak(channels[0]) == 7_001)
    }
  }

  @Test func losslessIsLossless() throws {
    let folder = try TemporaryFolder()
    for (encoding, steps) in [(AudioEncoding.alac16, Float(32_768)), (.alac24, 8_388_608)] {
      let sound = (0..<2).map { channel in
        TestSignal.noise(seed: UInt64(channel), frameCount: 12_345).map {
          ($0 * steps).rounded() / steps
        }
      }
      try writeFile(folder.file("\(encoding).m4a"), sound, Self.format(.m4a, encoding))
      #expect(try readFile(folder.file("\(encoding).m4a")).channels == sound)
    }
  }

  /// The encoder has special loudspeakers for some numbers of channels: their order stays.
  @Test(arguments: [AudioContainer.m4a, .mka], 1...8)
  func losslessOfSoManyChannels(container: AudioContainer, count: Int) throws {
    let folder = try TemporaryFolder()
    let sound = (0..<count).map { channel in
      TestSignal.noise(seed: UInt64(channel), frameCount: 5_000).map {
        ($0 * 32_767).rounded() / 32_768
      }
    }
    let path = folder.file("many.\(container.fileExtension)")
    try writeFile(path, sound, Self.format(container, .alac16, channels: count))
    #expect(try readFile(path).channels == sound)
  }

  @Test func placesOfChannelsAreKept() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.channelMap = [2, 3, 4, 11, 9, 10]
    let sound = (0..<6).map { channel in
      TestSignal.sine(
        frequency: 200 + 100 * Double(channel), amplitude: 0.1 + 0.1 * Double(channel),
        sampleRate: 48_000, frameCount: 24_000)
    }
    for (container, encoding) in [
      (AudioContainer.m4a, AudioEncoding.aac), (.m4a, .alac24), (.ac3, .ac3), (.mka, .alac16),
    ] {
      let path = folder.file("six-\(encoding).\(container.fileExtension)")
      try writeFile(path, sound, Self.format(container, encoding, channels: 6), metadata: metadata)
      let (channels, reader) = try readFile(path)
      for channel in 0..<6 where channel != 3 {
        let level = rootMeanSquare(channels[channel]) / rootMeanSquare(sound[channel])
        #expect(level > 0.8 && level < 1.2, "\(encoding) channel \(channel): \(level)")
      }
      #expect(reader.metadata.channelMap.prefix(4) == [2, 3, 4, 11], "\(encoding)")
    }
  }

  /// If an encoder has no such loudspeakers, that is reported. Side loudspeakers count as rear ones if
  /// there is no other pair.
  @Test(
    arguments: [
      (AudioContainer.m4a, AudioEncoding.alac16, [2, 3, 9, 10], false),
      (.mka, .alac16, [2, 3, 9, 10], false), (.m4a, .alac16, [2, 3, 11], false),
      (.m4a, .alac16, [2, 3, 4, 11, 8, 14, 15], false),
      (.m4a, .alac16, [2, 3, 4, 11, 9, 10, 14, 15], false), (.m4a, .alac16, [2, 3, 4], true),
      (.m4a, .alac16, [2, 3, 4, 11, 14, 15], true), (.m4a, .aac, [2, 3, 4, 11, 14, 15], true),
      (.m4a, .aac, [2, 3, 4, 14, 15], true), (.m4a, .aac, [2, 3, 4, 11, 9, 10], true),
      (.ac3, .ac3, [2, 3, 4, 11, 9, 10], true),
    ] as [(AudioContainer, AudioEncoding, [Int32], Bool)])
  func otherLoudspeakersAreReported(
    container: AudioContainer, encoding: AudioEncoding, map: [Int32], isKept: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.\(container.fileExtension)")
    var metadata = AudioFileMetadata()
    metadata.channelMap = map
    let sound = (0..<map.count).map {
      TestSignal.noise(seed: UInt64($0), amplitude: 0.1, frameCount: 9_000)
    }
    let writer = try writeFile(
      path, sound, Self.format(container, encoding, channels: map.count), metadata: metadata)
    #expect(writer.droppedMetadata == (isKept ? [] : ["channel map"]))
    // Behind for at the sides.
    func places(_ map: [Int32]) -> [Int32] { map.map { $0 == 14 ? 9 : $0 == 15 ? 10 : $0 } }
    let found = try AudioFileReader(path: path).metadata.channelMap
    #expect((places(found) == places(map)) == isKept, "\(found)")
  }

  @Test(
    arguments: [AudioContainer.m4a, .mka],
    [
      [(24_000, "A"), (72_000, ""), (90_000, "C")], [(0, ""), (100, "B"), (50_000, "")],
      [(0, "A"), (24_000, "Bee"), (25_000, " x")], [(7, ""), (60_000, "")], [(48_000, "only")],
    ] as [[(UInt32, String)]])
  func marksComeBack(container: AudioContainer, marks: [(UInt32, String)]) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.\(container.fileExtension)")
    var metadata = AudioFileMetadata()
    metadata.cuePoints = marks.enumerated().map {
      AudioCuePoint(identifier: Int32($0 + 1), frame: $1.0, name: $1.1)
    }
    let format = Self.format(container, container == .m4a ? .aac : .alac16)
    try writeFile(path, Self.click(frames: 96_000, at: 7_001), format, metadata: metadata)
    let found = try AudioFileReader(path: path).metadata.cuePoints
    // Matroska counts in nanoseconds, which is finer than frames.
    #expect(found.map(\.frame) == marks.map(\.0))
    #expect(found.map(\.name) == marks.map(\.1))
  }

  /// The last chapter is as long as the sound after it.
  @Test(
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
    arguments: [AudioContainer.m4a, .mka, .mp3])
  func theLastChapterEndsWithTheSound(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.cuePoints = [
      AudioCuePoint(identifier: 1, frame: 0, name: "A"),
      AudioCuePoint(identifier: 2, frame: 48_000, name: "B"),
    ]
    let encoding = try #require(container.defaultEncoding)
    try writeFile(
      folder.file("sound.\(container.fileExtension)"), Self.click(frames: 96_000, at: 7_001),
      Self.format(container, encoding), metadata: metadata)
    try make(folder, "-i sound.\(container.fileExtension) -f ffmetadata chapters.txt")
    let lines = String(decoding: try bytes(of: folder.file("chapters.txt")), as: UTF8.self)
      .split(separator: "\n")
    func numbers(_ name: String) -> [Double] {
      lines.filter { $0.hasPrefix(name + "=") }.compactMap { Double($0.dropFirst(name.count + 1)) }
    }
    let ticks = lines.filter { $0.hasPrefix("TIMEBASE=") }
      .compactMap { $0.split(separator: "/").last.flatMap { Double($0) } }
    let starts = zip(numbers("START"), ticks).map { $0 / $1 }
    let ends = zip(numbers("END"), ticks).map { $0 / $1 }
    try #require(starts.count == 2 && ends.count == 2, "\(lines)")
    // In MP3 it counts from the priming that the encoder laid before the sound.
    #expect(abs(ends[1] - starts[1] - 1) < 0.002, "\(starts) to \(ends)")
  }

  @Test func bitRatesAreFollowed() throws {
    let folder = try TemporaryFolder()
    let sound = RoundTripTests.signal(channels: 2, frames: 96_000, rate: 48_000)
    for (container, encoding) in [
      (AudioContainer.m4a, AudioEncoding.aac), (.ac3, .ac3), (.mp3, .mpegLayer3), (.opus, .opus),
    ] {
      for bitRate in [64_000, 192_000] {
        var format = Self.format(container, encoding)
        format.bitRate = bitRate
        let path = folder.file("\(bitRate).\(container.fileExtension)")
        try writeFile(path, sound, format)
        let found = Double(try bytes(of: path).count * 8) / 2
        #expect(
          found > 0.6 * Double(bitRate) && found < 1.4 * Double(bitRate),
          "\(container) at \(bitRate) came to \(found)")
      }
    }
    var senseless = Self.format(.wav, .pcm16)
    senseless.bitRate = 64_000
    #expect(failure { try senseless.checkWritable() }?.category == .usage)
  }

  // MARK: Damage

  func sound(_ container: AudioContainer, _ encoding: AudioEncoding) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try writeFile(folder.file("a"), DamageTests.stereo, Self.format(container, encoding))
    return try bytes(of: folder.file("a"))
  }

  @Test(
    arguments: [
      (AudioContainer.m4a, AudioEncoding.aac), (.m4a, .alac24), (.mka, .alac16), (.ac3, .ac3),
      (.aac, .aac),
    ], [0.999, 0.9, 0.5, 0.2, 0.01])
  func cutShort(format: (AudioContainer, AudioEncoding), part: Double) throws {
    let folder = try TemporaryFolder()
    let whole = try sound(format.0, format.1)
    let path = folder.file("cut.\(format.0.fileExtension)")
    // Not between two frames: a bare stream that ends there is a shorter one.
    try put(Array(whole.prefix(Int(Double(whole.count) * part) + 3 & ~1 | 1)), path)
    let error = try #require(
      failure { _ = try readFile(path) }, "\(format) cut to \(part) passed for good")
    #expect(error.category == .badData)
    #expect(error.message.contains(path))
  }

  /// Random damage: an error or a clean read; the tolerant reader comes to an end as well.
  @Test(arguments: [
    (AudioContainer.m4a, AudioEncoding.aac), (.m4a, .alac24), (.mka, .alac16), (.ac3, .ac3),
    (.eac3, .eac3), (.aac, .aac),
  ])
  func mutations(container: AudioContainer, encoding: AudioEncoding) throws {
    let folder = try TemporaryFolder()
    let whole = try sound(container, encoding)
    var generator = SeededGenerator(seed: 4_711)
    for round in 0..<80 {
      var damaged = whole
      let end = round % 2 == 0 ? min(400, damaged.count) : damaged.count
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        damaged[Int.random(in: 0..<end, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      if round % 5 == 0 {
        damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator))
      }
      let path = folder.file("m\(round).\(container.fileExtension)")
      try put(damaged, path)
      for isTolerant in [false, true] {
        let error = failure {
          let reader = try AudioFileReader(
            descriptor: InputFile.open(path), path: path, isTolerant: isTolerant)
          var rows = [[Float]](
            repeating: [Float](repeating: 0, count: 4096), count: reader.format.channelCount)
          _ = try unsafe withRows(&rows) { rows in
            while try unsafe reader.read(into: rows, frameCount: 4096) > 0,
              reader.position < 10_000_000
            {}
          }
        }
        guard let error else { continue }
        #expect(error.message.contains(path), "round \(round)")
        #expect([.badData, .inputOutput].contains(error.category), "round \(round): \(error)")
      }
    }
  }
}
