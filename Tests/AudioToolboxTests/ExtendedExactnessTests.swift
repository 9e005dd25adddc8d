// Extended files against FFmpeg, libsndfile and flac, sample for sample; places; round trips.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let hasCodec = FileManager.default.fileExists(
  atPath: Places.builtProducts + "/Codecs/FFmpeg.so")
private let hasPrograms = ["ffmpeg", "sox", "flac"].allSatisfy {
  (try? runProcess("which", [$0]))?.exitCode == 0
}

@Suite(.enabled(if: hasCodec && hasPrograms, "the FFmpeg codec, ffmpeg, sox or flac is not there"))
struct ExtendedExactnessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func build(_ name: String) throws {
    let programs = CProgramTests()
    try programs.compile(
      name, to: folder(name), with: "clang",
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try programs.runtimeLibraries())])
  }

  private func tool(_ name: String, _ words: [String]) throws {
    let result = try runProcess(name, words)
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  private func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder(name)))
  }

  /// Files, the depth they are decoded to (32: floats), how ffmpeg makes them, and how far a place may be off.
  private static let files: [(name: String, bits: Int, options: [String], off: Double)] = [
    ("a.wav", 16, [], 0), ("b.wav", 24, ["-c:a", "pcm_s24le"], 0),
    ("c.aiff", 32, ["-c:a", "pcm_f32be"], 0), ("d.caf", 24, ["-c:a", "pcm_s24be"], 0),
    ("u.wav", 16, ["-c:a", "pcm_mulaw"], 0),
    ("a.flac", 16, ["-sample_fmt", "s16"], 0), ("b.flac", 24, ["-sample_fmt", "s32"], 0),
    ("l.m4a", 16, ["-c:a", "alac", "-sample_fmt", "s16p"], 0),
    ("a.m4a", 32, ["-c:a", "aac", "-aac_pns", "0", "-b:a", "128k"], 0),
    ("a.aac", 32, ["-c:a", "aac", "-aac_pns", "0"], 0),
    ("a.mp3", 32, ["-b:a", "160k"], 0), ("v.mp3", 32, ["-q:a", "3"], 0),
    ("low.mp3", 32, ["-ar", "22050", "-b:a", "64k"], 0),
    // A decoder of speech has a long memory of its output.
    ("g.wav", 16, ["-ar", "8000", "-ac", "1", "-c:a", "gsm_ms"], 8),
    // These decoders round, and fill bands that were not stored with noise that goes on from packet to packet.
    ("a.mp2", 16, ["-c:a", "mp2"], 1), ("a.ac3", 32, ["-ar", "48000", "-c:a", "ac3"], 0.1),
  ]

  @Test("A file is decoded as in FFmpeg, and at any place as from the start")
  func sameAsFFmpeg() throws {
    try build("ExtendedExact")
    try tool(
      "sox",
      [
        "-R", "-n", "-r", "44100", "-c", "2", "-b", "24", folder("in.wav"), "synth", "2.3", "sine",
        "100:9000", "pinknoise", "gain", "-6",
      ])
    let seed = Int(TestSeed.current)
    for (name, bits, options, off) in Self.files {
      let words = options.isEmpty ? ["-c:a", "pcm_s16le"] : options
      try tool("ffmpeg", ["-v", "error", "-i", folder("in.wav")] + words + [folder(name)])
      let result = try runProcess(
        folder("ExtendedExact"), [folder(name), "\(bits)", folder("ours"), "60", "\(seed)"])
      #expect(result.exitCode == 0, "\(name), seed \(seed): \(result.summary)")
      let worst = Double(result.standardOutput.trimmingCharacters(in: .newlines)) ?? .infinity
      #expect(worst <= off, "\(name), seed \(seed): \(result.standardOutput)")
      let kind = [16: "s16le", 24: "s24le", 32: "f32le"][bits] ?? ""
      try tool("ffmpeg", ["-v", "error", "-y", "-i", folder(name), "-f", kind, folder("theirs")])
      // For AC-3, FFmpeg keeps the 256 frames of the decoder's delay.
      let late = name == "a.ac3" ? 256 * 8 : 0
      let (ours, theirs) = (try data("ours"), Data(try data("theirs").dropFirst(late)))
      // For AAC in M4A, FFmpeg keeps the padding of the last packet.
      let isCut = name == "a.m4a"
      #expect(isCut ? ours.count == 101_430 * 8 : ours.count == theirs.count, "\(name)")
      #expect(ours == theirs.prefix(ours.count), "\(name)")
    }
    try tool(
      "flac",
      [
        "-s", "-d", "-f", "--force-raw-format", "--endian=little", "--sign=signed",
        folder("b.flac"), "-o", folder("theirs"),
      ])
    _ = try runProcess(
      folder("ExtendedExact"), [folder("b.flac"), "24", folder("ours"), "0", "1"])
    #expect(try data("ours") == data("theirs"))
    // sox reads WAVE, AIFF and FLAC by other libraries than FFmpeg.
    for name in ["a.wav", "a.flac"] {
      try tool(
        "sox", [folder(name), "-t", "raw", "-b", "16", "-e", "signed", "-L", folder("theirs")])
      _ = try runProcess(folder("ExtendedExact"), [folder(name), "16", folder("ours"), "0", "1"])
      #expect(try data("ours") == data("theirs"), "\(name)")
    }
  }

  /// Type, format, flags, bits and rate of a file, and by how many decibels its error lies below the sound.
  private static let kinds: [(String, String, Int, Int, Int, Double)] = [
    ("WAVE", "lpcm", 12, 16, 44100, 900), ("WAVE", "lpcm", 9, 64, 96000, 900),
    ("AIFF", "lpcm", 14, 24, 48000, 900), ("caff", "lpcm", 12, 32, 22050, 900),
    ("W64f", "lpcm", 12, 24, 44100, 900), ("NeXT", "lpcm", 14, 16, 44100, 900),
    ("caff", "alac", 1, 0, 44100, 900), ("caff", "alac", 3, 0, 96000, 900),
    ("caff", "aac ", 0, 0, 44100, 25), ("caff", "ulaw", 0, 0, 44100, 30),
  ]

  @Test("Frame n that is written is frame n that is read")
  func roundTrips() throws {
    try build("ExtendedRoundTrip")
    for (type, format, flags, bits, rate, decibels) in Self.kinds {
      let result = try runProcess(
        folder("ExtendedRoundTrip"),
        [folder("file"), type, format, "\(flags)", "\(bits)", "\(rate)", "\(decibels)"])
      #expect(result.exitCode == 0, "\(type) \(format) \(bits): \(result.summary)")
    }
  }
}
