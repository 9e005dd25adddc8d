// The one place where error numbers of the system become failures with a sentence.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Glibc

/// The status codes of file failures, as Core Audio's audio file functions return them.
package enum FileStatus {
  /// `kAudioFileUnspecifiedError`, 'wht?'.
  package static let unspecified: Int32 = 0x7768_743F
  /// `kAudioFileUnsupportedFileTypeError`, 'typ?'.
  package static let unsupportedType: Int32 = 0x7479_703F
  /// `kAudioFileUnsupportedDataFormatError`, 'fmt?'.
  package static let unsupportedFormat: Int32 = 0x666D_743F
  /// `kAudioFileInvalidFileError`, 'dta?'.
  package static let invalidFile: Int32 = 0x6474_613F
  /// `kAudioFilePermissionsError`, 'prm?'.
  package static let permissions: Int32 = 0x7072_6D3F
  /// `kAudioFileFileNotFoundError`.
  package static let notFound: Int32 = -43
  /// The classic "disk full".
  package static let diskFull: Int32 = -34
  /// The classic "file already there".
  package static let duplicateName: Int32 = -48
}

/// The system's text of an error number, in the form for the middle of a sentence.
///
/// Context: any.
package func systemReason(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
  return first.lowercased() + text.dropFirst()
}

/// The failure of a system call on a file: `cannot read talk.wav: permission denied`.
///
/// `verb` names the action that failed: `read`, `write`, `verify`. A failure that may pass later (a
/// full disk, a mount that went away) is `temporary`. The cause is the number.
///
/// Context: any.
public func systemError(_ number: Int32, _ verb: String, _ path: String) -> AuricleError {
  let isReading = verb == "read"
  let (category, status): (AuricleError.Category, Int32) =
    switch number {
    case ENOENT, ENOTDIR: (isReading ? .noInput : .inputOutput, FileStatus.notFound)
    case EACCES, EPERM, EROFS: (.inputOutput, FileStatus.permissions)
    // The same may succeed when there is room again.
    case ENOSPC, EDQUOT: (.temporary, FileStatus.diskFull)
    case EFBIG: (.inputOutput, FileStatus.diskFull)
    case EIO where !isReading: (.temporary, FileStatus.unspecified)
    case ESTALE, ENODEV, ENOTCONN, EHOSTDOWN, ETIMEDOUT, EREMOTEIO, EMFILE, ENFILE, ENOMEM:
      (.temporary, FileStatus.unspecified)
    default: (.inputOutput, FileStatus.unspecified)
    }
  let sentence =
    switch number {
    case ENOENT where isReading: "there is no file \(path)"
    case ENOENT, ENOTDIR: "cannot \(verb) \(path): the folder it is to be in does not exist"
    default: "cannot \(verb) \(path): \(systemReason(number))"
    }
  return AuricleError(category, status: status, sentence, cause: .errno(number))
}
