// Programs in C against the headers and the library, in a process of their own.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct CProgramTests {
  /// Builds a program of this folder and returns its path.
  private func build(_ name: String, in folder: TemporaryFolder, compiler: String) throws -> String
  {
    let program = folder(name + "-" + compiler)
    let result = try runProcess(
      compiler,
      [
        "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", Places.inPackage("SDK/include"),
        Places.inPackage("Tests/AudioToolboxTests/Programs/\(name).c"), "-o", program,
        "-L", Places.builtProducts, "-lAudioToolbox", "-L", try runtimeLibraries(), "-lFoundation",
        "-lm", "-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try runtimeLibraries()),
      ])
    try #require(result.exitCode == 0, "\(result.summary)")
    return program
  }

  /// Where the toolchain keeps libFoundation.so.
  private func runtimeLibraries() throws -> String {
    let answer = try runProcess("swiftc", ["-print-target-info"])
    struct Target: Decodable {
      struct Paths: Decodable { let runtimeLibraryPaths: [String] }
      let paths: Paths
    }
    let target = try JSONDecoder().decode(Target.self, from: Data(answer.standardOutput.utf8))
    return try #require(
      target.paths.runtimeLibraryPaths.first {
        FileManager.default.fileExists(atPath: $0 + "/libFoundation.so")
      })
  }

  /// Puts a built unit into a bundle, and returns the folder of it.
  private func assemble(_ name: String, in folder: TemporaryFolder) throws -> String {
    let contents = "Components/\(name).component/Contents"
    let list = try Data(
      contentsOf: URL(filePath: Places.inPackage("Plugins/\(name)/Info.plist")))
    try folder.write(list, to: contents + "/Info.plist")
    try folder.makeFolder(contents + "/Linux")
    try FileManager.default.createSymbolicLink(
      atPath: folder(contents + "/Linux/\(name)"),
      withDestinationPath: Places.library(name))
    return folder("Components")
  }

  @Test("A host in C finds a unit, opens it and renders through it", arguments: ["gcc", "clang"])
  func host(compiler: String) throws {
    let folder = try TemporaryFolder()
    let components = try assemble("DynamicsProcessor", in: folder)
    let program = try build("RenderThroughUnit", in: folder, compiler: compiler)
    let environment: [String: String?] = [
      "AURICLE_COMPONENT_PATH": components, "LV2_PATH": folder.path,
      "XDG_CACHE_HOME": folder("cache"),
    ]
    let result = try runProcess(program, ["aufx", "dcmp", "appl"], environment: environment)
    try #require(result.exitCode == 0, "\(result.summary)")
    let line = result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    let peak = try #require(line.split(separator: " ").last.flatMap { Double($0) })
    // The input is a sine of 0.5; the processor may lower it and makes nothing louder by default.
    #expect(peak > 0.05 && peak < 0.75, "\(line)")

    let missing = try runProcess(program, ["aufx", "none", "xxxx"], environment: environment)
    #expect(missing.exitCode == 1)
    #expect(missing.standardOutput.contains("FindNext"))
  }
}
