// The impulse generator: single samples, once or again and again.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// One sample at the start, and another after each interval; an interval of 0 means one alone.
struct ImpulseGenerator: GeneratorUnit, ~Copyable {
  static let component = Component(
    "Auricle: Impulse", subtype: "impl", manufacturer: "Auri",
    summary: "Single samples, once or again and again.", tags: ["Generators"])

  enum Polarity: String, ParameterChoice { case positive, negative, alternating }

  struct Parameters: ParameterSet {
    @Parameter(0, "interval", 0...60, default: 1, unit: .seconds, options: .glides)
    var interval: Float
    @Parameter(1, "level", -120...0, default: -6, unit: .decibels, options: .glides)
    var level: Float
    @Parameter(2, "polarity", default: .positive) var polarity: Polarity
  }

  private let sampleRate: Double
  private let parameters: Parameters
  /// Frames since the last impulse; none yet at -1.
  private var elapsed = -1
  private var isOdd = false

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    parameters = setup.parameters
  }

  @_noLocks mutating func reset() {
    elapsed = -1
    isOdd = false
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    slice.clearOutput()
    let interval = Double(parameters.interval) * sampleRate
    let frames = interval > 0 ? max(1, Int(interval + 0.5)) : Int.max
    for frame in 0..<slice.frameCount {
      if elapsed >= 0 && elapsed + 1 < frames {
        elapsed += 1
        continue
      }
      elapsed = 0
      let gain = RealtimeMath.gain(decibels: parameters.level)
      let isDown: Bool =
        switch parameters.polarity {
        case .positive: false
        case .negative: true
        case .alternating: isOdd
        }
      isOdd.toggle()
      for channel in 0..<slice.channelCount {
        unsafe slice.channel(channel)[frame] = isDown ? -gain : gain
      }
    }
  }
}

/// Makes one impulse generator; the factory function of the component. Context: control.
@c(AuricleImpulseGeneratorFactory)
public func impulseGeneratorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(ImpulseGenerator.self, request) { unsafe render(ImpulseGenerator.self, $0, $1) }
}
