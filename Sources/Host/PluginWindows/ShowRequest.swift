// Requests for windows of plug-ins.
// SPDX-License-Identifier: Apache-2.0

package import AuricleHost
public import ChainPresets
import HostSystem

/// A unit whose window is shown, and where the unit is.
public struct ShowRequest: Sendable {
  /// The unit: `TYPE:SUBTYPE:MANUFACTURER`, its format's identifier, or a name; of a live chain also a stage.
  public var unit: String
  /// The preset to begin with; nil for none.
  public var preset: String?
  /// The parameters to begin with.
  public var settings: [ParameterSetting] = []
  /// The full path of the `.aupreset` file that is written when the window is closed; nil for none.
  public var savePath: String?
  /// Whether a file that is there is replaced.
  public var overwrites = false
  /// The control socket of a live chain that has the unit; nil for a unit of this process.
  public var controlPath: String?

  /// Asks for the window of a unit of this process.
  ///
  /// Context: any.
  public init(_ unit: String) { self.unit = unit }

  /// The files that the process with the unit reads and writes.
  ///
  /// Context: any.
  package var files: PlugInProcessFiles {
    var files = PlugInProcessFiles(
      texts: settings.map(\.value.value) + [preset].compactMap(\.self))
    if let savePath { files.writable = [Path.folder(of: savePath)] }
    return files
  }
}

/// The two ways between a window that is shown and its caller.
public struct ShowControl {
  /// Asked often; true closes the window.
  public var shouldStop: () -> Bool
  /// Called once when the window is there, with the unit's name.
  public var onOpen: (String) -> Void

  /// Makes a control.
  ///
  /// Context: any.
  public init(shouldStop: @escaping () -> Bool, onOpen: @escaping (String) -> Void) {
    self.shouldStop = shouldStop
    self.onOpen = onOpen
  }
}
