// Prints a stream format as Core Audio's `CAShow` does.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

extension AudioStreamFormat: CustomStringConvertible {
  /// The format in words: `2 ch, 44100 Hz, 'lpcm' (0x00000029) 32-bit little-endian float, deinterleaved`.
  public var description: String {
    "\(channelCount) ch, \(rateText) Hz, \(dataText)"
  }

  /// The description in the columns of `CAShow`: two places for channels, six for the rate.
  public var columnDescription: String {
    "\(padded(String(channelCount), 2)) ch, \(padded(rateText, 6)) Hz, \(dataText)"
  }

  private var rateText: String {
    let rounded = sampleRate.rounded()
    return Int64(exactly: rounded).map { rounded == sampleRate ? String($0) : "\(sampleRate)" }
      ?? "\(sampleRate)"
  }

  private var dataText: String {
    let flags = FourCharacterCode(rawValue: asbd.mFormatFlags).hexadecimal
    let start = "\(formatID.quoted) (\(flags))"
    guard isLinearPCM else {
      return "\(start) \(asbd.mBitsPerChannel) bits/channel, \(asbd.mBytesPerPacket) bytes/packet, "
        + "\(asbd.mFramesPerPacket) frames/packet, \(asbd.mBytesPerFrame) bytes/frame"
    }
    let isFloat = asbd.mFormatFlags & Flag.float != 0
    var words = ["\(asbd.mBitsPerChannel)-bit"]
    if asbd.mBitsPerChannel > 8 {
      words.append(asbd.mFormatFlags & Flag.bigEndian != 0 ? "big-endian" : "little-endian")
    }
    if !isFloat {
      words.append(asbd.mFormatFlags & Flag.signedInteger != 0 ? "signed" : "unsigned")
    }
    words.append(isFloat ? "float" : "integer")
    if asbd.mFormatFlags & Flag.packed == 0 {
      words.append(asbd.mFormatFlags & Flag.alignedHigh != 0 ? "high-aligned" : "low-aligned")
    }
    let layout = isPlanar ? "deinterleaved" : "interleaved"
    return "\(start) \(words.joined(separator: " ")), \(layout)"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
