// The shapes of two-pole filters, and the two ways in which they are made digital.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import RealtimeSupport

/// The method of discretisation of an analogue filter.
///
/// A host may choose it for units whose `State` is a `FilterDesignModel`. The numbers are those of
/// `kAuricleProperty_FilterDesign`.
public enum FilterDesign: Int32, BitwiseCopyable, Sendable {
  /// The bilinear transform, as in the Audio EQ Cookbook: exact at the filter's frequency, cramped
  /// towards half the sample rate.
  case cookbook = 0
  /// The analogue response as near as two poles come to it: bells and shelves within 0.25 dB up to
  /// 20 kHz at 44.1 kHz, low-passes, high-passes and band-passes within 0.5 dB. Notches are the cookbook's.
  case matched = 1
}

/// The effect of a two-pole filter on the spectrum.
///
/// A bell, a shelf and a low-pass as settings of a `FilterSeries`:
///
/// ```swift
/// let bell = FilterSetting(.bell, frequency: 1000, q: 2, gain: -6)
/// let shelf = FilterSetting(.highShelf, frequency: 8000, gain: 3)
/// let band = FilterSetting(.bandPass, frequency: 440, q: Float(FilterShape.q(octaves: 1)))
/// ```
public enum FilterShape: Int32, BitwiseCopyable, Sendable {
  /// `gain` at the frequency, 1 far from it.
  case bell
  /// 12 dB per octave above the frequency, where the gain is Q.
  case lowPass
  /// 12 dB per octave below the frequency, where the gain is Q.
  case highPass
  /// Gain 1 at the frequency, 6 dB per octave to both sides.
  case bandPass
  /// Nothing at the frequency, 1 far from it.
  case bandStop
  /// `gain` below the frequency, half of it (in decibels) there.
  case lowShelf
  /// `gain` above the frequency, half of it (in decibels) there.
  case highShelf

  /// Whether the shape has a gain, so that 0 dB leaves everything as it is: bells and shelves. Context: any.
  public var hasGain: Bool {
    @_noLocks get { self == .bell || self == .lowShelf || self == .highShelf }
  }

  /// Returns the analogue filter, in units of its frequency; `gain` is linear.
  @_noLocks func analogue(q: Double, gain: Double) -> AuricleAnalogueFilter {
    let slope = 1 / q
    switch self {
    case .lowPass: return AuricleAnalogueFilter(n: (1, 0, 0), d: (1, slope, 1))
    case .highPass: return AuricleAnalogueFilter(n: (0, 0, 1), d: (1, slope, 1))
    case .bandPass: return AuricleAnalogueFilter(n: (0, slope, 0), d: (1, slope, 1))
    case .bandStop: return AuricleAnalogueFilter(n: (1, 0, 1), d: (1, slope, 1))
    case .bell:
      let a = RealtimeMath.sqrt(gain)
      return AuricleAnalogueFilter(n: (1, a * slope, 1), d: (1, slope / a, 1))
    case .lowShelf:
      let a = RealtimeMath.sqrt(gain), root = RealtimeMath.sqrt(a)
      return AuricleAnalogueFilter(n: (a * a, a * root * slope, a), d: (1, root * slope, a))
    case .highShelf:
      let a = RealtimeMath.sqrt(gain), root = RealtimeMath.sqrt(a)
      return AuricleAnalogueFilter(n: (a, a * root * slope, a * a), d: (a, root * slope, 1))
    }
  }

  /// Returns the Q of a bandwidth in octaves, between the points of half the gain in decibels.
  ///
  /// A bandwidth of 1 is a Q of 1.41, 2 is 0.67, and a third 4.32. Context: any.
  ///
  /// - Parameter octaves: The bandwidth; below 0.001 it counts as that.
  @_noLocks public static func q(octaves: Double) -> Double {
    0.5 / RealtimeMath.sinh(0.34657359027997264 * max(octaves, 1e-3))
  }

  /// The Q of low-passes and high-passes without resonance (Butterworth), 1/√2.
  public static var flattestQ: Double { @_noLocks get { 0.70710678118654752 } }
}

