// Lengths from headers: near enough for an estimate, and never more than a number.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SoundLengthTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("auricle-lengths") }

  private func seconds(of path: String) throws -> Double? {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    let size = try handle.seekToEnd()
    return SoundLength.seconds(of: handle.fileDescriptor, byteCount: Int(size))
  }

  @Test(arguments: [
    ("a.wav", AudioEncoding.pcm16), ("b.wav", .float32), ("c.aiff", .pcm24), ("d.flac", .pcm16),
    ("e.ogg", .vorbis), ("f.opus", .opus), ("g.mp3", .mpegLayer3), ("h.caf", .pcm16),
    ("i.rf64", .pcm16),
  ]) func headersReportLengths(name: String, encoding: AudioEncoding) throws {
    let noise = TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 48_000 * 5 / 2)
    try Sound([noise, noise]).write(to: folder(name), encoding: encoding)
    let found = try #require(try seconds(of: folder(name)), "\(name)")
    #expect(abs(found - 2.5) < 0.1, "\(name): \(found)")
  }

  /// Files that are no sound, are cut off, or lie, yield a number or nothing.
  @Test func hostileHeadersAreNoMatter() throws {
    var random = SeededGenerator(seed: 11)
    let heads = [
      "RIFF\u{1}\u{2}\u{3}\u{4}WAVEfmt ", "FORM0000AIFFCOMM", "fLaC", "OggS", "caff0000desc",
      "0000ftypM4A ", "ID3\u{4}\u{0}\u{0}\u{7F}\u{7F}\u{7F}\u{7F}", "",
    ]
    for head in heads {
      for length in [0, 1, 7, 40, 300, 5000] {
        let rest = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let path = folder("x")
        try Data(Array(head.utf8) + rest).write(to: URL(fileURLWithPath: path))
        let found = try seconds(of: path)
        #expect(found.map { $0.isFinite && $0 >= 0 } ?? true, "\(head) and \(length) bytes")
      }
    }
  }
}
