// The input of the two networks: two feeds, delayed and diffused.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// Mixes channels to two feeds, removes frequencies below 15 Hz, delays and diffuses.
///
/// Context: made and freed on a control thread, otherwise render.
@safe struct RoomFeeds: ~Copyable {
  private let channelCount: Int
  private var follower: AuricleFollower
  private var rings: IntervalRings
  private var smallTap: TapFade
  private var largeTap: TapFade
  private var smallDiffuser: Diffuser
  private var largeDiffuser: Diffuser
  private let memory: UnsafeMutablePointer<Float>

  /// The feeds of the small room, valid after `gather`.
  let small: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  /// The feeds of the large room, valid after `gather`.
  let large: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  /// Sums of the channels in this interval.
  private let sums: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)

  /// Allocates. Context: control.
  init(sampleRate: Double, channelCount: Int) {
    self.channelCount = channelCount
    let first = max(1, (channelCount + 1) / 2)
    let second = max(1, channelCount / 2)
    let follow = Float(
      FollowerRate.rate(seconds: 1 / (2 * Double.pi * 15), sampleRate: sampleRate))
    follower = AuricleFollower(
      scales: (1 / Float(first).squareRoot(), 1 / Float(second).squareRoot()), follow: follow,
      stay: 1 - follow, slow: (0, 0))
    rings = IntervalRings(count: 2, maximumDelay: Int(0.131 * sampleRate) + 2)
    smallTap = TapFade(frames: Int(0.03 * sampleRate))
    largeTap = smallTap
    smallDiffuser = Diffuser(sampleRate: sampleRate, first: [5.3, 7.9], second: [5.9, 7.1])
    largeDiffuser = Diffuser(
      sampleRate: sampleRate, first: [5.1, 7.3, 10.3, 13.9], second: [5.7, 6.7, 11.1, 13.1])
    let interval = ControlClock.interval
    unsafe memory = .allocate(capacity: 7 * interval)
    unsafe memory.initialize(repeating: 0, count: 7 * interval)
    unsafe small = (memory, memory + interval)
    unsafe large = (memory + 2 * interval, memory + 3 * interval)
    unsafe sums = (memory + 4 * interval, memory + 5 * interval)
  }

  deinit { unsafe memory.deallocate() }

  /// Clears the past; the next delays are set without a glide.
  @_noLocks mutating func reset() {
    clear()
    smallTap.reset()
    largeTap.reset()
  }

  /// Silences everything.
  @_noLocks mutating func clear() {
    follower.slow = (0, 0)
    unsafe SampleRun.clear(sums.0, 2 * ControlClock.interval)
    rings.reset()
    smallDiffuser.reset()
    largeDiffuser.reset()
  }

  /// Sets delays in frames, at the start of an interval.
  @_noLocks mutating func setDelays(small: Int, large: Int) {
    smallTap.setDelay(small)
    largeTap.setDelay(large)
  }

  /// Sets the coefficients of the diffusers for rooms that decay for so many seconds.
  @_noLocks mutating func setDensities(
    small: Float, decay smallDecay: Double, large: Float, decay largeDecay: Double
  ) {
    smallDiffuser.set(coefficient: small, decay: smallDecay)
    largeDiffuser.set(coefficient: large, decay: largeDecay)
  }

  /// Ends an interval.
  @_noLocks mutating func endInterval() {
    rings.advance()
    smallDiffuser.advance()
    largeDiffuser.advance()
    smallTap.advance(ControlClock.interval)
    largeTap.advance(ControlClock.interval)
  }

  /// Reads a run of input and makes the feeds; returns whether the input is audible.
  @_noLocks mutating func gather(
    _ slice: borrowing RenderSlice, _ frame: Int, _ phase: Int, _ count: Int
  ) -> Bool {
    let (first, second) = unsafe (rings.write(0, phase: phase), rings.write(1, phase: phase))
    let (left, right) = unsafe gatherSums(slice, frame, phase, count)
    unsafe AuricleTakeOutSlow(
      left, right, first - phase, second - phase, phase, count, &follower)
    rings.finishRun(phase: phase, count: count)
    let isLoud =
      unsafe SampleRun.exceeds(1e-8, first, count) || SampleRun.exceeds(1e-8, second, count)
    let (near, far) = unsafe (
      (read(0, smallTap, small.0, phase, count), read(1, smallTap, small.1, phase, count)),
      (read(0, largeTap, large.0, phase, count), read(1, largeTap, large.1, phase, count))
    )
    unsafe smallDiffuser.process(near, to: small, phase: phase, count)
    unsafe largeDiffuser.process(far, to: large, phase: phase, count)
    return isLoud
  }

  /// The sums of the channels in this interval, from its start on; of a channel each, the channel itself
  /// where its groups of four are whole.
  @_noLocks private func gatherSums(
    _ slice: borrowing RenderSlice, _ frame: Int, _ phase: Int, _ count: Int
  ) -> (UnsafePointer<Float>, UnsafePointer<Float>) {
    let back = frame - phase
    if channelCount <= 2 && (phase | count) & 3 == 0 {
      return unsafe (
        UnsafePointer(slice.channel(0) + back),
        UnsafePointer(slice.channel(channelCount - 1) + back)
      )
    }
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      let sum = unsafe (channel & 1 == 0 ? sums.0 : sums.1) + phase
      if channel < 2 {
        unsafe SampleRun.copy(audio, to: sum, count)
      } else {
        for index in 0..<count { unsafe sum[index] += audio[index] }
      }
    }
    return unsafe (UnsafePointer(sums.0), UnsafePointer(channelCount == 1 ? sums.0 : sums.1))
  }

  /// A delayed run: where it lies in the ring, or in the feed while the delay fades to another.
  @_noLocks private func read(
    _ ring: Int, _ tap: TapFade, _ feed: UnsafeMutablePointer<Float>, _ phase: Int, _ count: Int
  ) -> UnsafePointer<Float> {
    let current = unsafe rings.read(ring, delay: tap.current, phase: phase)
    guard tap.isFading else { return unsafe UnsafePointer(current) }
    let next = unsafe rings.read(ring, delay: tap.next, phase: phase)
    for index in 0..<count {
      unsafe feed[index] =
        current[index] + (next[index] - current[index]) * tap.weight(after: phase + index)
    }
    return unsafe UnsafePointer(feed)
  }
}
