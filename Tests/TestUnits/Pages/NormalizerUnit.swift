// An offline unit in a page: it finds the peak of the whole input, then brings it to full scale.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
import AuricleSDK
import CAudioToolbox

struct NormalizerUnit: OfflineUnit, ~Copyable {
  static let component = Component("Test: Normalizer", subtype: "norm", manufacturer: "Test")
  static let preflight = OfflinePreflight.required
  static let preflightName = "Looking for the peak"

  private var peak: Float = 0

  init(_ setup: UnitSetup<Self>) {}

  @_noLocks mutating func reset() { peak = 0 }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if slice.isPreflight && slice.passPosition == 0 { peak = 0 }
    let gain = peak > 0 ? 1 / peak : 1
    for channel in 0..<slice.channelCount {
      var samples = slice.samples(channel)
      for frame in 0..<slice.frameCount {
        if slice.isPreflight {
          peak = max(peak, abs(samples[frame]))
        } else {
          samples[frame] *= gain
        }
      }
    }
  }
}

extension TestUnits {
  /// An offline unit that normalizes.
  public static func normalizer() throws(AuricleError) -> AudioUnit {
    unsafe try open(
      NormalizerUnit.self,
      makeUnit(NormalizerUnit.self, nil) { unsafe render(NormalizerUnit.self, $0, $1) })
  }
}
