// The leveller: a slow gain that brings speech and music to one loudness.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// One gain for all channels, by the loudness of ITU-R BS.1770 in tenths of a second.
///
/// Blocks below the gate, or 12 LU below those before, change nothing: the gain stays as it is in pauses. It moves by
/// *speed* at most, and stays between −*cut* and *boost*.
@safe struct Leveller: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Leveller", subtype: "levl", manufacturer: "Auri",
    summary: "A slow, gated and bounded gain that brings passages to one loudness.",
    tags: ["Effects", "Dynamics"])

  struct Parameters: ParameterSet {
    @Parameter(0, "target loudness", -50...0, default: -20, unit: .custom("LUFS"))
    var target: Float
    @Parameter(1, "boost", 0...30, default: 12, unit: .decibels) var boost: Float
    @Parameter(2, "cut", 0...30, default: 12, unit: .decibels) var cut: Float
    @Parameter(3, "response time", 0.3...20, default: 2, unit: .seconds, curve: .logarithmic)
    var responseTime: Float
    @Parameter(4, "speed", 0.1...30, default: 4, unit: .custom("dB/s"), curve: .logarithmic)
    var speed: Float
    @Parameter(5, "gate", -80 ... -10, default: -50, unit: .custom("LUFS")) var gate: Float
    @Meter(1000, "gain", -30...30, unit: .decibels) var gain: Float
    @Meter(1001, "loudness", -120...20, unit: .custom("LUFS")) var loudness: Float
  }

  private let parameters: Parameters
  private let sampleRate: Double
  private let channelCount: Int
  private let blockFrames: Int
  private var channels: WeightedChannels
  private var clock = ControlClock()
  private var frames = 0
  /// The mean energy of the blocks that counted, and how many there were.
  private var energy = 0.0
  private var blocks = 0
  /// Blocks in a row that were far below those before: after two seconds they are a new passage.
  private var skipped = 0
  private var decibels: Float = 0
  private var wanted: Float = 0
  private var glide: ParameterGlide

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    blockFrames = max(ControlClock.interval, Int((0.1 * sampleRate / 32).rounded()) * 32)
    channels = WeightedChannels(
      sampleRate: sampleRate, weights: Array(repeating: 1, count: channelCount))
    glide = ParameterGlide(sampleRate: sampleRate, seconds: 0)
  }

  @_noLocks mutating func reset() {
    channels.reset()
    clock.reset()
    glide.reset()
    frames = 0
    energy = 0
    blocks = 0
    skipped = 0
    decibels = 0
    wanted = 0
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { advance() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      channels.add(slice, frame, run)
      if decibels != 0 || !glide.isSettled {
        for channel in 0..<channelCount {
          let audio = unsafe slice.channel(channel) + frame
          for index in 0..<run { unsafe audio[index] *= glide.value(at: clock.phase + index) }
        }
      }
      clock.advance(run)
      frame += run
      frames += run
      if frames == blockFrames { endBlock() }
    }
    parameters.gain = decibels
    parameters.loudness = Float(max(LoudnessWeighting.loudness(energy: energy), -120))
  }

  /// Moves the gain towards where it is to be.
  @_noLocks private mutating func advance() {
    let most = parameters.speed * Float(32 / sampleRate)
    decibels += min(max(wanted - decibels, -most), most)
    glide.advance(toward: decibels == 0 ? 1 : RealtimeMath.gain(decibels: decibels))
  }

  @_noLocks private mutating func endBlock() {
    frames = 0
    let block = channels.removeEnergy() / Double(blockFrames)
    let level = LoudnessWeighting.loudness(energy: block)
    guard level > Double(parameters.gate) else { return }
    if blocks > 0, level < LoudnessWeighting.loudness(energy: energy) - 12, skipped < 20 {
      skipped += 1
      return
    }
    skipped = 0
    // At first the mean of all blocks; then the last ones count more.
    blocks = min(blocks + 1, 1 << 20)
    let part = max(1 / Double(blocks), 1 - RealtimeMath.exp(-0.1 / Double(parameters.responseTime)))
    energy += (block - energy) * part
    let distance = parameters.target - Float(LoudnessWeighting.loudness(energy: energy))
    wanted = min(max(distance, -parameters.cut), parameters.boost)
  }
}

/// Makes one leveller; the factory function of the component. Context: control.
@c(AuricleLevellerFactory)
public func levellerFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(Leveller.self, request) { unsafe render(Leveller.self, $0, $1) }
}