extension StateVariableCoefficients {
  /// Returns a filter of a shape, for units that run a `StateVariableBank` or several filters a channel.
  ///
  /// ```swift
  /// let coefficients = StateVariableCoefficients.filter(
  ///   .lowShelf, frequency: 200, q: FilterShape.flattestQ,
  ///   gain: RealtimeMath.gain(decibels: 4.5), sampleRate: sampleRate, design: .matched)
  /// ```
  ///
  /// - Parameters:
  ///   - shape: Shape of the filter.
  ///   - frequency: Hz; from 0.1 up to half the sample rate.
  ///   - q: Resonance or, of bells and band-passes, the frequency over the bandwidth; above zero.
  ///   - gain: Linear, above zero; of bells and shelves.
  ///   - sampleRate: Hz.
  ///   - design: Method by which it becomes digital.
  ///
  /// Context: any.
  @_noLocks public static func filter(
    _ shape: FilterShape, frequency: Double, q: Double, gain: Double, sampleRate: Double,
    design: FilterDesign
  ) -> StateVariableCoefficients {
    if shape.hasGain && gain == 1 {
      return .bell(frequency: frequency, q: q, gain: 1, sampleRate: sampleRate)
    }
    var analogue = shape.analogue(q: q, gain: gain)
    if design == .matched, shape != .bandStop {
      var digital = AuricleDigitalFilter()
      unsafe AuricleMatchFilter(
        &analogue, 2 * Double.pi * max(frequency, 0.1) / sampleRate, &digital)
      return StateVariableCoefficients(digital)
    }
    switch shape {
    case .bell: return .bell(frequency: frequency, q: q, gain: gain, sampleRate: sampleRate)
    case .lowPass: return .lowPass(frequency: frequency, q: q, sampleRate: sampleRate)
    case .highPass: return .highPass(frequency: frequency, q: q, sampleRate: sampleRate)
    default: return StateVariableCoefficients(analogue, frequency, sampleRate)
    }
  }

  /// The bilinear transform of an analogue filter.
  @_noLocks init(_ analogue: AuricleAnalogueFilter, _ frequency: Double, _ sampleRate: Double) {
    let (n, d) = (analogue.n, analogue.d)
    let part = min(max(frequency, 0.1) / sampleRate, Self.highestFrequency)
    let damping = d.1 / RealtimeMath.sqrt(d.0 * d.2)
    let (c0, c1, c2) = (n.0 / d.0, n.1 / RealtimeMath.sqrt(d.0 * d.2), n.2 / d.2)
    self.init(
      warped: RealtimeMath.tan(Double.pi * part) * RealtimeMath.sqrt(d.0 / d.2), damping: damping,
      m0: c2, m1: c1 - c2 * damping, m2: c0 - c2)
  }

  /// The same filter as one of delays.
  @_noLocks init(_ digital: AuricleDigitalFilter) {
    let (b, a) = (digital.b, digital.a)
    let low = 1 + a.1 + a.2, high = 1 - a.1 + a.2
    let g = RealtimeMath.sqrt(low / high)
    let damping = 2 * (1 - a.2) / (high * g)
    let m0 = (b.0 - b.1 + b.2) / high
    self.init(
      warped: g, damping: damping, m0: m0, m1: 2 * (b.0 - b.2) / (high * g) - m0 * damping,
      m2: (b.0 + b.1 + b.2) / low - m0)
  }

  /// The filter as one of delays: b0, b1, b2, a1, a2 with a0 = 1. Context: any.
  ///
  /// The form of `kAUNBandEQProperty_BiquadCoefficients` and of most books.
  public var delayForm: (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    let (trace, determinant) = (a11 + a22, a11 * a22 - a12 * a21)
    let last = c1 * (a12 * b2 - a22 * b1) + c2 * (a21 * b1 - a11 * b2)
    return (
      d, c1 * b1 + c2 * b2 - d * trace, d * determinant + last, -trace, determinant
    )
  }

  /// Returns the mix of the input and of the filtered input, from 0 to 1. Context: any.
  @_noLocks func mixed(_ part: Double) -> StateVariableCoefficients {
    var mixed = self
    mixed.c1 *= part
    mixed.c2 *= part
    mixed.d = 1 + part * (d - 1)
    return mixed
  }
}
