// The roger beep: a tone behind everything that is said, as two-way radios have it.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Detects speech of some length, and beeps after its end.
///
/// The level has to stay above the first threshold for the first time; then below the second threshold
/// for the second time. The sound itself passes unchanged.
struct RogerBeep: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Roger Beep", subtype: "rogr", manufacturer: "appl",
    summary: "A beep behind everything that is said, as two-way radios have it.",
    tags: ["Effects"])

  enum Sensitivity: String, ParameterChoice { case low, medium, high }
  enum Kind: String, ParameterChoice {
    case tone, twoTones = "two tones", chirp
  }

  struct Parameters: ParameterSet {
    @Parameter(
      kRogerBeepParam_InGateThreshold, "in gate threshold", -80...0, default: -6, unit: .decibels)
    var inThreshold: Float
    @Parameter(
      kRogerBeepParam_InGateThresholdTime, "in gate threshold time", 0...1000, default: 1000,
      unit: .milliseconds)
    var inTime: Float
    @Parameter(
      kRogerBeepParam_OutGateThreshold, "out gate threshold", -80...0, default: -6,
      unit: .decibels)
    var outThreshold: Float
    @Parameter(
      kRogerBeepParam_OutGateThresholdTime, "out gate threshold time", 0...1000, default: 1000,
      unit: .milliseconds)
    var outTime: Float
    @Parameter(kRogerBeepParam_Sensitivity, "sensitivity", default: .high)
    var sensitivity: Sensitivity
    @Parameter(kRogerBeepParam_RogerType, "roger type", default: .tone) var kind: Kind
    @Parameter(
      kRogerBeepParam_RogerGain, "roger gain", -80...20, default: -6, unit: .decibels)
    var gain: Float
  }

  static let skipsSilence = true

  private let sampleRate: Double
  private let parameters: Parameters
  private var level: Float = 0
  /// Frames for which the level has been on the other side of its threshold.
  private var frames = 0
  private var isOpen = false
  /// Frames of the beep so far; negative while there is none.
  private var beepFrame = -1
  private var beepPhase = 0.0
  private var beepKind = Kind.tone
  private var beepGain: Float = 0

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    parameters = setup.parameters
  }

  @_noLocks mutating func reset() {
    level = 0
    frames = 0
    isOpen = false
    beepFrame = -1
  }

  /// The beep itself, and the wait for it.
  var tailSeconds: Double { Double(parameters.outTime) * 0.001 + 1 }

  var restSeconds: Double {
    @_noLocks get { isOpen || beepFrame >= 0 || frames > 0 || level > 1e-5 ? .infinity : 0 }
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let opens = RealtimeMath.gain(decibels: parameters.inThreshold)
    let closes = RealtimeMath.gain(decibels: parameters.outThreshold)
    let openFrames = Int(Double(parameters.inTime) * 0.001 * sampleRate)
    let closeFrames = Int(Double(parameters.outTime) * 0.001 * sampleRate)
    // The level falls to 37 % in a time that bridges the gaps between syllables.
    let seconds =
      switch parameters.sensitivity {
      case .low: 0.2
      case .medium: 0.08
      case .high: 0.03
      }
    let keeps = 1 - Float(FollowerRate.rate(seconds: seconds, sampleRate: sampleRate))
    for frame in 0..<slice.frameCount {
      var peak: Float = 0
      for channel in 0..<slice.channelCount {
        let magnitude = unsafe slice.channel(channel)[frame].magnitude
        peak = magnitude > peak ? magnitude : peak
      }
      level = peak > level * keeps ? peak : level * keeps
      listen(opens, openFrames, closes, closeFrames)
      guard beepFrame >= 0 else { continue }
      let beep = nextBeep()
      for channel in 0..<slice.channelCount { unsafe slice.channel(channel)[frame] += beep }
    }
  }

  @_noLocks private mutating func listen(
    _ opens: Float, _ openFrames: Int, _ closes: Float, _ closeFrames: Int
  ) {
    if !isOpen {
      frames = level >= opens ? frames + 1 : 0
      if frames > openFrames {
        isOpen = true
        frames = 0
      }
    } else {
      frames = level < closes ? frames + 1 : 0
      if frames > closeFrames {
        isOpen = false
        frames = 0
        beepFrame = 0
        beepPhase = 0
        beepKind = parameters.kind
        beepGain = RealtimeMath.gain(decibels: parameters.gain)
      }
    }
  }

  /// Length of a beep in seconds, and its frequency (Hz) at a time.
  @_noLocks private static func shape(_ kind: Kind, _ seconds: Double) -> (
    length: Double, frequency: Double
  ) {
    switch kind {
    case .tone: (0.25, 1000)
    case .twoTones: (0.3, seconds < 0.15 ? 1050 : 1400)
    case .chirp: (0.2, 800 + 6000 * seconds)
    }
  }

  @_noLocks private mutating func nextBeep() -> Float {
    let seconds = Double(beepFrame) / sampleRate
    let shape = Self.shape(beepKind, seconds)
    // Five milliseconds up and down.
    let edge = min(1, min(seconds, shape.length - seconds) * 200)
    let value = Float(RealtimeMath.sin(2 * Double.pi * beepPhase) * max(edge, 0)) * beepGain
    beepPhase += shape.frequency / sampleRate
    if beepPhase >= 1 { beepPhase -= 1 }
    beepFrame = seconds >= shape.length ? -1 : beepFrame + 1
    return value
  }
}

/// Makes one roger beep; the factory function of the component. Context: control.
@c(AuricleRogerBeepFactory)
public func rogerBeepFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(RogerBeep.self, request) { unsafe render(RogerBeep.self, $0, $1) }
}
