// Programs in C that use the services of sound, and the dependencies of their library.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite struct ServiceProgramTests {
  @Test(
    "A program in C uses the services",
    arguments: ["Conversion", "Formats", "Mach", "FileReferences"], ["gcc", "clang", "g++"])
  func program(name: String, compiler: String) throws {
    let folder = try TemporaryFolder()
    let programs = CProgramTests()
    let libraries = try programs.runtimeLibraries()
    let isC = !compiler.hasSuffix("++")
    let built = try runProcess(
      compiler,
      [
        "-x", isC ? "c" : "c++", isC ? "-std=c11" : "-std=c++20", "-Wall", "-Wextra", "-Werror",
        "-I", Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/\(name).c"), "-o", folder(name), "-L",
        Places.builtProducts, "-lAudioToolbox", "-L", libraries, "-lFoundation", "-lm",
        "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + libraries,
      ])
    try #require(built.exitCode == 0, "\(built.summary)")
    let result = try runProcess(folder(name))
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test(
    "The library does not pull in libraries that files and rates need: they are opened on first use"
  )
  func linkedLibraries() throws {
    let result = try runProcess("ldd", [Places.library("AudioToolbox")])
    try #require(result.exitCode == 0, "\(result.summary)")
    for name in ["soxr", "gomp", "sndfile", "libav", "swresample", "libtag"] {
      #expect(!result.standardOutput.contains(name), "\(result.standardOutput)")
    }
  }
}
