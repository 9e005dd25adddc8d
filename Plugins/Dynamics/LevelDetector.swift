// The level for the dynamics units: the highest peak of the last 10 ms or more.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A peak detector over a window, kept as one maximum for each interval of the clock.
///
/// With a window of 10 ms a sine of more than 50 Hz has a steady level, equal to its peak. Context: render.
@safe struct LevelDetector: ~Copyable {
  /// Levels below it, which are those of the SDK's silence, change nothing.
  static var inaudible: Float { @_noLocks get { 0x1p-26 } }

  private let blockCount: Int
  private let blocks: UnsafeMutablePointer<Float>
  private var next = 0
  /// The highest peak of the complete intervals of the window.
  private var held: Float = 0
  /// The highest peak of the interval that is under way.
  private var running: Float = 0

  /// Allocates for a window in seconds. Context: control.
  init(sampleRate: Double, seconds: Double) {
    blockCount = max(1, Int((seconds * sampleRate / Double(ControlClock.interval)).rounded(.up)))
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
    let most = unsafe Self.highest(of: peaks, count)
    if most > highest {
      for index in 0..<count {
        let peak = unsafe peaks[index]
        highest = peak > highest ? peak : highest
        unsafe peaks[index] = highest
      }
    } else {
      // Mostly something louder was there before, and the level stays.
      for index in 0..<count { unsafe peaks[index] = highest }
    }
    running = max(running, most)
  }

  /// Returns the highest of some peaks; NaNs do not count.
  @_noLocks private static func highest(
    of peaks: UnsafePointer<Float>, _ count: Int
  ) -> Float {
    var four = SIMD4<Float>(repeating: 0)
    var index = 0
    while index + 4 <= count {
      let next = unsafe SampleRun.four(peaks + index)
      four = VectorMath.maximum(next, four)
      index += 4
    }
    var most = max(max(four[0], four[1]), max(four[2], four[3]))
    while index < count {
      let peak = unsafe peaks[index]
      most = peak > most ? peak : most
      index += 1
    }
    return most
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
