// The settings of a deferred renderer: the size of its pulls, and its latency.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox

/// The settings of one deferred renderer, in frames; they are read when it is initialised.
///
/// @unchecked Sendable because the properties and the kernel's making happen under the lock of the instance.
final class DeferredSettings: @unchecked Sendable {
  /// Frames that are pulled at once.
  private(set) var pullSize: UInt32 = 512
  /// Frames of latency beyond those.
  private(set) var extraLatency: UInt32 = 0
  /// Frames that are let pass before a pull begins.
  private(set) var waitFrames: UInt32 = 0

  /// Frames from the input to the output.
  var latency: Int { Int(pullSize) + Int(extraLatency) + Int(waitFrames) }

  /// The properties for hosts.
  var properties: [PropertyDefinition] {
    [
      property(
        kAudioUnitProperty_DeferredRendererPullSize, from: 1, { $0.pullSize }, { $0.pullSize = $1 }),
      property(
        kAudioUnitProperty_DeferredRendererExtraLatency, from: 0, { $0.extraLatency },
        { $0.extraLatency = $1 }),
      property(
        kAudioUnitProperty_DeferredRendererWaitFrames, from: 0, { $0.waitFrames },
        { $0.waitFrames = $1 }),
    ]
  }

  private func property(
    _ id: AudioUnitPropertyID, from least: UInt32,
    _ get: @escaping @Sendable (DeferredSettings) -> UInt32,
    _ set: @escaping @Sendable (DeferredSettings, UInt32) -> Void
  ) -> PropertyDefinition {
    unsafe PropertyDefinition(
      id: id, size: 4,
      read: { [self] _, _, data in
        unsafe data.storeBytes(of: get(self), as: UInt32.self)
        return 0
      },
      write: { [self] unit, _, data, size in
        guard let data = unsafe data, size == 4 else { return kAudioUnitErr_InvalidPropertyValue }
        guard !unit.isInitialized else {
          return unit.refuse(
            kAudioUnitErr_Initialized,
            "a deferred renderer takes its settings before it is initialised")
        }
        let value = unsafe data.loadUnaligned(as: UInt32.self)
        guard value >= least, value <= 1 << 20 else {
          return unit.refuse(
            kAudioUnitErr_InvalidPropertyValue,
            "the setting is a number of frames from \(least) to 1048576")
        }
        set(self, value)
        return 0
      })
  }
}
