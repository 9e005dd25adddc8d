// A panner in a page: the mean of its inputs, between two loudspeakers at equal power.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox
import RealtimeSupport

struct PlaceUnit: PannerUnit, ~Copyable {
  static let component = Component("Test: Place", subtype: "plac", manufacturer: "Test")

  struct Parameters: ParameterSet {
    @Parameter(1, "pan", -1...1, default: 0, unit: .pan) var pan: Ramp
  }

  private let parameters: Parameters

  init(_ setup: UnitSetup<Self>) { parameters = setup.parameters }

  @_noLocks mutating func reset() {}

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let pan = parameters.pan
    let share = 1 / Float(slice.inputChannelCount)
    slice.clearOutput()
    for channel in 0..<slice.inputChannelCount {
      let source = slice.input(channel)
      var left = slice.output(0)
      var right = slice.output(1)
      for frame in source.indices {
        let angle = (pan[frame] + 1) * .pi / 4
        left[frame] += source[frame] * share * RealtimeMath.cos(angle)
        right[frame] += source[frame] * share * RealtimeMath.sin(angle)
      }
    }
  }
}

extension TestUnits {
  /// A panner of equal power: parameter 1 from −1, left, to 1, right.
  public static func place() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      PlaceUnit.self, makeUnit(PlaceUnit.self, nil) { unsafe render(PlaceUnit.self, $0, $1) })
  }
}
