// The options that name a sound device.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A device, and how it is run.
struct DeviceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A device of auricle devices, or file:OUT.wav; that of AURICLE_DEVICE, or ALSA's default without.",
      valueName: "name"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "Frames between two wakes of the device's thread; 1024 without.", valueName: "frames"))
  var period: Int?

  @Flag(help: "Wait for a device that is gone, and go on when it comes back.")
  var wait = false

  /// The first option that is given; nil for none.
  var given: String? {
    device != nil ? "--device" : period != nil ? "--period" : wait ? "--wait" : nil
  }

  /// Refuses what makes no sense.
  func check() throws {
    if device?.isEmpty == true { throw ValidationError("The name of the device is empty.") }
    if let period, !(8...65_536).contains(period) {
      throw ValidationError("--period takes 8 to 65536 frames, not \(period).")
    }
  }
}
