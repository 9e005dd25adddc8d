// Every format that the file library claims to write, against the formats written and refused here.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CSndFile
import Foundation
import TestSupport
import Testing

/// A container and an encoding, by the library's numbers and names.
struct LibraryFormat: CustomTestStringConvertible {
  let container: Int32
  let encoding: Int32
  let testDescription: String

  /// Everything that the library lists and then accepts at some rate.
  static let accepted: [LibraryFormat] = list(SFC_GET_FORMAT_MAJOR, SFC_GET_FORMAT_MAJOR_COUNT)
    .flatMap { container in
      list(SFC_GET_FORMAT_SUBTYPE, SFC_GET_FORMAT_SUBTYPE_COUNT).compactMap { encoding in
        let number = container.number & Int32(SF_FORMAT_TYPEMASK) | encoding.number
        let isAccepted = [48_000, 44_100, 8_000].contains { (rate: Int32) in
          var info = SF_INFO()
          info.format = number
          info.channels = 1
          info.samplerate = rate
          return unsafe sf_format_check(&info) != 0
        }
        return isAccepted
          ? LibraryFormat(
            container: number & Int32(SF_FORMAT_TYPEMASK), encoding: encoding.number,
            testDescription: "\(container.name), \(encoding.name)") : nil
      }
    }

  private static func list(_ command: Int, _ counting: Int) -> [(number: Int32, name: String)] {
    var count: Int32 = 0
    _ = unsafe sf_command(nil, Int32(counting), &count, Int32(MemoryLayout<Int32>.size))
    return (0..<count).map { index in
      var info = unsafe SF_FORMAT_INFO()
      unsafe info.format = index
      _ = unsafe sf_command(
        nil, Int32(command), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
      return unsafe (info.format, String(cString: info.name))
    }
  }
}

@Suite struct FormatMatrixTests {
  /// Formats that the library accepts and cannot do: it does not open them, or returns no sound.
  private static let refused: Set<String> = [
    "mp3 mpeg-layer1", "mp3 mpeg-layer2", "wav mpeg-layer3", "aiff dwvw-12",
  ]

  /// Sound Designer II is stored in a resource fork, which files here do not have.
  @Test(arguments: LibraryFormat.accepted.filter { $0.container != Int32(SF_FORMAT_SD2) })
  func isWrittenOrRefused(format: LibraryFormat) throws {
    let names = try #require(
      Self.containers[format.container].flatMap { container in
        Self.encodings[format.encoding].map { (container, $0) }
      }, "a kind that has no name here")
    var container = names.0
    if container == .ogg, names.1 == .opus { container = .opus }
    let isWritten = container.encodings.contains(names.1)
    #expect(isWritten != Self.refused.contains("\(container.name) \(names.1.name)"))
  }

  /// Samples without a header come back when they are described as they were written.
  @Test(arguments: AudioContainer.raw.encodings)
  func rawComesBack(encoding: AudioEncoding) throws {
    let format = AudioFileFormat(
      container: .raw, encoding: encoding, sampleRate: 8_000, channelCount: 1)
    let folder = try TemporaryFolder()
    let path = folder.file("sound.raw")
    let original = RoundTripTests.signal(channels: 1, frames: 5001, rate: 8_000)
    try writeFile(path, original, format)
    let reader = try AudioFileReader(descriptor: InputFile.open(path), path: path, raw: format)
    var channels = [[Float](repeating: 0, count: 6000)]
    let count = try unsafe withRows(&channels) {
      try unsafe reader.read(into: $0, frameCount: 6000)
    }
    #expect((5001..<5200).contains(count))
    let level = rootMeanSquare(channels[0].prefix(5001)) / rootMeanSquare(original[0].prefix(5001))
    #expect(level > 0.6 && level < 1.4, "level of \(encoding)")
  }

