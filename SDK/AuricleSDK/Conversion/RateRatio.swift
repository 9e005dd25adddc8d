// The ratio of two sample rates as a fraction in lowest terms, and exact positions in its steps.
// SPDX-License-Identifier: Apache-2.0

/// Output frame n lies at input time n × `step` / `phaseCount`.
struct RateRatio: BitwiseCopyable {
  /// Input frames in `phaseCount` output frames.
  let step: Int
  /// Output frames in `step` input frames: the number of different positions between two input frames.
  let phaseCount: Int

  /// The ratio of two rates (Hz); rates that are no multiples of 1/1000 Hz are approximated to 1e-9.
  init(from inputRate: Double, to outputRate: Double) {
    let input = (inputRate * 1000).rounded(), output = (outputRate * 1000).rounded()
    if input >= 1, output >= 1, input / 1000 == inputRate, output / 1000 == outputRate {
      let divisor = Self.greatestCommonDivisor(Int(input), Int(output))
      step = Int(input) / divisor
      phaseCount = Int(output) / divisor
      return
    }
    // The convergents of the continued fraction.
    let ratio = max(inputRate, 1e-3) / max(outputRate, 1e-3)
    var (above, above1, below, below1) = (1, 0, 0, 1)
    var rest = ratio
    for _ in 0..<40 {
      let whole = Int(min(rest.rounded(.down), 1e9))
      let (next, nextBelow) = (whole * above + above1, whole * below + below1)
      if next > 1 << 30 || nextBelow > 1 << 30 { break }
      (above, above1, below, below1) = (next, above, nextBelow, below)
      let fraction = rest - Double(whole)
      if fraction < 1e-12 || abs(Double(above) / Double(below) - ratio) < ratio * 1e-13 { break }
      rest = 1 / fraction
    }
    step = max(above, 1)
    phaseCount = max(below, 1)
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? max(a, 1) : greatestCommonDivisor(b, a % b)
  }

  /// Whether the rates are equal.
  var isUnity: Bool { @_noLocks get { step == phaseCount } }
}

/// A position between two input frames. Context: render.
struct RatePosition: BitwiseCopyable {
  /// Input frame at or before it.
  var frame: Int
  /// The distance from that frame, in units of 1/`phaseCount`.
  var phase: Int

  @_noLocks init(frame: Int, phase: Int) {
    self.frame = frame
    self.phase = phase
  }

  /// The position of an output frame, which may be negative.
  @_noLocks init(_ ratio: RateRatio, outputFrame: Int) {
    let parts = outputFrame * ratio.step
    // Rounded down, also for negative numbers.
    frame =
      parts >= 0 ? parts / ratio.phaseCount : -((ratio.phaseCount - 1 - parts) / ratio.phaseCount)
    phase = parts - frame * ratio.phaseCount
  }

  /// Returns the position some output frames later.
  @_noLocks func advanced(_ ratio: RateRatio, by frames: Int) -> RatePosition {
    let parts = phase + frames * ratio.step
    let whole = parts / ratio.phaseCount
    return RatePosition(frame: frame + whole, phase: parts - whole * ratio.phaseCount)
  }

  /// Returns the number of output frames, from this one on, that lie before an input frame.
  @_noLocks func framesBefore(_ ratio: RateRatio, _ end: Int) -> Int {
    guard end > frame else { return 0 }
    return ((end - frame) * ratio.phaseCount - phase + ratio.step - 1) / ratio.step
  }
}
