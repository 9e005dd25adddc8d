// What goes into the two networks: two feeds, delayed and diffused.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Gathers channels to two feeds, takes out what lies below 15 Hz, delays and diffuses.
///
/// Context: made and freed on a control thread, otherwise render.
@safe struct RoomFeeds: ~Copyable {
  private let channelCount: Int
  private let scale: (Float, Float)
  private let follow: Float
  private var slow = SIMD2<Float>(repeating: 0)
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

  /// Allocates. Context: control.
  init(sampleRate: Double, channelCount: Int) {
    self.channelCount = channelCount
    let first = max(1, (channelCount + 1) / 2)
    let second = max(1, channelCount / 2)
    scale = (1 / Float(first).squareRoot(), 1 / Float(second).squareRoot())
    follow = Float(FollowerRate.rate(seconds: 1 / (2 * Double.pi * 15), sampleRate: sampleRate))
    rings = IntervalRings(count: 2, maximumDelay: Int(0.131 * sampleRate) + 2)
    smallTap = TapFade(frames: Int(0.03 * sampleRate))
    largeTap = smallTap
    smallDiffuser = Diffuser(sampleRate: sampleRate, first: [5.3, 7.9], second: [5.9, 7.1])
    largeDiffuser = Diffuser(
      sampleRate: sampleRate, first: [5.1, 7.3, 10.3, 13.9], second: [5.7, 6.7, 11.1, 13.1])
    let interval = ControlClock.interval
    unsafe memory = .allocate(capacity: 5 * interval)
    unsafe memory.initialize(repeating: 0, count: 5 * interval)
    unsafe small = (memory, memory + interval)
    unsafe large = (memory + 2 * interval, memory + 3 * interval)
  }

  deinit { unsafe memory.deallocate() }

  /// Forgets the past; the next delays are taken at once.
  @_noLocks mutating func reset() {
    clear()
    smallTap.reset()
    largeTap.reset()
  }

  /// Silences everything.
  @_noLocks mutating func clear() {
    slow = SIMD2(repeating: 0)
    rings.reset()
    smallDiffuser.reset()
    largeDiffuser.reset()
  }

  /// Sets delays in frames and the coefficients of the diffusers, at the start of an interval.
  @_noLocks mutating func setDelays(
    small: Int, large: Int, smallDensity: Float, largeDensity: Float
  ) {
    smallTap.take(small)
    largeTap.take(large)
    smallDiffuser.coefficient = smallDensity
    largeDiffuser.coefficient = largeDensity
  }

  /// Ends an interval.
  @_noLocks mutating func endInterval() {
    rings.advance()
    smallDiffuser.advance()
    largeDiffuser.advance()
    smallTap.advance(ControlClock.interval)
    largeTap.advance(ControlClock.interval)
  }

  /// Takes a run of input and makes the feeds; tells whether the input can be heard.
  @_noLocks mutating func gather(
    _ slice: borrowing RenderSlice, _ frame: Int, _ phase: Int, _ count: Int
  ) -> Bool {
    let first = unsafe rings.write(0, phase: phase)
    let second = unsafe rings.write(1, phase: phase)
    unsafe SampleRun.clear(first, count)
    unsafe SampleRun.clear(second, count)
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      let feed = unsafe channel & 1 == 0 ? first : second
      for index in 0..<count { unsafe feed[index] += audio[index] }
    }
    if channelCount == 1 { unsafe SampleRun.copy(first, to: second, count) }
    let scale = SIMD2(self.scale.0, self.scale.1)
    let follow = SIMD2(repeating: self.follow), stay = SIMD2(repeating: 1 - self.follow)
    var slow = self.slow
    for index in 0..<count {
      let x = unsafe SIMD2(first[index], second[index]) * scale
      slow = slow * stay + x * follow
      let y = x - slow
      unsafe first[index] = y[0]
      unsafe second[index] = y[1]
    }
    self.slow = slow
    rings.finishRun(phase: phase, count: count)
    let isLoud =
      unsafe SampleRun.exceeds(1e-8, first, count) || SampleRun.exceeds(1e-8, second, count)
    unsafe read(0, smallTap, to: small.0, phase, count)
    unsafe read(1, smallTap, to: small.1, phase, count)
    unsafe read(0, largeTap, to: large.0, phase, count)
    unsafe read(1, largeTap, to: large.1, phase, count)
    unsafe smallDiffuser.process(small.0, small.1, phase: phase, count)
    unsafe largeDiffuser.process(large.0, large.1, phase: phase, count)
    return isLoud
  }

  @_noLocks private func read(
    _ ring: Int, _ tap: TapFade, to feed: UnsafeMutablePointer<Float>, _ phase: Int, _ count: Int
  ) {
    unsafe SampleRun.copy(rings.read(ring, delay: tap.current, phase: phase), to: feed, count)
    guard tap.isFading else { return }
    let next = unsafe rings.read(ring, delay: tap.next, phase: phase)
    for index in 0..<count {
      unsafe feed[index] += (next[index] - feed[index]) * tap.weight(after: phase + index)
    }
  }
}
