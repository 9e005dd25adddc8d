// Files of other programs through the codec: containers, tracks, videos, lists, claims of size.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

/// The program `ffmpeg`, if it is installed.
let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

extension CodecTests {
  /// Runs ffmpeg in a folder.
  func make(_ folder: TemporaryFolder, _ arguments: String) throws {
    let program = try #require(ffmpeg)
    let result = try runProcess(
      program,
      ["-v", "error", "-nostdin", "-y"] + arguments.split(separator: " ").map(String.init),
      in: folder.path)
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  private func source(_ folder: TemporaryFolder, frames: Int = 50_001) throws {
    try writeFile(
      folder.file("in.wav"), Self.click(frames: frames, at: 20_000),
      Self.format(.wav, .pcm16, rate: 44_100))
  }

  @Test(
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
    arguments: [
      ("a.m4a", "-c:a aac", AudioContainer.m4a, AudioEncoding.aac, true),
      ("a.mp4", "-f lavfi -i testsrc=d=1.5:s=64x64 -c:v mpeg4 -c:a aac", .m4a, .aac, true),
      ("a.mov", "-f lavfi -i testsrc=d=1.5:s=64x64 -c:v mpeg4 -c:a pcm_s16le", .m4a, .pcm16, true),
      ("a.mkv", "-f lavfi -i testsrc=d=1.5:s=64x64 -c:v mpeg4 -c:a flac", .mka, .pcm16, true),
      (
        "a.avi", "-f lavfi -i testsrc=d=1.5:s=64x64 -c:v mpeg4 -c:a pcm_s16le", .other, .pcm16, true
      ),
      ("a.mka", "-c:a alac", .mka, .alac16, true),
      ("a.wav", "-c:a libmp3lame", .wav, .mpegLayer3, false),
      ("a.webm", "-c:a libopus -ar 48000", .other, .opus, false),
      ("a.wma", "-c:a wmav2", .other, .wma, false), ("a.mp2", "-c:a mp2", .mp3, .mpegLayer2, false),
      ("a.ts", "-c:a mp2", .other, .mpegLayer2, false), ("a.oga", "-c:a flac", .ogg, .pcm16, true),
      ("a.spx", "-c:a libspeex -ar 16000", .ogg, .other, false),
      ("b.wav", "-c:a mp2", .wav, .mpegLayer2, false), ("c.wav", "-c:a ac3", .wav, .ac3, false),
      ("d.wav", "-c:a adpcm_yamaha", .wav, .other, false),
      ("a.voc", "-c:a pcm_s16le", .voc, .pcm16, true),
    ])
  func otherPrograms(
    name: String, options: String, container: AudioContainer, encoding: AudioEncoding,
    isExact: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try source(folder)
    try make(folder, "-i in.wav \(options) \(name)")
    let (channels, reader) = try readFile(folder.file(name))
    #expect(reader.format.container == container)
    #expect(reader.format.encoding == encoding)
    #expect(channels.count == 2)
    if isExact {
      #expect(channels[0].count == 50_001, "\(name)")
      #expect(Self.peak(channels[0]) == 20_000, "\(name)")
    } else {
      let scale = reader.format.sampleRate / 44_100
      #expect(abs(Double(channels[0].count) / scale - 50_001) < 6_000, "\(name)")
      #expect(abs(Double(Self.peak(channels[0])) / scale - 20_000) < 3_000, "\(name)")
    }
  }

  /// The priming that an AC-3 encoder adds before the sound is left out, once, in every kind of file.
  @Test(
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
    arguments: [
      ("-i in.wav -c:a ac3", "a.ac3"), ("-i in.wav -c:a ac3", "a.mka"),
      ("-i in.wav -c:a eac3", "b.mka"), ("-i in.wav -c:a ac3", "a.ts"),
      ("-i in.wav -c:a ac3", "a.avi"), ("-i in.wav -c:a ac3", "a.mp4"),
      ("-i in.wav -c:a ac3", "a.wav"), ("-i bare.ac3 -c:a copy", "copy.mp4"),
      ("-i bare.ac3 -c:a copy", "copy.mkv"),
    ])
  func leadsOfAC3(options: String, name: String) throws {
    let folder = try TemporaryFolder()
    try source(folder)
    try make(folder, "-i in.wav -c:a ac3 bare.ac3")
    try make(folder, "\(options) \(name)")
    let (channels, reader) = try readFile(folder.file(name))
    #expect(Self.peak(channels[0]) == 20_000, "\(name)")
    // Only the times of an edit list are rounded, to milliseconds.
    #expect(channels[0].count >= 50_001 - 45 && channels[0].count < 50_001 + 2 * 1_536)
    #expect(reader.frameCount.map { abs($0 - channels[0].count) < 100 } ?? true)
  }

  /// Among several sound tracks the default one is chosen, else the first; the reader says so.
  @Test(.enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
  func severalTracks() throws {
    let folder = try TemporaryFolder()
    try source(folder)
    let two = "-i in.wav -f lavfi -i sine=500:r=44100:d=1 -map 0 -map 1 -c:a flac"
    try make(folder, "\(two) -disposition:a:0 0 -disposition:a:1 default second.mka")
    try make(folder, "\(two) -disposition:a:0 default -disposition:a:1 0 first.mka")
    let first = try AudioFileReader(path: folder.file("first.mka"))
    #expect(first.notes == ["it holds 2 sound tracks: track 1 was taken"])
    #expect(first.format.channelCount == 2)
    let second = try AudioFileReader(path: folder.file("second.mka"))
    #expect(second.notes == ["it holds 2 sound tracks: track 2 was taken"])
    #expect(second.format.channelCount == 1)
    // Another one by its number.
    func open(_ name: String, track: Int) throws(AuricleError) -> AudioFileReader {
      try AudioFileReader(
        descriptor: InputFile.open(folder.file(name)), path: folder.file(name), track: track)
    }
    let other = try open("first.mka", track: 2)
    #expect(other.notes == ["it holds 2 sound tracks: track 2 was taken"])
    #expect(other.format.channelCount == 1)
    #expect(try open("second.mka", track: 1).format.channelCount == 2)
    #expect(try open("in.wav", track: 1).format.channelCount == 2)
    for (name, track) in [("first.mka", 3), ("in.wav", 2)] {
      let error = try #require(failure { _ = try open(name, track: track) })
      #expect(
        error.message.contains("holds no sound track \(track) that can be read: give another"))
      #expect(error.category == .badData)
      #expect(error.cause == .noSuchTrack)
    }
  }

  /// Parts of a file that a decoder passes over are damage, and so are missing ones.
  @Test(
    .enabled(if: ffmpeg != nil, "ffmpeg is not installed"),
    arguments: [
      ("a.oga", "-c:a flac", true), ("a.spx", "-c:a libspeex -ar 16000", true),
      ("a.mka", "-c:a libopus -ar 48000", true), ("a.mkv", "-c:a aac", true),
      ("a.webm", "-c:a libopus -ar 48000", true), ("a.wv", "-c:a wavpack", false),
      ("a.wav", "-c:a mp2", false), ("a.voc", "-c:a pcm_s16le", false),
    ])
  func lostParts(name: String, options: String, findsZeros: Bool) throws {
    let folder = try TemporaryFolder()
    try writeFile(
      folder.file("in.wav"), RoundTripTests.signal(channels: 2, frames: 300_000, rate: 44_100),
      Self.format(.wav, .pcm16, rate: 44_100))
    try make(folder, "-i in.wav \(options) \(name)")
    let whole = try bytes(of: folder.file(name))
    #expect(failure { _ = try readFile(folder.file(name)) } == nil)
    try put(Array(whole.prefix(whole.count * 6 / 10)), folder.file("cut-\(name)"))
    #expect(failure { _ = try readFile(folder.file("cut-\(name)")) }?.category == .badData)
    guard findsZeros else { return }
    var zeros = whole
    let middle = whole.count / 2
    zeros.replaceSubrange(middle..<middle + 2000, with: [UInt8](repeating: 0, count: 2000))
    try put(zeros, folder.file("zeros-\(name)"))
    #expect(failure { _ = try readFile(folder.file("zeros-\(name)")) }?.category == .badData)
  }

  @Test(.enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
  func videosSaySo() throws {
    let folder = try TemporaryFolder()
    try source(folder)
    try make(
      folder, "-i in.wav -f lavfi -i testsrc=d=1:s=64x64 -c:v mpeg4 -c:a aac -shortest a.mp4")
    try make(folder, "-i in.wav a.m4a")
    #expect(try AudioFileReader(path: folder.file("a.mp4")).video != nil)
    #expect(try AudioFileReader(path: folder.file("a.m4a")).video == nil)
  }

  /// Nothing is written to WebM that it does not support.
  @Test func webmIsNotWritten() {
    #expect(AudioContainer(named: "webm") == nil)
    #expect(AudioContainer(named: "mkv") == .mka)
  }

  @Test(.enabled(if: ffmpeg != nil, "ffmpeg is not installed"))
  func videoWithoutSound() throws {
    let folder = try TemporaryFolder()
    for name in ["silent.mp4", "silent.mkv", "silent.avi"] {
      try make(folder, "-f lavfi -i testsrc=d=0.5:s=64x64 -c:v mpeg4 \(name)")
      let error = try #require(failure { _ = try AudioFileReader(path: folder.file(name)) })
      #expect(error.message == "\(folder.file(name)) holds no sound track")
      #expect(error.category == .badData)
    }
  }

  /// Files that refer to others get nothing but themselves read.
  @Test func listsOfFilesAreNotFollowed() throws {
    let folder = try TemporaryFolder()
    try source(folder)
    let lists = [
      "#EXTM3U\n#EXTINF:1,\n\(folder.file("in.wav"))\n", "ffconcat version 1.0\nfile in.wav\n",
      "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n",
    ]
    for list in lists {
      try put(Array(list.utf8), folder.file("list"))
      let error = try #require(failure { _ = try AudioFileReader(path: folder.file("list")) })
      #expect(error.message.contains("no audio file of a known kind"), "\(error)")
    }
  }

  /// Claims in headers are not believed with memory.
  @Test func hugeClaims() throws {
    let folder = try TemporaryFolder()
    var whole = try sound(.m4a, .alac24)
    // Every size and count of the index becomes enormous, one after the other.
    let index = try #require(whole.firstRange(of: Array("moov".utf8)))
    for offset in stride(from: index.upperBound, to: whole.count - 4, by: 4) {
      let kept = Array(whole[offset..<offset + 4])
      whole.replaceSubrange(offset..<offset + 4, with: [0x7F, 0xFF, 0xFF, 0xF0])
      try put(whole, folder.file("huge.m4a"))
      if let error = failure({ _ = try readFile(folder.file("huge.m4a")) }) {
        #expect([.badData, .inputOutput].contains(error.category), "\(error)")
      }
      whole.replaceSubrange(offset..<offset + 4, with: kept)
    }
  }
}
