// Paths of the package and of its built products.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Paths that tests need.
public enum Places {
  /// The root of the package.
  public static let packageRoot: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// The folder that holds the built executables and libraries: the one of the running test program.
  public static let builtProducts: String = {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent().path
    if FileManager.default.fileExists(atPath: folder + "/auricle") { return folder }
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    return packageRoot + "/.build/" + configuration
  }()

  /// A file or folder of the package.
  public static func inPackage(_ path: String) -> String {
    packageRoot + "/" + path
  }

  /// The built command line program.
  public static var auricle: String { builtProducts + "/auricle" }

  /// A built dynamic library: `libNAME.so`.
  public static func library(_ name: String) -> String {
    builtProducts + "/lib\(name).so"
  }
}
