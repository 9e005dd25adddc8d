// Sound that would be lost in silence: zeros and tags between frames, old headers, lengths not stated.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct LostPartsTests {
  /// Makes the frames of an MP3 file behind the one that states their number, with the start of each.
  private func frames() throws -> (bytes: [UInt8], starts: [Int]) {
    let whole = try DamageTests.sound(.mp3)
    let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    var starts: [Int] = []
    var offset = 0
    while offset + 4 <= whole.count, whole[offset] == 0xFF {
      starts.append(offset)
      let bits = rates[Int(whole[offset + 2] >> 4)] * 1000
      offset += 144 * bits / 48_000 + Int(whole[offset + 2] >> 1 & 1)
    }
    try #require(starts.count > 10)
    return (Array(whole[starts[1]..<offset]), starts.dropFirst().map { $0 - starts[1] })
  }

  /// APE tag of one item, with header and footer.
  private static let tag: [UInt8] = {
    let item: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0] + Array("Title".utf8) + [0, 0x41]
    func block(_ flags: UInt8) -> [UInt8] {
      let numbers = [0xD0, 7, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, flags]
      return Array("APETAGEX".utf8) + numbers + [UInt8](repeating: 0, count: 8)
    }
    return block(0xA0) + item + block(0x80)
  }()

  /// Zeros behind the last frame are usual; between frames something is missing.
  @Test(arguments: [2000, 2001, 5000])
  func zerosBetweenFrames(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.mp3")
    let (bytes, starts) = try frames()
    let zeros = [UInt8](repeating: 0, count: count)
    try put(bytes + zeros, path)
    let length = try readFile(path).channels[0].count
    #expect(length > 29_000)
    for place in [starts[8], starts[8] + 77] {
      var damaged = bytes
      damaged.replaceSubrange(place..<place + min(count, bytes.count - place - 900), with: zeros)
      for whole in [damaged, Array(bytes[..<place] + zeros + bytes[place...])] {
        try put(whole, path)
        let error = try #require(
          failure { _ = try readFile(path) }, "zeros at \(place) passed for the end")
        #expect(error.category == .badData)
      }
    }
  }

  /// Files that were joined: all of it, or an error.
  @Test func tagsBetweenFrames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.mp3")
    let (bytes, _) = try frames()
    try put(bytes + Self.tag, path)
    let length = try readFile(path).channels[0].count
    try put(bytes + Self.tag + bytes, path)
    if let error = failure({ _ = try readFile(path) }) {
      #expect(error.category == .badData)
    } else {
      #expect(try readFile(path).channels[0].count > length * 19 / 10)
    }
  }

  @Test func framesOfAnotherRateAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("joined.mp3")
    let (first, _) = try frames()
    let other = folder.file("other.mp3")
    let format = AudioFileFormat(
      container: .mp3, encoding: .mpegLayer3, sampleRate: 22_050, channelCount: 2)
    try writeFile(other, DamageTests.stereo, format)
    try put(first + Self.tag + bytes(of: other), path)
    let error = try #require(failure { _ = try readFile(path) })
    #expect(error.category == .badData && error.message.contains("frames of another kind"))
  }

  @Test func joinedFLACIsRefused() throws {
    let folder = try TemporaryFolder()
    let whole = try DamageTests.sound(.flac)
    let path = folder.file("joined.flac")
    for count in [2, 3] {
      try put(Array(repeatElement(whole, count: count).joined()), path)
      let error = try #require(failure { _ = try readFile(path) })
      #expect(error.category == .badData && error.message.contains("another FLAC file follows"))
      let reader = try AudioFileReader(
        descriptor: unsafe open(path, O_RDONLY), path: path, isTolerant: true)
      #expect(try reader.countFrames() == 30_000)
      #expect(reader.toleratedDamage.count == 1)
    }
    // A text like the mark is none.
    try put(whole + Array("fLaC and more".utf8), path)
    #expect(try readFile(path).channels[0].count == 30_000)
  }

  /// Headers of older kinds state the length of the sound, too.
  @Test(arguments: [AudioContainer.iff, .voc, .avr, .nist, .mat5])
  func oldHeaders(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.\(container.fileExtension)")
    let format = AudioFileFormat(
      container: container, encoding: .pcm16, sampleRate: 44_100,
      channelCount: container == .iff ? 1 : 2)
    try writeFile(path, Array(DamageTests.stereo.prefix(format.channelCount)), format)
    #expect(try readFile(path).channels[0].count == 30_000)
    let whole = try bytes(of: path)
    for part in [0.99, 0.6] {
      try put(Array(whole.prefix(Int(Double(whole.count) * part))), path)
      let error = try #require(failure { _ = try readFile(path) }, "\(part) passed for all of it")
      #expect(error.category == .badData && error.message.contains("cut short"))
    }
  }

  /// A file written into a pipe states no length: the file's own counts.
  @Test(arguments: [AudioContainer.caf, .rf64])
  func lengthsNotReported(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe")
    let format = AudioFileFormat(
      container: container, encoding: .pcm16, sampleRate: 48_000, channelCount: 2)
    try writeFile(path, DamageTests.stereo, format)
    var whole = try bytes(of: path)
    let name = Array("data".utf8)
    let place = try #require((0..<whole.count - 4).first { Array(whole[$0..<$0 + 4]) == name })
    if container == .caf {
      // "To the end of the file", as ffmpeg writes it; and 0, as SoX does.
      for byte in [255, 0] as [UInt8] {
        whole.replaceSubrange(place + 4..<place + 12, with: [UInt8](repeating: byte, count: 8))
        try put(whole, path)
        #expect(try readFile(path).channels[0].count == 30_000)
      }
    } else {
      whole.replaceSubrange(20..<44, with: [UInt8](repeating: 0, count: 24))
      try put(whole, path)
      #expect(try readFile(path).channels[0].count == 30_000)
    }
  }

  /// A file that its container cannot hold is not begun.
  @Test func filesTooLargeAreNotBegun() throws {
    let folder = try TemporaryFolder()
    for (container, limit) in [(AudioContainer.aiff, "4 GiB"), (.au, "4 GiB"), (.mat4, "2 GiB")] {
      let format = AudioFileFormat(
        container: container, encoding: .pcm32, sampleRate: 48_000, channelCount: 2)
      let error = failure {
        _ = try AudioFileWriter(
          path: folder.file("sound"), format: format, expectedFrameCount: 1 << 30)
      }
      #expect(error?.message.contains("end at \(limit)") == true, "\(container)")
    }
    let wav = AudioFileFormat(
      container: .wav, encoding: .pcm32, sampleRate: 48_000, channelCount: 2)
    let writer = try AudioFileWriter(
      path: folder.file("sound.wav"), format: wav, expectedFrameCount: 1 << 30)
    #expect(writer.format.container == .rf64)
    writer.cancel()
  }
}
