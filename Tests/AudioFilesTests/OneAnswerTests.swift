// Every reader's view of the same odd file is one answer: length, rate, channels, title.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFilePackets
import AudioFiles
import AudioTypes
import CAudioToolbox
import FileTestSupport
import Foundation
import SoundFileReports
import TestSupport
import Testing

/// The facts that one reader reports of a file.
private struct Answer: CustomStringConvertible {
  var reader: String
  var frames: Int
  var sampleRate: Double
  var channels: Int
  var title: String?
  var description: String {
    "\(reader): \(frames) frames, \(sampleRate) Hz, \(channels) ch, \(title ?? "-")"
  }
}

@Suite struct OneAnswerTests {
  private static let frames = 22_050

  /// A plain file of a kind, as the library writes it.
  static func plain(_ name: String, _ encoding: AudioEncoding, rate: Double = 44_100) throws
    -> [UInt8]
  {
    let folder = try TemporaryFolder()
    let rows = (0..<2).map { channel in
      (0..<frames).map { 0.25 * Float(sin(Double($0) * 0.09 * Double(1 + channel))) }
    }
    var sound = Sound(rows, sampleRate: rate)
    sound.sampleRate = rate
    try sound.write(to: folder(name), encoding: encoding)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder(name))))
  }

  static func files() throws -> [OddFile] {
    var files = OddHeaders.all()
    let kinds: [(String, AudioEncoding, Double)] = [
      ("a.wav", .pcm16, 44_100), ("a.aiff", .pcm16, 44_100), ("a.caf", .pcm16, 44_100),
      ("a.au", .pcm16, 44_100),
      ("a.w64", .pcm16, 44_100), ("a.flac", .pcm16, 44_100), ("a.ogg", .vorbis, 44_100),
      ("a.opus", .opus, 48_000), ("a.mp3", .mpegLayer3, 44_100),
    ]
    for (name, encoding, rate) in kinds {
      let bytes = try plain(name, encoding, rate: rate)
      files += OddStreams.dressed(name, bytes, frames: frames)
      if encoding != .mpegLayer3 {
        files += OddStreams.behindFiller(name, bytes, frames: frames)
      } else {
        files += OddStreams.mpeg(bytes, frames: frames)
        files += OddStreams.mpegInWave(bytes, frames: frames)
      }
      if encoding == .vorbis || encoding == .opus {
        files += OddStreams.ogg(name, bytes, frames: frames)
      }
      if name == "a.flac" { files += OddStreams.flac(bytes, frames: frames) }
    }
    guard CodecLibrary.path != nil else { return files }
    for (name, encoding) in [("a.m4a", AudioEncoding.aac), ("a.aac", .aac), ("a.ac3", .ac3)] {
      files += OddStreams.dressed(
        name, try plain(name, encoding), frames: name == "a.m4a" ? frames : nil)
    }
    return files
  }

  @Test("Every reader has one answer about every odd file")
  func oneAnswer() throws {
    let files = try Self.files()
    let folder = try TemporaryFolder()
    #expect(files.count > 280)
    var wrong: [String] = []
    for file in files {
      let path = folder(file.name)
      try Data(file.bytes).write(to: URL(fileURLWithPath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let answers = [batch(path), report(path), packets(path), stream(path, file.bytes)]
      if let problem = Self.problem(file, answers) { wrong.append("\(file.name): \(problem)") }
    }
    let list = wrong.joined(separator: "\n")
    #expect(wrong.isEmpty, "\(wrong.count) of \(files.count):\n\(list)")
  }

  @Test("Samples that are smaller than their place in a frame have their level")
  func smallerSamples() throws {
    let folder = try TemporaryFolder()
    for file in OddHeaders.unusual() {
      try Data(file.bytes).write(to: URL(fileURLWithPath: folder(file.name)))
      let sound = try Sound(path: folder(file.name))
      for (channel, samples) in sound.channels.enumerated() {
        for (frame, sample) in samples.enumerated() where frame % 97 == 0 {
          let wanted = 0.3 * sin(Double(frame) * 0.131 + Double(channel))
          #expect(abs(Double(sample) - wanted) < 1e-4, "\(file.name): frame \(frame)")
        }
      }
    }
  }

  @Test("An APE tag in front of MP3 leaves the delays of its first frame out, as behind it")
  func tagInFront() throws {
    let folder = try TemporaryFolder()
    let path = folder("front.mp3")
    let bytes = try OddTags.ape("Front") + Self.plain("a.mp3", .mpegLayer3)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let answers = [batch(path), report(path), packets(path)].compactMap { try? $0.get() }
    #expect(answers.map(\.frames) == [Self.frames, Self.frames, Self.frames])
  }

  @Test("Apple lossless ends within its last packet, whatever its table counts")
  func losslessEnd() throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.plain("a.caf", .alac16)
    let place = try #require(bytes.firstRange(of: Array("pakt".utf8))?.lowerBound)
    // The number of packets, the playable frames, and the trimmed frames at both ends follow the size.
    let count = bytes[(place + 12)..<(place + 20)].reduce(0) { $0 << 8 | Int($1) }
    bytes.replaceSubrange(
      (place + 20)..<(place + 36), with: number(count * 4096, 8, big: true) + number(0, 8))
    let path = folder("counted.caf")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let answers = [batch(path), report(path), packets(path)].compactMap { try? $0.get() }
    #expect(answers.map(\.frames) == [Self.frames, Self.frames, Self.frames])
  }

  /// Why answers are not one; nil where they are.
  private static func problem(_ file: OddFile, _ answers: [Result<Answer, Refusal>]) -> String? {
    let found = answers.compactMap { try? $0.get() }
    // A stream that has to begin before its end is known cannot report all.
    let whole = found.filter { $0.reader != "stream" }
    guard let first = whole.first else {
      return file.mayBeRefused && found.isEmpty ? nil : "refused: \(answers)"
    }
    let isOne =
      whole.count == 3
      && whole.allSatisfy {
        $0.frames == first.frames && $0.sampleRate == first.sampleRate
          && $0.channels == first.channels && $0.title == first.title
      }
    let isRight = file.frames.map { $0 == first.frames } ?? true
    let arrived = found.first { $0.reader == "stream" }
    let isAlike =
      arrived.map { $0.sampleRate == first.sampleRate && $0.channels == first.channels } ?? true
    guard !isOne || !isRight || !isAlike else { return nil }
    return (file.frames.map { "\($0) frames; " } ?? "")
      + answers.map { "\($0)" }.joined(separator: "; ")
  }

  // MARK: Readers

  private struct Refusal: Error, CustomStringConvertible {
    var reader: String
    var reason: String
    var description: String { "\(reader) refused: \(reason)" }
  }

  /// The reader of batches.
  private func batch(_ path: String) -> Result<Answer, Refusal> {
    do {
      let reader = try AudioFileReader(path: path)
      let (title, rate) = (reader.metadata[.title], reader.format.sampleRate)
      let sound = try Sound(path: path)
      return .success(
        Answer(
          reader: "batch", frames: sound.frameCount, sampleRate: rate,
          channels: sound.channels.count, title: title))
    } catch let error as AuricleError {
      return .failure(Refusal(reader: "batch", reason: error.message))
    } catch { return .failure(Refusal(reader: "batch", reason: "\(error)")) }
  }

  /// `auricle file info`.
  private func report(_ path: String) -> Result<Answer, Refusal> {
    do throws(AuricleError) {
      let report = try SoundFileReport(of: path)
      return .success(
        Answer(
          reader: "info", frames: Int(report.frames), sampleRate: report.sampleRate,
          channels: report.channels, title: report.info["title"]))
    } catch { return .failure(Refusal(reader: "info", reason: error.message)) }
  }

  /// The answer of the reader below AudioFile and ExtAudioFile.
  private func packets(_ path: String) -> Result<Answer, Refusal> {
    do throws(AudioFileFailure) {
      let suffix = path.split(separator: ".").last.map(String.init) ?? ""
      let file = try PacketFile.open(
        FileStore(opening: path, writable: false), fileExtension: suffix)
      return .success(
        Answer(
          reader: "packets", frames: Int(try file.soundFrameCount()),
          sampleRate: file.format.mSampleRate, channels: Int(file.format.mChannelsPerFrame),
          title: try file.storedInfo()["title"]))
    } catch { return .failure(Refusal(reader: "packets", reason: "\(error.status)")) }
  }

  /// AudioFileStream, in pieces.
  private func stream(_ path: String, _ bytes: [UInt8]) -> Result<Answer, Refusal> {
    let stream = PacketStream(hint: Self.hint(path))
    var packets = 0
    do throws(AudioFileFailure) {
      for start in stride(from: 0, to: bytes.count + 3_000, by: 3_000) {
        let piece = Array(bytes[min(start, bytes.count)..<min(start + 3_000, bytes.count)])
        try unsafe piece.span.withUnsafeBytes { (buffer) throws(AudioFileFailure) in
          try unsafe stream.parse(
            buffer, ready: { _ in }, deliver: { packets += Int($0.packetCount) })
        }
        if piece.isEmpty { break }
      }
    } catch { return .failure(Refusal(reader: "stream", reason: "\(error.status)")) }
    guard let file = stream.file else {
      return .failure(Refusal(reader: "stream", reason: "nothing"))
    }
    return .success(
      Answer(
        reader: "stream", frames: packets * Int(file.format.mFramesPerPacket),
        sampleRate: file.format.mSampleRate,
        channels: Int(file.format.mChannelsPerFrame)))
  }

  private static func hint(_ path: String) -> AudioFileTypeID {
    let kinds = ["mp3": kAudioFileMP3Type, "aac": kAudioFileAAC_ADTSType, "ac3": kAudioFileAC3Type]
    return kinds[path.split(separator: ".").last.map(String.init) ?? ""] ?? 0
  }
}
