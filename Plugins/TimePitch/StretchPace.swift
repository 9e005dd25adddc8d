// The ratios for the library, which avoid the ones at which it reads past its memory.
// SPDX-License-Identifier: Apache-2.0

/// Ratios from 1/16 to 1/8 are made of those two in turn. Between them the finer engine of Rubber Band 3.1 reads past
/// the end of a buffer: the sound would depend on that memory.
@safe struct StretchPace: BitwiseCopyable {
  private let isFine: Bool
  private var wanted = 0.0
  private var supplied = 0.0
  private var isBetween = false
  private var debt = 0.0

  /// Stretched frames that the library may hold back.
  private static var hold: Double { @_noLocks get { 800 } }

  init(_ options: StretchOptions) { isFine = options.locksPeaks }

  /// Begins anew. Context: render.
  @_noLocks mutating func reset() {
    wanted = 0
    supplied = 0
    isBetween = false
  }

  /// The ratio for the next frames of input, which are to become so many times as many. Context: render.
  @_noLocks mutating func ratio(toward ratio: Double, count: Int) -> Double {
    let wasBetween = isBetween
    isBetween = isFine && ratio > 1.0 / 16 && ratio < 1.0 / 8
    if isBetween, !wasBetween { debt = max(wanted - supplied, Self.hold) }
    note(input: count, at: ratio)
    return !isBetween ? ratio : wanted - supplied > debt ? 1.0 / 8 : 1.0 / 16
  }

  /// Counts frames of input. Context: render.
  @_noLocks mutating func note(input count: Int, at ratio: Double) {
    wanted += Double(count) * ratio
  }

  /// Counts stretched frames from the library. Context: render.
  @_noLocks mutating func note(output count: Int) { supplied += Double(count) }
}
