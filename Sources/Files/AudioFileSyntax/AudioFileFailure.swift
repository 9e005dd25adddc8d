// The one failure of this module: the status that an Audio File function returns.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The reason why a sound file could not be read or written.
package struct AudioFileFailure: Error, Equatable, Sendable {
  /// The status that an Audio File function returns.
  package let status: OSStatus

  /// A failure with a status.
  package init(_ status: OSStatus) { self.status = status }

  /// An argument is wrong.
  package static let parameter = AudioFileFailure(kAudio_ParamError)
  /// Reading or writing failed, or anything else.
  package static let unspecified = AudioFileFailure(kAudioFileUnspecifiedError)
  /// No container of this type, or contents that no reader knows.
  package static let fileType = AudioFileFailure(kAudioFileUnsupportedFileTypeError)
  /// The container cannot hold the format.
  package static let dataFormat = AudioFileFailure(kAudioFileUnsupportedDataFormatError)
  /// The container has no such property.
  package static let property = AudioFileFailure(kAudioFileUnsupportedPropertyError)
  /// The size of a value is not that of the property.
  package static let size = AudioFileFailure(kAudioFileBadPropertySizeError)
  /// Not opened for this.
  package static let permission = AudioFileFailure(kAudioFilePermissionsError)
  /// The sound cannot grow, since chunks follow it.
  package static let notOptimized = AudioFileFailure(kAudioFileNotOptimizedError)
  /// No such chunk, or the container keeps no such thing.
  package static let chunk = AudioFileFailure(kAudioFileInvalidChunkError)
  /// The sound would be longer than the container can say.
  package static let tooLong = AudioFileFailure(kAudioFileDoesNotAllow64BitDataSizeError)
  /// No such packet, or one that cannot be written there.
  package static let packet = AudioFileFailure(kAudioFileInvalidPacketOffsetError)
  /// The file is of its type, and broken.
  package static let broken = AudioFileFailure(kAudioFileInvalidFileError)
  /// The container cannot do that.
  package static let unsupported = AudioFileFailure(kAudioFileOperationNotSupportedError)
  /// The file ends here.
  package static let endOfFile = AudioFileFailure(kAudioFileEndOfFileError)
  /// Not enough bytes of a stream have come.
  package static let notYet = AudioFileFailure(kAudioFileStreamError_DataUnavailable)
  /// A stream does not say it in front of the sound.
  package static let unknown = AudioFileFailure(kAudioFileStreamError_ValueUnknown)
  /// Not now.
  package static let illegal = AudioFileFailure(kAudioFileStreamError_IllegalOperation)
  /// After a gap in a stream the start of a packet is unknown.
  package static let lost = AudioFileFailure(kAudioFileStreamError_DiscontinuityCantRecover)
  /// There is no such file.
  package static let notFound = AudioFileFailure(kAudioFileFileNotFoundError)
}
