// Sources rendered through a measured head: a past, and the responses of two directions, of each.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The place of a source and its target. Context: render; separate memory, see `MeasuredBank`.
private struct MeasuredSource: BitwiseCopyable {
  /// Azimuth and elevation (radians) of the present responses, and of the wanted ones.
  var now = SIMD2<Double>(repeating: .infinity)
  var wanted = SIMD2<Double>(0, 0)
  /// Whether the responses of `next` fade in, and how many intervals did already.
  var fades = false
  var step = 0
  /// Index of the present pair of the two pairs of responses.
  var current = 0
  /// Frames since the last that was not silent.
  var quietFrames = Int.max / 2
}

/// The sources of a measured head; a new direction fades in within 20 ms. Context: render; made and freed on a control
/// thread.
@safe struct MeasuredBank: BitwiseCopyable {
  private let sourceCount: Int
  private let head: HeadTable
  private var pasts: SourcePasts
  /// For each source: left and right of one direction, and of another.
  private let responses: UnsafeMutablePointer<Float>
  private let sources: UnsafeMutablePointer<MeasuredSource>
  /// The signals at the two ears in one run, by the present and by the next direction.
  private let delivered: UnsafeMutablePointer<Float>
  /// Intervals of a fade.
  private let steps: Int
  private var fadeCount = 0
  var glides: GlideBank

  /// Frames of a run.
  private static var run: Int { @_noLocks get { ControlClock.interval } }

  /// Allocates silent sources, which fade in from silence; those of a reset bank are there at once. Context: control.
  init(sourceCount: Int, _ head: HeadTable, sampleRate: Double) {
    self.sourceCount = sourceCount
    self.head = head
    pasts = SourcePasts(
      sourceCount: sourceCount, frames: max(128, head.length + 2 * Self.run), spare: 2 * Self.run)
    steps = max(1, Int((0.02 * sampleRate / Double(ControlClock.interval)).rounded()))
    let count = max(sourceCount, 1)
    unsafe responses = .allocate(capacity: count * 4 * head.length)
    unsafe responses.initialize(repeating: 0, count: count * 4 * head.length)
    unsafe sources = .allocate(capacity: count)
    unsafe sources.initialize(repeating: MeasuredSource(), count: count)
    unsafe delivered = .allocate(capacity: 4 * Self.run)
    unsafe delivered.initialize(repeating: 0, count: 4 * Self.run)
    glides = GlideBank(count: sourceCount, sampleRate: sampleRate)
    glides.advance()
  }

  /// Frees the memory. Context: control.
  func deallocate() {
    pasts.deallocate()
    unsafe responses.deallocate()
    unsafe sources.deallocate()
    unsafe delivered.deallocate()
    glides.deallocate()
  }

  /// Frames that anything rings on.
  var tailFrames: Int { head.length }

