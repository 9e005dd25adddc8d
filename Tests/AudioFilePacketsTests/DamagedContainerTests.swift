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

  @Test("Frames changed at random", arguments: ["a.mp3", "a.aac", "a.ac3", "a.flac", "alac.caf"])
  func damagedFrames(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try made(name, in: folder, ["-ac", "1"], seconds: 0.3)
    try mutate([UInt8](try Data(contentsOf: URL(filePath: path))), rounds: 400)
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

  @Test("What is no sound file has one status each")
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
    // Who writes holds it alone among those who write; readers may come.
    #expect(status(folder("a.wav"), writable: true) == .permission)
    #expect(status(folder("a.wav")) == nil)
    #expect(throws: AudioFileFailure.permission) {
      try FileStore(creating: folder("a.wav"), erasing: false)
    }
    withExtendedLifetime(held) {}
  }
}
