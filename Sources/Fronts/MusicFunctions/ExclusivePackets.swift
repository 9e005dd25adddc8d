// SysEx for a frame: in universal packets, since the call for SysEx itself has no frame.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Sends SysEx to units in universal packets. Context: the thread that plays.
enum ExclusivePackets {
  /// Bytes of the longest message that goes so: units have room for so many packets a slice.
  private static let limit = 4096
  /// Data bytes of a list of one packet of 64 words.
  private static let piece = 32 * 6

  /// Sends a message, with its first and last byte, for a frame of the next slice.
  ///
  /// - Returns: False where it acts at the start of the slice anyway, is not whole, is long, or the
  ///   unit accepts no such packets; then nothing was sent.
  static func send(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, to unit: MusicDeviceComponent?, _ offset: UInt32
  ) -> Bool {
    guard offset > 0, count >= 2, count <= limit, unsafe bytes[count - 1] == 0xF7 else {
      return false
    }
    let data = unsafe UnsafeBufferPointer(start: bytes + 1, count: count - 2)
    guard unsafe data.allSatisfy({ $0 < 0x80 }) else { return false }
    var place = 0
    repeat {
      let end = min(place + piece, data.count)
      guard unsafe send(data, place..<end, to: unit, offset) == noErr else { return place > 0 }
      place = end
    } while place < data.count
    return true
  }

  /// Sends a part as one packet of words.
  private static func send(
    _ data: UnsafeBufferPointer<UInt8>, _ part: Range<Int>, to unit: MusicDeviceComponent?,
    _ offset: UInt32
  ) -> OSStatus {
    unsafe withUnsafeTemporaryAllocation(byteCount: 20 + 64 * 4, alignment: 8) { memory in
      var words: UInt32 = 0
      var place = part.lowerBound
      repeat {
        let end = min(place + 6, part.upperBound)
        var pair = UInt64(3) << 60 | UInt64(end - place) << 48
        if place > 0 || end < data.count {
          pair |= UInt64(place == 0 ? 1 : end < data.count ? 2 : 3) << 52
        }
        for index in place..<end {
          pair |= unsafe UInt64(data[index]) << UInt64(40 - 8 * (index - place))
        }
        for shift in stride(from: 32, through: 0, by: -32) {
          unsafe memory.storeBytes(
            of: UInt32(truncatingIfNeeded: pair >> shift), toByteOffset: 20 + 4 * Int(words),
            as: UInt32.self)
          words += 1
        }
        place = end
      } while place < part.upperBound
      unsafe memory.storeBytes(of: 1, toByteOffset: 0, as: UInt32.self)
      unsafe memory.storeBytes(of: 1, toByteOffset: 4, as: UInt32.self)
      unsafe memory.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
      unsafe memory.storeBytes(of: words, toByteOffset: 16, as: UInt32.self)
      guard let start = memory.baseAddress else { return kAudio_MemFullError }
      return unsafe MusicDeviceMIDIEventList(
        unit, offset, start.assumingMemoryBound(to: MIDIEventList.self))
    }
  }
}