  /// Frames by which sound from the front is late.
  var latency: Int { @_noLocks get { head.latency } }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    pasts.reset()
    for index in 0..<sourceCount { unsafe sources[index] = MeasuredSource() }
    glides.reset()
    fadeCount = 0
  }

  /// Sets the place (radians) and the gain of a source; true if its gain changed.
  @_noLocks mutating func aim(
    _ source: Int, azimuth: Double, elevation: Double, gain: Double
  ) -> Bool {
    let isOff = glides.isOff(source)
    unsafe sources[source].wanted = SIMD2(azimuth, elevation)
    let isNew = unsafe sources[source].now.x == .infinity
    if isOff || isNew {
      unsafe sources[source].fades = false
      unsafe fill(source, sources[source].current)
    }
    return glides.aim(source, Float(gain))
  }

  /// Fades a source out; true if it was audible.
  @_noLocks mutating func fade(_ source: Int) -> Bool { glides.aim(source, 0) }

  /// Whether a source is inaudible, and stays so.
  @_noLocks func isOff(_ source: Int) -> Bool { glides.isOff(source) }

  /// Whether gains or directions move.
  var isMoving: Bool {
    @_noLocks get {
      if glides.isMoving || fadeCount > 0 { return true }
      for source in 0..<sourceCount
      where unsafe sources[source].wanted != sources[source].now && !glides.isOff(source) {
        return true
      }
      return false
    }
  }

  /// Makes the responses of the wanted direction, as one of two pairs.
  @_noLocks private func fill(_ source: Int, _ pair: Int) {
    guard unsafe sources[source].wanted != sources[source].now else { return }
    let wanted = unsafe sources[source].wanted
    let left = unsafe responses + (4 * source + 2 * pair) * head.length
    unsafe head.make(
      azimuth: wanted.x, elevation: wanted.y, left: left, right: left + head.length)
    unsafe sources[source].now = wanted
  }

  /// Begins the next interval of the control grid.
  @_noLocks mutating func advanceGlides() {
    glides.advance()
    fadeCount = 0
    for source in 0..<sourceCount {
      if unsafe sources[source].fades {
        unsafe sources[source].step += 1
        if unsafe sources[source].step == steps {
          unsafe sources[source].fades = false
          unsafe sources[source].current ^= 1
        }
      }
      let moves = unsafe sources[source].wanted != sources[source].now && !glides.isOff(source)
      if moves, unsafe !sources[source].fades {
        unsafe fill(source, sources[source].current ^ 1)
        unsafe sources[source].fades = true
        unsafe sources[source].step = 0
      }
      if unsafe sources[source].fades { fadeCount += 1 }
    }
  }

  /// Stores a run of a source, so that it has a past when it becomes audible; nil for silence.
  @_noLocks func remember(
    _ source: Int, _ samples: UnsafePointer<Float>?, offset: Int, _ count: Int
  ) {
    let isSilent = unsafe samples.map { unsafe SampleRun.isSilent($0, count) } ?? true
    // Once all of the past is silence it stays so.
    if isSilent, unsafe sources[source].quietFrames > 2 * pasts.size { return }
    unsafe sources[source].quietFrames = isSilent ? sources[source].quietFrames + count : 0
    unsafe pasts.keep(source, samples, offset: offset, count)
  }

  /// Adds frames of a source to both ears; `offset` frames of the slice were run before.
  @_noLocks func add(
    _ source: Int, _ samples: UnsafePointer<Float>?, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, offset: Int, phase: Int, _ count: Int
  ) {
    var frame = 0
    while frame < count {
      let run = min(Self.run, count - frame)
      unsafe remember(source, samples.map { unsafe $0 + frame }, offset: offset + frame, run)
      if unsafe sources[source].quietFrames <= head.length + run {
        unsafe addRun(
          source, left: left + frame, right: right + frame, offset: offset + frame,
          phase: phase + frame, run)
      }
      frame += run
    }
  }

  @_noLocks private func addRun(
    _ source: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    offset: Int, phase: Int, _ count: Int
  ) {
    let place = pasts.place(offset)
    // The ring is there twice: from one of both places the past is before it, and the run behind it.
    let newest = unsafe pasts.ring(source) + (place < head.length ? place + pasts.size : place)
    let state = unsafe sources[source]
    let gain = glides[source]
    unsafe spatialize(source, state.current, newest, delivered, count)
    if state.fades {
      unsafe spatialize(source, state.current ^ 1, newest, delivered + 2 * Self.run, count)
      for index in 0..<count {
        let place = Float(state.step) + Float(phase + index) / Float(ControlClock.interval)
        let part = place / Float(steps)
        for ear in 0..<2 {
          let old = unsafe delivered[ear * Self.run + index]
          let new = unsafe delivered[(2 + ear) * Self.run + index]
          unsafe delivered[ear * Self.run + index] = old + part * (new - old)
        }
      }
    }
    for index in 0..<count {
      let level = gain.value(at: phase + index)
      unsafe left[index] += level * delivered[index]
      unsafe right[index] += level * delivered[Self.run + index]
    }
  }

  @_noLocks private func spatialize(
    _ source: Int, _ pair: Int, _ newest: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let response = unsafe responses + (4 * source + 2 * pair) * head.length
    unsafe PairedConvolution.run(
      newest, response, response + head.length, head.length, toLeft: output,
      toRight: output + Self.run, count)
  }

  /// Puts the gain of a source where it goes.
  @_noLocks func jump(_ source: Int) { glides.jump(source) }

  /// Counts the frames of a slice.
  @_noLocks mutating func advance(_ count: Int) { pasts.advance(count) }
}
