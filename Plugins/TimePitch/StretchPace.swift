// The ratios that the library is given, so that it never works at those where it reads past its memory.
// SPDX-License-Identifier: Apache-2.0

/// Ratios from 1/16 to 1/8 are made of those two in turn: between them the finer engine of Rubber Band 3.1 reads past
/// the end of a buffer, and the sound would hang on what is there.
@safe struct StretchPace: BitwiseCopyable {
  private let isFine: Bool
  private var wanted = 0.0
  private var given = 0.0
  private var isBetween = false
  private var debt = 0.0

  /// Stretched frames that the library may hold back.
  private static var hold: Double { @_noLocks get { 800 } }

  init(_ options: StretchOptions) { isFine = options.isFine }

  /// Begins anew. Context: render.
  @_noLocks mutating func reset() {
    wanted = 0
    given = 0
    isBetween = false
  }

  /// The ratio for the next frames of input, which are to become so many times as many. Context: render.
  @_noLocks mutating func ratio(toward ratio: Double, count: Int) -> Double {
    let wasBetween = isBetween
    isBetween = isFine && ratio > 1.0 / 16 && ratio < 1.0 / 8
    if isBetween, !wasBetween { debt = max(wanted - given, Self.hold) }
    note(input: count, at: ratio)
    return !isBetween ? ratio : wanted - given > debt ? 1.0 / 8 : 1.0 / 16
  }

  /// Counts frames of input. Context: render.
  @_noLocks mutating func note(input count: Int, at ratio: Double) {
    wanted += Double(count) * ratio
  }

  /// Counts stretched frames that the library gave. Context: render.
  @_noLocks mutating func note(output count: Int) { given += Double(count) }
}
