// The sweep generator: a sine from one frequency to another, for measuring.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// A sine whose frequency goes to another in a time, by ratio or evenly; then silence, or again.
///
/// Its phase is computed from the time alone. Frequencies, time and kind are read at the start of a
/// sweep.
struct SweepGenerator: GeneratorUnit, ~Copyable {
  static let component = Component(
    "Auricle: Sweep", subtype: "swep", manufacturer: "Auri",
    summary: "A sine that goes from one frequency to another, for measuring.",
    tags: ["Generators"])

  enum Kind: String, ParameterChoice { case logarithmic, linear }

  struct Parameters: ParameterSet {
    @Parameter(
      0, "start frequency", 1...22050, default: 20, unit: .hertz, curve: .logarithmic,
      options: [.upToNyquist, .glides])
    var start: Float
    @Parameter(
      1, "end frequency", 1...22050, default: 20_000, unit: .hertz, curve: .logarithmic,
      options: [.upToNyquist, .glides])
    var end: Float
    @Parameter(
      2, "duration", 0.01...60, default: 5, unit: .seconds, curve: .logarithmic, options: .glides)
    var duration: Float
    @Parameter(3, "level", -120...0, default: -6, unit: .decibels, options: .glides)
    var level: Float
    @Parameter(4, "kind", default: .logarithmic) var kind: Kind
    @Parameter(5, "repeats", default: false) var repeats: Bool
  }

  private let sampleRate: Double
  private let parameters: Parameters
  private var clock = ControlClock()
  private var level: ParameterGlide
  private var sweep = (start: 1.0, end: 1.0, duration: 1.0, isLinear: false)
  private var frames = 0

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    parameters = setup.parameters
    level = ParameterGlide(sampleRate: sampleRate)
  }

  @_noLocks mutating func reset() {
    clock.reset()
    level.reset()
    frames = 0
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let mayRepeat = parameters.repeats
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        level.advance(toward: RealtimeMath.gain(decibels: parameters.level))
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in 0..<run {
        let value = next(mayRepeat) * level.value(at: clock.phase + index)
        for channel in 0..<slice.channelCount {
          unsafe slice.channel(channel)[frame + index] = value
        }
      }
      clock.advance(run)
      frame += run
    }
  }

  @_noLocks private mutating func next(_ mayRepeat: Bool) -> Float {
    if frames == 0 {
      let highest = sampleRate / 2
      sweep = (
        min(Double(parameters.start), highest), min(Double(parameters.end), highest),
        Double(parameters.duration), parameters.kind == .linear
      )
    }
    let seconds = Double(frames) / sampleRate
    guard seconds < sweep.duration else {
      if mayRepeat {
        frames = 0
        return next(false)
      }
      return 0
    }
    frames += 1
    return Float(RealtimeMath.sin(2 * Double.pi * turns(seconds)))
  }

  /// Turns of the sine until a time.
  @_noLocks private func turns(_ seconds: Double) -> Double {
    let (start, end, duration) = (sweep.start, sweep.end, sweep.duration)
    if sweep.isLinear { return (start + (end - start) * seconds / duration / 2) * seconds }
    let octaves = RealtimeMath.log(end / start)
    if octaves.magnitude < 1e-9 { return start * seconds }
    return start * duration / octaves * RealtimeMath.expm1(octaves * seconds / duration)
  }
}

/// Makes one sweep generator; the factory function of the component. Context: control.
@c(AuricleSweepGeneratorFactory)
public func sweepGeneratorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(SweepGenerator.self, request) { unsafe render(SweepGenerator.self, $0, $1) }
}
