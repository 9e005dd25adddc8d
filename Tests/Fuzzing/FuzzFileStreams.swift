// libFuzzer target: any bytes as a stream, whose packets do not depend on the pieces it comes in. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Parses the bytes at once, and in pieces whose sizes follow from them.
@c(LLVMFuzzerTestOneInput)
public func fuzzFileStreams(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    for hint in [0, kAudioFileMP3Type, kAudioFileAAC_ADTSType, kAudioFileAC3Type] {
      let whole = used(bytes, hint) { bytes.count }
      // A small generator of pieces, seeded by the bytes.
      var state = bytes.reduce(UInt32(1)) { ($0 ^ UInt32($1)) &* 0x0100_0193 } | 1
      let pieces = used(bytes, hint) {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int(state >> 16) % (state & 0x8000 != 0 ? 40 : 1500) + 1
      }
      precondition(whole == pieces, "packets depend on the pieces")
    }
  }
}

/// The output: the sum of all packets, their number, the status.
private struct Consumed: Equatable {
  var sum: UInt64 = 0
  var packetCount: UInt64 = 0
  var readyCount = 0
  var status: OSStatus = 0
}

private func used(_ bytes: [UInt8], _ hint: AudioFileTypeID, _ size: () -> Int) -> Consumed {
  var used = Consumed()
  let stream = PacketStream(hint: hint)
  var place = 0
  do throws(AudioFileFailure) {
    while place <= bytes.count {
      let count = min(size(), bytes.count - place)
      let piece = Array(bytes[place..<(place + count)])
      try unsafe piece.span.withUnsafeBytes { (piece) throws(AudioFileFailure) in
        try unsafe stream.parse(piece) { file in
          used.readyCount += 1
          _ = try? file.meanBitRate()
          _ = file.packetSizeBound()
        } deliver: { delivery in
          used.packetCount += UInt64(delivery.packetCount)
          for byte in delivery.bytes { used.sum = used.sum &* 31 &+ UInt64(byte) }
          var end: Int64 = 0
          for packet in delivery.descriptions {
            precondition(packet.mStartOffset == end, "packets do not follow each other")
            end += Int64(packet.mDataByteSize)
          }
          precondition(
            delivery.descriptions.isEmpty || end == Int64(delivery.bytes.count), "a size is wrong")
        }
      }
      guard count > 0 else { break }
      place += count
    }
  } catch {
    used.status = error.status
  }
  return used
}