  /// Lengths around whole blocks and even bytes, where the library counts wrongly.
  @Test(arguments: [
    (AudioContainer.sds, AudioEncoding.pcmS8), (.sds, .pcm16), (.sds, .pcm24), (.voc, .ulaw),
    (.voc, .alaw), (.aiff, .ulaw), (.aiff, .pcmS8), (.caf, .alac20), (.caf, .alac24),
  ])
  func comesBackToTheFrame(container: AudioContainer, encoding: AudioEncoding) throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 8_000, channelCount: 1)
    for frames in [1, 2, 29, 30, 31, 39, 40, 41, 59, 60, 61, 1000, 1001] {
      let path = folder.file("\(frames)")
      let original = RoundTripTests.signal(channels: 1, frames: frames, rate: 8_000)
      try writeFile(path, original, format)
      let (channels, reader) = try readFile(path)
      #expect(reader.frameCount == frames && channels[0].count == frames)
      #expect(maximumDifference(channels[0], original[0]) < 0.03)
    }
  }

  /// Such files hold blocks of ten frames, and the library reads nothing of one block alone.
  @Test(arguments: [1, 9, 10, 11, 1023])
  func shortFilesOfEnsoniq(frames: Int) throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .paf, encoding: .pcm24, sampleRate: 8_000, channelCount: 2)
    let original = RoundTripTests.signal(channels: 2, frames: frames, rate: 8_000)
    try writeFile(folder.file("a.paf"), original, format)
    let channels = try readFile(folder.file("a.paf")).channels
    #expect(channels[0].count >= frames && channels[0].count < frames + 20)
    for (found, row) in zip(channels, original) {
      #expect(maximumDifference(Array(found.prefix(frames)), row) < 1e-5)
    }
  }

  @Test func aSampleDumpHasAnEnd() throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .sds, encoding: .pcm16, sampleRate: 8_000, channelCount: 1)
    let early = failure {
      _ = try AudioFileWriter(
        path: folder.file("a.sds"), format: format, expectedFrameCount: 3_000_000)
    }
    #expect(early?.message.contains("end at 2097120 frames") == true)
    let silence = [[Float](repeating: 0, count: 2_097_121)]
    let late = failure { try writeFile(folder.file("b.sds"), silence, format) }
    #expect(late?.message.contains("end at 2097120 frames") == true)
    #expect(folder.names.isEmpty)
  }

  /// The library's encoder of Apple lossless gives up on noise of more than 16 bits, and writes
  /// something else: that is no file.
  @Test(arguments: [
    (AudioEncoding.alac16, 2), (.alac20, 1), (.alac24, 2), (.alac32, 2), (.alac32, 1),
  ])
  func losslessIsLosslessOrFails(encoding: AudioEncoding, channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("noise.caf")
    let format = AudioFileFormat(
      container: .caf, encoding: encoding, sampleRate: 48_000, channelCount: channelCount)
    let noise = (0..<channelCount).map {
      TestSignal.noise(seed: UInt64($0 + 1), amplitude: 1, frameCount: 20_000)
    }
    if let error = failure({ try writeFile(path, noise, format) }) {
      #expect(error.message.contains("lost sound"))
      #expect(encoding != .alac16 && folder.names.isEmpty)
      return
    }
    let (channels, _) = try readFile(path)
    for (channel, original) in zip(channels, noise) {
      // Full scale itself has no place in it.
      #expect(maximumDifference(channel, original) <= 1.0001 / Float(1 << 15))
    }
  }

  private static let containers: [Int32: AudioContainer] = [
    Int32(SF_FORMAT_WAV): .wav, Int32(SF_FORMAT_AIFF): .aiff, Int32(SF_FORMAT_AU): .au,
    Int32(SF_FORMAT_RAW): .raw, Int32(SF_FORMAT_PAF): .paf, Int32(SF_FORMAT_SVX): .iff,
    Int32(SF_FORMAT_NIST): .nist, Int32(SF_FORMAT_VOC): .voc, Int32(SF_FORMAT_IRCAM): .ircam,
    Int32(SF_FORMAT_W64): .w64, Int32(SF_FORMAT_MAT4): .mat4, Int32(SF_FORMAT_MAT5): .mat5,
    Int32(SF_FORMAT_PVF): .pvf, Int32(SF_FORMAT_XI): .xi, Int32(SF_FORMAT_HTK): .htk,
    Int32(SF_FORMAT_SDS): .sds, Int32(SF_FORMAT_AVR): .avr, Int32(SF_FORMAT_WAVEX): .wavex,
    Int32(SF_FORMAT_FLAC): .flac, Int32(SF_FORMAT_CAF): .caf, Int32(SF_FORMAT_WVE): .wve,
    Int32(SF_FORMAT_OGG): .ogg, Int32(SF_FORMAT_MPC2K): .mpc2k, Int32(SF_FORMAT_RF64): .rf64,
    Int32(SF_FORMAT_MPEG): .mp3,
  ]

  private static let encodings: [Int32: AudioEncoding] = [
    Int32(SF_FORMAT_PCM_S8): .pcmS8, Int32(SF_FORMAT_PCM_U8): .pcmU8,
    Int32(SF_FORMAT_PCM_16): .pcm16, Int32(SF_FORMAT_PCM_24): .pcm24,
    Int32(SF_FORMAT_PCM_32): .pcm32, Int32(SF_FORMAT_FLOAT): .float32,
    Int32(SF_FORMAT_DOUBLE): .float64, Int32(SF_FORMAT_ULAW): .ulaw, Int32(SF_FORMAT_ALAW): .alaw,
    Int32(SF_FORMAT_IMA_ADPCM): .imaADPCM, Int32(SF_FORMAT_MS_ADPCM): .msADPCM,
    Int32(SF_FORMAT_GSM610): .gsm610, Int32(SF_FORMAT_VOX_ADPCM): .voxADPCM,
    Int32(SF_FORMAT_NMS_ADPCM_16): .nmsADPCM16, Int32(SF_FORMAT_NMS_ADPCM_24): .nmsADPCM24,
    Int32(SF_FORMAT_NMS_ADPCM_32): .nmsADPCM32, Int32(SF_FORMAT_G721_32): .g721,
    Int32(SF_FORMAT_G723_24): .g723At24, Int32(SF_FORMAT_G723_40): .g723At40,
    Int32(SF_FORMAT_DWVW_12): .dwvw12, Int32(SF_FORMAT_DWVW_16): .dwvw16,
    Int32(SF_FORMAT_DWVW_24): .dwvw24, Int32(SF_FORMAT_DPCM_8): .dpcm8,
    Int32(SF_FORMAT_DPCM_16): .dpcm16, Int32(SF_FORMAT_VORBIS): .vorbis,
    Int32(SF_FORMAT_OPUS): .opus, Int32(SF_FORMAT_ALAC_16): .alac16,
    Int32(SF_FORMAT_ALAC_20): .alac20, Int32(SF_FORMAT_ALAC_24): .alac24,
    Int32(SF_FORMAT_ALAC_32): .alac32, Int32(SF_FORMAT_MPEG_LAYER_I): .mpegLayer1,
    Int32(SF_FORMAT_MPEG_LAYER_II): .mpegLayer2, Int32(SF_FORMAT_MPEG_LAYER_III): .mpegLayer3,
  ]
}
