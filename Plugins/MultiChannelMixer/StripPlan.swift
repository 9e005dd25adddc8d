// The places of volume, switch, pan and meters in a mixer's elements, and the meaning of the numbers.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The settings of a strip: volume and switch (linear), pan from −1 to 1.
typealias StripValues = (volume: Float, enable: Float, pan: Float)

/// The parameters of a mixer: those of the multichannel mixer, or of the stereo mixer.
///
/// The stereo mixer has no switch, pans its inputs alone, from 0 to 1, and its volumes are faders:
/// the gain is their third power. Context: render.
struct StripPlan: BitwiseCopyable {
  private let hasFaders: Bool

  init(hasFaders: Bool) { self.hasFaders = hasFaders }

  /// Place of the first meter among the parameters of an element.
  @_noLocks func firstMeter(_ scope: AudioUnitScope) -> Int {
    if !hasFaders { return 3 }
    return scope == kAudioUnitScope_Input ? 2 : 1
  }

  /// Whether an element is switched on: not below 0.5.
  @_noLocks func enable(
    _ slice: borrowing RenderSlice, _ scope: AudioUnitScope, _ element: Int
  ) -> Float {
    hasFaders ? 1 : slice.parameter(1, scope: scope, element: element)
  }

  /// Returns the settings of an element.
  @_noLocks func values(
    _ slice: borrowing RenderSlice, _ scope: AudioUnitScope, _ element: Int
  ) -> StripValues {
    let volume = slice.parameter(0, scope: scope, element: element)
    let second = slice.parameter(1, scope: scope, element: element)
    if !hasFaders { return (volume, second, slice.parameter(2, scope: scope, element: element)) }
    return (volume * volume * volume, 1, scope == kAudioUnitScope_Input ? 2 * second - 1 : 0)
  }

  /// Returns the ramp of a volume; nil where it is followed frame by frame, or is constant.
  @_noLocks func volumeRamp(
    _ slice: borrowing RenderSlice, _ scope: AudioUnitScope, _ element: Int
  ) -> ParameterRamp? {
    hasFaders ? nil : slice.parameterRamp(0, scope: scope, element: element)
  }

  /// Whether the settings of an element are scheduled for the slice.
  @_noLocks func isScheduled(
    _ slice: borrowing RenderSlice, _ scope: AudioUnitScope, _ element: Int
  ) -> Bool {
    for place in 0..<firstMeter(scope)
    where slice.parameterIsScheduled(place, scope: scope, element: element) {
      return true
    }
    return false
  }
}
