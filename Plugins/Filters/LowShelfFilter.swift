// The low-shelf unit: turns everything below a frequency up or down.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Half the gain, in decibels, is reached at the cutoff frequency, as steep as it can be without a bump.
struct LowShelfFilter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Low-Shelf Filter", subtype: "lshf", manufacturer: "appl",
    summary: "Turns what is below a frequency up or down.",
    tags: ["Effects", "Filter", "Equalizer"])

  struct Parameters: ParameterSet {
    @Parameter(
      kAULowShelfParam_CutoffFrequency, "cutoff frequency", 10...200, default: 80, unit: .hertz,
      curve: .logarithmic)
    var cutoff: Float
    @Parameter(kAULowShelfParam_Gain, "gain", -40...40, default: 0, unit: .decibels) var gain: Float

    var setting: FilterSetting {
      @_noLocks get { FilterSetting(.lowShelf, frequency: cutoff, gain: gain) }
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

/// Makes one low-shelf unit; the factory function of the component. Context: control.
@c(AuricleLowShelfFilterFactory)
public func lowShelfFilterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(LowShelfFilter.self, request) { unsafe render(LowShelfFilter.self, $0, $1) }
}
