// Damaged files: packets or a status, never a crash; full disks: a file that opens up to there.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite struct DamagedContainerTests {
  /// Reads all that there is to read.
  private func exhaust(_ file: PacketFile) throws {
    _ = try? file.marks()
    _ = try? file.storedInfo()
    _ = try? file.duration()
    for code in file.chunkCodes { _ = try? file.chunkBytes(code) }
    let count = try file.packetCount()
    _ = try file.packets(from: 0, count: UInt32(min(count, 50)))
    _ = try? file.packet(ofByte: file.byteCount() / 2)
    _ = try? file.frame(ofPacket: count / 2)
  }

  private func small(_ type: String) throws -> [UInt8] {
    let store = MemoryStore()
    let format = linear(["AIFF", "NeXT"].contains(type) ? 14 : 12, bits: 16, channels: 2)
    let file = try PacketFile.create(store, type: code(type), format: format, alignsSound: false)
    try file.write(samples(format, frames: 40, seed: 1))
    if type != "NeXT", type != "W64f", type != "RF64" {
      var marks = SoundMarks()
      marks.marks = [SoundMark(identifier: 1, frame: 3, name: "here")]
      try file.setMarks(marks, regions: false)
      var info = SoundInfo()
      info["title"] = "x"
      try file.setInfo(info)
    }
    try file.flush()
    return store.bytes
  }

  @Test(
    "Bytes changed at random", arguments: ["WAVE", "AIFF", "AIFC", "caff", "NeXT", "W64f", "RF64"])
  func damage(type: String) throws {
    let whole = try small(type)
    try mutate(whole, rounds: 4000)
  }

  @Test(
    "Frames changed at random",
    arguments: [
      "a.mp3", "a.aac", "a.ac3", "a.flac", "alac.caf", "a.m4a", "a.opus", "a.ogg", "frag.mp4",
    ])
  func damagedFrames(name: String) throws {
    let folder = try TemporaryFolder()
    let fragments = name == "frag.mp4" ? ["-movflags", "frag_keyframe+empty_moov"] : []
    let path = try made(name, in: folder, ["-ac", "1"] + fragments, seconds: 0.3)
    try mutate([UInt8](try Data(contentsOf: URL(filePath: path))), rounds: 400)
  }

  @Test("Pages of Ogg with impossible positions", arguments: ["a.opus", "a.ogg"])
  func pagesOutOfReach(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try made(name, in: folder, ["-ac", "1"], seconds: 0.3)
    let whole = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let packets = try PacketFile.open(MemoryStore(whole)).packetCount()
    let pages = whole.indices.filter { whole[$0...].starts(with: "OggS".utf8) }
    for position in [Int64.min, -2, 1 << 61, .max] {
      for few in [pages.prefix(3), pages.suffix(2), pages[...]] {
        var bytes = whole
        for page in few {
          for index in 0..<8 {
            bytes[page + 6 + index] = UInt8(truncatingIfNeeded: position >> (8 * Int64(index)))
          }
        }
        let file = try PacketFile.open(MemoryStore(bytes))
        #expect(try file.packetCount() == packets)
        _ = try file.duration()
      }
    }
  }

  private func mutate(_ whole: [UInt8], rounds: Int) throws {
    var random = SeededGenerator(seed: 4711)
    for _ in 0..<rounds {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let head = Int.random(in: 0..<3, using: &random) > 0
        let place = Int.random(in: 0..<(head ? min(200, bytes.count) : bytes.count), using: &random)
        bytes[place] =
          [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)].randomElement(
            using: &random) ?? 0
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      do {
        try exhaust(try PacketFile.open(MemoryStore(bytes)))
      } catch is AudioFileFailure {
      }
    }
  }

  /// A store that is full at some number of bytes.
  private final class FullStore: ByteStore {
    let memory = MemoryStore()
    let limit: Int64
    init(limit: Int64) { self.limit = limit }
    var byteCount: Int64 { get throws(AudioFileFailure) { memory.byteCount } }
    func read(
      at position: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(AudioFileFailure) -> Int { try unsafe memory.read(at: position, into: buffer) }
    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure) {
      guard position + Int64(bytes.count) <= limit else { throw .unspecified }
      try unsafe memory.write(bytes, at: position)
    }
    func resize(to byteCount: Int64) throws(AudioFileFailure) {
      guard byteCount <= limit else { throw .unspecified }
      try memory.resize(to: byteCount)
    }
  }

  @Test(
    "A full disk: the write fails, and the file opens up to there",
    arguments: ["WAVE", "caff", "AIFF", "W64f", "RF64", "NeXT"])
  func fullDisk(type: String) throws {
    let store = FullStore(limit: 1 << 20)
    let format = linear(["AIFF", "NeXT"].contains(type) ? 14 : 12, bits: 16, channels: 2)
    let file = try PacketFile.create(store, type: code(type), format: format)
    let block = samples(format, frames: 20_000, seed: 8)
    var written: Int64 = 0
    #expect(throws: AudioFileFailure.unspecified) {
      for _ in 0..<100 {
        try file.write(block, from: written)
        try file.flush()
        written += 20_000
      }
    }
    #expect(written > 200_000)
    let again = try PacketFile.open(MemoryStore(store.memory.bytes))
    #expect(try again.packetCount() >= written)
    #expect(try again.packets(from: 0, count: 20_000).flatMap { $0 } == block)
  }

  @Test(
    "A full disk: of packets that differ in size, the written ones can be read",
    arguments: ["caff", "m4af", "adts", "OggS", "flac"])
  func fullDiskOfPackets(type: String) throws {
    let store = FullStore(limit: 1 << 20)
    var format = AudioStreamBasicDescription()
    format.mFormatID =
      switch type {
      case "OggS": kAudioFormatOpus
      case "flac": kAudioFormatFLAC
      default: kAudioFormatMPEG4AAC
      }
    format.mSampleRate = type == "OggS" ? 48000 : 44100
    format.mChannelsPerFrame = 2
    let file = try PacketFile.create(store, type: code(type), format: format)
    let folder = try TemporaryFolder()
    // Frames of FLAC are found by their headers: real ones.
    let real = try PacketFile.open(
      FileStore(opening: try made("a.flac", in: folder, [], seconds: 20), writable: false))
    let packets =
      type == "flac"
      ? try real.allPackets()
      : (0..<6000).map { index in
        [UInt8(0xFC)] + (0..<(300 + index % 200)).map { UInt8(truncatingIfNeeded: $0 * index) }
      }
    var written: Int64 = 0
    #expect(throws: AudioFileFailure.unspecified) {
      for packet in packets {
        try file.append([packet], from: written)
        written += 1
      }
    }
    try? file.flush()
    let again = try PacketFile.open(
      MemoryStore(store.memory.bytes), hint: type == "adts" ? kAudioFileAAC_ADTSType : 0)
    let found = try again.allPackets()
    // All but the packets in memory, and the space of the packet table.
    #expect(Double(found.count) > 0.8 * Double(written), "\(found.count) of \(written)")
    #expect(found.dropLast() == packets[..<(found.count - 1)])
  }

  @Test("A full disk costs an existing file nothing when its texts change")
  func fullDiskOfTexts() throws {
    let folder = try TemporaryFolder()
    let path = try made("a.m4a", in: folder, ["-c:a", "aac", "-movflags", "+faststart"])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let store = FullStore(limit: Int64(bytes.count))
    try unsafe bytes.withUnsafeBytes { try unsafe store.memory.write($0, at: 0) }
    let file = try PacketFile.open(store, isWritable: true)
    let packets = try file.allPackets()
    var info = SoundInfo()
    info["title"] = String(repeating: "long ", count: 2000)
    try file.setInfo(info)
    #expect(throws: AudioFileFailure.unspecified) { try file.flush() }
    let again = try PacketFile.open(MemoryStore(store.memory.bytes))
    #expect(try again.allPackets() == packets)
    #expect(try again.storedInfo()["title"] == "Of a test")
  }

  @Test("A file that becomes shorter, or longer, while it is read")
  func changedFiles() throws {
    let folder = try TemporaryFolder()
    let path = try made("a.m4a", in: folder, ["-c:a", "aac", "-movflags", "+faststart"])
    let file = try PacketFile.open(FileStore(opening: path, writable: false))
    let packets = try file.allPackets()
    let whole = try Data(contentsOf: URL(filePath: path))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.truncate(atOffset: UInt64(whole.count / 2))
    let fresh = try PacketFile.open(FileStore(opening: path, writable: false))
    let left = try fresh.allPackets()
    #expect(left == Array(packets[..<left.count]) && left.count > packets.count / 4)
    var room = [UInt8](repeating: 0, count: 1 << 20)
    let delivery = try unsafe room.withUnsafeMutableBytes {
      try unsafe file.readPackets(from: 0, count: UInt32(packets.count), into: $0) { _, _ in }
    }
    // Data kept in memory may be read beyond the rest on the disk.
    #expect(Int(delivery.packetCount) >= left.count)
    #expect(delivery.isAtEnd || Int(delivery.packetCount) == packets.count)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: whole + whole)
    #expect(try file.packets(from: 5, count: 3) == Array(packets[5..<8]))
  }

  @Test("Files without sound have one status each")
  func statuses() throws {
    let folder = try TemporaryFolder()
    try folder.write("no sound at all, but words", to: "text.wav")
    try folder.write("", to: "empty.wav")
    func status(_ path: String, writable: Bool = false) -> AudioFileFailure? {
      do throws(AudioFileFailure) {
        _ = try PacketFile.open(FileStore(opening: path, writable: writable), isWritable: writable)
        return nil
      } catch { return error }
    }
    #expect(status(folder("text.wav")) == .fileType)
    #expect(status(folder("empty.wav")) == .fileType)
    #expect(status(folder("none.wav")) == .notFound)
    #expect(status(folder.path) == .fileType)
    #expect(status("/dev/null") == .fileType)
    let held = try PacketFile.create(
      FileStore(creating: folder("a.wav"), erasing: false), type: kAudioFileWAVEType,
      format: linear(12, bits: 16, channels: 1))
    try held.flush()
    // A writer excludes other writers; readers may come.
    #expect(status(folder("a.wav"), writable: true) == .permission)
    #expect(status(folder("a.wav")) == nil)
    #expect(throws: AudioFileFailure.permission) {
      try FileStore(creating: folder("a.wav"), erasing: false)
    }
    withExtendedLifetime(held) {}
  }
}
