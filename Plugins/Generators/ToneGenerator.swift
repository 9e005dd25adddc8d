// The tone generator: a sine, triangle, square or sawtooth wave.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// One wave on all channels, exact to single precision. Waves with corners are sums of the harmonics below half the sample rate, so
/// that none comes back as an alias; towards it they fade (Lanczos), which keeps the waves within their level.
@safe struct ToneGenerator: GeneratorUnit, ~Copyable {
  static let component = Component(
    "Auricle: Tone", subtype: "tone", manufacturer: "Auri",
    summary: "A sine, triangle, square or sawtooth wave.", tags: ["Generators"])

  enum Wave: String, ParameterChoice { case sine, triangle, square, sawtooth }

  struct Parameters: ParameterSet {
    @Parameter(
      0, "frequency", 1...22050, default: 1000, unit: .hertz, curve: .logarithmic,
      options: [.upToNyquist, .glides])
    var frequency: Float
    @Parameter(1, "level", -120...0, default: -18, unit: .decibels, options: .glides)
    var level: Float
    @Parameter(2, "wave", default: .sine) var wave: Wave
  }

  private let sampleRate: Double
  private let parameters: Parameters
  private var clock = ControlClock()
  private var frequency: ParameterGlide
  private var level: ParameterGlide
  /// Turns, from 0 to 1.
  private var phase = 0.0
  private var harmonics = WaveHarmonics()

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    parameters = setup.parameters
    frequency = ParameterGlide(sampleRate: sampleRate)
    level = frequency
  }

  @_noLocks mutating func reset() {
    clock.reset()
    frequency.reset()
    level.reset()
    harmonics.reset()
    phase = 0
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let wave = parameters.wave
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        frequency.advance(toward: parameters.frequency)
        level.advance(toward: RealtimeMath.gain(decibels: parameters.level))
        if wave != .sine {
          let highest = max(frequency.start, frequency.value)
          harmonics.prepare(wave, frequency: Double(highest), sampleRate: sampleRate)
        }
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in 0..<run {
        let place = clock.phase + index
        let step = min(Double(frequency.value(at: place)) / sampleRate, 0.5)
        let sum =
          wave == .sine ? RealtimeMath.sin(2 * Double.pi * phase) : harmonics.value(at: phase)
        let value = Float(sum) * level.value(at: place)
        phase += step
        if phase >= 1 { phase -= 1 }
        for channel in 0..<slice.channelCount {
          unsafe slice.channel(channel)[frame + index] = value
        }
      }
      clock.advance(run)
      frame += run
    }
  }
}

/// Makes one tone generator; the factory function of the component. Context: control.
@c(AuricleToneGeneratorFactory)
public func toneGeneratorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(ToneGenerator.self, request) { unsafe render(ToneGenerator.self, $0, $1) }
}
