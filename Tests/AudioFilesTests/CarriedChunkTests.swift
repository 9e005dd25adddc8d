// Marks and loops of AIFF, figures of broadcast and radio data, chunks that are carried over as they are.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct CarriedChunkTests {
  private static let signal = RoundTripTests.signal(channels: 1, frames: 48_000, rate: 48_000)

  /// Writes a second of sound with metadata into a folder, and reads the result.
  private func carried(
    _ metadata: AudioFileMetadata, _ container: AudioContainer, _ folder: TemporaryFolder
  ) throws -> (metadata: AudioFileMetadata, dropped: [String], bytes: [UInt8]) {
    let path = folder.file("sound.\(container.fileExtension)")
    let encoding = try #require(container.defaultEncoding)
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 1)
    let writer = try writeFile(path, Self.signal, format, metadata: metadata, overwrite: true)
    return (try AudioFileReader(path: path).metadata, writer.droppedMetadata, try bytes(of: path))
  }

  private static func words(_ values: [UInt32], bigEndian: Bool = false) -> [UInt8] {
    values.flatMap { value in
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return bigEndian ? bytes.reversed() : bytes
    }
  }

  /// A WAV file with these chunks before its sound.
  private func file(
    _ chunks: [(String, [UInt8])], _ folder: TemporaryFolder
  ) throws -> AudioFileMetadata {
    var body = Array("WAVEfmt ".utf8) + Self.words([16, 0x1_0001, 48_000, 96_000, 0x10_0002])
    for (name, bytes) in chunks {
      body += Array(name.utf8) + Self.words([UInt32(bytes.count)]) + bytes
      if bytes.count & 1 == 1 { body.append(0) }
    }
    body += Array("data".utf8) + Self.words([2000]) + [UInt8](repeating: 3, count: 2000)
    try put(
      Array("RIFF".utf8) + Self.words([UInt32(body.count)]) + body, folder.file("in.wav"))
    return try AudioFileReader(path: folder.file("in.wav")).metadata
  }

  private func sampler(_ loops: [[UInt32]]) -> (String, [UInt8]) {
    (
      "smpl",
      Self.words(
        [0, 0, 20_833, 60, 0, 0, 0, UInt32(loops.count), 0]
          + loops.flatMap { [0, $0[0], $0[1], $0[2], 0, 0] })
    )
  }

  /// Marks are kept beside the loops of an instrument, from WAV to AIFF, to AIFF again, and back.
  @Test(arguments: [0, 1, 2])
  func marksBesideAnInstrument(loopCount: Int) throws {
    let folder = try TemporaryFolder()
    let loops = Array([[0, 100, 199], [1, 300, 399]].prefix(loopCount)) as [[UInt32]]
    var metadata = try file([sampler(loops)], folder)
    metadata.cuePoints = [
      AudioCuePoint(identifier: 1, frame: 500, name: "Öl"),
      AudioCuePoint(identifier: 9, frame: 40_000, name: "even"),
    ]
    let first = try carried(metadata, .aiff, folder)
    let second = try carried(first.metadata, .aiff, folder)
    let third = try carried(second.metadata, .wav, folder)
    for result in [first, second, third] {
      #expect(result.dropped.isEmpty)
      #expect(result.metadata.cuePoints.map(\.frame) == [500, 40_000])
      #expect(result.metadata.cuePoints.map(\.name) == ["Öl", "even"])
    }
    let place = try #require(third.bytes.firstRange(of: Array("smpl".utf8))?.upperBound)
    func word(_ index: Int) -> UInt32 {
      let bytes = third.bytes[(place + 4 + 4 * index)...].prefix(4)
      return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    #expect(word(3) == 60 && word(7) == UInt32(loopCount))
    for (index, loop) in loops.enumerated() {
      #expect((1...3).map { word(9 + 6 * index + $0) } == loop)
    }
  }

  /// Fields without a place in AIFF are reported.
  @Test func regionsInAIFF() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    let name = String(repeating: "ö", count: 200)
    var mark = AudioCuePoint(identifier: 70_000, frame: 500, name: name)
    mark.length = 100
    metadata.cuePoints = [mark]
    let result = try carried(metadata, .aiff, folder)
    #expect(result.dropped == ["lengths of marks"])
    #expect(result.metadata.cuePoints.map(\.identifier) == [1])
    #expect(result.metadata.cuePoints[0].name == String(repeating: "ö", count: 127))
  }

  /// Data of other programs are no name of a program, and several annotations one comment.
  @Test func textsOfAIFF() throws {
    let folder = try TemporaryFolder()
    _ = try carried(AudioFileMetadata(), .aiff, folder)
    let path = folder.file("sound.aiff")
    var whole = try bytes(of: path)
    for (name, text) in [("APPL", "stocabcdefgh"), ("ANNO", "one "), ("ANNO", "two ")] {
      whole +=
        Array(name.utf8) + Self.words([UInt32(text.utf8.count)], bigEndian: true)
        + Array(text.utf8)
    }
    whole.replaceSubrange(4..<8, with: Self.words([UInt32(whole.count - 8)], bigEndian: true))
    try put(whole, path)
    let found = try AudioFileReader(path: path).metadata
    #expect(found[.software] == nil)
    #expect(found[.comment] == "one \ntwo ")
  }

  /// No loudness appears if none was declared before.
  @Test func noLoudnessOfBroadcastData() throws {
    let folder = try TemporaryFolder()
    var chunk = [UInt8](repeating: 0, count: 602)
    chunk.replaceSubrange(0..<5, with: Array("Take.".utf8))
    let metadata = try file([("bext", chunk)], folder)
    let bytes = try carried(metadata, .wav, folder).bytes
    let start = try #require(bytes.firstRange(of: Array("bext".utf8))?.upperBound) + 4
    let figures = Array(bytes[start + 412..<start + 422])
    #expect(figures == [0xFF, 0x7F, 0xFF, 0x7F, 0xFF, 0x7F, 0xFF, 0x7F, 0xFF, 0x7F])
  }

  /// Places in radio data move with the sound.
  @Test func timersOfRadioData() throws {
    let folder = try TemporaryFolder()
    var chunk = [UInt8](repeating: 0, count: 2060)
    chunk.replaceSubrange(0..<4, with: Array("0101".utf8))
    let timers = Array("AUDs".utf8) + Self.words([800]) + Array("SEGs".utf8) + Self.words([300])
    chunk.replaceSubrange(684..<700, with: timers)
    let metadata = try file([("cart", chunk)], folder)
    func written(_ metadata: AudioFileMetadata) throws -> [UInt8] {
      let bytes = try carried(metadata, .wav, folder).bytes
      let start = try #require(bytes.firstRange(of: Array("cart".utf8))?.upperBound) + 4
      return Array(bytes[start + 684..<start + 708])
    }
    func wanted(_ first: UInt32, _ second: UInt32) -> [UInt8] {
      Array("AUDs".utf8) + Self.words([first]) + Array("SEGs".utf8) + Self.words([second, 0, 0])
    }
    #expect(try written(metadata) == wanted(800, 300))
    #expect(try written(metadata.scalingPositions(by: 2)) == wanted(1600, 600))
    #expect(try written(metadata.beginning(atFrame: 400)) == wanted(400, 0))
  }

  /// ADM, XMP and tempo stay with sound that they are true of; iXML, too.
  @Test func chunksAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let chunks: [(String, [UInt8])] = [
      ("axml", Array("<adm/>".utf8)), ("chna", [1, 0, 1, 0] + [UInt8](repeating: 65, count: 40)),
      ("_PMX", Array("<x:xmpmeta/>.".utf8)), ("acid", [UInt8](repeating: 7, count: 24)),
      ("iXML", Array("<BWFXML/>".utf8)),
    ]
    let metadata = try file(chunks, folder)
    for container in [AudioContainer.wav, .wavex, .rf64] {
      let result = try carried(metadata, container, folder)
      #expect(result.dropped.isEmpty)
      #expect(result.metadata.furtherChunks == metadata.furtherChunks)
      #expect(result.metadata.furtherChunks.count == 4)
      for (name, bytes) in chunks {
        #expect(result.bytes.contains(Array(name.utf8) + Self.words([UInt32(bytes.count)]) + bytes))
      }
    }
    let dropped = try carried(metadata, .flac, folder).dropped
    #expect(dropped == ["iXML", "ADM", "XMP", "tempo and beats"])
    for moved in [metadata.beginning(atFrame: 10), metadata.scalingPositions(by: 2)] {
      #expect(Set(moved.furtherChunks.keys) == [.description])
      #expect(moved.leftBehind == ["iXML", "ADM", "tempo and beats"])
      #expect(moved.productionXML.isEmpty)
    }
    var mixed = metadata
    mixed.leaveChannelsBehind()
    #expect(Set(mixed.furtherChunks.keys) == [.description, .tempo])
    #expect(mixed.leftBehind == ["ADM"])
  }

  /// The table of contents names every chapter.
  @Test func chaptersOfMP3() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.cuePoints = (0..<3).map {
      AudioCuePoint(identifier: Int32($0 + 1), frame: UInt32($0) * 9600, name: "\($0)")
    }
    let bytes = try carried(metadata, .mp3, folder).bytes
    #expect(bytes.contains(Array("toc\0".utf8) + [3, 3] + Array("chp0\0chp1\0chp2\0".utf8)))
  }

  /// A part of a file begins within a chapter; marks of WAV are points.
  @Test(arguments: [AudioContainer.mp3, .flac, .wav])
  func chapterAtTheBeginningOfAPart(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.cuePoints = (0..<3).map {
      AudioCuePoint(identifier: Int32($0 + 1), frame: UInt32($0) * 9600, name: "\($0)")
    }
    let found = try carried(metadata, container, folder).metadata
    let part = found.beginning(atFrame: 14_400)
    let isChapter = container != .wav
    #expect(part.cuePoints.map(\.name) == (isChapter ? ["1", "2"] : ["2"]))
    #expect(part.cuePoints.map(\.frame) == (isChapter ? [0, 4800] : [4800]))
    #expect(found.beginning(atFrame: 9600).cuePoints.map(\.frame) == [0, 9600])
  }

  @Test func picturesThatFLACCannotHold() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.pictures = [
      AudioPicture(mimeType: "image/png", bytes: [UInt8](repeating: 9, count: 17 << 20)),
      AudioPicture(mimeType: "image/png", bytes: [1, 2, 3]),
    ]
    let result = try carried(metadata, .flac, folder)
    #expect(result.dropped == ["pictures of 16 MiB"])
    #expect(result.metadata.pictures.map(\.bytes) == [[1, 2, 3]])
  }

  @Test func ambisonicsAreReportedAsLost() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.isAmbisonic = true
    #expect(try carried(metadata, .flac, folder).dropped == ["ambisonics"])
    #expect(try carried(metadata, .wavex, folder).dropped == [])
  }
}
