// Noise reduction: steady noise, hum and hiss are attenuated under the other sound, by frequency.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import RealtimeSupport

/// Frames of about 40 ms, four of which overlap, with a gain for each frequency.
///
/// The profile of the noise is estimated from all of the sound, or learnt: from the beginning, and while *learn* is on. A
/// learnt profile is saved with the unit; one that was restored, or learnt by the switch, outlives a reset.
@safe struct NoiseReduction: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Noise Reduction", subtype: "nred", manufacturer: "Auri",
    summary: "Turns steady noise, hum and hiss down by an estimated or learnt profile.",
    tags: ["Effects", "Restoration"])

  enum Profile: String, ParameterChoice { case estimated, learnt }

  struct Parameters: ParameterSet {
    @Parameter(0, "reduction", 0...40, default: 20, unit: .decibels) var reduction: Float
    @Parameter(1, "sensitivity", -12...12, default: 0, unit: .decibels) var sensitivity: Float
    @Parameter(2, "profile", default: .estimated) var profile: Profile
    @Parameter(3, "learn time", 0...10, default: 1, unit: .seconds) var learnTime: Float
    @Parameter(4, "learn", default: false) var learns: Bool
    @Meter(1000, "noise level", -160...20, unit: .decibels) var noiseLevel: Float
  }

  typealias State = NoiseModel
  static let skipsSilence = true

  private let parameters: Parameters
  private let sampleRate: Double
  private let channelCount: Int
  private let size: Int
  private var hop: Int { @_noLocks get { size / 4 } }
  /// The factor from the power in a bin to that in a hertz.
  private let toDensity: Float
  private let transform: FrameTransform
  private let window: UnsafeMutablePointer<Float>
  /// Samples of all channels, one after the other: the last input frame, the sum of output frames, and finished output.
  private let inputs: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<Float>
  private let due: UnsafeMutablePointer<Float>
  private let re: UnsafeMutablePointer<Float>
  private let im: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  private let spectra: UnsafeMutablePointer<NoiseSpectrum>
  /// Hops that were filled with sound without a gap, of each channel.
  private let filled: UnsafeMutablePointer<Int>
  /// The powers of the profile that a reset leaves, channel by channel.
  private let kept: UnsafeMutablePointer<Float>
  private var hasKept = false
  /// The learnt profile for saved states.
  private let learnt: LearntProfile
  private let writer: LearntProfile.Writer
  private var phase = 0
  private var learntFrames = 0
  private var wasLearning = false

  /// The frames of a window: the power of two that is nearest to 40 ms.
  private static func size(_ sampleRate: Double) -> Int {
    var size = 64
    while Double(size) * 1.4142 < 0.04 * sampleRate, size < 65_536 { size *= 2 }
    return size
  }

  init(_ setup: UnitSetup<Self>) {
    parameters = setup.parameters
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    let (size, count) = (Self.size(sampleRate), max(1, channelCount))
    self.size = size
    toDensity = Self.densityFactor(sampleRate, size)
    transform = FrameTransform(count: size)
    unsafe window = .allocate(capacity: size)
    for index in 0..<size {
      // The square root of a Hann window; four of them, squared, add up to 2.
      let value = RealtimeMath.sin(Double.pi * Double(index) / Double(size))
      unsafe (window + index).initialize(to: Float(value))
    }
    func samples(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      unsafe memory.initialize(repeating: 0, count: count)
      return unsafe memory
    }
    unsafe inputs = samples(count * size)
    unsafe sums = samples(count * size)
    unsafe due = samples(count * size / 4)
    unsafe re = samples(size)
    unsafe im = samples(size)
    unsafe gains = samples(size / 2 + 1)
    unsafe spectra = .allocate(capacity: count)
    unsafe filled = .allocate(capacity: count)
    unsafe filled.initialize(repeating: 0, count: count)
    for channel in 0..<count {
      unsafe (spectra + channel).initialize(
        to: NoiseSpectrum(
          count: size / 2 + 1, secondsPerFrame: Double(size / 4) / sampleRate))
    }
    let (bins, spacing) = (size / 2 + 1, sampleRate / Double(size))
    unsafe kept = samples(count * bins)
    learnt = LearntProfile(channelCount: count, binCount: bins, spacing: spacing)
    writer = learnt.writer
    let profile = setup.state.kept
    setup.state.begin(learnt)
    guard let profile else { return }
    hasKept = true
    for index in 0..<(count * bins) {
      let density = profile.density(index / bins, at: Double(index % bins) * spacing)
      unsafe kept[index] = density / toDensity
    }
    restoreProfile()
  }

  /// The factor from the power in a bin to that in a hertz: a bin of noise grows with the window and the sample rate.
  private static func densityFactor(_ sampleRate: Double, _ size: Int) -> Float {
    Float(1 / (sampleRate * Double(size)))
  }

  /// Puts the profile that outlives a reset in force.
  @_noLocks private func restoreProfile() {
    writer.clear()
    // Learning begins anew then.
    guard hasKept, !parameters.learns else { return }
    let bins = size / 2 + 1
    for channel in 0..<max(1, channelCount) {
      unsafe spectra[channel].restore(kept + channel * bins)
      unsafe writer.write(
        channel, kept + channel * bins, factor: toDensity, isKept: true)
    }
  }

  deinit {
    unsafe window.deallocate()
    unsafe inputs.deallocate()
    unsafe sums.deallocate()
    unsafe due.deallocate()
    unsafe re.deallocate()
    unsafe im.deallocate()
    unsafe gains.deallocate()
    unsafe filled.deallocate()
    unsafe kept.deallocate()
    unsafe spectra.deinitialize(count: max(1, channelCount))
    unsafe spectra.deallocate()
  }

  @_noLocks mutating func reset() {
    for index in 0..<(channelCount * size) {
      unsafe inputs[index] = 0
      unsafe sums[index] = 0
    }
    for index in 0..<(channelCount * hop) { unsafe due[index] = 0 }
    for channel in 0..<channelCount {
      unsafe spectra[channel].reset()
      unsafe filled[channel] = 0
    }
    phase = 0
    learntFrames = 0
    wasLearning = false
    restoreProfile()
  }

  /// A frame. Context: control.
  var latencyFrames: Int { size }

  /// The rest of the last frame that holds sound. Context: render.
  var tailSeconds: Double { @_noLocks get { Double(size) / sampleRate } }

  /// Frames that hold sound still come out. Context: render.
  var restSeconds: Double { @_noLocks get { 2 * Double(size) / sampleRate } }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      let run = min(slice.frameCount - frame, hop - phase)
      for channel in 0..<channelCount {
        let audio = unsafe slice.channel(channel) + frame
        let input = unsafe inputs + (channel * size + size - hop + phase)
        let output = unsafe due + (channel * hop + phase)
        for index in 0..<run {
          let sample = unsafe audio[index]
          unsafe audio[index] = output[index]
          unsafe input[index] = sample
        }
      }
      frame += run
      phase += run
      if phase == hop {
        phase = 0
        processFrames()
      }
    }
  }

  /// Processes the frames that are complete, each channel alone: no rounding passes from one to another.
  @_noLocks private mutating func processFrames() {
    let settings = frameSettings()
    for channel in 0..<channelCount { processFrame(channel, settings) }
    for channel in 0..<channelCount {
      let (input, sum) = unsafe (inputs + channel * size, sums + channel * size)
      for index in 0..<hop { unsafe due[channel * hop + index] = sum[index] }
      for index in 0..<(size - hop) {
        unsafe input[index] = input[index + hop]
        unsafe sum[index] = sum[index + hop]
      }
      for index in (size - hop)..<size { unsafe sum[index] = 0 }
    }
    // A Hann window has a mean square of 3/8; half of all bins are of real samples.
    let power = unsafe spectra[0].meanPower / (0.5 * Float(size))
    parameters.noiseLevel = 10 * RealtimeMath.log10(min(max(power, 1e-16), 100))
  }

  @_noLocks private mutating func frameSettings() -> NoiseSettings {
    let follows = parameters.profile == .estimated
    let learnFrames = Int(Double(parameters.learnTime) * sampleRate / Double(hop))
    if parameters.learns, !wasLearning {
      for channel in 0..<channelCount { unsafe spectra[channel].beginLearning() }
    }
    wasLearning = parameters.learns
    return NoiseSettings(
      leastGain: RealtimeMath.gain(decibels: -max(parameters.reduction, 0)),
      factor: RealtimeMath.exp(0.230_258_51 * parameters.sensitivity), follows: follows,
      learns: !follows
        && (parameters.learns || !hasKept && learntFrames < learnFrames))
  }

  @_noLocks private mutating func processFrame(_ channel: Int, _ settings: NoiseSettings) {
    let input = unsafe inputs + channel * size
    for index in 0..<size {
      unsafe re[index] = input[index] * window[index]
      unsafe im[index] = 0
    }
    unsafe transform.run(re, im)
    for bin in 0...(size / 2) {
      unsafe gains[bin] = re[bin] * re[bin] + im[bin] * im[bin]
    }
    let isWhole = countHop(channel)
    unsafe spectra[channel].process(gains, settings, isWhole: isWhole)
    if settings.learns, isWhole { noteLearnt(channel) }
    for bin in 0...(size / 2) {
      let (mirror, gain) = (bin == 0 ? 0 : size - bin, unsafe gains[bin])
      unsafe re[bin] *= gain
      unsafe im[bin] *= gain
      guard mirror > bin else { continue }
      unsafe re[mirror] *= gain
      unsafe im[mirror] *= gain
    }
    unsafe transform.run(im, re)
    let scale = 0.5 / Float(size)
    let sum = unsafe sums + channel * size
    for index in 0..<size { unsafe sum[index] += re[index] * window[index] * scale }
  }

  /// Notes the profile that was learnt of a frame: for saved states, and for resets where the switch is on.
  @_noLocks private mutating func noteLearnt(_ channel: Int) {
    if channel == 0 { learntFrames += 1 }
    let (bins, powers) = unsafe (size / 2 + 1, spectra[channel].profile)
    unsafe writer.write(channel, powers, factor: toDensity, isKept: parameters.learns)
    guard parameters.learns else { return }
    hasKept = true
    for bin in 0..<bins { unsafe kept[channel * bins + bin] = powers[bin] }
  }

  /// Counts the newest hop of a channel; returns whether sound without a gap fills the frame.
  @_noLocks private func countHop(_ channel: Int) -> Bool {
    let newest = unsafe inputs + (channel * size + size - hop)
    let isSilent = unsafe SampleScan.isSilent(newest, count: hop)
    unsafe filled[channel] = isSilent ? 0 : min(filled[channel] + 1, 4)
    return unsafe filled[channel] == 4
  }
}

/// Makes one noise reduction; the factory function of the component. Context: control.
@c(AuricleNoiseReductionFactory)
public func noiseReductionFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NoiseReduction.self, request) { unsafe render(NoiseReduction.self, $0, $1) }
}
