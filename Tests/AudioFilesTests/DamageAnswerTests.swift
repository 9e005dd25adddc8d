// Damage is damage for every reader: what batches refuse, reports name; what follows the sound of a whole file is none.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFilePackets
import AudioFiles
import AudioTypes
import FileTestSupport
import Foundation
import SoundFileReports
import TestSupport
import Testing

@Suite struct DamageAnswerTests {
  /// A file of WAVE with blocks of Microsoft's GSM: 320 frames in 65 bytes.
  private static func blocks(count: Int, extra: Int, declared: Int? = nil) -> [UInt8] {
    let block = (0..<65).map { UInt8($0 * 3 & 0xFF) }
    let data = Array(repeatElement(block, count: count).joined()) + block.prefix(extra)
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }
    let format =
      number(0x31, 2) + number(1, 2) + number(8000, 4) + number(1625, 4) + number(65, 2)
      + number(0, 2) + number(2, 2) + number(320, 2)
    let fact = declared.map { chunk("fact", number($0, 4)) } ?? []
    let body = Array("WAVE".utf8) + chunk("fmt ", format) + fact + chunk("data", data)
    return Array("RIFF".utf8) + number(body.count, 4) + body
  }

  /// A file of Core Audio's format whose sound is to have more bytes than it has.
  private static func long(_ bytes: [UInt8]) throws -> [UInt8] {
    var bytes = bytes
    let place = try #require(bytes.firstRange(of: Array("data".utf8))?.upperBound)
    let size = bytes[place..<place + 8].reduce(0) { $0 << 8 | Int($1) }
    bytes.replaceSubrange(place..<place + 8, with: number(size + 100_000, 8, big: true))
    return bytes
  }

  /// A file of Core Audio's format with the first half of its sound, and the table of all packets.
  private static func halved(_ bytes: [UInt8]) -> [UInt8] {
    var made = Array(bytes[..<8])
    var place = 8
    while place + 12 <= bytes.count {
      let size = bytes[place + 4..<place + 12].reduce(0) { $0 << 8 | Int($1) }
      let body = bytes[place + 12..<min(place + 12 + size, bytes.count)]
      let isSound = bytes[place...].starts(with: "data".utf8)
      let left = isSound ? body.prefix(size / 2) : body
      made += bytes[place..<place + 4] + number(left.count, 8, big: true) + left
      place += 12 + size
    }
    return made
  }

  /// FLAC whose header counts other frames.
  private static func counted(_ bytes: [UInt8], _ frames: Int) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(22..<26, with: number(frames, 4, big: true))
    return bytes
  }

  private static func damaged() throws -> [(name: String, bytes: [UInt8])] {
    let flac = try OneAnswerTests.plain("a.flac", .pcm16)
    let caf = try OneAnswerTests.plain("a.caf", .pcm16)
    var files: [(name: String, bytes: [UInt8])] = [
      ("byte.flac", Array(flac.dropLast())), ("part.flac", Array(flac.dropLast(40))),
      ("half.flac", Array(flac.prefix(flac.count / 2))), ("more.flac", counted(flac, 23_050)),
      ("less.flac", counted(flac, 21_050)), ("long.caf", try long(caf)),
      ("block.wav", blocks(count: 20, extra: 30)),
      ("packets.caf", halved(try OneAnswerTests.plain("a.caf", .alac16))),
    ]
    guard CodecLibrary.path != nil else { return files }
    let aac = try OneAnswerTests.plain("a.aac", .aac)
    let dolby = try OneAnswerTests.plain("a.ac3", .ac3)
    for count in [1, 40] {
      files.append(("cut\(count).aac", Array(aac.dropLast(count))))
      files.append(("cut\(count).ac3", Array(dolby.dropLast(count))))
    }
    files.append(("text.ac3", dolby + Array("some text behind the last frame".utf8)))
    return files
  }

  @Test("Damage that batches refuse is named by the report of a file")
  func damageIsNamed() throws {
    let folder = try TemporaryFolder()
    for file in try Self.damaged() {
      let path = folder(file.name)
      try Data(file.bytes).write(to: URL(fileURLWithPath: path))
      #expect(throws: AuricleError.self, "\(file.name)") { _ = try Sound(path: path) }
      let report = try SoundFileReport(of: path)
      #expect(report.damage?.isEmpty == false, "\(file.name)")
    }
  }

  @Test(
    "A file that is cut short is as long for reports as for the tolerant reader, or refused by both",
    arguments: [0.1, 0.5, 0.9])
  func cutShort(part: Double) throws {
    let folder = try TemporaryFolder()
    var kinds: [(String, AudioEncoding)] = [("a.ogg", .vorbis), ("a.opus", .opus)]
    if CodecLibrary.path != nil { kinds.append(("a.m4a", .aac)) }
    for (name, encoding) in kinds {
      let whole = try OneAnswerTests.plain(name, encoding, rate: 48_000)
      try put(Array(whole.prefix(Int(Double(whole.count) * part))), folder(name))
      guard let report = try? SoundFileReport(of: folder(name)) else {
        #expect(throws: AuricleError.self, "\(name)") { _ = try Sound(path: folder(name)) }
        continue
      }
      #expect(report.damage?.isEmpty == false, "\(name)")
      guard !name.hasSuffix("m4a") else { continue }
      let reader = try? AudioFileReader(
        descriptor: InputFile.open(folder(name)), path: folder(name), isTolerant: true)
      #expect(Int(report.frames) == (try reader?.countFrames() ?? 0), "\(name)")
    }
  }

  @Test(
    "WavPack that is cut within a block is refused by reports for the same reason",
    .enabled(if: ffmpeg != nil && CodecLibrary.path != nil, "FFmpeg is not there"),
    arguments: [0.4, 0.9])
  func wavPack(part: Double) throws {
    let folder = try TemporaryFolder()
    try Data(OneAnswerTests.plain("a.wav", .pcm16)).write(
      to: URL(fileURLWithPath: folder("a.wav")))
    let program = try #require(ffmpeg)
    let result = try runProcess(program, ["-v", "error", "-i", folder("a.wav"), folder("a.wv")])
    try #require(result.exitCode == 0, "\(result.summary)")
    let whole = try bytes(of: folder("a.wv"))
    #expect(try SoundFileReport(of: folder("a.wv")).damage == nil)
    try put(Array(whole.prefix(Int(Double(whole.count) * part))), folder("a.wv"))
    let error = try #require(failure { _ = try SoundFileReport(of: folder("a.wv")) })
    #expect(error.message.contains("cut short") && error.category == .badData)
    #expect(failure { _ = try Sound(path: folder("a.wv")) }?.message == error.message)
  }

  @Test("Whole files, with bytes behind their sound, have no damage and one length")
  func wholeFiles() throws {
    let folder = try TemporaryFolder()
    let text = Array("some text behind the end\n".utf8)
    let flac = try OneAnswerTests.plain("a.flac", .pcm16)
    var files: [(name: String, bytes: [UInt8], frames: Int)] = [
      ("a.flac", flac, 22_050), ("text.flac", flac + text, 22_050),
      ("zeros.flac", flac + [UInt8](repeating: 0, count: 500), 22_050),
      ("even.wav", Self.blocks(count: 20, extra: 0), 6400),
      ("padded.wav", Self.blocks(count: 20, extra: 1), 6400),
      ("declared.wav", Self.blocks(count: 20, extra: 0, declared: 6300), 6300),
    ]
    if CodecLibrary.path != nil {
      files.append(("text.m4a", try OneAnswerTests.plain("a.m4a", .aac) + text, 22_050))
    }
    for file in files {
      let path = folder(file.name)
      try Data(file.bytes).write(to: URL(fileURLWithPath: path))
      let report = try SoundFileReport(of: path)
      #expect(report.damage == nil && report.frames == file.frames, "\(file.name): \(report)")
      #expect(try Sound(path: path).frameCount == file.frames, "\(file.name)")
    }
  }

  @Test(
    "MPEG layer II in WAVE ends with its last whole frame",
    .enabled(if: CodecLibrary.path != nil && ffmpeg != nil, "the codec or ffmpeg is missing"))
  func layerTwoInWave() throws {
    let folder = try TemporaryFolder()
    try Sound([[Float](repeating: 0.25, count: 30_011)], sampleRate: 48_000).write(
      to: folder("in.wav"))
    let result = try runProcess(
      try #require(ffmpeg), ["-v", "error", "-i", folder("in.wav"), "-c:a", "mp2", folder("a.wav")])
    try #require(result.exitCode == 0, "\(result.summary)")
    let plain = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("a.wav"))))
    let place = try #require(plain.firstRange(of: Array("data".utf8))?.upperBound)
    let count = plain[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    let sound = Array(plain[(place + 4)...].prefix(count))
    func write(_ name: String, _ sound: [UInt8]) throws {
      let bytes = plain[..<place] + number(sound.count, 4) + sound
      try Data(bytes).write(to: URL(fileURLWithPath: folder(name)))
    }
    try write("padded.wav", sound + [0])
    try write("cut.wav", Array(sound.dropLast()))
    let frames = try Sound(path: folder("a.wav")).frameCount
    #expect(try Sound(path: folder("padded.wav")).frameCount == frames)
    #expect(try SoundFileReport(of: folder("padded.wav")).damage == nil)
    #expect(throws: AuricleError.self) { _ = try Sound(path: folder("cut.wav")) }
    #expect(try SoundFileReport(of: folder("cut.wav")).damage?.isEmpty == false)
  }
}
