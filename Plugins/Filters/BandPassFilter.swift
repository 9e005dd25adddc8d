// The band-pass unit: one band with 6 dB per octave to both sides.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Gain 1 at the centre frequency; the bandwidth, between the points that are 3 dB down, is in cents.
struct BandPassFilter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Band-Pass Filter", subtype: "bpas", manufacturer: "appl",
    summary: "One band of the spectrum: centre frequency and bandwidth.",
    tags: ["Effects", "Filter"])

  struct Parameters: ParameterSet {
    @Parameter(
      kBandpassParam_CenterFrequency, "center frequency", 20...22050, default: 5000, unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var frequency: Float
    @Parameter(
      kBandpassParam_Bandwidth, "bandwidth", 100...12000, default: 600, unit: .cents,
      curve: .logarithmic)
    var bandwidth: Float

    var setting: FilterSetting {
      @_noLocks get {
        FilterSetting(
          .bandPass, frequency: frequency,
          q: Float(FilterShape.q(octaves: Double(bandwidth) / 1200)))
      }
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
      if setup.parameters.$frequency.isScheduled(in: slice) { jumps.frequency = true }
      if setup.parameters.$bandwidth.isScheduled(in: slice) { jumps.q = true }
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

/// Makes one band-pass unit; the factory function of the component. Context: control.
@c(AuricleBandPassFilterFactory)
public func bandPassFilterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(BandPassFilter.self, request) { unsafe render(BandPassFilter.self, $0, $1) }
}
