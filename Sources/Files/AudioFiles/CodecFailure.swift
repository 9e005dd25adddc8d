// The reason why a codec fails: the kind of failure, and its sentence.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CAuricleCodec
import Glibc
import HostSystem

/// The reason why a codec fails.
struct CodecFailure: Error {
  /// The kind of a failure, by which code decides.
  enum Kind: Equatable {
    /// The file is cut short, or makes no sense; also the meaning of a later codec's unknown status.
    case damaged
    /// The file is of no kind that the codec knows.
    case unknownKind
    /// No decoder or encoder accepts it.
    case unsupported
    /// The file holds no sound track.
    case noTrack
    /// The file holds sound tracks, but not the one that was asked for.
    case noSuchTrack
    /// The system failed, with this `errno`.
    case system(Int32)
    /// The container has no place for the pictures.
    case noVideo
    /// There is no codec, or it cannot be used.
    case noCodec
  }

  let kind: Kind
  /// The end of a sentence.
  let reason: String

  init(kind: Kind, reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Reads a codec's failure; a failure of the system becomes one of the stream as well.
  init(_ failure: AuricleCodecFailure, of stream: FileStream) {
    switch UInt32(bitPattern: failure.status) {
    case kAuricleCodecUnknownKind.rawValue: kind = .unknownKind
    case kAuricleCodecUnsupported.rawValue: kind = .unsupported
    case kAuricleCodecNoTrack.rawValue: kind = .noTrack
    case kAuricleCodecNoVideo.rawValue: kind = .noVideo
    case kAuricleCodecNoSuchTrack.rawValue: kind = .noSuchTrack
    // Sizes come from the file: a file that asks for too much memory will ask for it the next time, too.
    case kAuricleCodecOutOfMemory.rawValue: kind = .damaged
    case kAuricleCodecSystemError.rawValue:
      kind = .system(failure.systemError > 0 ? failure.systemError : EIO)
    default: kind = .damaged
    }
    let bytes = unsafe withUnsafeBytes(of: failure.reason) { unsafe Array($0.prefix { $0 != 0 }) }
    reason = trimmedReason(String(decoding: bytes, as: UTF8.self))
    if case .system(let number) = kind { stream.record(number) }
  }
}
