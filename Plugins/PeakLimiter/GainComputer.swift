// The gain of the limiter: sliding minimum, decay, and two averages, in exact integers.
// SPDX-License-Identifier: Apache-2.0

/// Turns the gain each frame demands into a smooth gain that demands no more at any frame.
///
/// With a look-ahead of D frames, the minimum of the demands over D + 1 frames is the start. It rises
/// only as fast as the decay time allows. Two moving averages follow, whose lengths add up to D + 2.
/// All values are integers in units of 2⁻³⁰. So the gain is exactly 1 where nothing is demanded, and
/// does not depend on the cuts of the stream.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct GainComputer: ~Copyable {
  /// Gain 1 in the units used here.
  static var one: Int32 {
    @_noLocks get { 1 << 30 }
  }

  private let capacity: Int
  private let mask: Int
  // A queue of demands below 1, ever larger, with the frames they came from.
  private let demands: UnsafeMutablePointer<Int32>
  private let demandFrames: UnsafeMutablePointer<Int>
  private var head = 0
  private var tail = 0
  // The rings of the two averages.
  private let first: UnsafeMutablePointer<Int32>
  private let second: UnsafeMutablePointer<Int64>
  private var firstIndex = 0
  private var secondIndex = 0
  private var firstSum: Int64 = 0
  private var secondSum: Int64 = 0
  private var firstLength = 1
  private var secondLength = 1
  private var window = 1
  private var frame = 0
  private var envelope = GainComputer.one
  private var scale = 1.0

  /// Allocates for a look-ahead of at most `maximumLookAhead` frames. Context: control.
  init(maximumLookAhead: Int) {
    var size = 2
    while size < maximumLookAhead + 4 { size *= 2 }
    capacity = size
    mask = size - 1
    unsafe demands = .allocate(capacity: size)
    unsafe demandFrames = .allocate(capacity: size)
    unsafe first = .allocate(capacity: size)
    unsafe second = .allocate(capacity: size)
    unsafe demands.initialize(repeating: 0, count: size)
    unsafe demandFrames.initialize(repeating: 0, count: size)
    unsafe first.initialize(repeating: 0, count: size)
    unsafe second.initialize(repeating: 0, count: size)
    reset(lookAhead: maximumLookAhead)
  }

  deinit {
    unsafe demands.deallocate()
    unsafe demandFrames.deallocate()
    unsafe first.deallocate()
    unsafe second.deallocate()
  }

  /// Clears the past and sets a look-ahead in frames.
  @_noLocks mutating func reset(lookAhead: Int) {
    window = lookAhead + 1
    firstLength = lookAhead / 2 + 1
    secondLength = lookAhead + 2 - firstLength
    let one = Int64(Self.one)
    for index in 0..<firstLength { unsafe first[index] = Self.one }
    for index in 0..<secondLength { unsafe second[index] = one * Int64(firstLength) }
    firstSum = one * Int64(firstLength)
    secondSum = firstSum * Int64(secondLength)
    scale = 1 / Double(secondSum)
    firstIndex = 0
    secondIndex = 0
    head = 0
    tail = 0
    frame = 0
    envelope = Self.one
  }

  /// Whether the gain is 1 and stays so until a frame demands less.
  var isAtRest: Bool {
    @_noLocks get {
      head == tail && envelope == Self.one && firstSum == Int64(firstLength) << 30
        && secondSum == (Int64(firstLength) * Int64(secondLength)) << 30
    }
  }

  /// Computes gains for peaks.
  ///
  /// - Parameters:
  ///   - peaks: Highest magnitude at each frame; becomes the gain for the frame look-ahead ago.
  ///   - decay: Part of the distance to 1 that is made up in a frame, in units of 2⁻³⁰.
  @_noLocks mutating func process(_ peaks: UnsafeMutablePointer<Float>, _ count: Int, decay: Int64)
  {
    for index in 0..<count {
      let peak = unsafe peaks[index]
      if peak > 1 {
        demand(Int32(max(0, (Float(Self.one) / peak).nextDown)))
      }
      if head != tail, unsafe demandFrames[head & mask] <= frame - window { head += 1 }
      let least = head == tail ? Self.one : unsafe demands[head & mask]
      let rise = ((Int64(Self.one) - Int64(envelope)) * decay) >> 30
      envelope = min(least, envelope + Int32(truncatingIfNeeded: min(rise + 1, 1 << 29)))
      envelope = min(envelope, Self.one)
      unsafe firstSum += Int64(envelope) - Int64(first[firstIndex])
      unsafe first[firstIndex] = envelope
      firstIndex += 1
      if firstIndex == firstLength { firstIndex = 0 }
      unsafe secondSum += firstSum - second[secondIndex]
      unsafe second[secondIndex] = firstSum
      secondIndex += 1
      if secondIndex == secondLength { secondIndex = 0 }
      unsafe peaks[index] = Float(Double(secondSum) * scale)
      frame += 1
    }
  }

  @_noLocks private mutating func demand(_ gain: Int32) {
    while tail != head, unsafe demands[(tail - 1) & mask] >= gain { tail -= 1 }
    unsafe demands[tail & mask] = gain
    unsafe demandFrames[tail & mask] = frame
    tail += 1
  }
}
