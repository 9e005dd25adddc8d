// The two laws of G.711: a byte a sample.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// µ-law or A-law.
package struct LogarithmicLaw {
  private let decoded: [Int16]
  private let encoded: [UInt8]

  /// The law of a format; nil for others.
  package init?(_ id: AudioFormatID) {
    switch id {
    case kAudioFormatULaw: self = Self.mu
    case kAudioFormatALaw: self = Self.a
    default: return nil
    }
  }

  private init(_ sample: (UInt8) -> Int) {
    decoded = (0...255).map { Int16(sample(UInt8($0))) }
    // The nearest code of each sample; of two as near the one that is closer to silence.
    let codes = (0...255).map { (code: UInt8($0), sample: sample(UInt8($0))) }
      .sorted { ($0.sample, $0.code) < ($1.sample, $1.code) }
    var table = [UInt8](repeating: 0, count: 1 << 16)
    var place = 0
    for value in -32_768...32_767 {
      while place + 1 < codes.count {
        let near = abs(codes[place].sample - value)
        let next = abs(codes[place + 1].sample - value)
        guard
          next < near || next == near && abs(codes[place + 1].sample) <= abs(codes[place].sample)
        else { break }
        place += 1
      }
      table[value + 32_768] = codes[place].code
    }
    encoded = table
  }

  private static let mu = LogarithmicLaw { code in
    let bits = Int(~code)
    let size = ((bits & 15) << 3 + 0x84) << (bits >> 4 & 7) - 0x84
    return bits & 0x80 != 0 ? -size : size
  }

  private static let a = LogarithmicLaw { code in
    let bits = Int(code ^ 0x55)
    let (step, part) = (bits >> 4 & 7, (bits & 15) << 4 + 8)
    let size = step == 0 ? part : (part + 0x100) << (step - 1)
    return bits & 0x80 != 0 ? size : -size
  }

  /// Makes samples of 16 bits.
  package func decode(_ bytes: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) {
    for index in 0..<bytes.count {
      unsafe target.storeBytes(
        of: decoded[Int(bytes[index])], toByteOffset: 2 * index, as: Int16.self)
    }
  }

  /// Makes bytes of samples of 16 bits.
  package func encode(_ samples: UnsafeRawPointer, count: Int, into bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + count)
    for index in 0..<count {
      let sample = unsafe samples.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)
      bytes.append(encoded[Int(sample) + 32_768])
    }
  }
}
