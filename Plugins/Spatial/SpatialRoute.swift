// The routes of inputs through a mixer in space.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// The way of one input. Context: any.
struct SpatialRoute: BitwiseCopyable {
  /// The method of rendering an input.
  enum Method: Int, BitwiseCopyable {
    /// Channel by channel, not in space.
    case pass
    /// By gains of loudspeakers.
    case pan
    /// By a spherical head.
    case sphere
    /// By a measured head.
    case measured
  }

  private let code: Int
  let law: PanLaw
  /// Whether two channels are to both sides of the place, rather than in it.
  let isBed: Bool

  /// Whether the input is rendered by a method.
  @_noLocks func goes(_ method: Method) -> Bool { code == method.rawValue }

  /// The head through which it is rendered; nil for none.
  var head: HeadKind? {
    @_noLocks get { goes(.sphere) ? .sphere : goes(.measured) ? .measured : nil }
  }

  /// Reads the settings of an input.
  @_noLocks init(_ settings: ParameterStore, _ bus: Int, isStereo: Bool) {
    let algorithm = Self.algorithm(settings, bus)
    let mode = UInt32(settings.value(at: SpatialField.mode.place(bus)))
    isBed = mode == kSpatialMixerSourceMode_AmbienceBed
    var passes = algorithm == kSpatializationAlgorithm_StereoPassThrough
    if mode == kSpatialMixerSourceMode_Bypass { passes = true }
    if mode == kSpatialMixerSourceMode_SpatializeIfMono, isStereo { passes = true }
    var method = Method.pan
    switch algorithm {
    case kSpatializationAlgorithm_SphericalHead:
      law = .vector
      method = .sphere
    case kSpatializationAlgorithm_HRTF, kSpatializationAlgorithm_HRTFHQ:
      law = .vector
      method = .measured
    case kSpatializationAlgorithm_SoundField: law = .soundField
    case kSpatializationAlgorithm_EqualPowerPanning: law = .equalPower
    default: law = .vector
    }
    code = (passes ? Method.pass : method).rawValue
  }

  /// The algorithm of an input; where it is left to the output, for headphones a measured head.
  @_noLocks static func algorithm(_ settings: ParameterStore, _ bus: Int) -> UInt32 {
    let algorithm = UInt32(settings.value(at: SpatialField.algorithm.place(bus)))
    guard algorithm == kSpatializationAlgorithm_UseOutputType else { return algorithm }
    let output = UInt32(settings.value(at: SpatialField.outputType))
    return output == kSpatialMixerOutputType_Headphones
      ? kSpatializationAlgorithm_HRTF : kSpatializationAlgorithm_VectorBasedPanning
  }

  /// Whether an algorithm needs a measured head.
  static func isMeasured(_ algorithm: UInt32) -> Bool {
    algorithm == kSpatializationAlgorithm_HRTF || algorithm == kSpatializationAlgorithm_HRTFHQ
  }
}
