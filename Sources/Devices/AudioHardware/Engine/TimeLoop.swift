// The time of a device by the clock of the machine: smoothed, with its true rate.
// SPDX-License-Identifier: Apache-2.0

/// A delay-locked loop over the times at which periods were done.
package struct TimeLoop {
  private let nominal: Double
  private var period: Double
  private var next = 0.0
  private var isLocked = false
  private var count = 0
  private let frames: Double

  /// A loop for periods of so many frames at a nominal rate (Hz).
  package init(periodFrames: Int, sampleRate: Double) {
    frames = Double(max(1, periodFrames))
    nominal = frames * 1e9 / sampleRate
    period = nominal
  }

  /// Takes the time (ns) at which one more period was done; returns the smoothed time.
  ///
  /// The band is 1 Hz for some seconds, then 0.05 Hz. A time that is more than three periods off begins anew.
  package mutating func update(_ time: UInt64) -> UInt64 {
    let now = Double(time)
    guard isLocked, abs(now - next) < 3 * nominal else {
      isLocked = true
      period = nominal
      next = now + period
      count = 0
      return time
    }
    count += 1
    let seconds = nominal * 1e-9
    let width = Double(count) * seconds < 4 ? 1.0 : 0.05
    let omega = min(0.5, 2 * Double.pi * width * seconds)
    let error = now - next
    let smoothed = next
    next += period + 1.41421356 * omega * error
    period += omega * omega * error
    // A clock is never a quarter off.
    period = min(max(period, nominal * 0.75), nominal * 1.25)
    return UInt64(max(0, smoothed))
  }

  /// Begins anew, as after a restart.
  package mutating func reset() { isLocked = false }

  /// Frames a second as measured (Hz).
  package var measuredRate: Double { frames * 1e9 / period }

  /// How much longer a frame takes than it should: Core Audio's rate scalar.
  package var rateScalar: Double { period / nominal }
}
