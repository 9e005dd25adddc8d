// The smoothed settings of the reverb and their values for the two networks.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The parameters, in the order of the definition.
extension ParameterIndex {
  static var mix: Self { @_noLocks get { Self(0) } }
  static var balance: Self { @_noLocks get { Self(1) } }
  static var smallSize: Self { @_noLocks get { Self(2) } }
  static var largeSize: Self { @_noLocks get { Self(3) } }
  static var preDelay: Self { @_noLocks get { Self(4) } }
  static var largeDelay: Self { @_noLocks get { Self(5) } }
  static var smallDensity: Self { @_noLocks get { Self(6) } }
  static var largeDensity: Self { @_noLocks get { Self(7) } }
  static var largeDelayRange: Self { @_noLocks get { Self(8) } }
  static var smallBrightness: Self { @_noLocks get { Self(9) } }
  static var largeBrightness: Self { @_noLocks get { Self(10) } }
  static var smallDelayRange: Self { @_noLocks get { Self(11) } }
  static var modulationRate: Self { @_noLocks get { Self(12) } }
  static var modulationDepth: Self { @_noLocks get { Self(13) } }
}

/// Gliding values of the parameters that may move while sound goes through. Context: render.
struct RoomSettings: Sendable {
  /// Gains of dry and wet.
  var mix: MixGlide
  /// Gains of the small and the large room.
  var balance: MixGlide
  /// Seconds for 60 dB in the large room; glides by ratio.
  private var largeDecay: ParameterGlide
  private var smallBrightness: ParameterGlide
  private var largeBrightness: ParameterGlide
  /// Coefficients of the diffusers.
  private(set) var smallDensity: ParameterGlide
  private(set) var largeDensity: ParameterGlide
  /// Seconds for 60 dB now.
  private(set) var smallSeconds = 0.48
  private(set) var largeSeconds = 3.0
  private var modulationRate: ParameterGlide
  private var modulationDepth: ParameterGlide
  private var lastDecay: Float = -1
  private var decayTarget: Float = 0
  private var smallMean: Float = -1
  /// The parameters of the last interval, and whether all that follows them has come to rest.
  private var known = SIMD16<Float>(repeating: 0)
  private var isStill = false

  init(sampleRate: Double) {
    mix = MixGlide(sampleRate: sampleRate)
    balance = mix
    largeDecay = ParameterGlide(sampleRate: sampleRate)
    smallBrightness = largeDecay
    largeBrightness = largeDecay
    smallDensity = largeDecay
    largeDensity = largeDecay
    modulationRate = largeDecay
    modulationDepth = largeDecay
  }

  /// Jumps to all values next time.
  @_noLocks mutating func reset() {
    mix.reset()
    balance.reset()
    largeDecay.reset()
    smallBrightness.reset()
    largeBrightness.reset()
    smallDensity.reset()
    largeDensity.reset()
    modulationRate.reset()
    modulationDepth.reset()
    lastDecay = -1
    smallMean = -1
    isStill = false
  }

  /// Begins an interval: moves the values and sets the networks.
  @_noLocks mutating func advance(
    _ slice: borrowing RenderSlice, _ small: inout FeedbackDelayNetwork,
    _ large: inout FeedbackDelayNetwork, _ levels: inout RoomLevels
  ) {
    let values = SIMD16<Float>(
      slice[.mix], slice[.balance], slice[.smallSize], slice[.largeSize],
      slice[.preDelay], slice[.largeDelay], slice[.smallDensity], slice[.largeDensity],
      slice[.largeDelayRange], slice[.smallBrightness], slice[.largeBrightness],
      slice[.smallDelayRange],
      slice[.modulationRate], slice[.modulationDepth], 0, 0)
    if isStill && values == known { return }
    known = values
    mix.advance(toward: slice[.mix])
    balance.advance(toward: slice[.balance])
    let size = slice[.largeSize]
    if size != lastDecay {
      lastDecay = size
      decayTarget = RealtimeMath.log(max(size, 0.1))
    }
    let changed = small.setDelays(
      mean: Double(slice[.smallSize]), range: Double(slice[.smallDelayRange]))
    let largeChanged = large.setDelays(mean: 0.047, range: Double(slice[.largeDelayRange]))
    let newSize = slice[.smallSize] != smallMean
    smallMean = slice[.smallSize]
    if smallBrightness.advance(toward: slice[.smallBrightness]) || newSize || changed {
      // The small room decays in 24 times its size: 0.12 to 0.48 s.
      smallSeconds = 24 * Double(smallMean)
      levels.small = Self.level(
        small.lineCount,
        energy: small.setDecay(
          time: smallSeconds, brightness: Double(max(smallBrightness.value, 0.05))))
    }
    let decayMoved = largeDecay.advance(toward: decayTarget)
    if largeBrightness.advance(toward: slice[.largeBrightness]) || decayMoved || largeChanged {
      largeSeconds = Double(RealtimeMath.exp(largeDecay.value))
      levels.large = Self.level(
        large.lineCount,
        energy: large.setDecay(
          time: largeSeconds,
          brightness: Double(max(largeBrightness.value, 0.05))))
    }
    smallDensity.advance(toward: 0.72 * slice[.smallDensity])
    largeDensity.advance(toward: 0.72 * slice[.largeDensity])
    modulationRate.advance(toward: slice[.modulationRate])
    modulationDepth.advance(toward: slice[.modulationDepth])
    large.setModulation(
      rate: Double(modulationRate.value), depth: Double(modulationDepth.value))
    isStill =
      mix.isSettled && balance.isSettled && largeDecay.isSettled && smallBrightness.isSettled
      && largeBrightness.isSettled && smallDensity.isSettled && largeDensity.isSettled
      && modulationRate.isSettled && modulationDepth.isSettled && !small.isFading
      && !large.isFading
  }

  /// Returns the gain that makes steady noise as loud behind a network as before it, at any decay time.
  @_noLocks private static func level(_ lineCount: Int, energy: Double) -> Double {
    RealtimeMath.sqrt(Double(lineCount / 2) * max(1 - energy, 1e-6) / max(energy, 1e-6))
  }
}

/// Gains that compensate for the build-up of a network over its decay.
struct RoomLevels: Sendable {
  /// The gain for the small room.
  var small = 1.0
  /// The gain for the large room.
  var large = 1.0
}
