// Names of formats: "Linear PCM, 16 bit little-endian signed integer, 2 channels, 44100 Hz".
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Names for people.
package enum FormatNames {
  /// The name of a format, with the rate and the channels where it has them; nil for one nobody knows.
  package static func name(of format: AudioStreamBasicDescription) -> String? {
    var parts: [String] = []
    if format.mFormatID == kAudioFormatLinearPCM {
      parts.append("Linear PCM")
      if format.mBitsPerChannel > 0 { parts.append(sampleName(format)) }
    } else {
      guard let known = KnownFormat.with(id: format.mFormatID) else { return nil }
      parts.append(known.name)
      let depths: [UInt32: String] = [1: "16", 2: "20", 3: "24", 4: "32"]
      if format.mFormatID == kAudioFormatAppleLossless, let depth = depths[format.mFormatFlags] {
        parts.append("\(depth) bit source")
      }
    }
    if format.mChannelsPerFrame > 0 {
      let plural = format.mChannelsPerFrame == 1 ? "" : "s"
      parts.append("\(format.mChannelsPerFrame) channel\(plural)")
    }
    if format.mSampleRate > 0, format.mSampleRate.isFinite {
      let whole = Int64(exactly: format.mSampleRate)
      parts.append((whole.map(String.init) ?? String(format.mSampleRate)) + " Hz")
    }
    return parts.joined(separator: ", ")
  }

  /// The form of the samples of linear PCM.
  private static func sampleName(_ format: AudioStreamBasicDescription) -> String {
    let flags = format.mFormatFlags
    let has = { (flag: AudioFormatFlags) in flags & flag != 0 && flags != 0x8000_0000 }
    var words = ["\(format.mBitsPerChannel) bit"]
    if format.mBitsPerChannel > 8 {
      words.append(has(kAudioFormatFlagIsBigEndian) ? "big-endian" : "little-endian")
    }
    if has(kAudioFormatFlagIsFloat) {
      words.append("floating point")
    } else {
      words.append(has(kAudioFormatFlagIsSignedInteger) ? "signed integer" : "unsigned integer")
    }
    let planar = has(kAudioFormatFlagIsNonInterleaved) && format.mChannelsPerFrame > 1
    return words.joined(separator: " ") + (planar ? ", deinterleaved" : "")
  }
}
