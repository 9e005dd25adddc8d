// The tone generator: a sine, triangle, square or sawtooth wave.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// One wave on all channels. The sine is exact to single precision; the corners of the other waves are rounded over two
/// samples, which leaves them within their level, and aliases: of a square of 440 Hz at 48 kHz 43 dB below it, of a
/// triangle 77 dB.
struct ToneGenerator: GeneratorUnit, ~Copyable {
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
    phase = 0
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let wave = parameters.wave
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        frequency.advance(toward: parameters.frequency)
        level.advance(toward: RealtimeMath.gain(decibels: parameters.level))
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in 0..<run {
        let place = clock.phase + index
        let step = min(Double(frequency.value(at: place)) / sampleRate, 0.5)
        let value = Float(Self.value(wave, phase, step)) * level.value(at: place)
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

  @_noLocks private static func value(_ wave: Wave, _ phase: Double, _ step: Double) -> Double {
    switch wave {
    case .sine: return RealtimeMath.sin(2 * Double.pi * phase)
    case .sawtooth:
      let moved = phase < 0.5 ? phase + 0.5 : phase - 0.5
      return 2 * moved - 1 - jump(moved, step)
    case .square:
      let half = phase < 0.5 ? phase + 0.5 : phase - 0.5
      return (phase < 0.5 ? 1 : -1) + jump(phase, step) - jump(half, step)
    case .triangle:
      // Begins at 0 and rises, as the sine does.
      let moved = phase + 0.25 - (phase >= 0.75 ? 1 : 0)
      let line = moved < 0.5 ? 4 * moved - 1 : 3 - 4 * moved
      let half = moved < 0.5 ? moved + 0.5 : moved - 0.5
      return line + 4 * step * (corner(moved, step) - corner(half, step))
    }
  }

  /// What rounds a jump by 2 at phase 0.
  @_noLocks private static func jump(_ phase: Double, _ step: Double) -> Double {
    if phase < step {
      let x = phase / step
      return 2 * x - x * x - 1
    }
    if phase > 1 - step {
      let x = (phase - 1) / step
      return x * x + 2 * x + 1
    }
    return 0
  }

  /// What rounds a corner at phase 0.
  @_noLocks private static func corner(_ phase: Double, _ step: Double) -> Double {
    let x = phase < step ? phase / step : phase > 1 - step ? (1 - phase) / step : 1
    let rest = 1 - x
    return rest * rest * rest / 3
  }
}

/// Makes one tone generator; the factory function of the component. Context: control.
@c(AuricleToneGeneratorFactory)
public func toneGeneratorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(ToneGenerator.self, request) { unsafe render(ToneGenerator.self, $0, $1) }
}
