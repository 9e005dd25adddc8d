// One place where failures of the system and of the file library become sentences.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Glibc

/// The status codes of file failures, as Core Audio's audio file functions give them.
enum FileStatus {
  /// `kAudioFileUnspecifiedError`, 'wht?'.
  static let unspecified: Int32 = 0x7768_743F
  /// `kAudioFileUnsupportedFileTypeError`, 'typ?'.
  static let unsupportedType: Int32 = 0x7479_703F
  /// `kAudioFileUnsupportedDataFormatError`, 'fmt?'.
  static let unsupportedFormat: Int32 = 0x666D_743F
  /// `kAudioFileInvalidFileError`, 'dta?'.
  static let invalidFile: Int32 = 0x6474_613F
  /// `kAudioFilePermissionsError`, 'prm?'.
  static let permissions: Int32 = 0x7072_6D3F
  /// `kAudioFileFileNotFoundError`.
  static let notFound: Int32 = -43
  /// The classic "disk full".
  static let diskFull: Int32 = -34
  /// The classic "file already there".
  static let duplicateName: Int32 = -48
}

/// What the system says about an error number, as it stands inside a sentence.
func systemReason(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard unsafe strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
  let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
  return first.lowercased() + text.dropFirst()
}

/// The failure of a system call on a file: `cannot read talk.wav: permission denied`.
///
/// `verb` says what could not be done: `read`, `write`, `verify`. What may succeed later (a full disk,
/// a mount that went away) is `temporary`.
///
/// Context: any.
public func systemError(_ number: Int32, _ verb: String, _ path: String) -> AuricleError {
  switch number {
  case ENOENT where verb == "read":
    AuricleError(.noInput, status: FileStatus.notFound, "there is no file \(path)")
  case ENOENT, ENOTDIR:
    AuricleError(
      verb == "read" ? .noInput : .inputOutput, status: FileStatus.notFound,
      "cannot \(verb) \(path): the folder it is to be in does not exist")
  case EACCES, EPERM, EROFS:
    AuricleError(
      .inputOutput, status: FileStatus.permissions,
      "cannot \(verb) \(path): \(systemReason(number))")
  case EIO where verb != "read":
    AuricleError(
      .temporary, status: FileStatus.unspecified,
      "cannot \(verb) \(path): \(systemReason(number))")
  case ENOSPC, EDQUOT:
    // The same may succeed when there is room again.
    AuricleError(
      .temporary, status: FileStatus.diskFull, "cannot \(verb) \(path): \(systemReason(number))")
  case ESTALE, ENODEV, ENOTCONN, EHOSTDOWN, ETIMEDOUT, EREMOTEIO:
    AuricleError(
      .temporary, status: FileStatus.unspecified,
      "cannot \(verb) \(path): \(systemReason(number))")
  case EMFILE, ENFILE, ENOMEM:
    AuricleError(
      .temporary, status: FileStatus.unspecified,
      "cannot \(verb) \(path): \(systemReason(number))")
  case EFBIG:
    AuricleError(
      .inputOutput, status: FileStatus.diskFull, "cannot \(verb) \(path): \(systemReason(number))")
  default:
    AuricleError(
      .inputOutput, status: FileStatus.unspecified,
      "cannot \(verb) \(path): \(systemReason(number))")
  }
}

/// The failure of a file whose content makes no sense: `talk.wav is damaged: …`.
func damage(_ path: String, _ reason: String) -> AuricleError {
  AuricleError(.badData, status: FileStatus.invalidFile, "\(path) is damaged: \(reason)")
}

/// The library's text as the end of a sentence: no final stop, no leading "Error :".
func trimmedReason(_ text: String) -> String {
  var reason = Substring(text)
  for prefix in ["Error : ", "Error: ", "Internal error : ", "Internal error: "]
  where reason.hasPrefix(prefix) { reason = reason.dropFirst(prefix.count) }
  while let last = reason.last, last == "." || last == "!" || last.isWhitespace {
    reason = reason.dropLast()
  }
  guard let first = reason.first, reason.dropFirst().first?.isUppercase != true else {
    return String(reason)
  }
  return first.lowercased() + reason.dropFirst()
}
