// What a file turns out to be when it is opened: within limits, for the codec, or of no known kind.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CSndFile

extension AudioFileReader {
  static func checkLimits(
    _ format: AudioFileFormat, _ path: String
  ) throws(AuricleError) {
    guard (1...AudioFileFormat.maximumChannelCount).contains(format.channelCount) else {
      throw damage(path, "its header tells of \(format.channelCount) channels")
    }
    guard (1...AudioFileFormat.maximumSampleRate).contains(format.sampleRate) else {
      throw damage(path, "its header tells of a sample rate of \(Int(format.sampleRate)) Hz")
    }
  }

  /// Opens what the file library does not know through the codec; its sentence when that is none of
  /// the codec's business.
  static func openCodec(
    _ stream: FileStream, _ path: String, _ failure: SoundFileFailure, _ refusal: String?,
    track: Int?, isTolerant: Bool
  ) throws(AuricleError) -> CodecReader {
    let unknown = [
      Int32(SF_ERR_UNRECOGNISED_FORMAT), Int32(SF_ERR_UNSUPPORTED_ENCODING),
    ]
    let isKnownKind = beginsLikeCodecFile(stream)
    let mayTry = isKnownKind || unknown.contains(failure.number) && refusal == nil
    guard mayTry || refusal?.contains("Ogg streams") == false else {
      if let refusal {
        throw AuricleError(.badData, status: FileStatus.unsupportedFormat, "\(path) \(refusal)")
      }
      throw openingError(failure, stream, path)
    }
    do throws(CodecFailure) {
      return try CodecReader(stream, passesDamage: isTolerant, track: track)
    } catch {
      if stream.failure != 0 { throw systemError(stream.failure, "read", path) }
      if CodecLibrary.path == nil, isKnownKind || refusal != nil {
        throw AuricleError(
          .unavailable, status: FileStatus.unsupportedType,
          "cannot read \(path): \(CodecLibrary.advice)")
      }
      guard isKnownKind else { throw openingError(failure, stream, path) }
      if let track, error.reason.hasPrefix("it holds no sound track \(track)") {
        throw missingTrack(track, path)
      }
      if error.reason.hasPrefix("it holds no sound track") {
        throw AuricleError(
          .badData, status: FileStatus.unsupportedFormat, "\(path) holds no sound track")
      }
      throw damage(
        path,
        error.reason.hasPrefix("no file of a known kind")
          ? "what its first bytes promise does not follow" : error.reason)
    }
  }

  static func missingTrack(_ track: Int, _ path: String) -> AuricleError {
    AuricleError(
      .badData, status: FileStatus.unsupportedFormat,
      "\(path) holds no sound track \(track) that can be read: give another number with --track, or "
        + "leave it out")
  }

  /// The sentence for a file that the library does not open.
  private static func openingError(
    _ failure: SoundFileFailure, _ stream: FileStream, _ path: String
  ) -> AuricleError {
    if stream.failure != 0 { return systemError(stream.failure, "read", path) }
    switch failure.number {
    case Int32(SF_ERR_UNRECOGNISED_FORMAT):
      return AuricleError(
        .badData, status: FileStatus.unsupportedType, "\(path) is no audio file of a known kind")
    case Int32(SF_ERR_UNSUPPORTED_ENCODING):
      return AuricleError(
        .badData, status: FileStatus.unsupportedFormat,
        "\(path) has an encoding that cannot be read here")
    default:
      var reason = failure.reason
      if reason.contains("SF_INFO") {
        reason = "the sample rate or the channels that its header tells make no sense"
      } else if reason.contains("does not exist") || reason.contains("internal error") {
        // What the library says when it gives up for reasons of its own.
        reason = "its header makes no sense"
      }
      return damage(path, reason)
    }
  }
}

/// Why a file of a kind that the library reads in part, or not without harm, is not given to it.
func refusedKind(_ stream: FileStream) -> String? {
  let start = readBytes(stream.descriptor, at: 0, count: 64)
  if start.starts(with: "Creative Voice File".utf8) {
    // The library takes the headers of all but the first for sound.
    return SizeWalk.voiceSoundCount(stream) > 1 ? "holds its sound in several blocks" : nil
  }
  guard start.starts(with: "OggS".utf8) else { return nil }
  if start.firstRange(of: [0x7F] + Array("FLAC".utf8)) != nil {
    return "holds FLAC within Ogg, which is not read here: convert it to plain FLAC"
  }
  return OggPages(stream).isChained
    ? "holds several Ogg streams one after the other: take it apart first" : nil
}

/// The kind of a file that the codec reads, where its header tells the size of the sound.
func sizedKind(_ stream: FileStream) -> AudioContainer? {
  let start = readBytes(stream.descriptor, at: 0, count: 20)
  if start.starts(with: "OggS".utf8) { return .ogg }
  if start.starts(with: "Creative Voice File".utf8) { return .voc }
  let isWave = start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WAVE".utf8)
  return isWave ? .wav : nil
}

/// Video in RIFF, which the library takes for damaged WAV.
func isAVI(_ stream: FileStream) -> Bool {
  let start = readBytes(stream.descriptor, at: 0, count: 12)
  return start.starts(with: "RIFF".utf8) && start.dropFirst(8).elementsEqual("AVI ".utf8)
}
