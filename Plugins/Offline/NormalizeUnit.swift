// The normalizer: analyses the whole input first, then brings its level to the target.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// The highest sample, the highest true peak, or the mean power of the loudest channel comes to a level.
///
/// For silence, the gain is 1. All channels have the same gain.
@safe struct NormalizeUnit: OfflineUnit, ~Copyable {
  static let component = Component(
    "Auricle: Normalize", subtype: "norm", manufacturer: "Auri",
    summary: "Brings the peak, the true peak or the mean power of a whole sound to a level.",
    tags: ["Offline", "Dynamics"])
  static let preflight = OfflinePreflight.required
  static let preflightName = "Looking for the level"

  enum Measure: String, ParameterChoice { case peak, truePeak = "true peak", power }

  struct Parameters: ParameterSet {
    @Parameter(0, "level", -60...0, default: -1, unit: .decibels, options: .glides)
    var level: Float
    @Parameter(1, "measure", default: .peak) var measure: Measure
    @Meter(100, "gain", -120...120, unit: .decibels) var gain: Float
  }

  private let channelCount: Int
  private let parameters: Parameters
  private var truePeaks: TruePeaks
  private var peak: Float = 0
  private var highest: Float = 0
  private var frames = 0.0
  private let powers: UnsafeMutablePointer<Double>
  private let scratch: UnsafeMutablePointer<Float>

  init(_ setup: UnitSetup<Self>) {
    channelCount = setup.channelCount
    parameters = setup.parameters
    truePeaks = TruePeaks(channelCount: channelCount, maximumRun: setup.maximumFrames)
    unsafe powers = .allocate(capacity: max(channelCount, 1))
    unsafe powers.initialize(repeating: 0, count: max(channelCount, 1))
    unsafe scratch = .allocate(capacity: max(setup.maximumFrames, 1))
    unsafe scratch.initialize(repeating: 0, count: max(setup.maximumFrames, 1))
  }

  deinit {
    unsafe powers.deallocate()
    unsafe scratch.deallocate()
  }

  @_noLocks mutating func reset() {
    truePeaks.reset()
    peak = 0
    highest = 0
    frames = 0
    for channel in 0..<channelCount { unsafe powers[channel] = 0 }
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if slice.isPreflight {
      if slice.passPosition == 0 { reset() }
      analyze(slice)
      return
    }
    let gain = gain()
    parameters.gain = Float(20 * RealtimeMath.log10(Double(max(gain, 1e-6))))
    guard gain != 1 else { return }
    for channel in 0..<channelCount {
      unsafe SampleRun.scale(slice.channel(channel), gain: gain, slice.frameCount)
    }
  }

  @_noLocks private mutating func analyze(_ slice: borrowing RenderSlice) {
    let count = slice.frameCount
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel)
      var power = 0.0
      for index in 0..<count {
        let sample = unsafe audio[index]
        peak = sample.magnitude > peak ? sample.magnitude : peak
        power += Double(sample) * Double(sample)
      }
      unsafe powers[channel] += power
      unsafe truePeaks.consume(audio, channel: channel, count)
    }
    frames += Double(count)
    unsafe truePeaks.find(scratch, count, above: highest)
    for index in 0..<count {
      let found = unsafe scratch[index]
      highest = found > highest ? found : highest
    }
  }

  /// The gain that the whole input needs.
  @_noLocks private func gain() -> Float {
    let level: Double
    switch parameters.measure {
    case .peak: level = Double(peak)
    case .truePeak: level = Double(max(highest, peak))
    case .power:
      var most = 0.0
      for channel in 0..<channelCount { most = unsafe max(most, powers[channel]) }
      level = frames > 0 ? RealtimeMath.sqrt(most / frames) : 0
    }
    guard level > 1e-9, level.isFinite else { return 1 }
    return Float(RealtimeMath.gain(decibels: Double(parameters.level)) / level)
  }
}

/// Makes one normalizer; the factory function of the component. Context: control.
@c(AuricleNormalizeFactory)
public func normalizeFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NormalizeUnit.self, request) { unsafe render(NormalizeUnit.self, $0, $1) }
}
