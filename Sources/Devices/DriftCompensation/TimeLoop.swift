// The time of a device by the clock of the machine: smoothed, with its true rate.
// SPDX-License-Identifier: Apache-2.0

/// A delay-locked loop over the times at which a device had done so many frames.
package struct TimeLoop {
  /// Nanoseconds of a frame as they should be, and as they are.
  private let nominal: Double
  private var perFrame: Double
  private let usualFrames: Double
  private let width: Double
  private let limit: Double
  private var smoothed = 0.0
  private var isLocked = false
  private var elapsed = 0.0

  /// A loop for a nominal rate (Hz).
  ///
  /// - Parameters:
  ///   - periodFrames: Frames from one time to the next, usually.
  ///   - width: The band (Hz) in the end; it is 1 Hz for 4 s, and up to 0.1 Hz until 16 s.
  ///   - limit: Nanoseconds by which a time may be off after 4 s; one that is off by more counts as so much.
  package init(
    periodFrames: Int, sampleRate: Double, width: Double = 0.05, limit: Double = .infinity
  ) {
    usualFrames = Double(max(1, periodFrames))
    nominal = 1e9 / sampleRate
    perFrame = nominal
    self.width = width
    self.limit = limit
  }

  /// Accepts the time (ns) at which one more period was done; returns the smoothed time.
  @_noLocks package mutating func update(_ time: UInt64) -> UInt64 {
    UInt64(max(0, update(Double(time), frames: usualFrames)))
  }

  /// Accepts the time (ns) at which so many more frames were done; returns the smoothed time.
  ///
  /// A time that is more than three periods off begins anew.
  @_noLocks package mutating func update(_ time: Double, frames: Double) -> Double {
    let expected = smoothed + perFrame * frames
    guard isLocked, abs(time - expected) < 3 * nominal * max(frames, usualFrames) else {
      isLocked = true
      perFrame = nominal
      smoothed = time
      elapsed = 0
      return time
    }
    let seconds = frames * nominal * 1e-9
    elapsed += seconds
    let band = elapsed < 4 ? 1 : elapsed < 16 ? max(width, 0.1) : width
    let omega = min(0.5, 2 * Double.pi * band * seconds)
    var error = time - expected
    if elapsed >= 4 { error = min(max(error, -limit), limit) }
    smoothed = expected + 1.41421356 * omega * error
    perFrame += omega * omega * error / frames
    // A clock is never a quarter off.
    perFrame = min(max(perFrame, nominal * 0.75), nominal * 1.25)
    return expected
  }

  /// Begins anew, as after a restart.
  package mutating func reset() { isLocked = false }

  /// Frames a second as measured (Hz).
  package var measuredRate: Double { 1e9 / perFrame }

  /// The duration of a frame relative to the nominal one: Core Audio's rate scalar.
  package var rateScalar: Double {
    @_noLocks get { perFrame / nominal }
  }
}
