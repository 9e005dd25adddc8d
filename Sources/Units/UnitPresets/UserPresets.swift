// The presets that a user keeps of a unit: a folder a maker, a folder a unit.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc

/// Where a user's `.aupreset` files of a unit are, and which there are.
///
/// `FOLDER/Maker/Unit/*.aupreset`, of the component's name "Maker: Unit". Context: control.
public struct UserPresets: Sendable {
  /// The folder of all makers.
  public var folder: String

  /// The folder `auricle/Presets` among the user's data: `$XDG_DATA_HOME` or `~/.local/share`.
  public static var standardFolder: String {
    func variable(_ name: String) -> String? {
      guard let text = unsafe getenv(name) else { return nil }
      let value = unsafe String(cString: text)
      return value.hasPrefix("/") ? value : nil
    }
    let data = variable("XDG_DATA_HOME") ?? (variable("HOME") ?? "") + "/.local/share"
    return data + "/auricle/Presets"
  }

  /// Presets in a folder; the user's by default.
  public init(folder: String = Self.standardFolder) { self.folder = folder }

  /// The folder of one unit's presets.
  ///
  /// - Parameter unitName: The component's name, "Maker: Unit".
  public func folder(ofUnit unitName: String) -> String {
    let parts = unitName.split(separator: ":", maxSplits: 1).map { part in
      let text = part.drop { $0 == " " }.map { $0 == "/" || $0 == "\0" ? "-" : $0 }
      return text.isEmpty || text.first == "." ? "_" + String(text) : String(text)
    }
    return ([folder] + parts).joined(separator: "/")
  }

  /// The name of a preset by its path: that of the file without its ending.
  public static func name(ofPreset path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".aupreset") ? String(file.dropLast(".aupreset".count)) : file
  }

  /// Paths of a unit's presets, in order of their names; empty where there are none.
  public func paths(ofUnit unitName: String) -> [String] {
    let folder = folder(ofUnit: unitName)
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe _ = closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".aupreset"), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { folder + "/" + $0 }
  }
}
