// Linear PCM in every container that holds it: written, read back, and read by ffmpeg.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite struct LinearContainerTests {
  private static let types: [(String, String)] = [
    ("AIFF", "aiff"), ("AIFC", "aifc"), ("WAVE", "wav"), ("RF64", "wav"), ("BW64", "wav"),
    ("W64f", "w64"), ("caff", "caf"), ("NeXT", "au"),
  ]

  @Test(
    "Each description that a container offers can be written and read", arguments: types,
    [UInt32(1), 2, 3])
  func roundTrip(type: (String, String), channels: UInt32) throws {
    let folder = try TemporaryFolder()
    let known = try FormatTables.descriptions(of: kAudioFormatLinearPCM, in: code(type.0))
    for (index, description) in known.enumerated() {
      let format = linear(
        description.mFormatFlags, bits: description.mBitsPerChannel, channels: channels)
      let path = folder("\(index).\(type.1)")
      let bytes = samples(format, frames: 333, seed: 11)
      let file = try PacketFile.create(
        FileStore(creating: path, erasing: false), type: code(type.0), format: format,
        alignsSound: index % 2 == 0)
      // In pieces: their bounds are nowhere in the file.
      let split = 100 * Int(format.mBytesPerPacket)
      try file.write(Array(bytes[..<split]))
      try file.write(Array(bytes[split...]), from: 100)
      try file.flush()

      let again = try PacketFile.open(FileStore(opening: path, writable: false))
      #expect(again.type == code(type.0))
      #expect(again.format.mFormatFlags == format.mFormatFlags)
      #expect(again.format.mBitsPerChannel == format.mBitsPerChannel)
      #expect(try again.packetCount() == 333)
      #expect(try again.allPackets().flatMap { $0 } == bytes)
      #expect(try decoded(path, format) == bytes, "ffmpeg reads \(type) \(description)")
    }
  }

  @Test("A buffer that is too small is no end of the sound")
  func smallBuffer() throws {
    let store = MemoryStore()
    let format = linear(12, bits: 16, channels: 1)
    let sound = samples(format, frames: 1000, seed: 3)
    let file = try PacketFile.create(store, type: code("WAVE"), format: format)
    try file.write(sound)
    var (read, calls, isAtEnd): ([UInt8], Int, Bool) = ([], 0, false)
    while !isAtEnd, calls < 20 {
      var buffer = [UInt8](repeating: 0, count: 200)
      let delivery = try unsafe buffer.withUnsafeMutableBytes {
        try unsafe file.readPackets(from: Int64(read.count / 2), count: 600, into: $0) { _, _ in }
      }
      read += buffer.prefix(Int(delivery.byteCount))
      isAtEnd = delivery.isAtEnd
      calls += 1
    }
    #expect(read == sound)
    #expect(calls == 11)
  }

  /// Decodes a file by ffmpeg, to the file's own samples.
  private func decoded(_ path: String, _ format: AudioStreamBasicDescription) throws -> [UInt8] {
    let flags = format.mFormatFlags
    let kind =
      flags & kAudioFormatFlagIsFloat != 0
      ? "f" : flags & kAudioFormatFlagIsSignedInteger != 0 ? "s" : "u"
    let order =
      format.mBitsPerChannel == 8 ? "" : flags & kAudioFormatFlagIsBigEndian != 0 ? "be" : "le"
    let name = "\(kind)\(format.mBitsPerChannel)\(order)"
    let raw = path + ".raw"
    let result = try runProcess(
      "ffmpeg", ["-v", "error", "-i", path, "-f", name, "-c:a", "pcm_" + name, raw])
    try #require(result.exitCode == 0, "\(result.summary)")
    return [UInt8](try Data(contentsOf: URL(filePath: raw)))
  }

  @Test("The tables are those of the book")
  func tables() throws {
    func found(_ type: String) throws -> [[UInt32]] {
      try FormatTables.descriptions(of: kAudioFormatLinearPCM, in: code(type)).map {
        [$0.mFormatFlags, $0.mBitsPerChannel]
      }
    }
    #expect(try found("AIFF") == [[14, 8], [14, 16], [14, 24], [14, 32]])
    #expect(try found("WAVE") == [[8, 8], [12, 16], [12, 24], [12, 32], [9, 32], [9, 64]])
    #expect(
      try found("caff") == [
        [14, 8], [14, 16], [14, 24], [14, 32], [11, 32], [11, 64], [12, 16], [12, 24], [12, 32],
        [9, 32], [9, 64],
      ])
    #expect(throws: AudioFileFailure.dataFormat) {
      try FormatTables.descriptions(of: kAudioFormatMPEG4AAC, in: code("MPG3"))
    }
  }

  @Test("Formats that a container cannot hold are refused, and nothing is written")
  func refused() throws {
    let store = MemoryStore([1, 2, 3])
    for (type, format) in [
      ("AIFF", linear(12, bits: 16, channels: 2)), ("WAVE", linear(14, bits: 16, channels: 2)),
      ("WAVE", linear(12, bits: 16, channels: 0)), ("caff", linear(12 | 32, bits: 16, channels: 2)),
      ("caff", linear(12, bits: 12, channels: 1)),
    ] {
      #expect(throws: AudioFileFailure.dataFormat) {
        try PacketFile.create(store, type: code(type), format: format)
      }
    }
    #expect(throws: AudioFileFailure.fileType) {
      try PacketFile.create(store, type: code("loas"), format: linear(12, bits: 16, channels: 2))
    }
    #expect(store.bytes == [1, 2, 3])
  }

  @Test("A sound that is being written, or was cut, goes to the end of the file")
  func unknownSizes() throws {
    for type in ["WAVE", "caff", "AIFF", "NeXT", "W64f", "RF64"] {
      let format = linear(type == "AIFF" || type == "NeXT" ? 14 : 12, bits: 16, channels: 1)
      let store = MemoryStore()
      let file = try PacketFile.create(store, type: code(type), format: format)
      try file.write(samples(format, frames: 100, seed: 1))
      try file.flush()
      let cut = try PacketFile.open(MemoryStore(Array(store.bytes.dropLast(51))))
      #expect(try cut.packetCount() == 74, "\(type)")
    }
  }

  @Test(
    "A channel layout comes back where the container stores one",
    arguments: ["WAVE", "caff", "AIFF"])
  func layouts(type: String) throws {
    let store = MemoryStore()
    let format = linear(type == "AIFF" ? 14 : 12, bits: 16, channels: 6)
    let file = try PacketFile.create(store, type: code(type), format: format)
    // 5.1 as a bitmap of loudspeakers.
    let layout: [UInt8] = [0, 0, 1, 0, 0x3F, 0, 0, 0, 0, 0, 0, 0]
    try file.setLayout(layout)
    try file.write(samples(format, frames: 10, seed: 3))
    try file.flush()
    #expect(try PacketFile.open(MemoryStore(store.bytes)).layout == layout)
  }

  @Test("A WAVE file does not grow beyond what its sizes can say")
  func tooLong() throws {
    let folder = try TemporaryFolder()
    let path = folder("long.wav")
    let format = linear(12, bits: 16, channels: 2)
    let file = try PacketFile.create(
      FileStore(creating: path, erasing: false), type: kAudioFileWAVEType, format: format)
    try file.write(samples(format, frames: 8, seed: 1))
    let most = (Int64(UInt32.max) - file.soundOffset) / 4
    // A file with a hole: its blocks are not on the disk.
    try file.flush()
    let hole = try FileHandle(forWritingTo: URL(filePath: path))
    try hole.truncate(atOffset: UInt64(file.soundOffset + (most - 20) * 4))
    try hole.close()
    #expect(throws: AudioFileFailure.packet) { try file.write([0, 0, 0, 0], from: most + 100) }
  }
}
