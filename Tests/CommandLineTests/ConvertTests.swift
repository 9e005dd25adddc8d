// `auricle convert`: kinds of files, encoders' choices, packets copied as they are.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ConvertTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @discardableResult private func convert(
    _ words: String..., exitCode: Int32 = 0
  ) throws -> ProcessResult {
    let result = try runAuricle(
      ["convert"] + words, environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == exitCode, "\(result.summary)")
    return result
  }

  private func tool(_ name: String, _ words: String...) throws -> String {
    let result = try runProcess(name, words, in: box.folder.path)
    try #require(result.exitCode == 0, "\(result.summary)")
    return result.standardOutput
  }

  /// A noise of two channels with a tone.
  private func makeSound(_ name: String, bits: Int = 16) throws {
    _ = try tool(
      "sox", "-R", "-n", "-b", "\(bits)", "-r", "44100", "-c", "2", name, "synth", "1.5", "sine",
      "440", "pinknoise", "gain", "-6")
  }

  /// The digest of each packet.
  private func packets(_ name: String) throws -> [String] {
    // Packets of a bare stream have their headers with them.
    let bare = name.hasSuffix(".aac") ? ["-bsf:a", "aac_adtstoasc"] : []
    let words = ["-v", "error", "-i", name, "-map", "0:a", "-c", "copy"] + bare
    let result = try runProcess("ffmpeg", words + ["-f", "framehash", "-"], in: box.folder.path)
    try #require(result.exitCode == 0, "\(result.summary)")
    return result.standardOutput.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      // Behind stream, times and size; the data beside the first packet follows.
      String($0.split(separator: ",").dropFirst(5).first ?? "")
    }
  }

  /// The digest of all samples, as 32 bits.
  private func samples(_ name: String) throws -> String {
    try tool("ffmpeg", "-v", "error", "-i", name, "-c:a", "pcm_s32le", "-f", "md5", "-")
  }

  @Test("The last name is the result, and its ending the kind")
  func oneFile() throws {
    try makeSound("in.wav")
    try convert("in.wav", "out.flac")
    #expect(try samples("in.wav") == samples("out.flac"))
    try convert("in.wav", "out.aiff", "--sample-rate", "48k", "--channels", "mono")
    #expect(try tool("sox", "--info", "-r", "out.aiff") == "48000\n")
    #expect(try tool("sox", "--info", "-c", "out.aiff") == "1\n")
  }

  @Test("Many go into a folder, which a slash makes")
  func manyFiles() throws {
    try makeSound("a.wav")
    try makeSound("b.wav")
    try convert("a.wav", "b.wav", "out/", "--container", "flac", "--quality", "max")
    #expect(try tool("sox", "--info", "-s", "out/b.flac") == "66150\n")
    try convert("a.wav", "b.wav", "none.flac", exitCode: 64)
    let refusal = try convert("a.wav", "b.wav", "none.flac", exitCode: 64)
    #expect(refusal.standardError.contains("write 'none.flac/' to have it made"))
    #expect(try convert("a.wav", exitCode: 64).standardError.contains("auricle convert IN OUT"))
    let idle = try convert("a.wav", "again/", exitCode: 64)
    #expect(idle.standardError.contains("name the format of results"))
  }

  @Test("MP3 spends its bits as requested")
  func strategies() throws {
    try makeSound("in.wav")
    func size(_ name: String, _ words: [String]) throws -> Int {
      let result = try runAuricle(
        ["convert", "in.wav", name] + words, environment: box.environment, in: box.folder.path)
      #expect(result.exitCode == 0, "\(result.summary)")
      let path = box.folder(name)
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }
    let low = try size("low.mp3", ["--strategy", "vbr", "--quality", "low"])
    let high = try size("high.mp3", ["--strategy", "vbr", "--quality", "max"])
    #expect(low * 3 / 2 < high, "\(low) \(high)")
    let constant = try size("constant.mp3", ["--strategy", "cbr", "--bit-rate", "128k"])
    #expect(abs(constant - 24_000) < 1500, "\(constant)")
    let average = try size("average.mp3", ["--strategy", "abr", "--bit-rate", "96k"])
    #expect(abs(average - 18_000) < 4000, "\(average)")
    let poor = try size("poor.ogg", ["--quality", "min"])
    #expect(try poor * 2 < size("rich.ogg", ["--quality", "max"]))
  }

  @Test(
    "Settings beyond an encoder's are refused with its range",
    arguments: [
      ("out.flac", ["--strategy", "vbr"], "leave --strategy out"),
      ("out.ogg", ["--strategy", "cbr"], "but with vbr"),
      ("out.mp3", ["--strategy", "vbr", "--bit-rate", "128k"], "no --bit-rate"),
      ("out.mp3", ["--strategy", "abr"], "give --bit-rate"),
      ("out.ogg", ["--quality", "64", "--bit-rate", "128k"], "leave one out"),
      ("out.wav", ["--quality", "64"], "leave --quality out"),
      ("out.opus", ["--quality", "64"], "take --bit-rate"),
      ("out.flac", ["--quality", "200"], "0 to 127"),
      ("out.mp3", ["--strategy", "fast"], "cbr, abr or vbr"),
    ])
  func refusals(name: String, words: [String], says: String) throws {
    try makeSound("in.wav")
    let result = try runAuricle(
      ["convert", "in.wav", name] + words, environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains(says), "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box.folder(name)))
  }

  @Test("AAC goes into a bare stream, and Apple lossless into CAF, and is the same packets")
  func packetsAreCopied() throws {
    try makeSound("in.wav")
    _ = try tool(
      "ffmpeg", "-v", "error", "-i", "in.wav", "-c:a", "aac", "-metadata", "title=Tone", "in.m4a")
    let wanted = try packets("in.m4a")
    try convert("in.m4a", "out.aac")
    #expect(try packets("out.aac") == wanted)
    try convert("in.m4a", "again.m4a")
    #expect(
      FileManager.default.contentsEqual(
        atPath: box.folder("in.m4a"), andPath: box.folder("again.m4a")))
    _ = try tool("ffmpeg", "-v", "error", "-i", "in.wav", "-c:a", "alac", "lossless.m4a")
    try convert("lossless.m4a", "lossless.caf")
    #expect(try packets("lossless.caf") == packets("lossless.m4a"))
    // Anything else that is asked for makes another sound.
    try convert("in.m4a", "other.m4a", "--bit-rate", "64k")
    #expect(try packets("other.m4a") != wanted)
  }

  @Test("All bits of samples of 32 and 64 bits are kept")
  func widePCM() throws {
    try makeSound("in.wav", bits: 32)
    try convert("in.wav", "out.caf")
    #expect(try samples("in.wav") == samples("out.caf"))
  }

  @Test("The table of formats is that of the C function")
  func formats() throws {
    let text = try convert("--list-formats").standardOutput
    #expect(text.contains("'WAVE' WAVE  .wav .wave\n    'lpcm' Linear PCM\n"))
    #expect(text.contains("        Linear PCM, 8 bit unsigned integer\n"))
    let json = try convert("--list-formats", "--format", "json").standardOutput
    let types = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    let caf = try #require(types.first { $0["code"] as? String == "caff" })
    let linear = try #require(
      (caf["formats"] as? [[String: Any]])?.first { $0["code"] as? String == "lpcm" })
    #expect((linear["descriptions"] as? [Any])?.count == 11)
    try convert("--list-formats", "in.wav", exitCode: 64)
  }
}
