// The bells of a graphic equaliser at rest, made once for all the frequencies that a host asks for.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// The combined response of the sliders of a graphic equaliser.
///
/// A host requests a response frequency by frequency, and each needs the solution for the sliders: the
/// last one is kept.
///
/// Context: control.
struct GraphicResponse: Sendable {
  private let sliders: [Float]
  private let hasThirds: Bool
  private let sampleRate: Double
  private let design: FilterDesign
  private let bells: [StateVariableCoefficients]

  private static let last = Mutex<GraphicResponse?>(nil)

  /// The gain (linear) at a frequency (Hz) of the bells for sliders in decibels.
  static func magnitude(
    _ sliders: [Float], hasThirds: Bool, frequency: Double, sampleRate: Double,
    design: FilterDesign
  ) -> Double {
    let response = last.withLock { last in
      if let last, last.sliders == sliders, last.hasThirds == hasThirds,
        last.sampleRate == sampleRate, last.design == design
      {
        return last
      }
      let made = GraphicResponse(
        sliders: sliders, hasThirds: hasThirds, sampleRate: sampleRate, design: design)
      last = made
      return made
    }
    return response.bells.reduce(1) {
      $0 * $1.magnitude(atFrequency: frequency, sampleRate: sampleRate)
    }
  }

  private init(
    sliders: [Float], hasThirds: Bool, sampleRate: Double, design: FilterDesign
  ) {
    self.sliders = sliders
    self.hasThirds = hasThirds
    self.sampleRate = sampleRate
    self.design = design
    let graphic = GraphicBands(thirds: hasThirds, sampleRate: sampleRate, design: design)
    let settings = graphic.settings(InlineArray<31, Float> { sliders[$0] })
    bells = (0..<31).filter { settings[$0].isOn }
      .map { settings[$0].coefficients(sampleRate: sampleRate, design: design) }
  }
}
