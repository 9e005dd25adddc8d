// The sentences for failures of the file library.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem

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
