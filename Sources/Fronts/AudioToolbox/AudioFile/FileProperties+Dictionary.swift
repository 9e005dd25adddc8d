// The files' information about themselves, as dictionaries of strings.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileProperties
import AudioTypes
import CAudioToolbox

extension FileProperties {
  /// The texts of the file, with its duration, as a dictionary of strings; +1.
  static func infoDictionary(_ file: PacketFile) throws(AudioFileFailure) -> CFDictionaryRef? {
    var info = try file.storedInfo()
    let seconds = try file.duration()
    if seconds > 0 {
      info[kAFInfoDictionary_ApproximateDurationInSeconds] = durationText(seconds)
    }
    return unsafe dictionary(info)
  }

  /// Texts as a dictionary of strings; +1.
  static func dictionary(_ info: SoundInfo) -> CFDictionaryRef? {
    var objects: [String: UnsafeRawPointer?] = unsafe [:]
    for (key, text) in info.entries {
      unsafe objects[key] = unsafe UnsafeRawPointer(makeCFString(text))
    }
    return unsafe makeCFDictionary(takingOver: objects)
  }

  /// Seconds with three digits, without zeros at the end.
  static func durationText(_ seconds: Double) -> String {
    let thousandths = Int64((seconds * 1000).rounded())
    let fraction = String(String(1000 + thousandths % 1000).dropFirst())
    var text = "\(thousandths / 1000).\(fraction)"
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
