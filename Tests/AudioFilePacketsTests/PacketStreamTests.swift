// Files that arrive in pieces: the same packets as from the file, for any pieces.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// The output of a stream.
struct Streamed {
  var packets: [[UInt8]] = []
  var frames: [UInt32] = []
  var readyCount = 0
  var stream: PacketStream
}

/// Feeds bytes to a stream, and ends it.
func streamed(
  _ bytes: [UInt8], hint: AudioFileTypeID = 0, size: () -> Int
) throws -> Streamed {
  var result = Streamed(stream: PacketStream(hint: hint))
  var place = 0
  while true {
    let count = min(max(1, size()), bytes.count - place)
    try feed(Array(bytes[place..<(place + count)]), &result)
    guard count > 0 else { return result }
    place += count
  }
}

/// Feeds one piece.
func feed(_ piece: [UInt8], _ result: inout Streamed, isDiscontinuous: Bool = false) throws {
  let stream = result.stream
  try unsafe piece.withUnsafeBytes { piece throws in
    try unsafe stream.parse(piece, isDiscontinuous: isDiscontinuous) { _ in
      result.readyCount += 1
    } deliver: { delivery in
      if delivery.descriptions.isEmpty {
        let size = delivery.bytes.count / Int(delivery.packetCount)
        for index in 0..<Int(delivery.packetCount) {
          result.packets.append(Array(delivery.bytes[(index * size)..<((index + 1) * size)]))
        }
      }
      for one in delivery.descriptions {
        let start = Int(one.mStartOffset)
        result.packets.append(Array(delivery.bytes[start..<(start + Int(one.mDataByteSize))]))
        result.frames.append(one.mVariableFramesInPacket)
      }
    }
  }
}

@Suite struct PacketStreamTests {
  static let sources: [(name: String, arguments: [String])] = [
    ("a.aac", ["-c:a", "aac"]),
    ("a.mp3", ["-c:a", "libmp3lame", "-q:a", "4", "-write_id3v1", "1"]),
    ("bare.mp3", ["-c:a", "libmp3lame", "-id3v2_version", "0", "-write_xing", "0"]),
    ("a.mp2", ["-c:a", "mp2"]), ("a.ac3", ["-c:a", "ac3"]), ("a.eac3", ["-c:a", "eac3"]),
    ("a.wav", []), ("float.wav", ["-c:a", "pcm_f32le"]), ("a.w64", []), ("a.aif", []),
    ("ima.aifc", ["-c:a", "adpcm_ima_qt"]), ("a.au", []), ("pcm.caf", ["-c:a", "pcm_s24le"]),
    ("a.flac", ["-c:a", "flac"]),
    ("a.m4a", ["-c:a", "aac", "-movflags", "+faststart"]),
    ("alac.m4a", ["-c:a", "alac", "-movflags", "+faststart"]),
    (
      "frag.mp4",
      [
        "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration",
        "200000",
      ]
    ),
    // More than the stream keeps behind the place that it reads.
    ("lossless-fragment.mp4", ["-c:a", "alac", "-movflags", "frag_keyframe+empty_moov"]),
    ("o.ogg", ["-c:a", "libopus", "-ar", "48000"]), ("v.ogg", ["-c:a", "libvorbis"]),
    ("f.oga", ["-c:a", "flac"]),
    ("opus.mp4", ["-c:a", "libopus", "-ar", "48000", "-movflags", "+faststart"]),
  ]

  private func hint(_ name: String) -> AudioFileTypeID {
    switch name.split(separator: ".").last {
    case "mp3": kAudioFileMP3Type
    case "mp2": kAudioFileMP2Type
    case "aac": kAudioFileAAC_ADTSType
    case "ac3", "eac3": kAudioFileAC3Type
    default: 0
    }
  }

