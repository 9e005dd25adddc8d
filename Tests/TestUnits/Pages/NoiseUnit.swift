// A generator in a page: noise of a level.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox

struct NoiseUnit: GeneratorUnit, ~Copyable {
  static let component = Component("Test: Noise", subtype: "nois", manufacturer: "Test")

  struct Parameters: ParameterSet {
    @Parameter(1, "level", 0...1, default: 0.5, unit: .linearGain) var level: Ramp
  }

  private let parameters: Parameters
  private var seed: UInt32 = 1

  init(_ setup: UnitSetup<Self>) { parameters = setup.parameters }

  @_noLocks mutating func reset() { seed = 1 }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let level = parameters.level
    for frame in 0..<slice.frameCount {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let sample = Float(Int32(bitPattern: seed)) / 2_147_483_648 * level[frame]
      for channel in 0..<slice.channelCount {
        var samples = slice.output(channel)
        samples[frame] = sample
      }
    }
  }
}

extension TestUnits {
  /// Noise of level 1.
  public static func noise() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      NoiseUnit.self, makeUnit(NoiseUnit.self, nil) { unsafe render(NoiseUnit.self, $0, $1) })
  }
}
