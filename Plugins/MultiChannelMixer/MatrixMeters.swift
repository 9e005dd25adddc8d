// The meters of a matrix mixer: before and after the gain of each channel.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Levels of the channels of one side. Context: render; made and freed on a control thread.
@safe struct MatrixMeters: BitwiseCopyable {
  private let levels: UnsafeMutablePointer<LevelMeter>
  private let count: Int
  private let scope: AudioUnitScope
  private let sampleRate: Double

  /// Allocates meters for so many channels of a scope. Context: control.
  init(_ scope: AudioUnitScope, count: Int, sampleRate: Double) {
    self.scope = scope
    self.count = count
    self.sampleRate = sampleRate
    unsafe levels = .allocate(capacity: max(2 * count, 1))
    unsafe levels.initialize(repeating: LevelMeter(), count: 2 * count)
  }

  /// Frees the memory. Context: control.
  func deallocate() { unsafe levels.deallocate() }

  /// Forgets the past.
  @_noLocks func reset() {
    for index in 0..<(2 * count) { unsafe levels[index] = LevelMeter() }
  }

  /// Measures a channel times a gain, before or after its fader.
  @_noLocks func measure(
    _ channel: Int, isPost: Bool, _ samples: UnsafePointer<Float>, gain: Float = 1, _ frames: Int
  ) {
    unsafe levels[2 * channel + (isPost ? 1 : 0)].measure(
      samples, gain: gain, frames, sampleRate: sampleRate)
  }

  /// Measures silence of a channel.
  @_noLocks func measureSilence(_ channel: Int, _ frames: Int) {
    for place in 2 * channel...2 * channel + 1 {
      unsafe levels[place].measureSilence(frames, sampleRate: sampleRate)
    }
  }

  /// Shows the levels of a channel as its read-only parameters.
  @_noLocks func show(_ slice: borrowing RenderSlice, _ channel: Int) {
    for kind in 0..<4 {
      let meter = unsafe levels[2 * channel + kind / 2]
      let level = kind & 1 == 0 ? meter.averagePower : meter.peakHoldLevel
      let linear = level > LevelMeter.floor ? RealtimeMath.gain(decibels: Double(level)) : 0
      set(slice, channel, 2 + kind, level)
      set(slice, channel, 6 + kind, Float(linear))
    }
  }

  @_noLocks private func set(
    _ slice: borrowing RenderSlice, _ channel: Int, _ place: Int, _ value: Float
  ) {
    if scope == kAudioUnitScope_Input {
      slice.setInputMeter(bus: channel, place, value)
    } else {
      slice.setOutputMeter(bus: channel, place, value)
    }
  }
}
