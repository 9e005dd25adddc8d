// The options that name a sound device.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import DeviceSound

/// A device, and how it is run.
struct DeviceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A device of auricle devices, file:OUT.wav or net:HOST. Default: AURICLE_DEVICE, else ALSA's default.",
      valueName: "name"), completion: .devices)
  var device: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The period of the device in frames. Default: 1024.", valueName: "frames"),
    transform: Self.periods)
  var period: Int?

  @Flag(help: "Wait for a device that was unplugged, and go on when it is back.")
  var wait = false

  /// The accepted periods.
  static let periods = NumberRange.whole(8...65_536, of: "frames")

  /// The first option that is set; nil for none.
  var supplied: String? {
    device != nil ? "--device" : period != nil ? "--period" : wait ? "--wait" : nil
  }

  /// Refuses values that make no sense.
  func check() throws {
    if device?.isEmpty == true { throw ValidationError("The name of the device is empty.") }
  }
}

/// The rights and limits of the process that runs plug-ins while sound is played or recorded.
struct IsolationArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The rights of the process that runs plug-ins. Default: strict.",
      valueName: SandboxArgument.allCases.map(\.rawValue).joined(separator: "|")))
  var sandbox: SandboxArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest time without output from a unit; three times as long while it opens. Default: 10.",
      valueName: "seconds"),
    transform: WorkArguments.limits)
  var stallLimit: Double?

  /// The rights and limits.
  var isolation: SoundIsolation {
    var isolation = SoundIsolation()
    if let sandbox { isolation.sandbox = sandbox.level }
    isolation.stallLimit = stallLimit
    return isolation
  }
}
