// The meaning of alsa-lib's codes for a user.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CALSA
import Glibc

/// Failures of devices as errors with a sentence.
enum ALSAFailure {
  /// A device that cannot be opened.
  static func opening(_ name: String, _ direction: PCMDirection, _ status: Int32) -> AuricleError {
    let side = direction == .playback ? "playing" : "recording"
    switch -status {
    case EBUSY:
      return AuricleError(
        .temporary,
        "\(name) is busy: another program uses it for \(side); stop that one, or choose another device",
        cause: .errno(EBUSY))
    case EACCES, EPERM:
      return AuricleError(
        .noPermission,
        "\(name) may not be used: add yourself to the group audio (sudo usermod -aG audio $USER) and log in "
          + "again", cause: .errno(-status))
    case EHOSTDOWN, ECONNREFUSED: return noServer(name, status)
    default:
      let definition = PCMDefinition(name)
      if definition.needsJACK { return noServer(name, status) }
      if definition.isKnown {
        return AuricleError(
          .unavailable,
          "\(name) cannot be opened for \(side), as there is no card behind it (\(text(status))): plug it in, or "
            + "choose another device", cause: .errno(-status))
      }
      return AuricleError(
        .unavailable,
        "there is no device \(name) for \(side) (\(text(status))): auricle devices lists all devices",
        cause: .unknownName(name, kind: .device))
    }
  }

  private static func noServer(_ name: String, _ status: Int32) -> AuricleError {
    AuricleError(
      .unavailable,
      "\(name) needs a sound server that does not run: start it, or choose a device of auricle devices",
      cause: .errno(-status))
  }

  /// Something that a device refuses.
  static func refusal(_ name: String, _ what: String, _ advice: String) -> AuricleError {
    AuricleError(.badData, "\(name) does not take \(what): \(advice)")
  }

  /// The library's words for a code.
  static func text(_ status: Int32) -> String {
    unsafe snd_strerror(status).map { unsafe String(cString: $0) } ?? "error \(-status)"
  }
}
