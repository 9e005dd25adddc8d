// Messages between bytes, MIDI 1.0 and MIDI 2.0: nothing is lost that both can say.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages
import Testing

@Suite struct TranslationTests {
  private func translated(_ bytes: [[UInt8]], to form: MIDIForm) -> [UInt32] {
    var translator = MIDITranslator(to: form)
    return bytes.flatMap { part -> [UInt32] in
      guard case .words(_, let packets) = translator.translate(.bytes([TimedBytes(7, part)])) else {
        return []
      }
      return packets.flatMap(\.words)
    }
  }

  @Test("Bytes become universal packets, however they are cut, and become the same bytes again")
  func bytesAndWords() {
    let exclusive: [UInt8] = [0xF0] + (0..<100).map { UInt8($0) } + [0xF7]
    let all: [UInt8] =
      [0x90, 60, 100, 0xE3, 1, 2, 0xC5, 9, 0xF2, 3, 4, 0xF8] + exclusive + [0xB0, 7, 127]
    let whole = translated([all], to: .universal1)
    #expect(
      Array(whole.prefix(5)) == [
        0x2090_3C64, 0x20E3_0102, 0x20C5_0900, 0x10F2_0304, 0x10F8_0000,
      ])
    for cut in 1..<all.count {
      #expect(translated([Array(all[..<cut]), Array(all[cut...])], to: .universal1) == whole)
    }
    var back = UniversalToBytes()
    #expect(back.bytes(whole).flatMap(\.self) == all)
    // A real-time byte inside of a message that is open, and running status.
    #expect(
      translated([[0xF0, 1, 0xF8, 2, 0xF7, 0x80, 1, 2, 3, 4]], to: .universal1) == [
        0x10F8_0000, 0x3002_0102, 0, 0x2080_0102, 0x2080_0304,
      ])
  }

  @Test("Every channel voice message of MIDI 1.0 comes back from MIDI 2.0 as it was")
  func oneTwoOne() {
    for value in UInt32(0)..<128 {
      for status in [UInt32(8), 9, 10, 11, 12, 13, 14] {
        if status == 9, value == 0 { continue }
        let data: UInt32 = [12, 13].contains(status) ? value << 8 : 70 << 8 | value
        let word = 0x2300_0000 | status << 20 | 5 << 16 | data
        var (up, down) = (OneToTwo(), TwoToOne())
        let two = up.words([word])
        #expect(two.count == 2 && two[0] >> 24 == 0x43)
        #expect(down.words(two) == [word])
      }
    }
    var up = OneToTwo()
    // A velocity of 0 ends a note; the centre stays the centre.
    #expect(up.words([0x2090_3C00]) == [0x4080_3C00, 0x8000_0000])
    #expect(up.words([0x20E0_0040]) == [0x40E0_0000, 0x8000_0000])
    #expect(up.words([0x20E0_7F7F]) == [0x40E0_0000, 0xFFFF_FFFF])
    #expect(up.words([0x2090_3C7F]) == [0x4090_3C00, 0xFFFF_0000])
  }

  @Test("Banks and parameter numbers are one message in MIDI 2.0, and several again")
  func banksAndParameters() {
    let bank: [UInt32] = [0x20B2_0003, 0x20B2_2004, 0x20C2_1100]
    var (up, down) = (OneToTwo(), TwoToOne())
    #expect(up.words(bank) == [0x40C2_0001, 0x1100_0304])
    #expect(down.words([0x40C2_0001, 0x1100_0304]) == bank)
    let bend: [UInt32] = [0x20B0_6500, 0x20B0_6400, 0x20B0_060C, 0x20B0_2605]
    let made = up.words(bend)
    #expect(made.count == 4 && made[2] == 0x4020_0000)
    #expect(down.words(Array(made.suffix(2))) == bend)
    // Messages without a form in MIDI 1.0 are left out: a note's own pitch bend.
    #expect(down.words([0x4060_3C00, 0x8000_0000]) == [])
  }
}
