// Clocks: conversions of time, their MIDI messages to others, and their reading of such messages.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import SyncClocks
import Testing

@Suite struct SyncClocksTests {
  @Test(
    "A clock of 300 beats a minute sends each of its 72,000 ticks in ten minutes to the nanosecond")
  func drift() {
    var clock = ClockState()
    let isSet = clock.setTempos([(0, 300)])
    #expect(isSet)
    // A host that has run for a year.
    let begin: UInt64 = 31_536_000_000_000_000
    clock.start(at: begin)
    var leader = ClockLeader()
    let begun = leader.start(clock, sendsPlace: true)
    #expect(begun == [0xFA])
    var ticks: [UInt64] = []
    // In steps of ten milliseconds, as a thread asks.
    for step in 1...60_000 {
      ticks += leader.ticks(clock, before: begin + UInt64(step) * 10_000_000).map(\.time)
    }
    #expect(ticks.count == 72_000)
    let worst =
      ticks.enumerated().map { index, time in
        abs(Double(time - begin) - Double(index) * 1e9 / 120)
      }.max() ?? .infinity
    #expect(worst <= 1, "the worst is \(worst) ns")
  }

  @Test("A start elsewhere sends its position, and continues from it")
  func place() {
    var clock = ClockState()
    clock.setStart(clock.seconds(atBeat: 9.25))
    clock.start(at: 1000)
    var leader = ClockLeader()
    let begun = leader.start(clock, sendsPlace: true)
    #expect(begun == [0xF2, 37, 0, 0xFB])
    let ticks = leader.ticks(clock, before: 1001)
    #expect(ticks.map(\.time) == [1000])
    var other = ClockLeader()
    let silent = other.start(clock, sendsPlace: false)
    #expect(silent == [0xFB])
  }

  @Test(
    "Another clock reads the sent time code: each frame of a day at 24, 25 and 30, and with drop"
  )
  func codes() {
    for type in [
      kSMPTETimeType24, kSMPTETimeType25, kSMPTETimeType30, kSMPTETimeType30Drop,
    ] {
      guard let code = TimeCode(type) else { continue }
      // Around the minutes that drop frames leave out, and at the ends of hours.
      for second in [0.0, 59.5, 119.5, 599.5, 3599.5, 86_000] {
        var clock = ClockState()
        clock.timeCode = code
        clock.setStart(second)
        clock.start(at: 0)
        var leader = ClockLeader()
        _ = leader.start(clock, sendsPlace: false)
        var follower = ClockFollower()
        var read: [(time: UInt64, code: SMPTETime)] = []
        for message in leader.quarterFrames(clock, before: 2_000_000_000) {
          for event in follower.read(message.bytes) {
            if case .code(let time, false) = event { read.append((message.time, time)) }
          }
        }
        #expect(read.count >= 23)
        for (time, found) in read {
          // The last of eight quarter frames comes 7/4 frames after the frame that it names.
          let wanted = second + Double(time) / 1e9 - 1.75 / code.rate
          #expect(abs(code.seconds(of: found) - wanted) < 1e-6, "\(type) at \(wanted)")
        }
      }
    }
    let drop = TimeCode(kSMPTETimeType2997Drop)
    let minute = drop?.time(atSeconds: 1800 / (30 / 1.001), divisor: 80)
    #expect(minute?.mMinutes == 1 && minute?.mFrames == 2)
  }

  @Test("Beats, bars and seconds come back; meters and tempos that cannot be are refused")
  func conversions() {
    var clock = ClockState()
    let bar = clock.barBeat(atBeat: 4.5, divisor: 480)
    #expect(bar.bar == 2 && bar.beat == 1 && bar.subbeat == 240)
    let isSet = clock.setTempos([(0, 120), (8, 60), (16, 240)])
    #expect(isSet)
    for beat in stride(from: 0.0, to: 40, by: 0.37) {
      #expect(abs(clock.beat(atSeconds: clock.seconds(atBeat: beat)) - beat) < 1e-9)
    }
    #expect(clock.seconds(atBeat: 16) == 12)
    let wrong = [
      clock.setTempos([]), clock.setTempos([(0, 0)]), clock.setTempos([(1, 9), (0, 9)]),
      clock.setMeters([(0, 0, 4)]), clock.setMeters([(0, 4, 3)]),
    ]
    #expect(wrong == [false, false, false, false, false])
    let isChanged = clock.setTempo(100, fromBeat: 8)
    #expect(isChanged && clock.tempos.count == 2)
    clock.start(at: 5_000_000_000)
    clock.setRate(2, at: 6_000_000_000)
    #expect(clock.seconds(at: 7_000_000_000) == 3)
    clock.stop(at: 7_000_000_000)
    #expect(clock.seconds(at: 9_000_000_000) == 3 && clock.time(atSeconds: 1) == nil)
  }

  @Test("Bytes that were cut or changed do no harm")
  func hostile() {
    var random = SystemRandomNumberGenerator()
    var follower = ClockFollower()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        UInt8.random(in: Bool.random(using: &random) ? 0...255 : 0xF0...0xFF, using: &random)
      }
      for event in follower.read(bytes) {
        if case .code(let time, _) = event { #expect(time.mFrames < 30 && time.mHours < 24) }
      }
    }
  }
}
