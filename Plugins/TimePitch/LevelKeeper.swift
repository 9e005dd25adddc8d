// The level of stretched sound: that of the input it was made of.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A gain that brings stretched frames to the mean power of the input they were made of, over about a second.
///
/// Where sound is stretched the partials of noise come apart, and it loses up to 5 dB; a voice with its formants kept has
/// fewer or more partials under them. Context: made and freed on a control thread, everything else render.
@safe struct LevelKeeper: ~Copyable {
  /// A chunk of input: the stretched frame at which it ends, and its mean power.
  private struct Piece {
    var end: Double
    var power: Double
  }

  /// Chunks that are known: more than the library holds back.
  private static var capacity: Int { @_noLocks get { 2048 } }
  /// Seconds of input over which the powers are compared.
  private static var span: Double { @_noLocks get { 1 } }
  /// Seconds of the loudest power that both are greater by: a sound that begins is not in the result yet.
  private static var least: Double { @_noLocks get { 0.02 } }
  /// Seconds in which the gain follows.
  private static var glide: Double { @_noLocks get { 0.05 } }
  private static var bounds: ClosedRange<Double> { @_noLocks get { 0.25...4 } }

  private let sampleRate: Double
  private let pieces: UnsafeMutablePointer<Piece>
  /// Chunks that were noted, and the one of which the next stretched frame is made.
  private var noted = 0
  private var place = 0
  private var noticed = 0.0
  private var made = 0.0
  private var inputPower = 0.0
  private var outputPower = 0.0
  private var loudest = 0.0
  private var gain = 1.0

  /// Allocates. Context: control.
  init(sampleRate: Double) {
    self.sampleRate = sampleRate
    unsafe pieces = .allocate(capacity: Self.capacity)
    unsafe pieces.initialize(repeating: Piece(end: 0, power: 0), count: Self.capacity)
  }

  deinit { unsafe pieces.deallocate() }

  /// Begins anew, with the first frame of a sound.
  @_noLocks mutating func reset() {
    (noted, place) = (0, 0)
    (noticed, made) = (0, 0)
    (inputPower, outputPower, loudest) = (0, 0, 0)
    gain = 1
  }

  /// Notes a chunk of input.
  ///
  /// - Parameters:
  ///   - power: The mean square of its samples.
  ///   - frames: Stretched frames that it becomes.
  @_noLocks mutating func note(power: Double, frames: Double) {
    noticed += frames
    unsafe pieces[noted % Self.capacity] = Piece(end: noticed, power: power)
    noted += 1
    place = max(place, noted - Self.capacity)
  }

  /// Moves on by stretched frames, and returns the gains at their beginning and their end.
  ///
  /// - Parameters:
  ///   - power: The mean square of their samples.
  ///   - ratio: Stretched frames of an input frame.
  @_noLocks mutating func gains(
    power: Double, count: Int, ratio: Double
  ) -> (Double, Double) {
    let frames = Double(count)
    while place < noted - 1,
      unsafe pieces[place % Self.capacity].end < made + frames / 2
    { place += 1 }
    let expected = noted > 0 ? unsafe pieces[place % Self.capacity].power : 0
    made += frames
    let seconds = frames / (max(ratio, 1e-3) * sampleRate)
    let keeps = RealtimeMath.exp(-seconds / Self.span)
    inputPower = inputPower * keeps + expected * seconds
    outputPower = outputPower * keeps + power * seconds
    loudest = max(loudest * keeps, max(expected, power))
    let ground = Self.least * loudest + 1e-20
    let wanted = RealtimeMath.sqrt((inputPower + ground) / (outputPower + ground))
    let before = gain
    let target = min(max(wanted, Self.bounds.lowerBound), Self.bounds.upperBound)
    gain += (target - gain) * (1 - RealtimeMath.exp(-seconds / Self.glide))
    if (gain - target).magnitude < 1e-7 { gain = target }
    return (before, gain)
  }
}
