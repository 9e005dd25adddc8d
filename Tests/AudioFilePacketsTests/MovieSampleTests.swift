// Samples that MP4 and QuickTime files store as they are: in one piece, between pictures, in fragments, arriving.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite struct MovieSampleTests {
  /// Encodings of ffmpeg, and the flags and bits that they are read with.
  private static let encodings: [(name: String, flags: UInt32, bits: UInt32)] = [
    ("pcm_u8", 8, 8), ("pcm_s16le", 12, 16), ("pcm_s16be", 14, 16), ("pcm_s24le", 12, 24),
    ("pcm_s24be", 14, 24), ("pcm_s32le", 12, 32), ("pcm_s32be", 14, 32), ("pcm_f32le", 9, 32),
    ("pcm_f32be", 11, 32), ("pcm_f64le", 9, 64), ("pcm_f64be", 11, 64),
  ]

  /// Extracts the samples of a file's first track of sound by ffmpeg.
  private func stored(_ path: String, _ encoding: String) throws -> [UInt8] {
    let raw = path + ".raw"
    let kind = String(encoding.dropFirst(4))
    let form = encoding == "pcm_mulaw" ? "mulaw" : encoding == "pcm_alaw" ? "alaw" : kind
    let result = try runProcess(
      "ffmpeg", ["-v", "error", "-y", "-i", path, "-vn", "-c:a", "copy", "-f", form, raw])
    try #require(result.exitCode == 0, "\(result.summary)")
    return [UInt8](try Data(contentsOf: URL(filePath: raw)))
  }

  @Test("Every order and width of samples is reported, and read as stored", arguments: encodings)
  func read(encoding: (name: String, flags: UInt32, bits: UInt32)) throws {
    let folder = try TemporaryFolder()
    for (name, options) in [("a.mov", []), ("b.mov", ["-movflags", "frag_keyframe+empty_moov"])] {
      let path = try made(name, in: folder, ["-c:a", encoding.name] + options)
      let file = try PacketFile.open(FileStore(opening: path, writable: false))
      #expect(file.type == kAudioFileMPEG4Type)
      #expect(file.format.mFormatFlags == encoding.flags, "\(encoding.name)")
      #expect(file.format.mBitsPerChannel == encoding.bits)
      #expect(try file.packetCount() == 88_200, "\(encoding.name), \(name)")
      #expect(try file.allPackets().flatMap { $0 } == stored(path, encoding.name))
      #expect(throws: AudioFileFailure.permission) {
        try PacketFile.open(FileStore(opening: path, writable: true), isWritable: true)
      }
    }
  }

  @Test("Each track of sound of a file can be chosen")
  func tracks() throws {
    let folder = try TemporaryFolder()
    let made = try runProcess(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=440:r=44100:d=1", "-f", "lavfi", "-i",
        "sine=880:r=48000:d=2", "-map", "0", "-map", "1", "-c:a", "aac", folder("two.m4a"),
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let file = try PacketFile.open(FileStore(opening: folder("two.m4a"), writable: false))
    #expect(file.trackCount == 2 && file.track == 0)
    #expect(file.format.mSampleRate == 44_100)
    #expect(try file.packetCount() == 45)
    let other = try file.choosing(track: 1)
    #expect(other.trackCount == 2 && other.track == 1)
    #expect(other.format.mSampleRate == 48_000)
    #expect(try other.packetCount() == 95)
    #expect(throws: AudioFileFailure.parameter) { try other.choosing(track: 2) }
    #expect(try other.choosing(track: 0).allPackets().count == 45)
  }

  @Test("Every place of sound between pictures is found", arguments: ["pcm_s16le", "pcm_mulaw"])
  func betweenPictures(encoding: String) throws {
    let folder = try TemporaryFolder()
    let made = try runProcess(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=d=2:s=64x48", "-f", "lavfi", "-i",
        "anoisesrc=r=44100:d=2:seed=3,aformat=channel_layouts=stereo", "-c:v", "mjpeg", "-c:a",
        encoding, "-movflags", "+faststart", folder("film.mov"),
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
    let wanted = try stored(folder("film.mov"), encoding)
    let file = try PacketFile.open(FileStore(opening: folder("film.mov"), writable: false))
    let size = Int(file.format.mBytesPerPacket)
    let found = try file.allPackets()
    #expect(found.count == 88_200)
    #expect(found.flatMap { $0 } == wanted)
    var random = SeededGenerator(seed: 41)
    for round in 0..<10_000 {
      let start = Int.random(in: 0..<found.count, using: &random)
      let count = Int.random(in: 1...900, using: &random)
      let part = try file.packets(from: Int64(start), count: UInt32(count)).flatMap { $0 }
      let bytes = wanted[(start * size)...].prefix(count * size)
      try #require(part == Array(bytes), "round \(round)")
    }
    // Arriving in pieces, too.
    let all = [UInt8](try Data(contentsOf: URL(filePath: folder("film.mov"))))
    let stream = PacketStream(hint: kAudioFileMPEG4Type)
    var arrived: [UInt8] = []
    for start in stride(from: 0, to: all.count, by: 3001) {
      let piece = Array(all[start...].prefix(3001))
      try unsafe piece.withUnsafeBytes { piece in
        try unsafe stream.parse(piece, ready: { _ in }, deliver: { arrived += $0.bytes })
      }
    }
    #expect(arrived == wanted)
  }

  @Test("The boxes of the standard are read: 'ipcm' and 'fpcm'")
  func standard() throws {
    for (code, flags, bits, wanted): (StaticString, UInt8, UInt8, UInt32) in [
      ("ipcm", 1, 16, 12), ("ipcm", 0, 24, 14), ("fpcm", 1, 32, 9), ("fpcm", 0, 64, 11),
    ] {
      let size = 2 * Int(bits) / 8
      let sound = (0..<(size * 50)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let store = MemoryStore(movie(code, flags: flags, bits: bits, sound, frames: 50))
      let file = try PacketFile.open(store)
      #expect(file.format.mFormatFlags == wanted)
      #expect(file.format.mBitsPerChannel == UInt32(bits))
      #expect(try file.allPackets().flatMap { $0 } == sound)
      #expect(file.layout == nil)
    }
  }

  /// A file of two channels at 48 kHz, ten frames a sample of its table, the sound behind the header.
  private func movie(
    _ code: StaticString, flags: UInt8, bits: UInt8, _ sound: [UInt8], frames: UInt32
  ) -> [UInt8] {
    func film(_ place: UInt32) -> [UInt8] {
      var entry = ByteWriter(bigEndian: true)
      entry.put(bytes: [UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 0, count: 8))
      entry.put(UInt16(2))
      entry.put(UInt16(bits))
      entry.put(UInt32(0))
      entry.put(UInt32(48_000) << 16)
      let kind = MP4Node(
        code: UInt32(code: code), entry.bytes, [.full("pcmC") { $0.put(bytes: [flags, bits]) }])
      func full(_ code: StaticString, _ numbers: [UInt32]) -> MP4Node {
        .full(code) { writer in for number in numbers { writer.put(number) } }
      }
      let description = MP4Node.full("stsd") { writer in
        writer.put(UInt32(1))
        writer.put(bytes: kind.bytes)
      }
      let tables = MP4Node(
        "stbl", [],
        [
          description, full("stts", [1, frames / 10, 10]), full("stsc", [1, 1, frames / 10, 1]),
          full("stsz", [UInt32(sound.count) / (frames / 10), frames / 10]),
          full("stco", [1, place]),
        ])
      let handler = MP4Node("hdlr", [UInt8](repeating: 0, count: 8) + Array("soun".utf8))
      let media = MP4Node("mdia", [], [handler, MP4Node("minf", [], [tables])])
      return MP4Node("moov", [], [MP4Node("trak", [], [media])]).bytes
    }
    let head = MP4Node("ftyp", Array("mp42".utf8) + [0, 0, 0, 0]).bytes
    let place = UInt32(head.count + film(0).count + 8)
    return head + film(place) + MP4Node("mdat", sound).bytes
  }
}
