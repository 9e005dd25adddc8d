// The high-shelf unit: turns everything above a frequency up or down.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Half the gain, in decibels, is reached at the cutoff frequency, as steep as it can be without a bump.
struct HighShelfFilter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: High-Shelf Filter", subtype: "hshf", manufacturer: "appl",
    summary: "Turns what is above a frequency up or down.",
    tags: ["Effects", "Filter", "Equalizer"])

  struct Parameters: ParameterSet {
    @Parameter(
      kHighShelfParam_CutOffFrequency, "cutoff frequency", 10000...22050, default: 10000,
      unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var cutoff: Float
    @Parameter(kHighShelfParam_Gain, "gain", -40...40, default: 0, unit: .decibels) var gain: Float

    var setting: FilterSetting {
      @_noLocks get { FilterSetting(.highShelf, frequency: cutoff, gain: gain) }
    }
  }

  typealias State = MatchedFilters
  static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
  static let skipsSilence = true

  private let setup: (parameters: Parameters, sampleRate: Double, design: FilterDesign)
  private var filter: FilterSeries

  init(_ setup: UnitSetup<Self>) {
    self.setup = (setup.parameters, setup.sampleRate, setup.state.design)
    filter = FilterSeries(
      count: 1, sampleRate: setup.sampleRate, channelCount: setup.channelCount,
      design: setup.state.design)
  }

  @_noLocks mutating func reset() { filter.reset() }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var jumps = FilterJumps()
    if slice.hasScheduledValues {
      if setup.parameters.$cutoff.isScheduled(in: slice) { jumps.frequency = true }
      if setup.parameters.$gain.isScheduled(in: slice) { jumps.gain = true }
    }
    filter.set(0, setup.parameters.setting, jumps: jumps)
    filter.process(slice)
  }

  var tailSeconds: Double {
    FilterSeries.tailSeconds(
      [setup.parameters.setting], sampleRate: setup.sampleRate, design: setup.design)
  }

  var restSeconds: Double { @_noLocks get { filter.restSeconds } }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    FilterSeries.magnitude(
      [parameters.setting], frequency: frequency, sampleRate: sampleRate, design: state.design)
  }
}

/// Makes one high-shelf unit; the factory function of the component. Context: control.
@c(AuricleHighShelfFilterFactory)
public func highShelfFilterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(HighShelfFilter.self, request) { unsafe render(HighShelfFilter.self, $0, $1) }
}
