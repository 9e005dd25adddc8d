// Compressed packets: copied between containers without decoding, read in any order.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite struct PacketCopyTests {
  static let sources: [(name: String, arguments: [String], own: String?)] = [
    ("a.aac", ["-c:a", "aac", "-b:a", "96k"], "adts"),
    ("a.mp3", ["-c:a", "libmp3lame", "-q:a", "4"], "MPG3"),
    ("low.mp3", ["-c:a", "libmp3lame", "-b:a", "32k", "-ar", "16000", "-ac", "1"], "MPG3"),
    ("a.mp2", ["-c:a", "mp2"], "MPG2"), ("a.ac3", ["-c:a", "ac3"], "ac-3"),
    ("a.eac3", ["-c:a", "eac3"], "ac-3"), ("a.flac", ["-c:a", "flac"], "flac"),
    ("alac.caf", ["-c:a", "alac"], "caff"),
    ("opus.caf", ["-c:a", "libopus", "-ar", "48000"], "caff"),
    ("ima.aifc", ["-c:a", "adpcm_ima_qt"], "AIFC"), ("a.m4a", ["-c:a", "aac"], "m4af"),
    ("alac.m4a", ["-c:a", "alac", "-sample_fmt", "s16p"], "m4af"),
    ("flac.mp4", ["-c:a", "flac", "-strict", "-2"], "mp4f"),
    ("opus.mp4", ["-c:a", "libopus", "-ar", "48000"], "mp4f"),
    ("ac3.mp4", ["-c:a", "ac3"], "mp4f"), ("mp3.mp4", ["-c:a", "libmp3lame"], "mp4f"),
    ("o.ogg", ["-c:a", "libopus", "-ar", "48000"], "OggS"), ("f.oga", ["-c:a", "flac"], "OggS"),
  ]

  private func copy(_ source: PacketFile, _ path: String, _ type: AudioFileTypeID) throws {
    let copy = try PacketFile.create(
      FileStore(creating: path, erasing: true), type: type, format: source.format)
    if copy.stores(kAudioFilePropertyMagicCookieData), !source.cookie.isEmpty {
      try copy.setCookie(source.cookie)
    }
    let packets = try source.allPackets()
    if source.format.mBytesPerPacket > 0 {
      try copy.write(packets.flatMap { $0 })
    } else {
      try copy.append(packets)
    }
    if let trim = try source.packetTrim(), copy.stores(kAudioFilePropertyPacketTableInfo) {
      try copy.setTrim(trim)
    }
    try copy.flush()
  }

  @Test(
    "Packets go through CAF and back unchanged, and ffmpeg decodes the same", arguments: sources)
  func copies(source: (name: String, arguments: [String], own: String?)) throws {
    let folder = try TemporaryFolder()
    let path = try made(source.name, in: folder, source.arguments)
    let file = try PacketFile.open(FileStore(opening: path, writable: false))
    let packets = try file.allPackets()
    #expect(packets.count > 15)
    if source.name != "a.eac3" {
      try copy(file, folder("copy.caf"), kAudioFileCAFType)
      let copied = try PacketFile.open(FileStore(opening: folder("copy.caf"), writable: false))
      #expect(try copied.allPackets() == packets)
      #expect(copied.cookie == file.cookie)
      #expect(try decodedSum(folder("copy.caf")) == decodedSum(path))
      if let own = source.own {
        let back = folder("back-" + source.name)
        try copy(copied, back, code(own))
        let again = try PacketFile.open(FileStore(opening: back, writable: false))
        #expect(try again.allPackets() == packets)
        #expect(try decodedSum(back) == decodedSum(path))
      }
    }
  }

  @Test("Packets at random places are those of a read from the start", arguments: sources)
  func randomPlaces(source: (name: String, arguments: [String], own: String?)) throws {
    let folder = try TemporaryFolder()
    let path = try made(source.name, in: folder, source.arguments)
    let all = try PacketFile.open(FileStore(opening: path, writable: false)).allPackets()
    var random = SeededGenerator(seed: 99)
    // A fresh file now and then: nothing of it is known.
    var file = try PacketFile.open(FileStore(opening: path, writable: false))
    for round in 0..<10_000 {
      if round % 2000 == 0 { file = try PacketFile.open(FileStore(opening: path, writable: false)) }
      let start = Int.random(in: 0..<all.count, using: &random)
      let count = Int.random(in: 1...4, using: &random)
      let found = try file.packets(from: Int64(start), count: UInt32(count))
      try #require(found == Array(all[start...].prefix(count)), "round \(round)")
    }
  }

  @Test("An encoder's additions are reported: the valid frames are those of the source")
  func trims() throws {
    let folder = try TemporaryFolder()
    for (name, arguments) in [
      ("a.mp3", ["-c:a", "libmp3lame"]), ("a.flac", ["-c:a", "flac"]),
      ("a.m4a", ["-c:a", "aac"]), ("alac.m4a", ["-c:a", "alac"]),
    ] {
      let path = try made(name, in: folder, arguments)
      let file = try PacketFile.open(FileStore(opening: path, writable: false))
      #expect(try #require(try file.packetTrim()).mNumberValidFrames == 88200)
      let trim = try #require(try file.packetTrim())
      let sum = trim.mNumberValidFrames + Int64(trim.mPrimingFrames + trim.mRemainderFrames)
      #expect(try file.totalFrameCount() == sum)
    }
  }

  @Test("Texts of a tag in front of frames are read")
  func tags() throws {
    let folder = try TemporaryFolder()
    for arguments in [["-id3v2_version", "3"], ["-id3v2_version", "4"]] {
      let path = try made("t.mp3", in: folder, ["-c:a", "libmp3lame"] + arguments)
      let file = try PacketFile.open(FileStore(opening: path, writable: false))
      #expect(try file.storedInfo()["title"] == "Of a test")
    }
    let path = try made("t.flac", in: folder, ["-c:a", "flac"])
    let file = try PacketFile.open(FileStore(opening: path, writable: false))
    #expect(try file.storedInfo()["title"] == "Of a test")
  }

  @Test("Packets that differ in size can be appended only, and only where the sound ends")
  func appending() throws {
    let store = MemoryStore()
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatMPEG4AAC
    format.mSampleRate = 44100
    format.mChannelsPerFrame = 2
    let file = try PacketFile.create(store, type: kAudioFileCAFType, format: format)
    #expect(file.format.mFramesPerPacket == 1024)
    try file.reserve(seconds: 60)
    try file.append([[1, 2, 3], [4], []])
    #expect(throws: AudioFileFailure.packet) { try file.append([[9]], from: 1) }
    #expect(throws: AudioFileFailure.unsupported) {
      try file.writeZeros()
    }
    try file.flush()
    // The table found the room that was kept for it in front of the sound.
    #expect(file.isOptimized)
    let again = try PacketFile.open(store, isWritable: true)
    try again.append([[5, 6]], from: 3)
    try again.flush()
    let last = try PacketFile.open(MemoryStore(store.bytes))
    #expect(try last.allPackets() == [[1, 2, 3], [4], [], [5, 6]])
    #expect(try last.totalFrameCount() == 4096)
    #expect(throws: AudioFileFailure.parameter) {
      try again.setTrim(
        AudioFilePacketTableInfo(mNumberValidFrames: 1, mPrimingFrames: 0, mRemainderFrames: 0))
    }
  }
}
