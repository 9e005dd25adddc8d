// Plays a file on a sound device, with the keys of a terminal.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import CommandOutput
import DeviceSound

extension DeviceArguments {
  /// Asks for a file on this device.
  func request(_ file: String) -> PlayRequest {
    var request = PlayRequest(file: file)
    (request.device, request.periodFrames, request.waits) = (device, period, wait)
    return request
  }
}

extension PlayRequest {
  /// Plays it to its end, or until the user ends it.
  ///
  /// - Throws: What the device and the file refuse.
  func run() throws {
    Interruption.install()
    try SoundScreen.show(isPlaying: true) { control in
      try AuricleInstallation().play(self, control: control)
    }
  }
}
