// An effect in a page: every kind of parameter, presets, a property, and state with a version.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox
import RealtimeSupport

struct TremoloUnit: EffectUnit, ~Copyable {
  static let component = Component(
    "Test: Tremolo", subtype: "trem", manufacturer: "Test", version: "1.2.3",
    summary: "Loudness that swells and fades.", tags: ["Effects", "Modulation"])

  enum Shape: String, ParameterChoice { case sine, triangle, square = "hard square" }

  struct Parameters: ParameterSet {
    static let motion = Clump(1, "Motion")

    @Parameter(1, "rate", 0.1...20, default: 5, unit: .hertz, curve: .logarithmic, clump: motion)
    var rate: Float
    @Parameter(2, "depth", 0...100, default: 50, unit: .percent, smoothing: 0.01) var depth: Ramp
    @Parameter(7, "shape", default: .sine, clump: motion) var shape: Shape
    @Parameter(4, "inverted", default: false) var inverted: Bool
    @Meter(100, "level", 0...4, unit: .linearGain) var level: Float
  }

  struct State: UnitModel {
    static let version: Int32 = 2
    var title = "untitled"

    init() {}
    init(restoring state: UnitState, version: Int32) throws(UnitRefusal) {
      // The first version called it otherwise.
      guard let text = state.string(version == 1 ? "name" : "title") else {
        throw UnitRefusal("the state has no title")
      }
      title = text
    }
    func save(to state: UnitState) { state.set("title", string: title) }
  }

  static let presets: [Preset<Parameters>] = [
    Preset("Slow swell") {
      $0.rate = 0.5
      $0.depth = 80
    },
    Preset("Helicopter") {
      $0.rate = 12
      $0.depth = 100
      $0.shape = .square
      $0.inverted = true
    },
  ]

  static let properties: [CustomProperty<Self>] = [
    .text(64100, get: { $0.state.title }) { (unit, text) throws(UnitRefusal) in
      guard !text.isEmpty else { throw UnitRefusal("a title has at least one letter") }
      var state = unit.state
      state.title = text
      try unit.setState(state)
    },
    .number(64101, get: { Double($0.parameters.rate) * 60 }),
  ]

  private let parameters: Parameters
  private let sampleRate: Double
  /// The number of letters in the title: a fact of the state that changes the sound.
  private let gain: Float
  private var phase = 0.0

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    gain = setup.state.title == "loud" ? 2 : 1
  }

  @_noLocks mutating func reset() { phase = 0 }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let step = Double(parameters.rate) / sampleRate
    let depth = parameters.depth
    let shape = parameters.shape
    let isInverted = parameters.inverted
    var level: Float = 0
    for channel in 0..<slice.channelCount {
      var samples = slice.samples(channel)
      for frame in 0..<slice.frameCount {
        var turn = phase + step * Double(frame)
        turn -= Double(Int(turn))
        var swell = Self.swell(shape, turn)
        if isInverted { swell = 1 - swell }
        samples[frame] *= gain * (1 - depth[frame] / 100 * Float(1 - swell))
        level = max(level, abs(samples[frame]))
      }
    }
    parameters.level = level
    phase += step * Double(slice.frameCount)
    phase -= Double(Int(phase))
  }

  @_noLocks private static func swell(_ shape: Shape, _ turn: Double) -> Double {
    switch shape {
    case .sine: 0.5 + 0.5 * RealtimeMath.cos(2 * Double.pi * turn)
    case .triangle: abs(2 * turn - 1)
    case .square: turn < 0.5 ? 1 : 0
    }
  }
}

extension TestUnits {
  /// A tremolo: parameters 1, 2, 4 and 7, meter 100, properties 64100 and 64101, state in version 2.
  public static func tremolo() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      TremoloUnit.self, makeUnit(TremoloUnit.self, nil) { unsafe render(TremoloUnit.self, $0, $1) })
  }
}
