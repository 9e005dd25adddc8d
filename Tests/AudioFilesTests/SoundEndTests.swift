// Data behind the sound: chunks and other bytes, in kinds that the library reads past the sound's end.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct SoundEndTests {
  private static let stereo = RoundTripTests.signal(channels: 2, frames: 30_001, rate: 48_000)

  /// A file that ends with its sound, and the sound as it is read.
  private func plain(
    _ folder: TemporaryFolder, _ container: AudioContainer, _ encoding: AudioEncoding,
    channels: Int, rate: Double = 48_000
  ) throws -> (bytes: [UInt8], channels: [[Float]]) {
    let path = folder.file("plain.\(container.fileExtension)")
    try writeFile(
      path, Array(Self.stereo.prefix(channels)),
      AudioFileFormat(
        container: container, encoding: encoding, sampleRate: rate, channelCount: channels))
    return (try bytes(of: path), try readFile(path).channels)
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Makes a Wave64 whose size covers the added bytes up to a multiple of eight.
  private func extended(_ bytes: [UInt8], by added: [UInt8]) -> [UInt8] {
    var whole = bytes + [UInt8](repeating: 0, count: -bytes.count & 7) + added
    whole.replaceSubrange(16..<24, with: number(whole.count, 8))
    return whole
  }

  @Test(arguments: [AudioEncoding.pcm16, .pcm24, .float32, .float64, .ulaw])
  func chunksBehindTheSoundOfWave64(encoding: AudioEncoding) throws {
    let folder = try TemporaryFolder()
    let (bytes, channels) = try plain(folder, .w64, encoding, channels: 1)
    let name =
      Array("list".utf8)
      + [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let chunk: [UInt8] =
      name + number(24 + 5_000, 8) + [UInt8](repeating: 0x55, count: 5_000)
    let path = folder.file("more.w64")
    let files: [(String, [UInt8])] = [
      ("a chunk", extended(bytes, by: chunk)), ("bytes", bytes + [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      ("room", extended(bytes, by: [UInt8](repeating: 0, count: 100))),
      ("a chunk and bytes", extended(bytes, by: chunk) + [UInt8](repeating: 9, count: 99)),
    ]
    for (what, more) in files {
      try put(more, path)
      let (read, reader) = try readFile(path)
      #expect(reader.frameCount == 30_001 && read == channels, "\(what)")
    }
  }

  @Test func soundBehindTheSoundOfWave64() throws {
    let folder = try TemporaryFolder()
    let (bytes, _) = try plain(folder, .w64, .pcm16, channels: 2)
    let path = folder.file("more.w64")
    try put(extended(bytes, by: [UInt8](repeating: 0x55, count: 5_000)), path)
    let error = try #require(failure { _ = try readFile(path) }, "the rest was lost in silence")
    #expect(error.category == .badData && error.message.contains("no chunk"), "\(error.message)")
  }

  /// A pipe's writer declares no length, or the largest one: the file's own length counts.
  @Test(arguments: [24, Int.max])
  func wave64OutOfAPipe(size: Int) throws {
    let folder = try TemporaryFolder()
    let (whole, channels) = try plain(folder, .w64, .pcm16, channels: 2)
    var bytes = whole
    let place = try #require(bytes.firstRange(of: Array("data".utf8))).lowerBound
    bytes.replaceSubrange(place + 16..<place + 24, with: number(size, 8))
    try put(bytes, folder.file("pipe.w64"))
    #expect(try readFile(folder.file("pipe.w64")).channels == channels)
  }

  @Test(arguments: [
    (AudioContainer.iff, AudioEncoding.pcmS8, 1), (.iff, .pcm16, 1), (.nist, .pcm16, 2),
    (.avr, .pcm16, 2), (.avr, .pcmU8, 1), (.mat5, .pcm16, 2), (.mat5, .float64, 1),
    (.wve, .alaw, 1),
  ])
  func bytesBehindOlderKinds(
    container: AudioContainer, encoding: AudioEncoding, channels count: Int
  ) throws {
    let folder = try TemporaryFolder()
    let rate = container == .wve ? 8_000.0 : 16_000
    let (bytes, channels) = try plain(folder, container, encoding, channels: count, rate: rate)
    let path = folder.file("more.\(container.fileExtension)")
    let tails: [[UInt8]] = [[UInt8](repeating: 0, count: 64), Array(1...250), [7]]
    for added in tails {
      try put(bytes + added, path)
      let (read, reader) = try readFile(path)
      #expect(reader.frameCount == channels[0].count && read == channels, "\(added.count) bytes")
    }
  }

  /// Texts come behind the sound of Amiga files, too.
  @Test func chunksBehindTheSoundOfTheAmiga() throws {
    let folder = try TemporaryFolder()
    let (whole, channels) = try plain(folder, .iff, .pcmS8, channels: 1, rate: 16_000)
    var bytes = whole
    if bytes.count & 1 == 1 { bytes.append(0) }
    bytes += Array("ANNO".utf8) + [0, 0, 0x13, 0x88] + [UInt8](repeating: 0x55, count: 5_000)
    bytes.replaceSubrange(4..<8, with: number(bytes.count - 8, 4).reversed())
    try put(bytes, folder.file("more.8svx"))
    #expect(try readFile(folder.file("more.8svx")).channels == channels)
  }

  /// Headers that pipes leave behind say nothing about length.
  @Test(arguments: [0, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func amigaOutOfAPipe(size: Int) throws {
    let folder = try TemporaryFolder()
    let (whole, channels) = try plain(folder, .iff, .pcm16, channels: 1, rate: 16_000)
    var bytes = whole
    let place = try #require(bytes.firstRange(of: Array("BODY".utf8))).upperBound
    bytes.replaceSubrange(place..<place + 4, with: number(size, 4).reversed())
    try put(bytes, folder.file("pipe.8svx"))
    #expect(try readFile(folder.file("pipe.8svx")).channels == channels)
  }

  /// Stereo of the Amiga: the whole left channel, and behind it the whole right one.
  @Test(arguments: [1, 500, 30_001], [1, 2])
  func halvesOfTheAmiga(frames: Int, sampleBytes: Int) throws {
    let folder = try TemporaryFolder()
    func big(_ value: Int) -> [UInt8] { number(value, 4).reversed() }
    let left = (0..<frames).map { UInt8(truncatingIfNeeded: $0 % 127) }
    let right = (0..<frames).map { UInt8(bitPattern: Int8(-1 - $0 % 101)) }
    let body = (left + right).flatMap { [$0] + [UInt8](repeating: 0, count: sampleBytes - 1) }
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + big(bytes.count) + bytes
    }
    let header = big(frames) + big(0) + big(0) + [0x3E, 0x80, 1, 0, 0, 1, 0, 0]
    var content: [UInt8] = Array((sampleBytes == 1 ? "8SVX" : "16SV").utf8)
    content += chunk("VHDR", header) + chunk("CHAN", big(6)) + chunk("BODY", body)
    let annotation = chunk("ANNO", [0x41, 0x41, 0x41, 0x41])
    let path = folder.file("stereo.8svx")
    for tail: [UInt8] in [[], annotation] {
      let form = chunk("FORM", content + tail)
      try put(form, path)
      let (channels, reader) = try readFile(path)
      #expect(reader.format.channelCount == 2 && reader.frameCount == frames)
      #expect(channels[0] == left.map { Float(Int8(bitPattern: $0)) / 128 })
      #expect(channels[1] == right.map { Float(Int8(bitPattern: $0)) / 128 })
      try put(Array(form.dropLast(tail.count + 1)), path)
      #expect(failure { _ = try readFile(path) }?.category == .badData)
    }
  }

  /// So few frames that they are shorter than the part the library leaves out of the header.
  @Test(arguments: [AudioEncoding.float32, .float64], 1...3)
  func aFewFramesOfAIFF(encoding: AudioEncoding, count: Int) throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .aiff, encoding: encoding, sampleRate: 48_000, channelCount: count)
    let sampleBytes = encoding == .float32 ? 4 : 8
    for frames in 0...8 {
      let path = folder.file("\(frames).aiff")
      let sound = RoundTripTests.signal(channels: count, frames: frames, rate: 48_000)
      try writeFile(path, sound, format)
      let (channels, reader) = try readFile(path)
      #expect(reader.frameCount == frames && channels == sound, "\(frames) frames")
      // And nothing comes behind them.
      let whole = try bytes(of: path)
      let place = try #require(whole.firstRange(of: Array("SSND".utf8))).lowerBound
      #expect(whole.count == place + 16 + frames * count * sampleBytes, "\(frames) frames")
    }
  }

  /// Bare AC-3 ends with its last frame: tags and zeros behind it are no sound and no damage.
  @Test(
    .enabled(if: CodecLibrary.path != nil, "the FFmpeg codec is not built: make codecs"),
    arguments: [(AudioContainer.ac3, AudioEncoding.ac3), (.eac3, .eac3)],
    [32_000.0, 44_100, 48_000])
  func whatFollowsTheLastFrameOfAC3(
    kind: (container: AudioContainer, encoding: AudioEncoding), rate: Double
  ) throws {
    let folder = try TemporaryFolder()
    let (bytes, channels) = try plain(
      folder, kind.container, kind.encoding, channels: 2, rate: rate)
    let path = folder.file("more.\(kind.container.fileExtension)")
    let zeros = [UInt8](repeating: 0, count: 3_000)
    let tag: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    for added in [zeros, [0], tag] {
      try put(bytes + added, path)
      #expect(try readFile(path).channels == channels, "\(added.count) bytes")
    }
    // Anything else is damage, of which the last frame is none.
    try put(bytes + [UInt8](repeating: 0x55, count: 3_000), path)
    let error = try #require(failure { _ = try readFile(path) })
    #expect(error.category == .badData && error.message.contains("3000 bytes"), "\(error.message)")
    let reader = try AudioFileReader(
      descriptor: InputFile.open(path), path: path, isTolerant: true)
    var rows = [[Float]](repeating: [Float](repeating: 0, count: 40_000), count: 2)
    let count = try unsafe withRows(&rows) { try unsafe reader.read(into: $0, frameCount: 40_000) }
    #expect(count == channels[0].count && reader.toleratedDamage.count == 1)
    // Within the stream it is damage, too, and the sound behind it is not forgotten.
    try put(bytes + [UInt8](repeating: 0x55, count: 3_000) + bytes, path)
    #expect(failure { _ = try readFile(path) }?.category == .badData)
  }
}
