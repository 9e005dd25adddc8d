// Names of containers and encodings, and their combinations.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Testing

@Suite struct FormatTests {
  @Test(arguments: [
    ("wav", AudioContainer.wav), ("WAVE", .wav), (".aif", .aiff), ("aifc", .aiff), ("oga", .ogg),
    ("opus", .opus), ("snd", .au), ("mpeg", .mp3), ("rf64", .rf64), ("w64", .w64), ("caf", .caf),
  ])
  func containerNames(name: String, container: AudioContainer) {
    #expect(AudioContainer(named: name) == container)
    #expect(AudioContainer(path: "/a.b/file.\(name.drop { $0 == "." })") == container)
  }

  @Test func unknownNames() {
    #expect(AudioContainer(named: "docx") == nil)
    #expect(AudioContainer(path: "/a.wav/file") == nil)
    #expect(AudioContainer(path: "/a/.wav") == nil)
    #expect(AudioEncoding(named: "pcm17") == nil)
  }

  @Test func everyNameFindsItself() {
    for container in AudioContainer.allCases {
      #expect(AudioContainer(named: container.name) == container)
      #expect(AudioContainer(named: container.fileExtension) != nil)
    }
    for encoding in AudioEncoding.allCases {
      #expect(AudioEncoding(named: encoding.name.uppercased()) == encoding)
    }
    #expect(AudioEncoding(named: "float") == .float32)
    #expect(AudioEncoding(named: "s16") == .pcm16)
  }

  @Test func encodingsOfContainers() {
    #expect(AudioContainer.flac.encodings == [.pcmS8, .pcm16, .pcm24])
    #expect(AudioContainer.ogg.encodings == [.vorbis])
    #expect(AudioContainer.opus.encodings == [.opus])
    #expect(AudioContainer.mp3.encodings == [.mpegLayer3])
    #expect(AudioContainer.wav.encodings.contains(.float32))
    #expect(!AudioContainer.wav.encodings.contains(.mpegLayer3))
    #expect(AudioContainer.voc.encodings == [.pcmU8, .pcm16, .ulaw, .alaw])
    #expect(AudioContainer.wve.encodings == [.alaw])
    #expect(AudioContainer.xi.encodings == [.dpcm8, .dpcm16])
    #expect(AudioContainer.other.encodings.isEmpty)
    for container in AudioContainer.allCases where !container.encodings.isEmpty {
      #expect(container.defaultEncoding.map(container.encodings.contains) == true)
    }
  }

  @Test(arguments: [
    (AudioContainer.flac, AudioEncoding.float32, AudioEncoding.pcm24), (.flac, .pcm16, .pcm16),
    (.flac, .pcm32, .pcm24), (.wav, .mpegLayer3, .pcm16), (.ogg, .pcm24, .vorbis),
    (.wav, .alac24, .pcm24), (.aiff, .float64, .float64), (.wav, .pcmS8, .pcmU8),
    (.flac, .ulaw, .pcm16), (.opus, .vorbis, .opus),
  ])
  func nearestEncoding(container: AudioContainer, wanted: AudioEncoding, nearest: AudioEncoding) {
    #expect(container.encoding(nearest: wanted) == nearest)
  }

  @Test(arguments: [
    (AudioContainer.opus, AudioEncoding.opus, 44_100.0, 2, "Opus takes only the sample rates"),
    (.mp3, .mpegLayer3, 96_000, 2, "MP3 takes only the sample rates"),
    (.mp3, .mpegLayer3, 48_000, 6, "take no 6 channels"),
    (.flac, .pcm16, 48_000, 9, "take no 9 channels"),
    (.flac, .pcm16, 70_001, 2, "in steps of 10 Hz"), (.ogg, .vorbis, 352_800, 2, "up to 200000 Hz"),
    (.flac, .float32, 48_000, 2, "do not take the encoding float32"),
    (.wav, .pcm16, 0, 2, "sample rate"), (.wav, .pcm16, 44_100.5, 2, "whole sample rates"),
    (.wav, .pcm16, 48_000, 0, "0 channels"), (.wav, .pcm16, 48_000, 2_000, "2000 channels"),
    (.voc, .pcmU8, 44_100, 1, "cannot store that sample rate"),
    (.sds, .pcm16, 44_100, 1, "cannot store that sample rate"),
    (.sds, .pcm16, 48_000, 2, "take no 2 channels"),
    (.htk, .pcm16, 44_100, 1, "cannot store that sample rate"),
    (.caf, .alac20, 48_000, 2, "alac-20 take no 2 channels"),
    (.wav, .mpegLayer3, 48_000, 1, "can only be read; choose mp3"),
    (.aiff, .dwvw12, 48_000, 1, "choose dwvw-16"), (.mp3, .mpegLayer2, 48_000, 2, "only layer III"),
  ])
  func whatCannotBeWritten(
    container: AudioContainer, encoding: AudioEncoding, rate: Double, channels: Int, words: String
  ) throws {
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: rate, channelCount: channels)
    let problem = try #require(format.writingProblem)
    #expect(problem.contains(words), "\(problem)")
    let error = failure { _ = try AudioFileWriter(path: "/nowhere/x", format: format) }
    #expect(error?.category == .usage)
    #expect(error?.message.contains(problem) == true)
  }

  /// Encodings that WAV cannot be written with become ones that it can; MP3 has its own kind.
  @Test func decodedOnly() {
    func anew(_ encoding: AudioEncoding) -> AudioEncoding {
      AudioFileFormat(container: .wav, encoding: encoding, sampleRate: 48_000, channelCount: 2)
        .encodedAnew().encoding
    }
    #expect(anew(.mpegLayer2) == .pcm16 && anew(.other) == .pcm16 && anew(.ac3) == .pcm16)
    #expect(anew(.mpegLayer3) == .mpegLayer3 && anew(.ulaw) == .ulaw && anew(.gsm610) == .gsm610)
  }

  /// If an encoder does not support a rate, the next higher supported one, or its highest.
  @Test(arguments: [
    (AudioContainer.ogg, AudioEncoding.vorbis, 352_800.0, 192_000.0),
    (.flac, .pcm16, 70_001, 88_200), (.flac, .pcm16, 70_000, 70_000),
  ])
  func nearestRate(
    container: AudioContainer, encoding: AudioEncoding, rate: Double, nearest: Double
  ) {
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: rate, channelCount: 2)
    #expect(format.nearestWritableRate == nearest)
  }

  @Test func description() {
    let format = AudioFileFormat(
      container: .wav, encoding: .pcm24, sampleRate: 48_000, channelCount: 2)
    #expect(format.description == "wav, pcm24, 48000 Hz, 2 ch")
  }
}
