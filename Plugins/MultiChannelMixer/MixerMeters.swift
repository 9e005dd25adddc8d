// The meters of the mixer: before and after the gains, for the first channels of each element.
// SPDX-License-Identifier: Apache-2.0

package import AuricleSDK
import CAudioToolbox

/// Levels of the output and of each input. Context: render; made and freed on a control thread.
@safe package struct MixerMeters: BitwiseCopyable {
  private let levels: UnsafeMutablePointer<LevelMeter>
  private let elementCount: Int
  private let sampleRate: Double
  private let firstInput: Int
  private let firstOutput: Int
  private static var channels: Int { @_noLocks get { 8 } }

  /// Allocates meters of the output and the inputs. Context: control.
  ///
  /// - Parameters:
  ///   - elementCount: One more than there are inputs.
  ///   - firstInput: Place of the first meter among the parameters of an input.
  ///   - firstOutput: The same of the output.
  package init(elementCount: Int, sampleRate: Double, firstInput: Int, firstOutput: Int) {
    self.firstInput = firstInput
    self.firstOutput = firstOutput
    self.elementCount = elementCount
    self.sampleRate = sampleRate
    let count = elementCount * 2 * Self.channels
    unsafe levels = .allocate(capacity: count)
    unsafe levels.initialize(repeating: LevelMeter(), count: count)
  }

  /// Frees the memory. Context: control.
  package func deallocate() { unsafe levels.deallocate() }

  /// Forgets the past.
  @_noLocks package func reset() {
    for index in 0..<(elementCount * 2 * Self.channels) { unsafe levels[index] = LevelMeter() }
  }

  /// Measures an input as it is, and times a gain.
  @_noLocks package func measure(_ slice: borrowing RenderSlice, _ bus: Int, gain: Float) {
    for channel in 0..<slice.inputChannelCount(bus: bus) {
      unsafe measure(
        slice.input(bus: bus, channel: channel), slice.frameCount, bus: bus, channel: channel,
        gain: gain)
    }
    report(slice, bus)
  }

  /// Measures samples of a channel of an input as they are, and times a gain; then comes `report`.
  @_noLocks package func measure(
    _ samples: UnsafePointer<Float>, _ count: Int, bus: Int, channel: Int, gain: Float
  ) {
    guard channel < Self.channels else { return }
    let place = (1 + bus) * 2 * Self.channels + channel
    unsafe levels[place].measure(samples, gain: 1, count, sampleRate: sampleRate)
    unsafe levels[place + Self.channels].measure(
      samples, gain: gain, count, sampleRate: sampleRate)
  }

  /// Measures silence of an input that is switched off.
  @_noLocks package func measureSilence(_ slice: borrowing RenderSlice, _ bus: Int) {
    for place in 0..<(2 * Self.channels) {
      unsafe levels[(1 + bus) * 2 * Self.channels + place].measureSilence(
        slice.frameCount, sampleRate: sampleRate)
    }
    report(slice, bus)
  }

  /// Measures the output, before or after its gains.
  @_noLocks package func measureOutput(_ slice: borrowing RenderSlice, isPost: Bool) {
    let first = isPost ? Self.channels : 0
    for channel in 0..<min(slice.channelCount, Self.channels) {
      unsafe levels[first + channel].measure(
        slice.channel(channel), gain: 1, slice.frameCount, sampleRate: sampleRate)
    }
    guard isPost else { return }
    for channel in 0..<Self.channels {
      for kind in 0..<4 {
        slice.setOutputMeter(
          bus: 0, firstOutput + kind * Self.channels + channel, level(0, kind, channel))
      }
    }
  }

  /// Shows the levels of an input as its read-only parameters.
  @_noLocks package func report(_ slice: borrowing RenderSlice, _ bus: Int) {
    for channel in 0..<min(slice.inputChannelCount(bus: bus), Self.channels) {
      for kind in 0..<4 {
        slice.setInputMeter(
          bus: bus, firstInput + kind * Self.channels + channel, level(1 + bus, kind, channel))
      }
    }
  }

  /// Kinds: pre average, pre peak, post average, post peak.
  @_noLocks private func level(_ element: Int, _ kind: Int, _ channel: Int) -> Float {
    let place = (element * 2 + kind / 2) * Self.channels + channel
    return kind & 1 == 0 ? unsafe levels[place].averagePower : unsafe levels[place].peakHoldLevel
  }
}
