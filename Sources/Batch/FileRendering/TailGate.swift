// Decides where a result ends.
// SPDX-License-Identifier: Apache-2.0

/// Removes the latency at the start and the silence at the end of a chain's output.
///
/// Frames pass unchanged until the input's end; after it, quiet ones are held back until sound follows, so
/// that a result ends with its last audible frame. The hold time limits the frames that are held back.
struct TailGate {
  /// Frames still to be removed at the start.
  private(set) var framesToDrop = 0
  /// Frames passed.
  private(set) var emitted = 0
  /// Why it ended, once it has.
  package private(set) var end: End?

  /// Why a result ended.
  package enum End: Equatable {
    /// The requested length, or the tail reported by the units, was reached.
    case length
    /// Silence.
    case silence
    /// The longest tail was reached while there was still sound.
    case maximum
    /// The longest tail was reached in silence shorter than the hold time.
    case pause
  }

  private let channelCount: Int
  private var dropped = 0
  private var held: [[Float]]
  private var heldCount = 0

  package init(channelCount: Int) {
    self.channelCount = channelCount
    held = Array(repeating: [], count: channelCount)
  }

  /// Sets how many frames are removed at the start; does not affect frames already passed.
  mutating func setDelay(_ count: Int) {
    framesToDrop = max(count - dropped, 0)
  }

  /// Goes on behind frames that were passed otherwise.
  mutating func setEmitted(_ count: Int) { emitted = count }

  /// Removes more frames before the next ones, or fewer.
  ///
  /// - Returns: Frames of silence that have to be passed first, where more were removed already.
  mutating func shift(by count: Int) -> Int {
    let left = framesToDrop + count
    framesToDrop = max(left, 0)
    return max(-left, 0)
  }

  /// Where the result may end, in frames from its start, once the input's length is known.
  struct Bounds: Equatable {
    /// Everything before this frame is kept.
    var certain: Int
    /// Nothing after this frame is kept.
    package var last: Int
    /// The number of consecutive silent frames that ends the result; nil for none.
    package var hold: Int?
    /// Magnitudes up to this are silence.
    package var floor: Float
    /// Whether reaching `last` means that sound may have been cut off.
    var cutsSound: Bool
  }

  /// Receives rendered frames and passes the frames of the result on.
  ///
  /// - Parameters:
  ///   - channels: One pointer for each channel; advanced in place.
  ///   - frameCount: The number of frames.
  ///   - bounds: Where the result may end; nil while the input goes on.
  ///   - write: Receives frames of the result.
  package mutating func pass<E: Error>(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int, bounds: Bounds?,
    write: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) throws(E) -> Void
  ) throws(E) {
    guard end == nil else { return }
    var count = frameCount
    let early = min(framesToDrop, count)
    framesToDrop -= early
    dropped += early
    unsafe advance(channels, by: early)
    count -= early

    // Frames before `certain` pass unchanged.
    let certain = bounds.map { max(0, min(count, $0.certain - emitted)) } ?? count
    if certain > 0 {
      try unsafe write(channels, certain)
      emitted += certain
      unsafe advance(channels, by: certain)
      count -= certain
    }
    guard let bounds else { return }
    if emitted >= bounds.last {
      end = .length
      return
    }
    guard count > 0 else { return }
    try unsafe passTail(channels, frameCount: count, bounds: bounds, write: write)
  }

  private mutating func passTail<E: Error>(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int, bounds: Bounds,
    write: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) throws(E) -> Void
  ) throws(E) {
    let count = min(frameCount, bounds.last - emitted - heldCount)
    let sound = unsafe LevelMeter.endOfSound(
      channels, channelCount: channelCount, frameCount: count, floor: bounds.floor)
    if sound > 0 {
      try unsafe release(write)
      try unsafe write(channels, sound)
      emitted += sound
      unsafe advance(channels, by: sound)
    }
    let quiet = count - sound
    if quiet > 0 {
      for channel in 0..<channelCount {
        unsafe held[channel].append(
          contentsOf: UnsafeBufferPointer(start: channels[channel], count: quiet))
      }
      heldCount += quiet
    }
    if let hold = bounds.hold, heldCount >= hold {
      end = .silence
    } else if emitted + heldCount >= bounds.last {
      end = !bounds.cutsSound ? .silence : heldCount == 0 ? .maximum : .pause
    }
  }

  /// Passes the held frames on.
  private mutating func release<E: Error>(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>, Int) throws(E) -> Void
  ) throws(E) {
    guard heldCount > 0 else { return }
    let block = 4096
    let storage = UnsafeMutableBufferPointer<Float>.allocate(capacity: block * channelCount)
    let pointers = UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: channelCount)
    defer {
      unsafe storage.deallocate()
      unsafe pointers.deallocate()
    }
    guard let base = storage.baseAddress, let list = pointers.baseAddress else { return }
    var offset = 0
    while offset < heldCount {
      let count = min(block, heldCount - offset)
      for channel in 0..<channelCount {
        let start = unsafe base + channel * block
        for index in 0..<count { unsafe start[index] = held[channel][offset + index] }
        unsafe list[channel] = start
      }
      try unsafe write(list, count)
      offset += count
    }
    emitted += heldCount
    heldCount = 0
    for channel in 0..<channelCount { held[channel].removeAll(keepingCapacity: true) }
  }

  private func advance(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, by count: Int
  ) {
    guard count > 0 else { return }
    for channel in 0..<channelCount { unsafe channels[channel] += count }
  }
}
