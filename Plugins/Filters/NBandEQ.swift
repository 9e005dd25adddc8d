// The N-band equaliser: up to sixteen bands of eleven types, each with frequency, gain and bandwidth.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Bands in a row. A fresh band is off; bands from the number of bands on do not sound.
struct NBandEQ: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: N-Band EQ", subtype: "nbeq", manufacturer: "appl",
    summary: "Up to sixteen bands of eleven types: bells, passes, shelves, notches.",
    tags: ["Effects", "Equalizer", "Filter"])

  /// The most bands.
  static let maximumBands = 16

  /// The types of a band, in the order of `kAUNBandEQFilterType_…`.
  enum BandType: String, ParameterChoice {
    case parametric
    case butterworthLowPass = "low-pass"
    case butterworthHighPass = "high-pass"
    case resonantLowPass = "resonant low-pass"
    case resonantHighPass = "resonant high-pass"
    case bandPass = "band-pass"
    case bandStop = "band-stop"
    case lowShelf = "low shelf"
    case highShelf = "high shelf"
    case resonantLowShelf = "resonant low shelf"
    case resonantHighShelf = "resonant high shelf"

    /// The shape of the filter, and whether the bandwidth matters.
    var filter: (shape: FilterShape, hasWidth: Bool) {
      @_noLocks get {
        switch self {
        case .parametric: (.bell, true)
        case .butterworthLowPass: (.lowPass, false)
        case .butterworthHighPass: (.highPass, false)
        case .resonantLowPass: (.lowPass, true)
        case .resonantHighPass: (.highPass, true)
        case .bandPass: (.bandPass, true)
        case .bandStop: (.bandStop, true)
        case .lowShelf: (.lowShelf, false)
        case .highShelf: (.highShelf, false)
        case .resonantLowShelf: (.lowShelf, true)
        case .resonantHighShelf: (.highShelf, true)
        }
      }
    }
  }

  struct Band: ParameterSet {
    @Parameter var bypass: Bool
    @Parameter var type: BandType
    @Parameter var frequency: Float
    @Parameter var gain: Float
    @Parameter var bandwidth: Float

    init() { self.init(0) }

    init(_ band: UInt32) {
      let clump = Clump(band + 1, "band \(band + 1)")
      _bypass = Parameter(
        kAUNBandEQParam_BypassBand + band, "bypass \(band + 1)", default: true, clump: clump)
      _type = Parameter(
        kAUNBandEQParam_FilterType + band, "type \(band + 1)", default: .parametric, clump: clump)
      _frequency = Parameter(
        kAUNBandEQParam_Frequency + band, "frequency \(band + 1)", 20...22050, default: 1000,
        unit: .hertz, curve: .logarithmic, clump: clump, options: .upToNyquist)
      _gain = Parameter(
        kAUNBandEQParam_Gain + band, "gain \(band + 1)", -96...24, default: 0, unit: .decibels,
        clump: clump)
      _bandwidth = Parameter(
        kAUNBandEQParam_Bandwidth + band, "bandwidth \(band + 1)", 0.05...5, default: 0.5,
        unit: .octaves, curve: .logarithmic, clump: clump)
    }

    var setting: FilterSetting {
      @_noLocks get {
        let filter = type.filter
        return FilterSetting(
          filter.shape, frequency: frequency,
          q: filter.hasWidth ? Float(FilterShape.q(octaves: Double(bandwidth))) : 0.70710678,
          gain: gain, isOn: !bypass, kind: filter.hasWidth ? 1 : 0)
      }
    }
  }

  struct Parameters: ParameterSet {
    @Parameter(kAUNBandEQParam_GlobalGain, "global gain", -96...24, default: 0, unit: .decibels)
    var globalGain: Float
    let bands = ParameterSeries<16, Band> { Band(UInt32($0)) }
  }

  struct State: FilterDesignModel {
    var design = FilterDesign.matched
    var bandCount: UInt32 = 8
    init() {}
    init(restoring state: UnitState, version: Int32) {
      design = Self.savedDesign(in: state) ?? .matched
      let saved = state.integer("number-of-bands") ?? 8
      bandCount = UInt32(min(max(saved, 1), Int32(NBandEQ.maximumBands)))
    }
    func save(to state: UnitState) {
      state.set("filter-design", integer: design.rawValue)
      state.set("number-of-bands", integer: Int32(bandCount))
    }
  }

  static var properties: [CustomProperty<Self>] {
    [
      .filterDesign,
      .bytes(
        kAUNBandEQProperty_NumberOfBands, get: { [$0.state.bandCount].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          guard let count = UInt32(bytes), count >= 1, count <= maximumBands else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue,
              reason: "the number of bands is a UInt32 from 1 to \(maximumBands)")
          }
          try choose(count, access)
        }),
      .bytes(
        kAUNBandEQProperty_MaxNumberOfBands, get: { _ in [UInt32(maximumBands)].bytes }),
      .bytes(
        kAUNBandEQProperty_BiquadCoefficients,
        get: { access in
          settings(access.parameters, access.state).flatMap { setting in
            let form = setting.coefficients(
              sampleRate: access.sampleRate, design: access.state.design
            ).delayForm
            return [form.b0, form.b1, form.b2, form.a1, form.a2]
          }.bytes
        }),
    ]
      + CustomProperty<Self>.settings([
        .filterDesign,
        .number(
          "bands", name: "number of bands", 1...Double(maximumBands), initial: 8, isWhole: true,
          get: { Double($0.state.bandCount) },
          set: { (access, count) throws(UnitRefusal) in try choose(UInt32(count), access) }),
      ])
  }

  private static func choose(
    _ bandCount: UInt32, _ access: UnitAccess<Self>
  ) throws(UnitRefusal) {
    var state = access.state
    state.bandCount = bandCount
    try access.setState(state)
  }

  static let skipsSilence = true

  private let parameters: Parameters
  private let state: State
  private let sampleRate: Double
  private let bandCount: Int
  private var filters: FilterSeries
  private var gain: OutputGain

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    state = setup.state
    sampleRate = setup.sampleRate
    bandCount = Int(setup.state.bandCount)
    filters = FilterSeries(
      count: bandCount, sampleRate: sampleRate, channelCount: setup.channelCount,
      design: state.design)
    gain = OutputGain(sampleRate: sampleRate)
  }

  @_noLocks mutating func reset() {
    filters.reset()
    gain.reset()
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    for index in 0..<bandCount {
      let band = parameters.bands[index]
      var jumps = FilterJumps()
      if slice.hasScheduledValues {
        if band.$frequency.isScheduled(in: slice) { jumps.frequency = true }
        if band.$bandwidth.isScheduled(in: slice) { jumps.q = true }
        if band.$gain.isScheduled(in: slice) { jumps.gain = true }
      }
      filters.set(index, band.setting, jumps: jumps)
    }
    filters.process(slice)
    gain.process(
      slice, decibels: parameters.globalGain,
      isScheduled: slice.hasScheduledValues && parameters.$globalGain.isScheduled(in: slice))
  }

  private static func settings(_ parameters: Parameters, _ state: State) -> [FilterSetting] {
    (0..<Int(state.bandCount)).map { parameters.bands[$0].setting }
  }

  var tailSeconds: Double {
    FilterSeries.tailSeconds(
      Self.settings(parameters, state), sampleRate: sampleRate, design: state.design)
  }

  var restSeconds: Double { @_noLocks get { filters.restSeconds } }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    FilterSeries.magnitude(
      settings(parameters, state), frequency: frequency, sampleRate: sampleRate,
      design: state.design) * RealtimeMath.gain(decibels: Double(parameters.globalGain))
  }
}

/// Makes one N-band equaliser; the factory function of the component. Context: control.
@c(AuricleNBandEQFactory)
public func nBandEQFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NBandEQ.self, request) { unsafe render(NBandEQ.self, $0, $1) }
}
