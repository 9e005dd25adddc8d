// The programs in C that use devices: compiled against the headers and linked with the library, as a user's are.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Programs of `Programs/Devices`.
enum DevicePrograms {
  /// Compiles one into a folder, and returns its path.
  static func build(
    _ name: String, in folder: TemporaryFolder, compiler: String = "clang"
  ) throws -> String {
    let libraries = try CProgramTests().runtimeLibraries()
    let program = folder(name)
    let isCPlusPlus = compiler.hasSuffix("++")
    let built = try runProcess(
      compiler,
      [
        isCPlusPlus ? "-std=c++17" : "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-multichar",
        "-Wno-four-char-constants", "-D_GNU_SOURCE",
        "-I", Places.inPackage("SDK/include"),
        Places.inPackage(
          "Tests/AudioToolboxTests/Programs/Devices/\(name).\(isCPlusPlus ? "cpp" : "c")"), "-o",
        program, "-L",
        Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm", "-lpthread",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    return program
  }
}
