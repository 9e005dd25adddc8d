// Playing and recording, as every front asks for it.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
public import AudioTypes
public import AuricleHost

extension AuricleInstallation {
  /// Plays a file through a device.
  ///
  /// - Throws: `.unavailable` where there is no such device, `.temporary` where it is busy, `.noPermission`,
  ///   `.badData` for a format that it refuses, `.inputOutput` where it went; a run's errors of its file and chain.
  ///
  /// Context: control; returns when it is over.
  public func play(_ request: PlayRequest, control: PlayControl) throws -> SoundOutcome {
    try PlayRun(request, host, control).go()
  }

  /// Checks the name of a device, without opening it.
  ///
  /// - Parameter name: The name; nil for that of AURICLE_DEVICE, or else ALSA's `default`.
  /// - Throws: `.usage` for a name without meaning.
  ///
  /// Context: any.
  public static func checkDevice(named name: String?) throws(AuricleError) {
    _ = try DeviceKinds.device(named: name ?? DeviceListing.defaultName)
  }

  /// Records from a device into a file, which is whole at every moment.
  ///
  /// - Throws: As `play`.
  ///
  /// Context: control; returns when it is over.
  public func record(_ request: RecordRequest, control: PlayControl) throws -> SoundOutcome {
    try RecordRun(request, host, control).go()
  }
}
