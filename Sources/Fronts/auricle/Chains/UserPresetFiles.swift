// User presets in a plug-in's own format, each one file where other hosts search for it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import AuricleHost
import Foundation
import HostSystem
import InstalledComponents

/// Writes preset files.
struct UserPresetFiles {
  private let names: PresetFileNames
  private let folder: String

  /// Nil when the component's format has no such files.
  ///
  /// - Throws: When there is no home folder.
  init?(_ host: HostPlaces, of component: AudioComponent) throws(AuricleError) {
    guard let format = host.formats.format(named: component.origin.format),
      let names = format.presetFiles(of: component)
    else { return nil }
    guard let folder = names.userFolder else {
      throw AuricleError(.inputOutput, "there is no home folder: HOME is not set")
    }
    self.names = names
    self.folder = folder
  }

  /// The file of a preset.
  func path(_ name: String) -> String {
    folder + "/" + name.replacing("/", with: "-") + names.ending
  }

  /// Saves the state of an initialized unit; returns the file.
  func save(_ unit: AudioUnit, name: String, overwrite: Bool) throws(AuricleError) -> String {
    let path = path(name)
    if !overwrite, FileManager.default.fileExists(atPath: path) {
      throw AuricleError(.inputOutput, "\(path) exists: give --overwrite to replace it")
    }
    try FolderMaker.make(folder)
    try unit.savePreset(to: folder, file: (path as NSString).lastPathComponent, label: name)
    return path
  }
}
