// The units that a program renders, as a player knows them: each has its own frames, at its own rate.
// SPDX-License-Identifier: Apache-2.0

import MusicSequences

/// The events of a player's tracks by unit. One thread at a time uses it; nothing in `step` allocates or waits.
@safe struct PlayerLanes {
  private struct Lane {
    let unit: UInt
    var core = PlayerCore()
    /// The second of the program's timeline to which it played; not a number before the first frame.
    var end = Double.nan
  }
  /// Seconds without a frame after which a unit goes on where the sequence is. What it missed in less comes at once.
  private static let longestGap = 0.2

  private var lanes = unsafe UnsafeMutableBufferPointer<Lane>(start: nil, count: 0)
  /// Whether the frames of the program's cycles were numbered since the start.
  var hasClock = false

  /// Frees its memory. Context: control, once.
  mutating func free() {
    for index in unsafe lanes.indices { unsafe lanes[index].core.free() }
    unsafe lanes.deallocate()
  }

  // MARK: Changes, while it is not playing

  /// Adopts other plans, at a beat or where each is. A new unit begins where the sequence is, notes of one that is gone
  /// end.
  mutating func adopt(
    _ plans: [(unit: UInt, plan: PlayPlan)], at beat: Double?, _ sequence: PlayerCore,
    _ sink: UnitSink
  ) {
    let old = unsafe lanes
    let made = UnsafeMutableBufferPointer<Lane>.allocate(capacity: plans.count)
    for (index, (unit, plan)) in plans.enumerated() {
      let known = unsafe old.first { $0.unit == unit }
      var lane = known ?? Lane(unit: unit)
      lane.core.adopt(plan, at: known == nil ? beat ?? sequence.beat : beat)
      unsafe made.initializeElement(at: index, to: lane)
    }
    let units = Set(plans.map(\.unit))
    for index in old.indices where unsafe !units.contains(old[index].unit) {
      unsafe old[index].core.silence(sink)
      unsafe old[index].core.free()
    }
    unsafe lanes = made
    unsafe old.deallocate()
  }

  /// Goes to another beat.
  mutating func go(to beat: Double) {
    for index in unsafe lanes.indices { unsafe lanes[index].core.go(to: beat) }
  }

  /// Ends all notes at once.
  mutating func silence(_ sink: UnitSink) {
    for index in unsafe lanes.indices { unsafe lanes[index].core.silence(sink) }
  }

  // MARK: Playing

  /// Numbers the frames of the program's next cycle. Where they do not follow the last ones, the sequence waited.
  mutating func begin(_ sampleTime: Double, _ sequence: inout PlayerCore) {
    let distance = sampleTime - sequence.frame
    if !hasClock || abs(distance) > 0.5 {
      sequence.shift(by: distance)
      for index in unsafe lanes.indices {
        unsafe lanes[index].end =
          hasClock ? lanes[index].end + distance / sequence.sampleRate : .nan
      }
    }
    hasClock = true
    for index in unsafe lanes.indices where unsafe lanes[index].end.isNaN {
      unsafe lanes[index].end = sampleTime / sequence.sampleRate
    }
  }

  /// Plays the next frames of a unit.
  mutating func step(
    _ unit: UInt, _ sampleTime: Double, _ frames: Int, _ sampleRate: Double,
    _ sequence: PlayerCore, _ sink: UnitSink
  ) {
    for index in unsafe lanes.indices where unsafe lanes[index].unit == unit {
      // Another bus of the unit had these frames.
      let gap = unsafe sampleTime / sampleRate - lanes[index].end
      guard hasClock, gap * sampleRate > -0.5 else { return }
      unsafe lanes[index].core.follow(sequence, sampleRate: sampleRate)
      if gap > Self.longestGap {
        unsafe lanes[index].core.leap(to: sampleTime)
      } else {
        unsafe lanes[index].core.frame = sampleTime
      }
      unsafe lanes[index].core.advance(frames, sink)
      unsafe lanes[index].end = (sampleTime + Double(frames)) / sampleRate
    }
  }
}
