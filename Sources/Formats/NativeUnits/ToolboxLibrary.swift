// Makes our libAudioToolbox.so known to the loader, for plug-ins that call Core Audio's functions.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The C functions of Core Audio as a shared library, which ships with the program.
enum ToolboxLibrary {
  private static let fileName = "libAudioToolbox.so"

  /// Loads the library for all to see, unless it is loaded.
  ///
  /// By its bare name first: the loader then knows it by the name that a plug-in asks for, and
  /// searches the program's own RUNPATH. A library loaded by a path is known by its SONAME only.
  /// - Returns: Whether it is loaded, so that a failed call may succeed: another thread may have
  ///   loaded it since.
  ///
  /// Context: control.
  static func load() -> Bool {
    if unsafe dlopen(fileName, RTLD_NOW | RTLD_NOLOAD) != nil { return true }
    let mode = RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE
    if unsafe dlopen(fileName, mode) != nil { return true }
    guard let folder = programFolder() else { return false }
    for place in ["", "/../lib/auricle", "/../lib"] {
      let path = "\(folder)\(place)/\(fileName)"
      if unsafe access(path, R_OK) == 0, unsafe dlopen(path, mode) != nil { return true }
    }
    return false
  }

  /// The folder of the running program.
  private static func programFolder() -> String? {
    var path = [CChar](repeating: 0, count: 4097)
    let count = unsafe readlink("/proc/self/exe", &path, 4096)
    guard count > 0 else { return nil }
    let text = String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.lastIndex(of: "/").map { String(text[..<$0]) }
  }
}
