// Sources of the Component Manager's time, against the headers and the library.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension CProgramTests {
  /// Where a program of these tests finds its libraries.
  private func paths() throws -> [String] {
    ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries())]
  }

  @Test(
    "A unit of one function is opened, set, rendered and played through today's interface",
    arguments: ["gcc", "clang"])
  func entryUnit(compiler: String) throws {
    let folder = try TemporaryFolder()
    let program = folder("entry")
    try compile("EntryUnit", to: program, with: compiler, try paths())
    let result = try runProcess(program, environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test(
    "COMPONENT_ENTRY makes the factory of the unit's family, with newer base classes and the oldest",
    arguments: ["g++", "clang++"], [("-DNEWER_CLASSES", "1234\n"), ("-DOLDEST_CLASSES", "entry\n")])
  func classicUnits(compiler: String, classes: (flag: String, prints: String)) throws {
    let folder = try TemporaryFolder()
    let program = folder("classic")
    let baseClasses = Places.inPackage("Tests/AudioToolboxTests/Programs/BaseClasses")
    try compile(
      "ClassicUnits", to: program, with: compiler,
      ["-I", baseClasses, "-include", "Auricle/ComponentEntry.h", classes.flag] + (try paths()))
    let result = try runProcess(program, environment: environment(folder))
    #expect(result.standardOutput == classes.prints, "\(result.summary)")
  }

  @Test(
    "A framework that is opened by its path on macOS is this library", arguments: ["gcc", "clang"])
  func frameworks(compiler: String) throws {
    let folder = try TemporaryFolder()
    let program = folder("frameworks")
    try compile("Frameworks", to: program, with: compiler, try paths())
    let result = try runProcess(program, environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
