// Limits of opened files, the way to the codec, and the errors of files that cannot be opened.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioTypes
import CSndFile
import HostSystem

extension AudioFileReader {
  /// Lists the damage that can be found without a decoder, as ends of sentences; nil for none.
  ///
  /// - Parameter descriptor: The file, which is closed.
  ///
  /// Context: control.
  package static func damageBeforeDecoding(descriptor: Int32, path: String) -> [String]? {
    guard let stream = try? InputFile.stream(descriptor, path) else { return nil }
    var repairs = FileRepairs(stream, raw: nil, path: path, isTolerant: true)
    var found: [String] = []
    try? repairs.apply { (problem) throws(AuricleError) in found.append(problem) }
    let isCAF = stream.bytes(at: 0, count: 4).elementsEqual("caff".utf8)
    if let kind = isCAF ? .caf : sizedKind(stream), found.isEmpty,
      let problem = integrityProblem(of: stream, container: kind)
    {
      found.append(problem)
    }
    return found.isEmpty ? nil : found
  }

  static func checkLimits(
    _ format: AudioFileFormat, _ path: String
  ) throws(AuricleError) {
    guard (1...AudioFileFormat.maximumChannelCount).contains(format.channelCount) else {
      throw damage(path, "its header declares \(format.channelCount) channels")
    }
    guard (1...AudioFileFormat.maximumSampleRate).contains(format.sampleRate) else {
      throw damage(path, "its header has a sample rate of \(Int(format.sampleRate)) Hz")
    }
  }

  /// Opens files unknown to the file library through the codec.
  ///
  /// Errors: those of the codec, or of the file library where the file is none of the codec's business.
  static func openCodec(
    _ stream: FileStream, _ path: String, _ failure: SoundFileFailure, _ refused: RefusedKind?,
    track: Int?, isTolerant: Bool, packets: PacketFile?
  ) throws(AuricleError) -> CodecReader {
    let beginning = FileBeginning(stream.bytes(at: 0, count: FileBeginning.byteCount))
    if let beginning, beginning != .sound {
      throw AuricleError(
        .badData, status: FileStatus.unsupportedType, "\(path) is \(beginning.advice)")
    }
    let isKnownKind = beginsLikeCodecFile(stream)
    let mayTry = refused.map(\.isForCodec) ?? (isKnownKind || failure.isOfUnknownKind)
    guard mayTry else {
      if let refused {
        throw AuricleError(
          .badData, status: FileStatus.unsupportedFormat, "\(path) \(refused.reason)")
      }
      throw openingError(failure, stream, path)
    }
    do throws(CodecFailure) {
      return try CodecReader(stream, passesDamage: isTolerant, track: track, packets: packets)
    } catch {
      if stream.failure != 0 { throw systemError(stream.failure, "read", path) }
      if let kind = sizedKind(stream), let problem = integrityProblem(of: stream, container: kind) {
        throw damage(path, problem)
      }
      if error.kind == .noCodec, isKnownKind || refused != nil {
        throw AuricleError(
          .unavailable, status: FileStatus.unsupportedType, "cannot read \(path): \(error.reason)")
      }
      guard isKnownKind else { throw openingError(failure, stream, path) }
      throw codecError(error, path, track: track)
    }
  }

  /// Opens compressed sound in CAF, which the file library does not know; nil for another file.
  ///
  /// Errors: `unavailable` without the codec; `badData` for damage.
  static func openPackets(
    _ stream: FileStream, _ path: String
  ) throws(AuricleError) -> PacketReader? {
    guard stream.bytes(at: 0, count: 4) == Array("caff".utf8) else { return nil }
    do throws(CodecFailure) { return try PacketReader(stream) } catch {
      if stream.failure != 0 { throw systemError(stream.failure, "read", path) }
      switch error.kind {
      case .unsupported: return nil
      case .noCodec:
        throw AuricleError(
          .unavailable, status: FileStatus.unsupportedType, "cannot read \(path): \(error.reason)")
      default: throw codecError(error, path, track: nil)
      }
    }
  }

