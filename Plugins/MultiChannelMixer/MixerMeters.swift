// The meters of the mixer: before and after the gains, for the first channels of each element.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// Levels of the output and of each input. Context: render; made and freed on a control thread.
@safe struct MixerMeters: BitwiseCopyable {
  private let levels: UnsafeMutablePointer<LevelMeter>
  private let elementCount: Int
  private let sampleRate: Double
  private let plan: StripPlan
  private static var channels: Int { @_noLocks get { 8 } }

  /// Allocates meters. Context: control.
  init(elementCount: Int, sampleRate: Double, _ plan: StripPlan) {
    self.plan = plan
    self.elementCount = elementCount
    self.sampleRate = sampleRate
    let count = elementCount * 2 * Self.channels
    unsafe levels = .allocate(capacity: count)
    unsafe levels.initialize(repeating: LevelMeter(), count: count)
  }

  /// Frees the memory. Context: control.
  func deallocate() { unsafe levels.deallocate() }

  /// Forgets the past.
  @_noLocks func reset() {
    for index in 0..<(elementCount * 2 * Self.channels) { unsafe levels[index] = LevelMeter() }
  }

  /// Measures an input as it is, and times a gain.
  @_noLocks func measure(_ slice: borrowing RenderSlice, _ bus: Int, gain: Float) {
    let count = slice.frameCount
    for channel in 0..<min(slice.inputChannelCount(bus: bus), Self.channels) {
      let samples = unsafe slice.input(bus: bus, channel: channel)
      let place = (1 + bus) * 2 * Self.channels + channel
      unsafe levels[place].measure(samples, gain: 1, count, sampleRate: sampleRate)
      unsafe levels[place + Self.channels].measure(
        samples, gain: gain, count, sampleRate: sampleRate)
    }
    reportInput(slice, bus)
  }

  /// Measures silence of an input that is switched off.
  @_noLocks func measureSilence(_ slice: borrowing RenderSlice, _ bus: Int) {
    for place in 0..<(2 * Self.channels) {
      unsafe levels[(1 + bus) * 2 * Self.channels + place].measureSilence(
        slice.frameCount, sampleRate: sampleRate)
    }
    reportInput(slice, bus)
  }

  /// Measures the output, before or after its gains.
  @_noLocks func measureOutput(_ slice: borrowing RenderSlice, isPost: Bool) {
    let first = isPost ? Self.channels : 0
    for channel in 0..<min(slice.channelCount, Self.channels) {
      unsafe levels[first + channel].measure(
        slice.channel(channel), gain: 1, slice.frameCount, sampleRate: sampleRate)
    }
    guard isPost else { return }
    let place = plan.firstMeter(kAudioUnitScope_Output)
    for channel in 0..<Self.channels {
      for kind in 0..<4 {
        slice.setOutputMeter(
          bus: 0, place + kind * Self.channels + channel, level(0, kind, channel))
      }
    }
  }

  @_noLocks private func reportInput(_ slice: borrowing RenderSlice, _ bus: Int) {
    let place = plan.firstMeter(kAudioUnitScope_Input)
    for channel in 0..<min(slice.inputChannelCount(bus: bus), Self.channels) {
      for kind in 0..<4 {
        slice.setInputMeter(
          bus: bus, place + kind * Self.channels + channel, level(1 + bus, kind, channel))
      }
    }
  }

  /// Kinds: pre average, pre peak, post average, post peak.
  @_noLocks private func level(_ element: Int, _ kind: Int, _ channel: Int) -> Float {
    let place = (element * 2 + kind / 2) * Self.channels + channel
    return kind & 1 == 0 ? unsafe levels[place].averagePower : unsafe levels[place].peakHoldLevel
  }
}
