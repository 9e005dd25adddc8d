// A head as a sphere: for each ear the sound's time around it, and its shadow.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The signals at the ears for a direction. Context: any.
enum SphericalHead {
  /// Seconds of sound's way along the radius of the head: 87.5 mm at 343 m/s.
  static var radiusSeconds: Double { @_noLocks get { 0.0875 / 343 } }

  /// Frames by which sound from the front is late.
  static func latency(sampleRate: Double) -> Int {
    Int((radiusSeconds * sampleRate).rounded(.up)) + FractionalDelay.least
  }

  /// Frames by which sound to an ear is later than from the front, and how bright it is: gain of
  /// the highest frequencies.
  ///
  /// - Parameter side: Cosine of the angle between the direction and the axis of the ear.
  @_noLocks static func spatialize(
    side: Double, sampleRate: Double
  ) -> (delay: Double, brightness: Double) {
    let angle = RealtimeMath.atan2(RealtimeMath.sqrt(max(0, 1 - side * side)), side)
    let time = side > 0 ? -side : angle - .pi / 2
    let brightness = 1.05 + 0.95 * RealtimeMath.cos(angle * 6 / 5)
    return (side == 0 ? 0 : time * radiusSeconds * sampleRate, brightness)
  }
}

/// The states of one source at two ears. Context: render; separate memory, see `HeadBank`.
struct HeadState: BitwiseCopyable {
  var left = SIMD2<Float>(repeating: 0)
  var right = SIMD2<Float>(repeating: 0)
}

/// The sources of a head: a past, and filters, of each. Context: render; made and freed on a control
/// thread.
@safe struct HeadBank: BitwiseCopyable {
  /// Glides of a source: delay (frames) and brightness left, the same right, gain.
  static var glideCount: Int { @_noLocks get { 5 } }
  private let sourceCount: Int
  private var pasts: SourcePasts
  private let states: UnsafeMutablePointer<HeadState>
  private let table = FractionalDelay()
  /// Frames by which sound from the front is late.
  let latency: Int
  private let sampleRate: Double
  /// Twice the rate times the time constant of the shadow.
  private let k: Float
  var glides: GlideBank

  /// Allocates silent sources. Context: control.
  init(sourceCount: Int, sampleRate: Double) {
    self.sourceCount = sourceCount
    self.sampleRate = sampleRate
    latency = SphericalHead.latency(sampleRate: sampleRate)
    k = Float(sampleRate * SphericalHead.radiusSeconds)
    pasts = SourcePasts(sourceCount: sourceCount, frames: 4 * latency)
    let count = max(sourceCount, 1)
    unsafe states = .allocate(capacity: count)
    unsafe states.initialize(repeating: HeadState(), count: count)
    glides = GlideBank(count: sourceCount * Self.glideCount, sampleRate: sampleRate)
  }

  /// Frees the memory. Context: control.
  func deallocate() {
    pasts.deallocate()
    unsafe states.deallocate()
    table.deallocate()
    glides.deallocate()
  }

  /// Seconds that anything rings on.
  var tailSeconds: Double { Double(3 * latency) / sampleRate + 0.004 }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    pasts.reset()
    for index in 0..<sourceCount { unsafe states[index] = HeadState() }
    glides.reset()
  }

  /// Sets the direction of a source (radians); true if anything changed.
  @_noLocks mutating func aim(
    _ source: Int, azimuth: Double, elevation: Double, gain: Double, hasDelay: Bool
  ) -> Bool {
    let side = RealtimeMath.sin(azimuth) * RealtimeMath.cos(elevation)
    let left = SphericalHead.spatialize(side: -side, sampleRate: sampleRate)
    let right = SphericalHead.spatialize(side: side, sampleRate: sampleRate)
    let first = source * Self.glideCount
    let base = Double(latency)
    var changed = glides.aim(first, Float(base + (hasDelay ? left.delay : 0)))
    if glides.aim(first + 1, Float(left.brightness)) { changed = true }
    if glides.aim(first + 2, Float(base + (hasDelay ? right.delay : 0))) { changed = true }
    if glides.aim(first + 3, Float(right.brightness)) { changed = true }
    if glides.aim(first + 4, Float(gain)) { changed = true }
    return changed
  }

  /// Fades a source out; true if it was audible.
  @_noLocks mutating func fade(_ source: Int) -> Bool {
    glides.aim(source * Self.glideCount + 4, 0)
  }

  /// Puts a source that was silent in its place; its gain glides.
  @_noLocks func appear(_ source: Int) {
    for index in 0..<Self.glideCount - 1 { glides.jump(source * Self.glideCount + index) }
  }

  /// Puts a source where it goes.
  @_noLocks func jump(_ source: Int) {
    for index in 0..<Self.glideCount { glides.jump(source * Self.glideCount + index) }
  }

  /// Whether a source is inaudible, and stays so.
  @_noLocks func isOff(_ source: Int) -> Bool {
    glides.isOff(source * Self.glideCount + 4)
  }

  /// Stores a run of an inaudible source, so that it has a past when it becomes audible.
  @_noLocks func remember(
    _ source: Int, _ samples: UnsafePointer<Float>?, offset: Int, _ count: Int
  ) {
    unsafe pasts.keep(source, samples, offset: offset, count)
  }

  /// Adds a run of a source to both ears; `offset` frames of the slice were run before.
  @_noLocks func add(
    _ source: Int, _ samples: UnsafePointer<Float>?, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, offset: Int, phase: Int, _ count: Int
  ) {
    let first = source * Self.glideCount
    let gain = glides[first + 4]
    let ring = unsafe pasts.ring(source)
    var state = unsafe states[source]
    let (leftDelay, leftBright) = (glides[first], glides[first + 1])
    let (rightDelay, rightBright) = (glides[first + 2], glides[first + 3])
    for frame in 0..<count {
      let place = pasts.place(offset + frame)
      unsafe pasts.put(samples?[frame] ?? 0, ring, place)
      let now = phase + frame
      let level = gain.value(at: now)
      unsafe left[frame] +=
        level
        * spatialize(ring, place, leftDelay.value(at: now), leftBright.value(at: now), &state.left)
      unsafe right[frame] +=
        level
        * spatialize(
          ring, place, rightDelay.value(at: now), rightBright.value(at: now), &state.right)
    }
    unsafe states[source] = state
  }

  /// One ear: the delayed sample, through a shelf.
  @_noLocks @inline(__always) private func spatialize(
    _ ring: UnsafePointer<Float>, _ place: Int, _ delay: Float, _ brightness: Float,
    _ state: inout SIMD2<Float>
  ) -> Float {
    let whole = Int(delay)
    let start = (place - whole - 8) & (pasts.size - 1)
    let sample = unsafe table.read(ring + start, delay - Float(whole))
    let scale = 1 / (1 + k)
    let ahead = brightness * k
    let delivered = ((1 + ahead) * sample + (1 - ahead) * state[0] - (1 - k) * state[1]) * scale
    state = SIMD2(sample, delivered.magnitude < 1e-25 ? 0 : delivered)
    return delivered
  }

  /// Counts the frames of a slice.
  @_noLocks mutating func advance(_ count: Int) { pasts.advance(count) }
}
