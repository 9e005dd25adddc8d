// From a plug-in to the interface every unit has.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox

/// Makes units of LV2 plug-ins.
enum LV2UnitFactory {
  /// Makes the interface of a new instance. The plug-in's binary is opened by Initialize.
  static func make(
    _ plugin: LV2Plugin, _ description: AudioComponentDescription
  ) throws(AuricleError) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    throw AuricleError(.unavailable, "LV2 units cannot be opened yet")
  }
}
