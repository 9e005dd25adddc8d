// The dry path of a bypassed unit: its input, delayed by the unit's latency.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport

/// A delay line of the unit's latency and the crossfade between it and the output.
///
/// Allocated by Initialize; everything else belongs to the render thread.
@safe struct DryPath: BitwiseCopyable {
  /// The mix of the dry signal: 0 processed, 1 bypassed.
  private(set) var mix: Float = 0
  private var ring: UnsafeMutablePointer<Float>?
  /// The dry signal of the cycle, `stride` frames for each channel.
  private var dry: UnsafeMutablePointer<Float>?
  private var channelCount = 0
  private var stride = 0
  /// The capacity of each channel's line in frames, a power of two; 0 without a line.
  private var capacity = 0
  /// Frames of each channel's line in use, a power of two: no more than the latency needs, since a long ring
  /// would evict other data from the processor's cache.
  private var span = 1
  private var maximumLatency = 0
  private var position = 0
  /// Frames in the line since it was last emptied.
  private var filled = 0
  private var step: Float = 1
  /// The delay of the dry signal in frames.
  private(set) var latency = 0

  init() {
    unsafe ring = nil
    unsafe dry = nil
  }

  /// Allocates for a bus. Context: control, uninitialised.
  ///
  /// - Parameters:
  ///   - latency: The current latency of the output in frames.
  ///   - maximumLatency: The highest latency while rendering, in frames.
  init(
    channelCount: Int, latency: Int, maximumLatency: Int, maximumFrames: Int, sampleRate: Double,
    isBypassed: Bool
  ) {
    self.channelCount = channelCount
    stride = (maximumFrames + 15) / 16 * 16
    self.maximumLatency = max(latency, maximumLatency)
    step = Float(1 / max(1, sampleRate * 0.01))
    mix = isBypassed ? 1 : 0
    unsafe dry = Self.allocate(stride * channelCount)
    unsafe ring = nil
    if self.maximumLatency > 0 {
      capacity = 1
      while capacity < self.maximumLatency + stride { capacity <<= 1 }
      unsafe ring = Self.allocate(capacity * channelCount)
    }
    setLatency(latency)
  }

  /// Allocates zeroed memory whose pages are mapped on first use: an unused line costs nothing. From mmap,
  /// since the allocator would clear reused memory.
  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Float>? {
    let memory = unsafe mmap(
      nil, byteCount(count), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return unsafe memory == MAP_FAILED ? nil : memory?.assumingMemoryBound(to: Float.self)
  }

  private static func free(_ memory: UnsafeMutablePointer<Float>?, _ count: Int) {
    if let memory = unsafe memory { unsafe munmap(memory, byteCount(count)) }
  }

  private static func byteCount(_ count: Int) -> Int { max(count, 1) * MemoryLayout<Float>.stride }

  /// Whether there is a line, which needs the input of every slice.
  var hasLine: Bool { @_noLocks get { unsafe ring != nil } }

  /// Frees. Context: control, uninitialised.
  mutating func deallocate() {
    unsafe Self.free(ring, capacity * channelCount)
    unsafe Self.free(dry, stride * channelCount)
    self = DryPath()
  }

  /// Sets the delay of the dry signal.
  @_noLocks mutating func setLatency(_ frames: Int) {
    let bounded = frames < 0 ? 0 : min(frames, maximumLatency)
    guard bounded != latency else { return }
    if latency == 0 { filled = 0 }
    latency = unsafe ring == nil ? 0 : bounded
    if latency + stride > span { lengthen() }
  }

  /// Uses more of the line and keeps its content.
  @_noLocks private mutating func lengthen() {
    guard let ring = unsafe ring else { return }
    var longer = span
    while longer < latency + stride { longer <<= 1 }
    // The newest frames are at the start of the part in use, older ones after them.
    let last = position & (span - 1)
    let newer = (position &- last) & (longer - 1)
    let older = (position &- last &- span) & (longer - 1)
    for channel in 0..<channelCount where filled > 0 {
      let line = unsafe ring + channel * capacity
      if newer > 0 { unsafe SampleCopy.copy(from: line, to: line + newer, count: last) }
      if older > 0 {
        unsafe SampleCopy.copy(
          from: line + last, to: line + older + last, count: span - last)
      }
    }
    filled = min(filled, span)
    span = longer
  }

  /// Clears the history.
  @_noLocks mutating func reset() { filled = 0 }

  /// Ends a fade at once, while it is inaudible.
  @_noLocks mutating func settle(isBypassed: Bool) { mix = isBypassed ? 1 : 0 }

  /// Stores the input of a cycle, before the kernel changes it.
  ///
  /// - Parameter isMixed: Whether `mix(into:…)` follows.
  @_noLocks mutating func write(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int, isMixed: Bool
  ) {
    guard let dry = unsafe dry else { return }
    guard latency > 0, let ring = unsafe ring else {
      if isMixed {
        for channel in 0..<channelCount {
          unsafe SampleCopy.copy(
            from: input[channel], to: dry + channel * stride, count: frameCount)
        }
      }
      return
    }
    if !isMixed, frameCount > latency {
      // Only the last of these frames can still be played.
      let passed = frameCount - latency
      position &+= passed
      unsafe keep(input, from: passed, latency)
      filled = latency
      return
    }
    let read = (position - latency) & (span - 1)
    unsafe keep(input, from: 0, frameCount)
    let readUntilEnd = min(frameCount, span - read)
    // Before the first input there is silence.
    let silent = min(frameCount, max(latency - filled, 0))
    for channel in 0..<channelCount where isMixed {
      let line = unsafe ring + channel * capacity
      let target = unsafe dry + channel * stride
      unsafe SampleCopy.copy(from: line + read, to: target, count: readUntilEnd)
      unsafe SampleCopy.copy(
        from: line, to: target + readUntilEnd, count: frameCount - readUntilEnd)
      unsafe SampleCopy.clear(target, count: silent)
    }
    filled = min(filled + frameCount, maximumLatency)
  }

  /// Writes frames of the input to the line.
  @_noLocks private mutating func keep(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, from first: Int, _ count: Int
  ) {
    guard let ring = unsafe ring else { return }
    let write = position & (span - 1)
    let untilEnd = min(count, span - write)
    for channel in 0..<channelCount {
      let line = unsafe ring + channel * capacity
      let source = unsafe input[channel] + first
      unsafe SampleCopy.copy(from: source, to: line + write, count: untilEnd)
      unsafe SampleCopy.copy(from: source + untilEnd, to: line, count: count - untilEnd)
    }
    position &+= count
  }

  /// Fades between the processed and the dry signal over 10 ms.
  ///
  /// Further output channels receive the last input channel.
  @_noLocks mutating func mix(
    into output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ outputCount: Int,
    _ frameCount: Int, isBypassed: Bool
  ) {
    guard let dry = unsafe dry, channelCount > 0 else { return }
    let target: Float = isBypassed ? 1 : 0
    let isMoving = mix != target
    var last = mix
    for channel in 0..<outputCount {
      let wet = unsafe output[channel]
      let original = unsafe dry + min(channel, channelCount - 1) * stride
      guard isMoving else {
        unsafe SampleCopy.copy(from: original, to: wet, count: frameCount)
        continue
      }
      var now = mix
      for frame in 0..<frameCount {
        if now < target { now = min(target, now + step) }
        if now > target { now = max(target, now - step) }
        if now == 1 {
          unsafe wet[frame] = original[frame]
        } else {
          unsafe wet[frame] += (original[frame] - wet[frame]) * now
        }
      }
      last = now
    }
    mix = last
  }
}
