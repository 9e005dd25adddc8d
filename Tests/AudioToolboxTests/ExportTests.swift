// What the headers declare and what the library exports: the same.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ExportTests {
  /// The names of the functions that a header declares.
  private func functions(in header: String) throws -> Set<String> {
    let text = try String(contentsOfFile: header, encoding: .utf8)
    let pattern = #/(?m)^extern [A-Za-z0-9_ ]+[ *]([A-Za-z_0-9]+)\(/#
    return Set(text.matches(of: pattern).map { String($0.output.1) })
  }

  @Test("Every function of the headers is exported")
  func exports() throws {
    var declared: Set<String> = []
    for folder in ["AudioToolbox", "mach"] {
      let path = Places.inPackage("SDK/include/" + folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        declared.formUnion(try functions(in: path + "/" + name))
      }
    }
    #expect(declared.count > 95)
    let listing = try runProcess("nm", ["-D", "--defined-only", Places.library("AudioToolbox")])
    let exported = Set(
      listing.standardOutput.split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      })
    #expect(declared.subtracting(exported).sorted() == [])
  }
}
