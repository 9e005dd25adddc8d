// The five-band filter: a shelf or pass at either end, and three bells between them.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Five filters in a row; those at the ends are shelves, or let nothing pass beyond their frequency.
struct FiveBandFilter: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Five-Band Filter", subtype: "filt", manufacturer: "appl",
    summary: "A shelf or pass at either end of the spectrum and three bells between them.",
    tags: ["Effects", "Equalizer", "Filter"])

  enum LowType: String, ParameterChoice { case shelf, highPass = "high-pass" }
  enum HighType: String, ParameterChoice { case shelf, lowPass = "low-pass" }

  struct Bell: ParameterSet {
    @Parameter var frequency: Float
    @Parameter var gain: Float
    @Parameter var bandwidth: Float

    init() { self.init(0) }

    init(_ bell: UInt32) {
      _frequency = Parameter(
        kMultibandFilter_CenterFreq1 + 3 * bell, "center frequency \(bell + 1)", 10...22050,
        default: 100, unit: .hertz, curve: .logarithmic, options: .upToNyquist)
      _gain = Parameter(
        kMultibandFilter_CenterGain1 + 3 * bell, "center gain \(bell + 1)", -18...18, default: 0,
        unit: .decibels)
      _bandwidth = Parameter(
        kMultibandFilter_Bandwidth1 + 3 * bell, "bandwidth \(bell + 1)", 0.05...3, default: 2,
        unit: .octaves, curve: .logarithmic)
    }

    var setting: FilterSetting {
      @_noLocks get {
        FilterSetting(
          .bell, frequency: frequency, q: Float(FilterShape.q(octaves: Double(bandwidth))),
          gain: gain)
      }
    }
  }

  struct Parameters: ParameterSet {
    @Parameter(kMultibandFilter_LowFilterType, "low filter type", default: .shelf)
    var lowType: LowType
    @Parameter(
      kMultibandFilter_LowFrequency, "low frequency", 10...22050, default: 100, unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var lowFrequency: Float
    @Parameter(kMultibandFilter_LowGain, "low gain", -18...18, default: 0, unit: .decibels)
    var lowGain: Float
    let bells = ParameterSeries<3, Bell> { Bell(UInt32($0)) }
    @Parameter(kMultibandFilter_HighFilterType, "high filter type", default: .shelf)
    var highType: HighType
    @Parameter(
      kMultibandFilter_HighFrequency, "high frequency", 10...22050, default: 100, unit: .hertz,
      curve: .logarithmic, options: .upToNyquist)
    var highFrequency: Float
    @Parameter(kMultibandFilter_HighGain, "high gain", -18...18, default: 0, unit: .decibels)
    var highGain: Float

    /// The setting of a filter, from 0.
    @_noLocks func setting(_ index: Int) -> FilterSetting {
      switch index {
      case 0:
        FilterSetting(
          lowType == .shelf ? .lowShelf : .highPass, frequency: lowFrequency, gain: lowGain)
      case 4:
        FilterSetting(
          highType == .shelf ? .highShelf : .lowPass, frequency: highFrequency, gain: highGain)
      default: bells[index - 1].setting
      }
    }

    /// Returns the values of a filter that jump in a slice.
    @_noLocks func jumps(_ index: Int, _ slice: RenderSlice) -> FilterJumps {
      var jumps = FilterJumps()
      let (frequency, gain) =
        switch index {
        case 0: ($lowFrequency, $lowGain)
        case 4: ($highFrequency, $highGain)
        default: (bells[index - 1].$frequency, bells[index - 1].$gain)
        }
      if frequency.isScheduled(in: slice) { jumps.frequency = true }
      if gain.isScheduled(in: slice) { jumps.gain = true }
      if index > 0, index < 4, bells[index - 1].$bandwidth.isScheduled(in: slice) {
        jumps.q = true
      }
      return jumps
    }

    var settings: [FilterSetting] { (0..<5).map { setting($0) } }
  }

  typealias State = MatchedFilters
  static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
  static let skipsSilence = true

  private let setup: (parameters: Parameters, sampleRate: Double, design: FilterDesign)
  private var filters: FilterSeries

  init(_ setup: UnitSetup<Self>) {
    self.setup = (setup.parameters, setup.sampleRate, setup.state.design)
    filters = FilterSeries(
      count: 5, sampleRate: setup.sampleRate, channelCount: setup.channelCount,
      design: setup.state.design)
  }

  @_noLocks mutating func reset() { filters.reset() }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let parameters = setup.parameters
    for index in 0..<5 {
      filters.set(
        index, parameters.setting(index),
        jumps: slice.hasScheduledValues ? parameters.jumps(index, slice) : FilterJumps())
    }
    filters.process(slice)
  }

  var tailSeconds: Double {
    FilterSeries.tailSeconds(
      setup.parameters.settings, sampleRate: setup.sampleRate, design: setup.design)
  }

  var restSeconds: Double { @_noLocks get { filters.restSeconds } }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    FilterSeries.magnitude(
      parameters.settings, frequency: frequency, sampleRate: sampleRate, design: state.design)
  }
}

/// Makes one five-band filter; the factory function of the component. Context: control.
@c(AuricleFiveBandFilterFactory)
public func fiveBandFilterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(FiveBandFilter.self, request) { unsafe render(FiveBandFilter.self, $0, $1) }
}
