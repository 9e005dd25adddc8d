// MP4, Ogg, FLAC and AMR of this library's making: read by other programs, and changed later.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite struct WrittenContainerTests {
  private func open(_ path: String, writable: Bool = false) throws -> PacketFile {
    try PacketFile.open(
      FileStore(opening: path, writable: writable),
      fileExtension: String(path.split(separator: ".").last ?? ""), isWritable: writable)
  }

  /// Copies packets, cookie, texts and trim; a few packets at a time.
  @discardableResult
  private func copy(_ source: PacketFile, _ path: String, _ type: String) throws -> PacketFile {
    let copy = try PacketFile.create(
      FileStore(creating: path, erasing: true), type: code(type), format: source.format)
    if !source.cookie.isEmpty, copy.stores(kAudioFilePropertyMagicCookieData) {
      try copy.setCookie(source.cookie)
    }
    let packets = try source.allPackets()
    for start in stride(from: 0, to: packets.count, by: 7) {
      try copy.append(Array(packets[start...].prefix(7)), from: Int64(start))
    }
    if let trim = try source.packetTrim(), copy.stores(kAudioFilePropertyPacketTableInfo) {
      try copy.setTrim(trim)
    }
    // Read through the same handle, before anything is closed.
    #expect(try copy.packets(from: 3, count: 2) == Array(packets[3..<5]))
    try copy.flush()
    return copy
  }

  private func samples(_ path: String) throws -> String {
    let result = try runProcess("ffmpeg", ["-v", "error", "-i", path, "-f", "md5", "-"])
    try #require(result.exitCode == 0 && result.standardError.isEmpty, "\(result.summary)")
    return result.standardOutput
  }

  @Test("From one container to the next and back: the packets, the trim and the decoded sum stay")
  func circles() throws {
    let folder = try TemporaryFolder()
    for (name, arguments, types) in [
      ("a.m4a", ["-c:a", "aac"], ["caff", "mp4f", "m4bf", "3gpp", "3gp2", "m4af"]),
      ("alac.m4a", ["-c:a", "alac"], ["caff", "mp4f", "m4af"]),
      ("o.ogg", ["-c:a", "libopus", "-ar", "48000"], ["caff", "mp4f", "OggS"]),
      ("v.ogg", ["-c:a", "libvorbis"], ["OggS"]),
      ("a.flac", ["-c:a", "flac"], ["caff", "mp4f", "OggS", "flac"]),
      ("a.mp3", ["-c:a", "libmp3lame"], ["mp4f", "caff"]),
      ("a.ac3", ["-c:a", "ac3"], ["mp4f", "caff", "ac-3"]),
    ] {
      let first = try open(try made(name, in: folder, arguments))
      let packets = try first.allPackets()
      let sum = try decodedSum(folder(name))
      var source = first
      for type in types {
        let path = folder("copy-\(type).\(name.split(separator: ".").last ?? "")")
        try copy(source, path, type)
        source = try open(path)
        #expect(source.type == code(type))
        #expect(try source.allPackets() == packets, "\(name) in \(type)")
        if let trim = try first.packetTrim(), let found = try source.packetTrim() {
          #expect(found.mNumberValidFrames == trim.mNumberValidFrames, "\(name) in \(type)")
          #expect(found.mPrimingFrames == trim.mPrimingFrames, "\(name) in \(type)")
        }
        #expect(try decodedSum(path) == sum, "\(name) in \(type)")
      }
      // The last one is of the first one's kind: others drop the same frames, too.
      if ["a.m4a", "alac.m4a", "o.ogg", "v.ogg", "a.flac"].contains(name) {
        #expect(try source.packetTrim()?.mRemainderFrames == first.packetTrim()?.mRemainderFrames)
        let last = folder("copy-\(types.last ?? "").\(name.split(separator: ".").last ?? "")")
        #expect(try samples(last) == samples(folder(name)), "\(name)")
      }
    }
    let flac = try runProcess("flac", ["-t", "-s", folder("copy-flac.flac")])
    #expect(flac.exitCode == 0, "\(flac.summary)")
  }

  @Test("AAC goes through ADTS and comes back, without the facts that ADTS does not hold")
  func adts() throws {
    let folder = try TemporaryFolder()
    let source = try open(try made("a.m4a", in: folder, ["-c:a", "aac"]))
    try copy(source, folder("b.aac"), "adts")
    let bare = try open(folder("b.aac"))
    try copy(bare, folder("c.m4a"), "m4af")
    let back = try open(folder("c.m4a"))
    #expect(try back.allPackets() == source.allPackets())
    #expect(try back.packetTrim()?.mPrimingFrames == 0)
    #expect(try decodedSum(folder("c.m4a")) == decodedSum(folder("a.m4a")))
  }

  @Test(
    "Texts are stored, seen by others, and changed later",
    arguments: [
      ("a.m4a", "m4af"), ("o.ogg", "OggS"), ("v.ogg", "OggS"), ("a.flac", "flac"),
    ])
  func texts(name: String, type: String) throws {
    let folder = try TemporaryFolder()
    let source = try open(try made(name, in: folder, name == "o.ogg" ? ["-c:a", "libopus"] : []))
    let path = folder("copy." + name)
    var info = SoundInfo()
    info["title"] = "Ein Lied für alle"
    info["track number"] = "3/12"
    info["artist"] = String(repeating: "x", count: 300)
    let file = try copy(source, path, type)
    try file.setInfo(info)
    try file.flush()
    let packets = try source.allPackets()
    func check(_ title: String) throws {
      let again = try open(path)
      #expect(try again.storedInfo()["title"] == title)
      #expect(try again.storedInfo()["track number"] == "3/12")
      #expect(try again.allPackets() == packets)
      #expect(try again.packetTrim()?.mNumberValidFrames == source.packetTrim()?.mNumberValidFrames)
      let seen = try runProcess(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "format_tags=title:stream_tags=title", "-of", "csv=p=0",
          path,
        ])
      #expect(seen.standardOutput.contains(title), "\(seen.summary)")
      #expect(try samples(path) == samples(folder(name)))
    }
    try check("Ein Lied für alle")
    // Longer than the room in front, in a file that was closed.
    withExtendedLifetime(file) {}
    try file.flush()
    let long = String(repeating: "long title ", count: 900)
    let copied = folder("again." + name)
    try FileManager.default.copyItem(atPath: path, toPath: copied)
    let later = try open(copied, writable: true)
    info["title"] = long
    try later.setInfo(info)
    try later.flush()
    try later.optimize()
    #expect(later.isOptimized)
    let last = try open(copied)
    #expect(try last.storedInfo()["title"] == long)
    #expect(try last.allPackets() == packets)
    #expect(try samples(copied) == samples(folder(name)))
  }

  @Test("A long M4A has its header behind the sound, and in front of it once it is optimized")
  func optimizing() throws {
    let folder = try TemporaryFolder()
    let source = try open(try made("a.m4a", in: folder, ["-c:a", "aac"], seconds: 60))
    let packets = try source.allPackets()
    let file = try copy(source, folder("b.m4a"), "m4af")
    #expect(!file.isOptimized)
    let sum = try samples(folder("b.m4a"))
    try file.optimize()
    #expect(file.isOptimized)
    #expect(try file.allPackets() == packets)
    #expect(try samples(folder("b.m4a")) == sum)
    #expect(try samples(folder("a.m4a")) == sum)
    // Such a file can be streamed.
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder("b.m4a"))))
    #expect(try streamed(bytes) { 5000 }.packets == packets)
    // Room that was kept ahead makes it so at once.
    let kept = try PacketFile.create(
      FileStore(creating: folder("c.m4a"), erasing: true), type: kAudioFileM4AType,
      format: source.format)
    try kept.reserve(seconds: 70)
    try kept.setCookie(source.cookie)
    try kept.append(packets)
    try kept.flush()
    #expect(kept.isOptimized)
    #expect(try decodedSum(folder("c.m4a")) == decodedSum(folder("a.m4a")))
  }

  @Test("An MP4 file of any writer grows after it was closed")
  func growing() throws {
    let folder = try TemporaryFolder()
    for flags in ["+faststart", "+empty_moov"] {
      _ = try made("a.m4a", in: folder, ["-c:a", "aac", "-movflags", flags])
      if flags == "+empty_moov" {
        #expect(throws: AudioFileFailure.permission) { try open(folder("a.m4a"), writable: true) }
        continue
      }
      let file = try open(folder("a.m4a"), writable: true)
      let packets = try file.allPackets()
      let before = try #require(try file.packetTrim())
      for _ in 0..<2 {
        try file.append(Array(packets[10..<20]), from: file.packetCount())
        try file.flush()
      }
      let again = try open(folder("a.m4a"))
      #expect(try again.allPackets() == packets + packets[10..<20] + packets[10..<20])
      #expect(try again.packetTrim()?.mPrimingFrames == before.mPrimingFrames)
      #expect(try again.packetTrim()?.mNumberValidFrames == before.mNumberValidFrames + 20 * 1024)
      _ = try samples(folder("a.m4a"))
      #expect(try again.storedInfo()["title"] == "Of a test")
    }
  }

  @Test("Fragments are read like tables")
  func fragments() throws {
    let folder = try TemporaryFolder()
    let plain = try open(try made("a.m4a", in: folder, ["-c:a", "aac"]))
    let copied = try runProcess(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", folder("a.m4a"), "-c", "copy", "-movflags",
        "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "300000",
        folder("f.mp4"),
      ])
    try #require(copied.exitCode == 0, "\(copied.summary)")
    let file = try open(folder("f.mp4"))
    #expect(try file.allPackets() == plain.allPackets())
    #expect(file.cookie.count > 30)
  }

  @Test("Speech of telephones: by its own container, in 3GP and back")
  func speech() throws {
    let folder = try TemporaryFolder()
    for (id, size, rate, fill) in [
      (kAudioFormatAMR, 32, 8000.0, UInt8(0x3C)), (kAudioFormatAMR_WB, 61, 16000.0, 0x44),
    ] {
      var format = AudioStreamBasicDescription()
      format.mFormatID = id
      format.mSampleRate = rate
      format.mChannelsPerFrame = 1
      let packets = (0..<60).map { [fill] + [UInt8](repeating: UInt8($0), count: size - 1) }
      for type in ["amrf", "3gpp"] {
        let path = folder("s-\(id).\(type)")
        let file = try PacketFile.create(
          FileStore(creating: path, erasing: true), type: code(type), format: format)
        try file.append(packets)
        try file.flush()
        let again = try open(path)
        #expect(try again.allPackets() == packets)
        #expect(again.format.mFormatID == id && again.format.mSampleRate == rate)
        let seen = try runProcess(
          "ffprobe",
          ["-v", "error", "-show_entries", "stream=codec_name,sample_rate", "-of", "csv=p=0", path])
        let name = id == kAudioFormatAMR ? "amr_nb" : "amr_wb"
        #expect(seen.standardOutput.hasPrefix("\(name),\(Int(rate))"), "\(seen.summary)")
      }
    }
  }

  @Test("A long packet goes over pages, and the sum of lengths follows the packets")
  func longPackets() throws {
    let store = MemoryStore()
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatOpus
    format.mSampleRate = 48000
    format.mChannelsPerFrame = 2
    let file = try PacketFile.create(store, type: kAuricleAudioFileOggType, format: format)
    var random = SeededGenerator(seed: 12)
    let packets = (0..<40).map { index in
      [UInt8(0xFC)]
        + (0..<(index % 5 == 0 ? 200_000 : 255 * (index % 3))).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
    }
    try file.append(packets)
    try file.flush()
    let again = try PacketFile.open(MemoryStore(store.bytes))
    #expect(try again.allPackets() == packets)
    #expect(try again.totalFrameCount() == 40 * 960)
    #expect(try file.allPackets() == packets)
    for size in [1000, 70_000] {
      #expect(try streamed(store.bytes) { size }.packets == packets)
    }
  }

  @Test("Formats that a container cannot hold are refused before anything of an old file is lost")
  func refusals() throws {
    for (type, format) in [
      ("m4af", kAudioFormatMPEGLayer3), ("m4af", kAudioFormatLinearPCM),
      ("OggS", kAudioFormatMPEG4AAC), ("flac", kAudioFormatAppleLossless),
      ("amrf", kAudioFormatOpus), ("3gpp", kAudioFormatFLAC),
    ] {
      var description = AudioStreamBasicDescription()
      description.mFormatID = format
      description.mSampleRate = 44100
      description.mChannelsPerFrame = 2
      let store = MemoryStore([1, 2, 3])
      #expect(throws: AudioFileFailure.dataFormat) {
        try PacketFile.create(store, type: code(type), format: description)
      }
      #expect(store.bytes == [1, 2, 3])
    }
  }
}
