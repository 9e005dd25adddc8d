// The damping of sound by walls and objects: low-passes that are set by their attenuation at 5 kHz.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A low-pass of one pole for each of some sounds. Context: render; made and freed on a control thread.
@safe struct DullingBank: BitwiseCopyable {
  private let states: UnsafeMutablePointer<Float>
  private let sampleRate: Double
  private(set) var poles: GlideBank

  /// Allocates filters that change nothing. Context: control.
  init(count: Int, sampleRate: Double) {
    self.sampleRate = sampleRate
    unsafe states = .allocate(capacity: max(count, 1))
    unsafe states.initialize(repeating: 0, count: count)
    poles = GlideBank(count: count, sampleRate: sampleRate)
  }

  /// Frees the memory. Context: control.
  func deallocate() {
    unsafe states.deallocate()
    poles.deallocate()
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    for index in 0..<poles.count { unsafe states[index] = 0 }
    poles.reset()
  }

  /// Sets the gain at 5 kHz, or at 0.4 of a low rate, in decibels: at most 0.
  @_noLocks mutating func aim(_ index: Int, decibels: Float, isTimed: Bool) {
    guard poles.aim(index, pole(decibels)), isTimed else { return }
    poles.jump(index)
  }

  /// The pole of a low-pass of gain 1 at 0 Hz that has a gain there.
  @_noLocks private func pole(_ decibels: Float) -> Float {
    guard decibels < 0 else { return 0 }
    let square = RealtimeMath.exp(Double(decibels) * 0.230_258_509_299_404_6)
    let turn = 2 * Double.pi * min(5000, 0.4 * sampleRate) / sampleRate
    let half = (1 - square * RealtimeMath.cos(turn)) / (1 - square)
    return Float(half - RealtimeMath.sqrt(max(half * half - 1, 0)))
  }

  /// Begins the next interval of the control grid.
  @_noLocks mutating func advance() { poles.advance() }

  /// Whether a filter changes nothing.
  @_noLocks func isOff(_ index: Int) -> Bool { poles.isOff(index) }

  /// Filters a run; target and source may be the same.
  @_noLocks func run(
    _ index: Int, _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>,
    phase: Int, _ count: Int
  ) {
    let pole = poles[index]
    var state = unsafe states[index]
    for frame in 0..<count {
      let sample = unsafe source[frame]
      state = sample + pole.value(at: phase + frame) * (state - sample)
      unsafe target[frame] = state
    }
    unsafe states[index] = state.magnitude < 1e-25 ? 0 : state
  }
}
