// The codec as files need it: whether a container can be written, and failures of theirs.
// SPDX-License-Identifier: Apache-2.0

public import AudioCodecs
public import AudioTypes
import CAuricleCodec
import HostSystem

extension CodecLibrary {
  /// Fails with a sentence when files of a format need the codec and there is none.
  ///
  /// Errors: `unavailable`.
  static func check(_ format: AudioFileFormat) throws(AuricleError) {
    guard format.needsCodec, path == nil else { return }
    throw AuricleError(
      .unavailable, status: FileStatus.unsupportedType, "cannot write \(format): \(advice)")
  }

  /// Fails with a sentence when files of a kind need the codec and there is none.
  ///
  /// Errors: `unavailable`.
  public static func check(_ container: AudioContainer) throws(AuricleError) {
    guard container.needsCodec, path == nil else { return }
    throw AuricleError(
      .unavailable, status: FileStatus.unsupportedType,
      "cannot write \(container.name) files: \(advice)")
  }

  /// The codec, loaded now if it was not before.
  ///
  /// Errors: `noCodec`.
  static func loadForFiles() throws(CodecFailure) -> UnsafePointer<AuricleCodec> {
    do throws(Missing) { return try unsafe load() } catch {
      throw CodecFailure(kind: .noCodec, reason: error.reason)
    }
  }
}
