// The frequency response that filters report is the one they have.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import TestSupport
import Testing

@Suite("Frequency response") struct ResponseTests {
  @Test(
    "The reported response is that of a sine",
    arguments: [
      ("lpas", [0: 1200, 1: 6]), ("hpas", [0: 500, 1: -3]), ("pmeq", [0: 2000, 1: 2, 2: 9]),
    ] as [(String, [AudioUnitParameterID: Float])])
  func response(_ subtype: String, _ parameters: [AudioUnitParameterID: Float]) throws {
    let rig = try UnitRig(subtype, parameters)
    let frequencies = [100.0, 900, 2000, 6000]
    let reported = try #require(rig.unit.frequencyResponse(at: frequencies))
    for (frequency, gain) in zip(frequencies, reported) {
      try rig.reset()
      let sine = (0..<24_000).map {
        Float(sin(2 * Double.pi * frequency * Double($0) / rig.sampleRate)) * 0.25
      }
      let output = try rig.renderMono(sine)
      // Whole periods of the settled end.
      func power(_ samples: some Sequence<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) }
      }
      let measured = (power(output.suffix(9600)) / power(sine.suffix(9600))).squareRoot()
      #expect(abs(measured - gain) < 0.002 * max(gain, 0.05), "\(frequency) Hz")
    }
  }
}
