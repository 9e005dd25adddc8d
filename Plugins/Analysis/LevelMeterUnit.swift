// The meter: loudness, true peak, correlation and spectrum of the audio that passes through unchanged.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import CRealtime
import RealtimeSupport

/// Levels as read-only parameters, and the spectrum as a property.
///
/// Loudness is that of ITU-R BS.1770, with channels that count by their places in the layout: momentary over 400 ms
/// and short-term over 3 s every 10 ms, integrated since the last reset with the gates of the standard.
@safe struct LevelMeterUnit: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Meter", subtype: "metr", manufacturer: "Auri",
    summary: "Loudness, true peak, correlation and spectrum of what passes unchanged.",
    tags: ["Effects", "Analyzer"])

  struct Parameters: ParameterSet {
    @Meter(0, "momentary loudness", -120...40, unit: .custom("LUFS"), plot: (10, 30))
    var momentary: Float
    @Meter(1, "short-term loudness", -120...40, unit: .custom("LUFS"), plot: (10, 30))
    var shortTerm: Float
    @Meter(2, "integrated loudness", -120...40, unit: .custom("LUFS"))
    var integrated: Float
    @Meter(3, "true peak", -120...40, unit: .decibels) var truePeak: Float
    @Meter(4, "sample peak", -120...40, unit: .decibels) var samplePeak: Float
    @Meter(5, "correlation", -1...1) var correlation: Float
    @Meter(6, "maximum momentary loudness", -120...40, unit: .custom("LUFS"))
    var maximumMomentary: Float
    @Meter(7, "maximum short-term loudness", -120...40, unit: .custom("LUFS"))
    var maximumShortTerm: Float
  }

  /// The board on which the kernel leaves samples for the spectrum; each instance has one.
  struct State: UnitModel {
    let board = SpectrumBoard()
    init() {}
    init(restoring state: UnitState, version: Int32) {}
    func save(to state: UnitState) {}
  }

  static var properties: [CustomProperty<Self>] {
    [.bytes(kAuricleProperty_Spectrum, get: { $0.state.board.spectrum().bytes })]
  }

  /// The most frames that are measured at once.
  private static var longestRun: Int { @_noLocks get { 512 } }

  private let channelCount: Int
  private let parameters: Parameters
  /// Keeps the ring alive.
  private let board: SpectrumBoard
  private let ring: SpectrumRing
  private var loudness: LoudnessMeter
  private var truePeaks: TruePeaks
  private var peaks: (samples: Float, between: Float) = (0, 0)
  /// The smoothed products of left and left, left and right, right and right.
  private var products = SIMD3<Double>(repeating: 0)
  /// The weight of each frame of a longest run in the smoothed products, the oldest first.
  private let weights: UnsafeMutablePointer<Float>
  /// The share of the smoothed products that a frame leaves.
  private let decay: Double
  private let scratch: UnsafeMutablePointer<Float>

  init(_ setup: UnitSetup<Self>) {
    channelCount = setup.channelCount
    parameters = setup.parameters
    board = setup.state.board
    ring = board.ring
    loudness = LoudnessMeter(
      sampleRate: setup.sampleRate, channelCount: channelCount,
      layoutTag: setup.format.outputLayoutTag)
    truePeaks = TruePeaks(channelCount: channelCount, maximumRun: Self.longestRun)
    let follow = FollowerRate.rate(seconds: 0.3, sampleRate: setup.sampleRate)
    decay = 1 - follow
    unsafe weights = .allocate(capacity: Self.longestRun)
    var weight = follow
    for index in (0..<Self.longestRun).reversed() {
      unsafe (weights + index).initialize(to: Float(weight))
      weight *= decay
    }
    unsafe scratch = .allocate(capacity: Self.longestRun)
    unsafe scratch.initialize(repeating: 0, count: Self.longestRun)
  }

  deinit {
    unsafe weights.deallocate()
    unsafe scratch.deallocate()
  }

  @_noLocks mutating func reset() {
    loudness.reset()
    truePeaks.reset()
    ring.reset()
    peaks = (0, 0)
    products = SIMD3(repeating: 0)
    show()
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      let run = min(slice.frameCount - frame, Self.longestRun)
      measure(slice, frame, run)
      frame += run
    }
    show()
  }

  @_noLocks private mutating func measure(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      unsafe truePeaks.consume(audio, channel: channel, count)
      unsafe peaks.samples = Self.peak(audio, count, above: peaks.samples)
    }
    unsafe truePeaks.find(scratch, count, above: peaks.between)
    unsafe peaks.between = Self.peak(scratch, count, above: peaks.between)
    loudness.measure(slice, frame, count)
    let left = unsafe slice.channel(0) + frame
    let right = unsafe slice.channel(min(1, channelCount - 1)) + frame
    unsafe follow(left, right, count)
    for index in 0..<count { unsafe scratch[index] = (left[index] + right[index]) * 0.5 }
    unsafe ring.add(scratch, count)
  }

  /// Returns the highest magnitude of samples, or the floor if none exceeds it.
  @_noLocks private static func peak(
    _ samples: UnsafePointer<Float>, _ count: Int, above floor: Float
  ) -> Float {
    let zero = SIMD4<Float>(repeating: 0)
    var four = SIMD4<Float>(repeating: floor)
    let whole = count & ~3
    var index = 0
    while index < whole {
      let run = unsafe SampleRun.four(samples + index)
      let magnitudes = run.replacing(with: zero - run, where: run .< zero)
      four.replace(with: magnitudes, where: magnitudes .> four)
      index += 4
    }
    while index < count {
      let magnitude = unsafe samples[index].magnitude
      four[0] = magnitude > four[0] ? magnitude : four[0]
      index += 1
    }
    return four.max()
  }

  /// Smooths the products of two channels over 0.3 s.
  @_noLocks private mutating func follow(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int
  ) {
    let weights = unsafe UnsafePointer(weights) + (Self.longestRun - count)
    let four = SIMD4<Float>(repeating: 0)
    var (leftLeft, leftRight, rightRight) = (four, four, four)
    let whole = count & ~3
    var index = 0
    while index < whole {
      let l = unsafe SampleRun.four(left + index)
      let r = unsafe SampleRun.four(right + index)
      let weight = unsafe SampleRun.four(weights + index)
      leftLeft += l * l * weight
      leftRight += l * r * weight
      rightRight += r * r * weight
      index += 4
    }
    while index < count {
      let (l, r, weight) = unsafe (left[index], right[index], weights[index])
      leftLeft[0] += l * l * weight
      leftRight[0] += l * r * weight
      rightRight[0] += r * r * weight
      index += 1
    }
    let added = SIMD3<Double>(
      Double(leftLeft.sum()), Double(leftRight.sum()), Double(rightRight.sum()))
    let products = products * RealtimeMath.pow(decay, Double(count)) + added
    self.products = products.sum().isFinite ? products : SIMD3(repeating: 0)
  }

  @_noLocks private func show() {
    parameters.momentary = Self.bounded(loudness.momentary)
    parameters.shortTerm = Self.bounded(loudness.shortTerm)
    parameters.integrated = Self.bounded(loudness.integrated)
    parameters.maximumMomentary = Self.bounded(loudness.maximumMomentary)
    parameters.maximumShortTerm = Self.bounded(loudness.maximumShortTerm)
    let highest = max(peaks.between, peaks.samples)
    parameters.truePeak = Self.decibels(highest)
    parameters.samplePeak = Self.decibels(peaks.samples)
    let power = RealtimeMath.sqrt(products[0] * products[2])
    parameters.correlation = power > 1e-12 ? Float(min(max(products[1] / power, -1), 1)) : 0
  }

  @_noLocks private static func bounded(_ level: Double) -> Float {
    Float(min(max(level, -120), 40))
  }

  @_noLocks private static func decibels(_ gain: Float) -> Float {
    gain > 1e-6 && gain.isFinite ? bounded(20 * RealtimeMath.log10(Double(gain))) : -120
  }
}

/// Makes one meter; the factory function of the component. Context: control.
@c(AuricleLevelMeterFactory)
public func levelMeterFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(LevelMeterUnit.self, request) { unsafe render(LevelMeterUnit.self, $0, $1) }
}