  private func check(_ bytes: [UInt8], _ hint: AudioFileTypeID, _ size: () -> Int) throws {
    let file = try PacketFile.open(MemoryStore(bytes), hint: hint)
    let expected = try file.allPackets()
    let found = try streamed(bytes, hint: hint, size: size)
    #expect(found.readyCount == 1)
    // Compared as a whole first: a difference of thousands of packets is no message.
    try #require(found.packets.count == expected.count)
    for index in expected.indices { try #require(found.packets[index] == expected[index]) }
    let opened = try #require(found.stream.file)
    #expect(opened.type == file.type)
    #expect(opened.cookie == file.cookie)
    #expect(FormatBytes(opened.format) == FormatBytes(file.format))
    // Fragments are not counted before they come.
    if !opened.cookie.isEmpty, opened.type != kAudioFileMPEG4Type {
      #expect(opened.byteCount() == file.byteCount())
    }
  }

  @Test("Random pieces produce the packets of the file", arguments: sources)
  func randomPieces(source: (name: String, arguments: [String])) throws {
    let folder = try TemporaryFolder()
    let path = try made(source.name, in: folder, source.arguments, seconds: 1)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var random = SeededGenerator(seed: 2201)
    for largest in [50, 3000, 100_000] {
      try check(bytes, hint(source.name)) { Int.random(in: 1...largest, using: &random) }
    }
    try check(bytes, hint(source.name)) { bytes.count }
  }

  @Test("One byte at a time", arguments: sources)
  func singleBytes(source: (name: String, arguments: [String])) throws {
    let folder = try TemporaryFolder()
    let path = try made(source.name, in: folder, source.arguments + ["-ac", "1"], seconds: 0.2)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    try check(bytes, hint(source.name)) { 1 }
  }

  @Test(
    "Ogg streams one after the other are refused in pieces, as in a file",
    arguments: [("o.ogg", "libopus"), ("v.ogg", "libvorbis"), ("f.oga", "flac")])
  func chains(name: String, codec: String) throws {
    let folder = try TemporaryFolder()
    let path = try made(name, in: folder, ["-c:a", codec, "-ar", "48000"], seconds: 0.5)
    let one = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 2, 0, 0]
    for bytes in [one + one, one + tag + one] {
      #expect(throws: AudioFileFailure.dataFormat) {
        try PacketFile.open(MemoryStore(bytes)).allPackets()
      }
      #expect(throws: AudioFileFailure.dataFormat) { try streamed(bytes) { 1000 } }
    }
    #expect(try PacketFile.open(MemoryStore(one + tag)).allPackets().count > 3)
  }

  @Test("Frames behind and between other bytes are found as in the file")
  func garbage() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 5)
    for source in Self.sources[..<6] {
      let path = try made(source.name, in: folder, source.arguments, seconds: 1)
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
      bytes.insert(contentsOf: noise, at: bytes.count / 2)
      bytes.removeLast(100)
      try check(bytes, hint(source.name)) { Int.random(in: 1...2000, using: &random) }
    }
  }

  @Test("The sound is delivered while it comes, not at the end")
  func early() throws {
    let folder = try TemporaryFolder()
    for source in Self.sources {
      let path = try made(source.name, in: folder, source.arguments, seconds: 2)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      var result = Streamed(stream: PacketStream(hint: hint(source.name)))
      try feed(Array(bytes[..<(bytes.count * 3 / 4)]), &result)
      let all = try PacketFile.open(MemoryStore(bytes), hint: hint(source.name)).packetCount()
      // Pages of Ogg hold up to a second.
      let least = source.name.contains("og") ? 0.3 : 0.6
      #expect(Double(result.packets.count) > least * Double(all), "\(source.name)")
    }
  }

  @Test("After a gap the next packets are found; tables of packets cannot say where they are")
  func gaps() throws {
    let folder = try TemporaryFolder()
    for name in ["a.mp3", "a.aac", "a.flac", "o.opus"] {
      let path = try made(name, in: folder, [], seconds: 4)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let all = try PacketFile.open(MemoryStore(bytes), hint: hint(name)).allPackets()
      var result = Streamed(stream: PacketStream(hint: hint(name)))
      try feed(Array(bytes[..<(bytes.count / 3)]), &result)
      let before = result.packets.count
      #expect(before > 6)
      try feed(Array(bytes[(bytes.count / 2 + 1)...]), &result, isDiscontinuous: true)
      try feed([], &result)
      #expect(result.packets[..<before] == all[..<before])
      let behind = result.packets[before...]
      #expect(behind.count > all.count / 3, "\(name)")
      #expect(Array(behind) == Array(all.suffix(behind.count)), "\(name)")
    }
    let path = try made(
      "a.m4a", in: folder, ["-c:a", "aac", "-movflags", "+faststart"], seconds: 2)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var result = Streamed(stream: PacketStream())
    try feed(Array(bytes[..<(bytes.count / 2)]), &result)
    #expect(throws: AudioFileFailure.lost) {
      try feed(Array(bytes[(bytes.count / 2 + 9)...]), &result, isDiscontinuous: true)
    }
  }

  @Test("Seeking reports where a packet begins, and continues there")
  func seeking() throws {
    let folder = try TemporaryFolder()
    for source in Self.sources where source.name != "a.eac3" && !source.name.contains("frag") {
      guard !source.arguments.contains("libvorbis"), !source.name.hasPrefix("o."),
        source.name != "f.oga"
      else { continue }
      let path = try made(source.name, in: folder, source.arguments, seconds: 2)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let file = try PacketFile.open(MemoryStore(bytes), hint: hint(source.name))
      let all = try file.allPackets()
      var result = Streamed(stream: PacketStream(hint: hint(source.name)))
      try feed(Array(bytes[..<(bytes.count / 2)]), &result)
      let packet = result.packets.count / 2
      let (offset, isEstimate) = try result.stream.seek(toPacket: Int64(packet))
      #expect(!isEstimate)
      result.packets = []
      let start = Int(try #require(result.stream.file).soundOffset + offset)
      try feed(Array(bytes[start..<(start + 2000)]), &result)
      try feed(Array(bytes[(start + 2000)...]), &result)
      try feed([], &result)
      try #require(result.packets.count == all.count - packet, "\(source.name)")
      #expect(result.packets == Array(all[packet...]), "\(source.name)")
    }
    // Behind the received bytes: a guess, from which the next packet is found.
    let bytes = [UInt8](
      try Data(contentsOf: URL(filePath: try made("b.mp3", in: folder, ["-b:a", "96k"]))))
    var result = Streamed(stream: PacketStream(hint: kAudioFileMP3Type))
    try feed(Array(bytes[..<(bytes.count / 4)]), &result)
    let (offset, isEstimate) = try result.stream.seek(toPacket: 60)
    #expect(isEstimate)
    result.packets = []
    let start = Int(try #require(result.stream.file).soundOffset + offset)
    try feed(Array(bytes[start...]), &result)
    let all = try PacketFile.open(MemoryStore(bytes)).allPackets()
    #expect(abs(all.count - 60 - result.packets.count) < 6)
    #expect(result.packets == Array(all.suffix(result.packets.count)))
    #expect(throws: AudioFileFailure.packet) { try result.stream.seek(toPacket: -1) }
  }

  @Test("A packet table behind the sound has a separate status")
  func notOptimized() throws {
    let folder = try TemporaryFolder()
    for (name, arguments) in [("a.m4a", ["-c:a", "aac"]), ("alac.caf", ["-c:a", "alac"])] {
      let path = try made(name, in: folder, arguments)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      var result = Streamed(stream: PacketStream())
      #expect(throws: AudioFileFailure.notOptimized, "\(name)") {
        try feed(Array(bytes[..<8000]), &result)
      }
      #expect(throws: AudioFileFailure.notOptimized) { try feed([1], &result) }
    }
    var result = Streamed(stream: PacketStream())
    #expect(throws: AudioFileFailure.fileType) {
      let words = "what is no sound at all, but a row of words without any meaning"
      try feed(Array(words.utf8), &result)
      try feed([], &result)
    }
  }
}

/// A format, to be compared.
struct FormatBytes: Equatable {
  private let values: [Double]
  init(_ format: AudioStreamBasicDescription) {
    values =
      [format.mSampleRate]
      + [
        format.mFormatID, format.mFormatFlags, format.mBytesPerPacket, format.mFramesPerPacket,
        format.mBytesPerFrame, format.mChannelsPerFrame, format.mBitsPerChannel,
      ].map(Double.init)
  }
}
