// Samples that are stored as they are in MP4 and QuickTime files: their format, by a code and a few numbers.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// An entry of 'stsd' with linear PCM, µ-law or A-law.
package struct MP4LinearEntry {
  /// The code of the entry.
  package var code: UInt32
  /// Rate and channels.
  package var format: AudioStreamBasicDescription
  /// Bits a sample.
  package var bits: UInt32 = 0
  /// Flags and bytes of a packet, of an entry of version 2.
  package var flags: UInt32 = 0, packetSize: UInt32 = 0
  /// The box 'pcmC' behind its version.
  package var configuration: [UInt8] = []
  /// The box 'enda': in which order bytes are.
  package var order: [UInt8] = []

  /// An entry of a code, of which rate and channels are known.
  package init(code: UInt32, format: AudioStreamBasicDescription) {
    self.code = code
    self.format = format
  }

  /// The format of the samples; nil for a code of another kind, or numbers that make no sense.
  package var described: AudioStreamBasicDescription? {
    switch code {
    case UInt32(code: "lpcm"): return wholePacket
    case UInt32(code: "sowt"): return integers(bits: usualBits, bigEndian: false)
    case UInt32(code: "twos"): return integers(bits: usualBits, bigEndian: true)
    case UInt32(code: "raw "), UInt32(code: "NONE"), 0:
      return usualBits == 8
        ? linear(8, signed: false) : integers(bits: usualBits, bigEndian: true)
    case UInt32(code: "in24"): return integers(bits: 24, bigEndian: !isLittleEndian)
    case UInt32(code: "in32"): return integers(bits: 32, bigEndian: !isLittleEndian)
    case UInt32(code: "fl32"): return linear(32, float: true, bigEndian: !isLittleEndian)
    case UInt32(code: "fl64"): return linear(64, float: true, bigEndian: !isLittleEndian)
    case UInt32(code: "ipcm"): return configured(float: false)
    case UInt32(code: "fpcm"): return configured(float: true)
    case UInt32(code: "ulaw"): return logarithmic(kAudioFormatULaw)
    case UInt32(code: "alaw"): return logarithmic(kAudioFormatALaw)
    default: return nil
    }
  }

  private var usualBits: UInt32 { [8, 16, 24, 32].contains(bits) ? bits : 16 }
  private var isLittleEndian: Bool { order.last == 1 }

  /// QuickTime's flags are those of the description itself.
  private var wholePacket: AudioStreamBasicDescription? {
    let channels = format.mChannelsPerFrame
    let isFloat = flags & kAudioFormatFlagIsFloat != 0
    guard flags & kAudioFormatFlagIsNonInterleaved == 0, packetSize % channels == 0,
      (1...8).contains(packetSize / channels), (1...64).contains(bits),
      bits <= packetSize / channels * 8, !isFloat || bits == 32 || bits == 64
    else { return nil }
    return linear(
      bits, float: isFloat, bigEndian: flags & kAudioFormatFlagIsBigEndian != 0,
      signed: flags & kAudioFormatFlagIsSignedInteger != 0, packetSize: packetSize)
  }

  /// The content of the box of the standard: the order of bytes, and bits.
  private func configured(float isFloat: Bool) -> AudioStreamBasicDescription? {
    guard configuration.count >= 2 else { return nil }
    let bits = UInt32(configuration[1])
    guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else { return nil }
    return linear(bits, float: isFloat, bigEndian: configuration[0] & 1 == 0)
  }

  private func integers(bits: UInt32, bigEndian: Bool) -> AudioStreamBasicDescription {
    linear(bits, bigEndian: bigEndian && bits > 8)
  }

  private func linear(
    _ bits: UInt32, float: Bool = false, bigEndian: Bool = false, signed: Bool = true,
    packetSize: UInt32? = nil
  ) -> AudioStreamBasicDescription {
    FormatTables.linear(
      rate: format.mSampleRate, channels: format.mChannelsPerFrame, bits: bits, float: float,
      bigEndian: bigEndian, signed: signed, frameSize: packetSize)
  }

  private func logarithmic(_ id: AudioFormatID) -> AudioStreamBasicDescription {
    var law = format
    law.mFormatID = id
    FormatTables.fillCompressed(&law)
    return law
  }
}
