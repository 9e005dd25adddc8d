// The sound in place of missing frames: the last milliseconds backwards, fading away; then the sound fades in again.
// SPDX-License-Identifier: Apache-2.0

/// The fades around gaps, frame by frame. Sound without gaps passes bit for bit.
@safe struct LossConcealment: ~Copyable {
  private let channelCount: Int
  /// Frames of a fade.
  let fadeFrames: Int
  /// The last frames that were there, twice as many as a fade has.
  private let past: UnsafeMutablePointer<Float>
  private let capacity: Int
  private var end = 0
  /// The gain of the sound, and that of the mirrored past at the start of the gap.
  private var level: Float = 0
  private var tail: Float = 0
  /// Frames since the gap began, and frames of sound since then.
  private var age: Int
  private var passed = 0
  private var isMissing = true

  init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    fadeFrames = max(16, Int(sampleRate * 0.005))
    capacity = 2 * fadeFrames
    age = fadeFrames
    unsafe past = .allocate(capacity: capacity * channelCount)
    unsafe past.initialize(repeating: 0, count: capacity * channelCount)
  }

  deinit { unsafe past.deallocate() }

  /// Begins with silence.
  @_noLocks mutating func reset() {
    unsafe past.update(repeating: 0, count: capacity * channelCount)
    (end, level, tail, age, passed, isMissing) = (0, 0, 0, fadeFrames, 0, true)
  }

  /// Notes that the sound breaks off here, also where the next frame is there.
  ///
  /// - Returns: Whether it did not already.
  @_noLocks mutating func breakOff() -> Bool {
    guard !isMissing else { return false }
    isMissing = true
    (tail, level, age, passed) = (level, 0, 0, 0)
    return true
  }

  /// Whether frames pass as they are.
  var isTransparent: Bool { @_noLocks get { !isMissing && level >= 1 && age >= fadeFrames } }

  /// Makes the next frame of sound that is there, or nil for one that is missing.
  ///
  /// - Parameters:
  ///   - frame: The interleaved samples.
  ///   - out: The place of the samples that are made.
  @_noLocks mutating func next(
    _ frame: UnsafePointer<Float>?, _ out: UnsafeMutablePointer<Float>
  ) {
    if unsafe frame != nil {
      isMissing = false
      level = min(1, level + 1 / Float(fadeFrames))
    }
    let fading = age < fadeFrames ? tail * (1 - Float(age + 1) / Float(fadeFrames)) : 0
    let place = age < fadeFrames ? index(end - 1 - passed - age) : 0
    for channel in 0..<channelCount {
      var value: Float = 0
      if let frame = unsafe frame { value = unsafe frame[channel] * level }
      if fading > 0 { value += unsafe past[place * channelCount + channel] * fading }
      unsafe out[channel] = value
    }
    if let frame = unsafe frame { unsafe note(frame) }
    if age < fadeFrames { age += 1 }
  }

  /// Keeps a frame that is there.
  @_noLocks mutating func note(_ frame: UnsafePointer<Float>) {
    let place = index(end)
    for channel in 0..<channelCount {
      unsafe past[place * channelCount + channel] = frame[channel]
    }
    end = index(end + 1)
    if age < fadeFrames { passed += 1 }
  }

  @_noLocks private func index(_ place: Int) -> Int {
    let rest = place % capacity
    return rest < 0 ? rest + capacity : rest
  }
}
