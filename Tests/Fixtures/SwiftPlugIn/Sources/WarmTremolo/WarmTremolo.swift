// Warm Tremolo: loudness that swells and fades.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

struct WarmTremolo: EffectUnit, ~Copyable {
  static let component = Component(
    "Demo: Warm Tremolo", subtype: "wtrm", manufacturer: "Demo", version: "1.2.0",
    summary: "Loudness that swells and fades.", tags: ["Effects", "Modulation"])

  struct Parameters: ParameterSet {
    @Parameter(1, "rate", 0.1...20, default: 5, unit: .hertz, curve: .logarithmic) var rate: Float
    @Parameter(2, "depth", 0...100, default: 50, unit: .percent, smoothing: 0.02) var depth: Ramp
    @Parameter(3, "shape", default: .sine) var shape: Shape
  }

  enum Shape: String, ParameterChoice { case sine, triangle }

  static let presets: [Preset<Parameters>] = [
    Preset("Slow swell") {
      $0.rate = 0.5; $0.depth = 80
    },
    Preset("Helicopter") {
      $0.rate = 12; $0.depth = 100; $0.shape = .triangle
    },
  ]

  let parameters: Parameters
  let sampleRate: Double
  var phase = 0.0

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
  }

  mutating func reset() { phase = 0 }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let step = Double(parameters.rate) / sampleRate
    let depth = parameters.depth
    let isSine = parameters.shape == .sine
    for channel in 0..<slice.channelCount {
      var samples = slice.samples(channel)
      for frame in samples.indices {
        var turn = phase + step * Double(frame)
        turn -= RealtimeMath.floor(turn)
        let swell = isSine ? 0.5 + 0.5 * RealtimeMath.cos(2 * .pi * turn) : abs(2 * turn - 1)
        samples[frame] *= 1 - depth[frame] / 100 * Float(1 - swell)
      }
    }
    phase += step * Double(slice.frameCount)
    phase -= RealtimeMath.floor(phase)
  }
}

/// Makes one tremolo; the factory function of the component.
@c(WarmTremoloFactory)
public func warmTremoloFactory(_ request: ComponentRequest) -> ComponentInterface? {
  makeUnit(WarmTremolo.self, request) { render(WarmTremolo.self, $0, $1) }
}
