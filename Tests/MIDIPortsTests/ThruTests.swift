// Thru connections: messages that pass, that are changed, and that are kept.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages
import MIDIPorts
import Testing

@Suite struct ThruTests {
  /// Parameters that pass everything on, as bytes, with one controller's transform and one map.
  private func bytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 204 + 8 + 128)
    for channel in 0..<16 { bytes[140 + channel] = UInt8(channel) }
    bytes[159] = 127
    (bytes[192], bytes[194]) = (1, 1)
    // Controller 7 becomes 11.
    (bytes[206], bytes[208], bytes[210]) = (7, 2, 11)
    for value in 0..<128 { bytes[212 + value] = UInt8(127 - value) }
    return bytes
  }

  private func passed(_ words: [UInt32], _ change: (inout [UInt8]) -> Void) throws -> [UInt32] {
    var bytes = bytes()
    change(&bytes)
    return try ThruParameters(bytes).words(UniversalWords.messages(words)).flatMap(\.self)
  }

  @Test("Notes, controllers and values are let through, left out, or changed")
  func parameters() throws {
    let note: UInt32 = 0x2090_3C40
    #expect(
      try passed([note, 0x20B0_0705, 0x10F8_0000]) { _ in } == [
        note, 0x20B0_0B05, 0x10F8_0000,
      ])
    #expect(try passed([note]) { $0[140] = 9 } == [0x2099_3C40])
    #expect(try passed([note, 0x2091_3C40]) { $0[140] = 255 } == [0x2091_3C40])
    #expect(try passed([note, 0x2080_3C40]) { $0[156] = 65 } == [0x2080_3C40])
    #expect(try passed([note, 0x2090_1040]) { $0[158] = 61 } == [])
    // The notes between the highest and the lowest are left out.
    #expect(
      try passed([note, 0x2090_1040, 0x2090_5040]) { ($0[158], $0[159]) = (70, 30) } == [
        0x2090_1040, 0x2090_5040,
      ])
    #expect(try passed([note]) { ($0[160], $0[162]) = (8, 12) } == [0x2090_4840])
    #expect(try passed([note]) { ($0[164], $0[167]) = (9, 8) } == [0x2090_3C20])
    #expect(try passed([note]) { $0[164] = 12 } == [0x2090_3C3F])
    #expect(try passed([0x20E0_0040, note]) { $0[180] = 1 } == [note])
    #expect(
      try passed([0x3000_0000, 0, 0x10F1_0000, 0x10F8_0000, 0x10F6_0000, note]) { bytes in
        for place in 184...187 { bytes[place] = 1 }
      } == [note])
    for (place, value) in [(0, UInt8(1)), (4, 9), (160, 5), (204, 1), (194, 2)] {
      var wrong = bytes()
      wrong[place] = value
      #expect(throws: MIDIError.argument) { try ThruParameters(wrong) }
    }
  }
}
