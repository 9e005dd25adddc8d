// The functions that the headers declare and that the library exports: the same.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ExportTests {
  /// Finds the names of the functions that a header declares, and of a variable with its own symbol.
  private func functions(in header: String) throws -> Set<String> {
    let text = try String(contentsOfFile: header, encoding: .utf8)
    let pattern = #/(?m)^extern [A-Za-z0-9_ ]+[ *]([A-Za-z_0-9]+)\(/#
    let variable = #/(?m)^extern [a-z ]+ __asm__\("([A-Za-z]+)"\);/#
    return Set(text.matches(of: pattern).map { String($0.output.1) })
      .subtracting(["__asm__"])
      .union(text.matches(of: variable).map { String($0.output.1) })
  }

  /// Finds all names that the headers declare.
  private func declared() throws -> Set<String> {
    var declared: Set<String> = []
    for folder in [
      "ApplicationServices", "AudioToolbox", "Auricle", "CarbonCore", "CoreAudio", "CoreMIDI",
      "mach",
    ] {
      let path = Places.inPackage("SDK/include/" + folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where name != "AuricleHost.h" {
        declared.formUnion(try functions(in: path + "/" + name))
      }
    }
    // The rest of Core Foundation is Foundation's own.
    declared.formUnion(
      try functions(in: Places.inPackage("SDK/include/CoreFoundation/CFNotificationCenter.h")))
    #expect(declared.count > 95)
    return declared
  }

  private func exported(by library: String) throws -> Set<String> {
    let listing = try runProcess(
      "nm", ["-D", "--defined-only", "--extern-only", library])
    return Set(
      listing.standardOutput.split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      })
  }

  @Test("Every function of the headers is exported")
  func exports() throws {
    let exported = try exported(by: Places.library("AudioToolbox"))
    #expect(try declared().subtracting(exported).sorted() == [])
  }

  @Test("The library that is installed exports the functions of the headers and nothing else")
  func installedExports() throws {
    let linked = try runProcess(
      Places.inPackage("Scripts/export-library"), [Places.builtProducts])
    try #require(linked.exitCode == 0, "\(linked.summary)")
    let exported = try exported(by: Places.builtProducts + "/Exports/libAudioToolbox.so")
    #expect(try exported == declared())
  }

  @Test("No symbol that programs were linked with goes away, and SONAMEs stay")
  func symbolLists() throws {
    for script in ["export-library", "build-openal"] {
      let built = try runProcess(Places.inPackage("Scripts/" + script), [Places.builtProducts])
      try #require(built.exitCode == 0, "\(built.summary)")
    }
    let checked = try runProcess(
      Places.inPackage("Scripts/check-symbols"), [Places.builtProducts])
    #expect(checked.exitCode == 0, "\(checked.summary)")
  }
}
