// Plays a file on a sound device, with the keys of a terminal.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import CommandOutput
import DeviceSound
import Foundation

extension DeviceArguments {
  /// Refuses a name of a device that means nothing, before anything is made for it.
  func checkName() throws(AuricleError) {
    try AuricleInstallation.checkDevice(named: device)
  }

  /// Asks for a file on this device.
  func request(_ file: String) -> PlayRequest {
    var request = PlayRequest(file: file)
    (request.device, request.periodFrames, request.waits) = (device, period, wait)
    return request
  }
}

/// A sound file that is made to be played, and is gone when that is over.
enum PlayedFile {
  /// Makes a temporary folder, and removes it at the end.
  ///
  /// - Parameter body: Makes the file of this path, and plays it.
  static func with<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-play-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.appendingPathComponent("sound.wav").path)
  }

  /// A printer that is silent but for errors.
  static var printer: RunPrinter {
    let printer = RunPrinter(format: .text, isQuiet: false)
    (printer.printsResults, printer.printsTotal) = (false, false)
    return printer
  }
}

extension PlayRequest {
  /// Plays it to its end, or until the user ends it.
  ///
  /// - Returns: Whether the next file follows: false when the user ended the program.
  /// - Throws: The errors of the device and the file.
  @discardableResult
  func run() throws -> Bool {
    Interruption.install()
    return try SoundScreen.show(isPlaying: true) { control in
      try AuricleInstallation().play(self, control: control)
    }
  }
}