  /// The failure of a codec that knows a file's kind.
  private static func codecError(
    _ failure: CodecFailure, _ path: String, track: Int?
  ) -> AuricleError {
    switch failure.kind {
    case .noSuchTrack:
      if let track { return missingTrack(track, path) }
      return damage(path, failure.reason)
    case .noTrack:
      return AuricleError(
        .badData, status: FileStatus.unsupportedFormat, "\(path) holds no sound track")
    case .unknownKind: return damage(path, "its content does not match its first bytes")
    case .damaged, .unsupported, .noVideo, .noCodec: return damage(path, failure.reason)
    case .system(let number): return systemError(number, "read", path)
    }
  }

  static func missingTrack(_ track: Int, _ path: String) -> AuricleError {
    AuricleError(
      .badData, status: FileStatus.unsupportedFormat,
      "\(path) holds no sound track \(track) that can be read: give another number with --track, or "
        + "leave it out", cause: .noSuchTrack)
  }

  /// The sentence for a file that the library does not open.
  private static func openingError(
    _ failure: SoundFileFailure, _ stream: FileStream, _ path: String
  ) -> AuricleError {
    if stream.failure != 0 { return systemError(stream.failure, "read", path) }
    switch failure.kind {
    case .unknownKind:
      return AuricleError(
        .badData, status: FileStatus.unsupportedType, "\(path) is no audio file of a known kind")
    case .unknownEncoding:
      return AuricleError(
        .badData, status: FileStatus.unsupportedFormat,
        "\(path) has an encoding that cannot be read here")
    case .badNumbers:
      return damage(
        path, "the sample rate or channel count in its header makes no sense")
    case .internalError: return damage(path, "its header makes no sense")
    case .noTemporaryFile, .other: return damage(path, failure.reason)
    }
  }
}

/// Kinds of files that the library reads in part, or not without harm: it does not get to see them.
enum RefusedKind {
  /// A Creative Voice File of several blocks: the library reads the headers of all but the first as
  /// sound.
  case severalVoiceBlocks
  /// FLAC within Ogg.
  case oggFLAC
  /// Several Ogg streams one after the other; the first ends at an offset.
  case chainedOgg(end: Int)

  /// The kind of a file; nil where the library may have it.
  init?(_ stream: FileStream, isOneStream: Bool = false) {
    let start = stream.bytes(at: 0, count: 64)
    if start.starts(with: "Creative Voice File".utf8) {
      guard SizeWalk.voiceSoundCount(stream) > 1 else { return nil }
      self = .severalVoiceBlocks
    } else if start.starts(with: "OggS".utf8) {
      let origin = Int64(stream.origin)
      if !isOneStream, let end = PacketFile.chainEnd(of: StoredBytes(stream), from: origin) {
        self = .chainedOgg(end: Int(end))
      } else if start.firstRange(of: [0x7F] + Array("FLAC".utf8)) != nil {
        self = .oggFLAC
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  /// Whether the codec may read it.
  var isForCodec: Bool {
    if case .chainedOgg = self { return false }
    return true
  }

  /// The reason why it is not read, as the end of a sentence.
  var reason: String {
    switch self {
    case .severalVoiceBlocks: "holds its sound in several blocks"
    case .oggFLAC: "holds FLAC within Ogg, which is not read here: convert it to plain FLAC"
    case .chainedOgg:
      "holds several Ogg streams one after the other: make one of them by 'ffmpeg -i FILE OUT.flac', or "
        + "read the first alone with --tolerant"
    }
  }
}

/// The kind of a file that the codec reads, where its header contains the size of the sound.
func sizedKind(_ stream: FileStream) -> AudioContainer? {
  let start = stream.bytes(at: 0, count: 20)
  if start.starts(with: "OggS".utf8) { return .ogg }
  if start.starts(with: "Creative Voice File".utf8) { return .voc }
  let isWave = start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WAVE".utf8)
  return isWave ? .wav : nil
}

/// Video in RIFF, which the library reads as damaged WAV.
func isAVI(_ stream: FileStream) -> Bool {
  let start = stream.bytes(at: 0, count: 12)
  return start.starts(with: "RIFF".utf8) && start.dropFirst(8).elementsEqual("AVI ".utf8)
}
