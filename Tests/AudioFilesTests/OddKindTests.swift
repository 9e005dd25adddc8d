// Sound files of kinds that others are easily confused with, and packets that decoders refuse as they are.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFilePackets
import AudioFiles
import AudioTypes
import CAudioToolbox
import FileTestSupport
import Foundation
import SoundFileReports
import TestSupport
import Testing

@Suite struct OddKindTests {
  private static let hasCodec = FileManager.default.fileExists(
    atPath: Places.builtProducts + "/Codecs/FFmpeg.so")

  /// The packets of a file, each for itself.
  private func packets(_ file: PacketFile) throws -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: Int(try file.largestPacket()))
    return try (0..<Int64(try file.packetCount())).map { index in
      let delivery = try unsafe buffer.withUnsafeMutableBytes {
        try unsafe file.readPackets(from: index, count: 1, into: $0) { _, _ in }
      }
      return Array(buffer.prefix(Int(delivery.byteCount)))
    }
  }

  private func decode(_ packets: [[UInt8]], _ format: AudioStreamBasicDescription) throws -> [Float]
  {
    let decoder = try PacketDecoder(format)
    var samples = try packets.flatMap { packet in
      try unsafe packet.withUnsafeBytes { bytes in
        let frames = try unsafe decoder.decode(bytes)
        return unsafe Array(frames.bindMemory(to: Float.self))
      }
    }
    let rest = try unsafe decoder.decode(nil)
    samples += unsafe Array(rest.bindMemory(to: Float.self))
    return samples
  }

  @Test(
    "MPEG frames of a free bit rate decode to the samples of the same frames at a rate of the table",
    .enabled(if: hasCodec, "the FFmpeg codec is not built: make codecs"),
    arguments: [48_000.0, 44_100, 24_000, 16_000])
  func freeBitRate(rate: Double) throws {
    let folder = try TemporaryFolder()
    let path = folder("a.mp3")
    try Data(try OneAnswerTests.plain("a.mp3", .mpegLayer3, rate: rate))
      .write(to: URL(fileURLWithPath: path))
    let file = try PacketFile.open(FileStore(opening: path, writable: false))
    let plain = try packets(file)
    let free = plain.map { packet in
      var packet = packet
      packet[2] &= 0x0F
      return packet
    }
    let wanted = try decode(plain, file.format)
    let found = try decode(free, file.format)
    #expect(wanted.count > 20_000 && wanted.contains { abs($0) > 0.1 })
    #expect(found == wanted)
    // Behind a gap, the frames in front that a frame refers to are missing: it is silent, and others follow.
    let late = try decode(Array(free.dropFirst(5)), file.format)
    #expect(late.suffix(10_000) == wanted.suffix(10_000))
  }

  @Test(
    "DTS is no MP3, whatever its bytes contain",
    arguments: [
      [0x7F, 0xFE, 0x80, 0x01], [0xFE, 0x7F, 0x01, 0x80], [0x1F, 0xFF, 0xE8, 0x00],
      [0xFF, 0x1F, 0x00, 0xE8],
    ] as [[UInt8]])
  func digitalTheater(mark: [UInt8]) throws {
    // Headers of MPEG at a free bit rate, as far from each other as the frames of DTS are.
    let frame = mark + [UInt8](repeating: 7, count: 300) + [0xFF, 0xFB, 0x00, 0x64]
    let bytes = Array(repeatElement(frame + [UInt8](repeating: 9, count: 700), count: 20).joined())
    let folder = try TemporaryFolder()
    for name in ["a.dts", "a.mp3", "a"] {
      try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
      #expect(throws: AudioFileFailure.fileType, "\(name)") {
        try PacketFile.open(FileStore(opening: folder(name), writable: false), fileExtension: "mp3")
      }
    }
  }

  @Test("A few headers of MPEG at a free bit rate are a stream in files of such names alone")
  func fewFrames() throws {
    let frame: [UInt8] = [0xFF, 0xFB, 0x00, 0x64] + [UInt8](repeating: 0, count: 696)
    let bytes = Array(repeatElement(frame, count: 3).joined())
    let folder = try TemporaryFolder()
    let path = folder("a")
    try Data(bytes + [UInt8](repeating: 5, count: 9_000)).write(to: URL(fileURLWithPath: path))
    let store = try FileStore(opening: path, writable: false)
    #expect(throws: AudioFileFailure.fileType) { try PacketFile.open(store) }
    #expect(try PacketFile.open(store, fileExtension: "mp3").type == kAudioFileMP3Type)
  }

  @Test("A tag whose size is a little wrong has the kind behind it found, of codecs' kinds as well")
  func wrongSizeInFrontOfMatroska() throws {
    let folder = try TemporaryFolder()
    // The first bytes of FLAC are within Matroska, too.
    let matroska: [UInt8] =
      [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 1, count: 200) + Array("fLaC".utf8)
      + [0x80, 0, 0, 34] + [UInt8](repeating: 1, count: 5_000)
    for off in [-3, 3] {
      let tag = OddTags.id3("Front", padding: 60, off: off)
      let path = folder("a.mka")
      try Data(tag + matroska).write(to: URL(fileURLWithPath: path))
      let store = try FileStore(opening: path, writable: false)
      #expect(throws: AudioFileFailure.fileType) { try PacketFile.open(store) }
      #expect(PacketFile.origin(of: store) == Int64(tag.count))
    }
  }

  @Test("FLAC streams in Ogg, one after the other, are refused with a command")
  func chainedFLAC() throws {
    let folder = try TemporaryFolder()
    func page(_ flags: UInt8, _ serial: Int, _ index: Int, _ body: [UInt8]) -> [UInt8] {
      OddStreams.summed(
        Array("OggS".utf8) + [0, flags] + number(0, 8) + number(serial, 4)
          + number(index, 4) + [0, 0, 0, 0, 1, UInt8(body.count)] + body)
    }
    let head = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8)
    func stream(_ serial: Int) -> [UInt8] {
      page(2, serial, 0, head + [0, 0, 0, 34] + [UInt8](repeating: 1, count: 34))
        + page(4, serial, 1, [1, 2, 3])
    }
    let path = folder("a.ogg")
    try Data(stream(1) + stream(2)).write(to: URL(fileURLWithPath: path))
    let error = try #require(failure { _ = try AudioFileReader(path: path) })
    #expect(error.message.contains("several Ogg streams"), "\(error.message)")
  }

  @Test(
    "Sound in MP4 ends where its track does, not at a tick of the film's clock",
    .enabled(if: hasCodec && ffmpeg != nil, "the FFmpeg codec or the program ffmpeg is missing"),
    arguments: ["ac3", "libopus", "libmp3lame"])
  func filmClock(encoder: String) throws {
    let folder = try TemporaryFolder()
    let sound = Sound([[Float](repeating: 0.25, count: 30_011)], sampleRate: 48_000)
    try sound.write(to: folder("in.wav"))
    let result = try runProcess(
      try #require(ffmpeg),
      ["-v", "error", "-y", "-i", folder("in.wav"), "-c:a", encoder, folder("a.mp4")])
    try #require(result.exitCode == 0, "\(result.summary)")
    func expectOneLength() throws {
      let (channels, reader) = try readFile(folder("a.mp4"))
      let report = try SoundFileReport(of: folder("a.mp4"))
      #expect(Int(report.frames) == channels[0].count && report.frames >= 30_011)
      #expect(reader.frameCount == channels[0].count)
    }
    try expectOneLength()
    // Nor does it begin or end elsewhere where the track's own clock says nothing.
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("a.mp4"))))
    let clock = try #require(bytes.firstRange(of: Array("mdhd".utf8))?.upperBound)
    bytes.replaceSubrange(clock + 16..<clock + 20, with: [0, 0, 0, 0])
    try Data(bytes).write(to: URL(fileURLWithPath: folder("a.mp4")))
    try expectOneLength()
  }

  @Test(
    "The texts of a film of QuickTime are those of every reader",
    .enabled(if: hasCodec && ffmpeg != nil, "the FFmpeg codec or the program ffmpeg is missing"))
  func textsOfFilms() throws {
    let folder = try TemporaryFolder()
    try Sound([[Float](repeating: 0.25, count: 9_000)], sampleRate: 48_000).write(
      to: folder("in.wav"))
    let result = try runProcess(
      try #require(ffmpeg),
      ["-v", "error", "-y", "-i", folder("in.wav"), "-metadata", "title=Küste", "-metadata"]
        + ["artist=Zoë", folder("a.mov")])
    try #require(result.exitCode == 0, "\(result.summary)")
    let report = try SoundFileReport(of: folder("a.mov"))
    #expect(report.info["title"] == "Küste" && report.info["artist"] == "Zoë")
    let metadata = try AudioFileReader(path: folder("a.mov")).metadata
    #expect(metadata[.title] == "Küste" && metadata[.artist] == "Zoë")
  }

  /// A page of Ogg with one packet.
  private func page(
    _ packet: [UInt8], flags: UInt8 = 0, serial: Int = 1, index: Int, granule: Int = 0
  ) -> [UInt8] {
    let lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    let head: [UInt8] = Array("OggS".utf8) + [0, flags] + number(granule, 8)
    let places: [UInt8] = number(serial, 4) + number(index, 4) + [0, 0, 0, 0, UInt8(lacing.count)]
    return OddStreams.summed(head + places + lacing + packet)
  }

  @Test(
    "FLAC within Ogg is as long as its frames, whatever its pages count",
    .enabled(if: hasCodec, "the FFmpeg codec is not built: make codecs"),
    arguments: [0, 100_000, -1])
  func countsOfPages(shift: Int) throws {
    let folder = try TemporaryFolder()
    try Data(try OneAnswerTests.plain("a.flac", .pcm16)).write(
      to: URL(fileURLWithPath: folder("a.flac")))
    let plain = try PacketFile.open(FileStore(opening: folder("a.flac"), writable: false))
    let frames = try packets(plain)
    let mark: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1]
    let begin: [UInt8] = mark + Array("fLaC".utf8) + [0, 0, 0, 34]
    var bytes = page(begin + plain.cookie.suffix(34), flags: 2, index: 0)
    bytes += page([0x84, 0, 0, 8] + number(0, 8), index: 1)
    for (index, packet) in frames.enumerated() {
      let isLast = index == frames.count - 1
      let end = min((index + 1) * Int(plain.format.mFramesPerPacket), 22_050)
      bytes += page(
        packet, flags: isLast ? 4 : 0, index: index + 2, granule: shift < 0 ? 0 : end + shift)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: folder("a.oga")))
    #expect(try SoundFileReport(of: folder("a.oga")).frames == 22_050)
    #expect(try readFile(folder("a.oga")).0[0].count == 22_050)
  }

  @Test("Tags around kinds that the file library alone knows are none of their sound")
  func tagsAroundOtherKinds() throws {
    let folder = try TemporaryFolder()
    // IRCAM's header of 1024 bytes: rate, channels, and two bytes a sample.
    let rate = number(Int(Float(16_000).bitPattern), 4)
    let head: [UInt8] = [0x64, 0xA3, 0x02, 0] + rate + number(1, 4) + number(2, 4)
    let rest = [UInt8](repeating: 0, count: 1024 - head.count)
    let ircam = head + rest + [UInt8](repeating: 3, count: 2000)
    for (name, bytes) in [
      ("plain", ircam), ("behind", ircam + OddTags.ape("Behind") + OddTags.old("Behind")),
      ("front", OddTags.id3("Front") + ircam),
    ] {
      let path = folder("\(name).sf")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      #expect(try Sound(path: path).frameCount == 1000, "\(name)")
      #expect(try SoundFileReport(of: path).frames == 1000, "\(name)")
    }
  }
}
