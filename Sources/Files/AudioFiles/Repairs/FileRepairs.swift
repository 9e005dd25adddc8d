// What a file needs before its decoder reads it right: a list of repairs, applied in order.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import AudioTypes

/// A file on its way to its decoder, and what the repairs found out about it.
///
/// The file itself stays as it is; the decoder sees another length, or other bytes in some place.
struct FileRepairs {
  /// One repair: changes what the decoder will see, and returns what is wrong with the file as the end of a
  /// sentence; nil when nothing is, or the file is of another kind.
  typealias Repair = @Sendable (inout FileRepairs) -> String?

  /// For files that tell what they hold.
  private static let ofKnownKinds: [Repair] = [
    cutOffAnotherFile, DolbyFrames.repair, RefusedKind.repair, UnclosedFile.repair,
    MP3Frames.repair, SampleDump.repair, AmigaHalves.repair,
  ]
  /// For files without a header.
  private static let ofRawFiles: [Repair] = [countWholeFrames]

  let stream: FileStream
  /// What the samples of a file without a header are; nil for a file that tells.
  let raw: AudioFileFormat?
  /// Why the file library does not get to see the file.
  var refused: RefusedKind?
  /// The frames of MPEG audio.
  var mp3: MP3Frames?
  /// The MIDI sample dump.
  var dump: SampleDump?
  /// Whether the channels stand one behind the other.
  var isInHalves = false
  /// Bytes that the decoder finds in place of the file's own: those of the first repair that offers some.
  private var patch: FileStream.Patch?

  init(_ stream: FileStream, raw: AudioFileFormat?) {
    self.stream = stream
    self.raw = raw
  }

  /// Applies all repairs.
  ///
  /// - Parameter report: Called with each problem; throws unless it is tolerated.
  mutating func apply(
    _ report: (String) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    for repair in raw == nil ? Self.ofKnownKinds : Self.ofRawFiles {
      if let problem = repair(&self) { try report(problem) }
    }
    if let patch { stream.apply(patch) }
  }

  /// Has the decoder find other bytes, unless an earlier repair did.
  mutating func offer(_ patch: @autoclosure () -> FileStream.Patch?) {
    if self.patch == nil { self.patch = patch() }
  }

  /// Catches what the decoder of the file prints; nil for those that print nothing.
  var decoderOutput: DecoderOutput? {
    if mp3 != nil { return DecoderOutput(.standardError) }
    return dump != nil ? DecoderOutput(.standardOutput) : nil
  }

  private static func countWholeFrames(_ repairs: inout FileRepairs) -> String? {
    guard let bytes = repairs.raw?.bytesPerFrame, repairs.stream.length % bytes != 0 else {
      return nil
    }
    return "its \(repairs.stream.length) bytes are no whole number of frames of \(bytes)"
  }

  private static func cutOffAnotherFile(_ repairs: inout FileRepairs) -> String? {
    guard let end = endBeforeAnotherFile(repairs.stream) else { return nil }
    repairs.stream.setLength(end)
    return "another file follows behind its end, \(end) bytes from its beginning"
  }
}

extension DolbyFrames {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let frames = DolbyFrames(repairs.stream) else { return nil }
    repairs.stream.setLength(frames.end)
    repairs.stream.readEnd = frames.end
    return frames.problem
  }
}

extension RefusedKind {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    repairs.refused = RefusedKind(repairs.stream)
    return nil
  }
}

extension UnclosedFile {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    let stream = repairs.stream
    repairs.offer(SizeWalk.unclosedRiff(stream) ?? patch(stream))
    return nil
  }
}

extension MP3Frames {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    let stream = repairs.stream
    guard let frames = MP3Frames(stream) else { return nil }
    // A tag may stand before something else.
    if frames.count == 0, readBytes(stream.descriptor, at: 0, count: 3).elementsEqual("ID3".utf8) {
      return nil
    }
    repairs.mp3 = frames
    repairs.offer(frames.missingTag)
    return frames.problem
  }
}

extension SampleDump {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let dump = SampleDump(repairs.stream) else { return nil }
    repairs.dump = dump
    repairs.offer(dump.patch)
    return dump.problem
  }
}

extension AmigaHalves {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let patch = patch(repairs.stream) else { return nil }
    repairs.isInHalves = true
    repairs.offer(patch)
    return nil
  }
}
