// The graphic equalisers: sliders at the octaves or thirds of octaves, whose settings are the response.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox

/// Bells at the ISO centres. Neighbouring bells overlap, so each is set to the part of its slider that
/// the others leave: the response goes through all sliders, and equal sliders make a level.
struct GraphicEQ: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Graphic EQ", subtype: "greq", manufacturer: "appl",
    summary: "31 sliders at thirds of octaves, or 10 at octaves; the response goes through them.",
    tags: ["Effects", "Equalizer"])

  struct Slider: ParameterSet {
    @Parameter var gain: Float
    init() { self.init(0) }
    init(_ band: UInt32) {
      let name =
        band < 10
        ? "\(Self.hertz(GraphicBands.octaves[Int(band)])) (octaves), "
          + "\(Self.hertz(GraphicBands.thirds[Int(band)])) (thirds)"
        : Self.hertz(GraphicBands.thirds[Int(band)])
      _gain = Parameter(band, name, -20...20, default: 0, unit: .decibels)
    }

    private static func hertz(_ frequency: Double) -> String {
      let number = frequency >= 1000 ? frequency / 1000 : frequency
      let digits = number == number.rounded() ? "\(Int(number))" : "\(number)"
      return digits + (frequency >= 1000 ? " kHz" : " Hz")
    }
  }

  struct Parameters: ParameterSet {
    let sliders = ParameterSeries<31, Slider> { Slider(UInt32($0)) }
    // Programs choose by an index or by the number itself.
    @Parameter(
      kGraphicEQParam_NumberOfBands, "number of bands", 0...31, default: 31,
      unit: ParameterUnit(code: kAudioUnitParameterUnit_Indexed),
      points: [0: "10 bands", 1: "31 bands", 10: "10 bands (10)", 31: "31 bands (31)"],
      options: .glides)
    var bandCount: Float

    var hasThirds: Bool {
      @_noLocks get { bandCount >= 20.5 || (bandCount >= 0.5 && bandCount < 1.5) }
    }
  }

  typealias State = MatchedFilters
  static var properties: [CustomProperty<Self>] { CustomProperty<Self>.filterDesigns }
  static let skipsSilence = true

  private let parameters: Parameters
  private let sampleRate: Double
  private let design: FilterDesign
  private let octaves: GraphicBands
  private let thirds: GraphicBands
  private var filters: FilterSeries
  private var follower = SliderFollower()
  private var hadThirds = false

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    design = setup.state.design
    octaves = GraphicBands(thirds: false, sampleRate: sampleRate, design: design)
    thirds = GraphicBands(thirds: true, sampleRate: sampleRate, design: design)
    filters = FilterSeries(
      count: 31, sampleRate: sampleRate, channelCount: setup.channelCount, design: design)
  }

  @_noLocks mutating func reset() {
    filters.reset()
    follower.move()
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let hasThirds = parameters.hasThirds
    if hasThirds != hadThirds { follower.move() }
    hadThirds = hasThirds
    for index in 0..<31 {
      let slider = parameters.sliders[index]
      follower.set(
        index, slider.gain,
        isScheduled: slice.hasScheduledValues && slider.$gain.isScheduled(in: slice))
    }
    var frame = 0
    while frame < slice.frameCount {
      if let jumps = follower.follow(filters) {
        let settings =
          hasThirds ? thirds.settings(follower.sliders) : octaves.settings(follower.sliders)
        for index in 0..<31 { filters.set(index, settings[index], jumps: jumps) }
      }
      let run = follower.run(of: slice.frameCount - frame, filters)
      filters.process(slice, from: frame, count: run)
      frame += run
    }
  }

  private static func settings(
    _ parameters: Parameters, _ sampleRate: Double, _ design: FilterDesign
  ) -> [FilterSetting] {
    let bands = GraphicBands(
      thirds: parameters.hasThirds, sampleRate: sampleRate, design: design)
    let sliders = InlineArray<31, Float> { parameters.sliders[$0].gain }
    let settings = bands.settings(sliders)
    return (0..<31).map { settings[$0] }
  }

  var tailSeconds: Double {
    FilterSeries.tailSeconds(
      Self.settings(parameters, sampleRate, design), sampleRate: sampleRate, design: design)
  }

  var restSeconds: Double { @_noLocks get { filters.restSeconds } }

  static func frequencyResponse(
    _ parameters: Parameters, _ state: State, frequency: Double, sampleRate: Double
  ) -> Double? {
    GraphicResponse.magnitude(
      (0..<31).map { parameters.sliders[$0].gain }, hasThirds: parameters.hasThirds,
      frequency: frequency, sampleRate: sampleRate, design: state.design)
  }
}

/// Makes one graphic equaliser; the factory function of the component. Context: control.
@c(AuricleGraphicEQFactory)
public func graphicEQFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(GraphicEQ.self, request) { unsafe render(GraphicEQ.self, $0, $1) }
}
