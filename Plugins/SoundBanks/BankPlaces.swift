// The places of sound banks on a system, and the default one.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The banks of the system.
enum BankPlaces {
  /// Folders, in the order in which they are searched: those of `AURICLE_SOUND_BANK_PATH`, or where distributions lay
  /// banks.
  static var folders: [String] {
    if let path = unsafe getenv("AURICLE_SOUND_BANK_PATH") {
      return unsafe String(cString: path).split(separator: ":").map(String.init)
    }
    return [
      "/usr/share/sounds/sf3", "/usr/share/sounds/sf2", "/usr/share/soundfonts",
      "/usr/local/share/sounds/sf2", "/usr/local/share/soundfonts",
    ]
  }

  /// Names of a distribution's General MIDI bank, then banks that are known to be one.
  private static let known = [
    "default-GM.sf3", "default-GM.sf2", "default.sf2", "default.sf3", "TimGM6mb.sf2",
    "FluidR3_GM.sf2",
  ]

  /// The bank that is played when none is chosen; nil where there is none.
  ///
  /// Context: control.
  static func standard() -> String? {
    for folder in folders {
      for name in known where unsafe access("\(folder)/\(name)", R_OK) == 0 {
        return "\(folder)/\(name)"
      }
    }
    return folders.lazy.compactMap(firstBank).first
  }

  /// The first bank of a folder by name.
  private static func firstBank(_ folder: String) -> String? {
    guard let listing = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { letters in
        unsafe letters.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      let ending = name.split(separator: ".").last?.lowercased() ?? ""
      if ["sf2", "sf3", "dls"].contains(ending) { names.append(name) }
    }
    return names.min().map { "\(folder)/\($0)" }
  }

  /// There is no bank at all.
  static var absence: UnitRefusal {
    let places = folders.joined(separator: ", ")
    return UnitRefusal(
      status: kAudioUnitErr_FailedInitialization,
      reason:
        "there is no sound bank in \(places): install one (apt install timgm6mb-soundfont, or "
        + "fluid-soundfont-gm), or set one (bank=FILE)")
  }
}
