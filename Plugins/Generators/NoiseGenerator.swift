// The noise generator: white, pink or brown noise, another on each channel.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// Noise from a seed: the same seed makes the same samples. The level is the root of the mean square.
@safe struct NoiseGenerator: GeneratorUnit, ~Copyable {
  static let component = Component(
    "Auricle: Noise", subtype: "nois", manufacturer: "Auri",
    summary: "White, pink or brown noise, another on each channel.", tags: ["Generators"])

  enum Color: String, ParameterChoice { case white, pink, brown }

  struct Parameters: ParameterSet {
    @Parameter(0, "level", -120...0, default: -18, unit: .decibels, options: .glides)
    var level: Float
    @Parameter(1, "color", default: .white) var color: Color
    @Parameter(2, "seed", 1...1000, default: 1, options: .notWhileRendering) var seed: Float
  }

  private let sampleRate: Double
  private let channelCount: Int
  private let parameters: Parameters
  private var clock = ControlClock()
  private var level: ParameterGlide
  private let pink: PinkFilter
  private let sources: UnsafeMutablePointer<NoiseSource>

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    parameters = setup.parameters
    level = ParameterGlide(sampleRate: sampleRate)
    pink = PinkFilter(sampleRate: sampleRate)
    unsafe sources = .allocate(capacity: max(channelCount, 1))
    unsafe sources.initialize(
      repeating: NoiseSource(seed: 1, pink: pink, sampleRate: sampleRate),
      count: max(channelCount, 1))
    reset()
  }

  deinit { unsafe sources.deallocate() }

  @_noLocks mutating func reset() {
    clock.reset()
    level.reset()
    let seed = UInt64(max(parameters.seed, 1))
    for channel in 0..<channelCount {
      unsafe sources[channel] = NoiseSource(
        seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(channel) &* 0xD1B5_4A32_D192_ED03,
        pink: pink, sampleRate: sampleRate)
    }
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let color = parameters.color
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        level.advance(toward: RealtimeMath.gain(decibels: parameters.level))
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for channel in 0..<channelCount {
        let audio = unsafe slice.channel(channel) + frame
        for index in 0..<run {
          unsafe audio[index] =
            sources[channel].next(color) * level.value(at: clock.phase + index)
        }
      }
      clock.advance(run)
      frame += run
    }
  }
}

/// Falls by 3 dB per octave from 10 Hz on: poles two octaves apart, a zero between each two.
struct PinkFilter: BitwiseCopyable {
  private var poles = InlineArray<8, Double>(repeating: 0)
  private var zeros = InlineArray<8, Double>(repeating: 0)
  private var states = InlineArray<8, Double>(repeating: 0)
  private var count = 0
  private var gain = 1.0

  /// Designs for a rate, with a mean square of 1 for white noise of 1. Context: control.
  init(sampleRate: Double) {
    var frequency = 10.0
    while frequency < 0.4 * sampleRate && count < 8 {
      poles[count] = RealtimeMath.exp(-2 * Double.pi * frequency / sampleRate)
      zeros[count] = RealtimeMath.exp(-4 * Double.pi * frequency / sampleRate)
      frequency *= 4
      count += 1
    }
    var energy = 0.0
    var input = 1.0
    for _ in 0..<Int(sampleRate / 4) {
      let output = next(input)
      energy += output * output
      input = 0
    }
    gain = 1 / energy.squareRoot()
    states = InlineArray(repeating: 0)
  }

  /// The next sample. Context: render.
  @inline(__always) @_noLocks mutating func next(_ input: Double) -> Double {
    var value = input
    for index in 0..<count {
      let state = value + poles[index] * states[index]
      value = state - zeros[index] * states[index]
      states[index] = state
    }
    return value * gain
  }
}

/// Random numbers and the filters that colour them; a mean square of 1. Context: render.
struct NoiseSource: BitwiseCopyable {
  private var state: UInt64
  private var pink: PinkFilter
  private var brown = 0.0
  private let brownKeeps: Double

  @_noLocks init(seed: UInt64, pink: PinkFilter, sampleRate: Double) {
    state = seed | 1
    self.pink = pink
    // Below 10 Hz brown noise is white, or it would drift away.
    brownKeeps = RealtimeMath.exp(-2 * Double.pi * 10 / sampleRate)
    for _ in 0..<8 { _ = white() }
  }

  /// Uniform, with a mean square of 1.
  @inline(__always) @_noLocks private mutating func white() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let number = Int32(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 32)
    return Double(number) * (1.7320508075688772 / 2_147_483_648)
  }

  /// The next sample.
  @inline(__always) @_noLocks mutating func next(_ color: NoiseGenerator.Color) -> Float {
    let input = white()
    switch color {
    case .white: return Float(input)
    case .pink: return Float(pink.next(input))
    case .brown:
      brown = brownKeeps * brown + input
      return Float(brown * RealtimeMath.sqrt(1 - brownKeeps * brownKeeps))
    }
  }
}

/// Makes one noise generator; the factory function of the component. Context: control.
@c(AuricleNoiseGeneratorFactory)
public func noiseGeneratorFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NoiseGenerator.self, request) { unsafe render(NoiseGenerator.self, $0, $1) }
}
