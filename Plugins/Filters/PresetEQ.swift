// The preset equaliser: ten sliders with a curve for each kind of music.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// The graphic equaliser of ten bands behind the twenty-two names that music players know.
struct PresetEQ: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Preset EQ", subtype: "ipeq", manufacturer: "appl",
    summary: "Ten sliders at octaves with a curve for each kind of music.",
    tags: ["Effects", "Equalizer"])

  struct Slider: ParameterSet {
    @Parameter var gain: Float
    init() { self.init(0) }
    init(_ band: Int) {
      let hertz = GraphicBands.octaves[band]
      let name = hertz == 31.5 ? "31.5 Hz" : "\(Int(hertz)) Hz"
      _gain = Parameter(UInt32(band), name, -20...20, default: 0, unit: .decibels)
    }
  }

  struct Parameters: ParameterSet {
    let sliders = ParameterSeries<10, Slider> { Slider($0) }
  }

  static let presets: [Preset<Parameters>] = [
    preset("Acoustic", 4, 4, 3, 0.5, 1.5, 1.5, 3, 3.5, 3, 2),
    preset("Bass Booster", 6, 5, 4, 2.5, 1, 0, 0, 0, 0, 0),
    preset("Bass Reducer", -6, -5, -4, -2.5, -1, 0, 0, 0, 0, 0),
    preset("Classical", 4, 3, 2, 2, -1, -1, 0, 2, 3, 3.5),
    preset("Dance", 3.5, 6, 5, 0, 2, 3.5, 5, 4.5, 3.5, 0),
    preset("Deep", 5, 3.5, 1.5, 1, 2.5, 2, 1, -2, -3.5, -4.5),
    preset("Electronic", 4, 3.5, 1, 0, -2, 2, 1, 1, 4, 4.5),
    preset("Flat", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    preset("Hip Hop", 5, 4, 1.5, 3, -1, -1, 1, -0.5, 1.5, 3),
    preset("Jazz", 4, 3, 1.5, 2, -1.5, -1.5, 0, 1.5, 3, 3.5),
    preset("Latin", 4.5, 3, 0, 0, -1.5, -1.5, -1.5, 0, 3, 4.5),
    preset("Loudness", 6, 4, 0, 0, -2, 0, -1, -4, 4, 1),
    preset("Lounge", -3, -1.5, -0.5, 1.5, 4, 2.5, 0, -1.5, 2, 1),
    preset("Piano", 3, 2, 0, 2.5, 3, 1.5, 3.5, 4, 3, 3.5),
    preset("Pop", -1.5, -1, 0, 2, 4, 4, 2, 0, -1, -1.5),
    preset("R&B", 2.5, 7, 5.5, 1.5, -2, -1.5, 2, 2.5, 3, 3.5),
    preset("Rock", 5, 4, 3, 1.5, -0.5, -1, 0.5, 2.5, 3.5, 4.5),
    preset("Small Speakers", 5.5, 4, 3.5, 2.5, 1, 0, -1.5, -2.5, -3.5, -4),
    preset("Spoken Word", -3.5, -0.5, 0, 0.5, 3.5, 4.5, 4.5, 4, 2.5, 0),
    preset("Treble Booster", 0, 0, 0, 0, 0, 1, 2.5, 4, 5, 6),
    preset("Treble Reducer", 0, 0, 0, 0, 0, -1, -2.5, -4, -5, -6),
    preset("Vocal Booster", -1.5, -3, -3, 1.5, 3.5, 3.5, 3, 1.5, 0, -1.5),
  ]

  private static func preset(_ name: String, _ gains: Float...) -> Preset<Parameters> {
    Preset(name) { parameters in
      for (index, gain) in gains.enumerated() { parameters.sliders[index].gain = gain }
    }
  }

  typealias State = MatchedFilters
  static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
  static let skipsSilence = true

  private let parameters: Parameters
  private let sampleRate: Double
  private let design: FilterDesign
  private let bands: GraphicBands
  private var filters: FilterSeries
  private var follower = SliderFollower()

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    design = setup.state.design
    bands = GraphicBands(thirds: false, sampleRate: sampleRate, design: design)
    filters = FilterSeries(
      count: 10, sampleRate: sampleRate, channelCount: setup.channelCount, design: design)
  }

  @_noLocks mutating func reset() {
    filters.reset()
    follower.move()
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    for index in 0..<10 {
      let slider = parameters.sliders[index]
      follower.set(
        index, slider.gain,
        isScheduled: slice.hasScheduledValues && slider.$gain.isScheduled(in: slice))
    }
    var frame = 0
    while frame < slice.frameCount {
      if let jumps = follower.follow(filters) {
        let settings = bands.settings(follower.sliders)
        for index in 0..<10 { filters.set(index, settings[index], jumps: jumps) }
      }
      let run = follower.run(of: slice.frameCount - frame, filters)
      filters.process(slice, from: frame, count: run)
      frame += run
    }
  }

  private static func settings(
    _ parameters: Parameters, _ bands: borrowing GraphicBands
  ) -> [FilterSetting] {
    var sliders = InlineArray<31, Float>(repeating: 0)
    for index in 0..<10 { sliders[index] = parameters.sliders[index].gain }
    let settings = bands.settings(sliders)
    return (0..<10).map { settings[$0] }
  }

  var tailSeconds: Double {
    FilterSeries.tailSeconds(
      Self.settings(parameters, bands), sampleRate: sampleRate, design: design)
  }

  var restSeconds: Double { @_noLocks get { filters.restSeconds } }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    let bands = GraphicBands(thirds: false, sampleRate: sampleRate, design: state.design)
    return FilterSeries.magnitude(
      settings(parameters, bands), frequency: frequency, sampleRate: sampleRate,
      design: state.design)
  }
}

/// Makes one preset equaliser; the factory function of the component. Context: control.
@c(AuriclePresetEQFactory)
public func presetEQFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(PresetEQ.self, request) { unsafe render(PresetEQ.self, $0, $1) }
}
