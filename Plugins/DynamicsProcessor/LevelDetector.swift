// The level that the dynamics processor hears: the highest peak of the last 10 ms.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A peak detector over a window of 10 ms, kept as one maximum for each interval of the clock.
///
/// A sine of more than 50 Hz therefore has a steady level, equal to its peak. Context: render.
@safe struct LevelDetector: ~Copyable {
  private let blockCount: Int
  private let blocks: UnsafeMutablePointer<Float>
  private var next = 0
  /// The highest peak of the complete intervals of the window.
  private var held: Float = 0
  /// The highest peak of the interval that is under way.
  private var running: Float = 0

  /// Allocates for a sample rate. Context: control.
  init(sampleRate: Double) {
    blockCount = max(1, Int((0.01 * sampleRate / Double(ControlClock.interval)).rounded(.up)))
    unsafe blocks = .allocate(capacity: blockCount)
    unsafe blocks.initialize(repeating: 0, count: blockCount)
  }

  deinit { unsafe blocks.deallocate() }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    for index in 0..<blockCount { unsafe blocks[index] = 0 }
    next = 0
    held = 0
    running = 0
  }

  /// The present level as a gain.
  var level: Float {
    @_noLocks get { max(held, running) }
  }

  /// Turns peaks into levels, in place.
  @_noLocks mutating func process(_ peaks: UnsafeMutablePointer<Float>, _ count: Int) {
    var highest = max(held, running)
    var inside = running
    for index in 0..<count {
      let peak = unsafe peaks[index]
      inside = peak > inside ? peak : inside
      highest = peak > highest ? peak : highest
      unsafe peaks[index] = highest
    }
    running = inside
  }

  /// Ends an interval of the clock.
  @_noLocks mutating func endInterval() {
    unsafe blocks[next] = running
    next = next + 1 == blockCount ? 0 : next + 1
    running = 0
    held = 0
    for index in 0..<blockCount {
      let block = unsafe blocks[index]
      held = block > held ? block : held
    }
  }
}
