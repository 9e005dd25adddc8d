// A small sound unit, and the same with one defect each, as a bundle of components.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the fixture whose components have one defect each; `good` has none.
public enum DefectUnitFixture {
  /// Makes a bundle with a component for each subtype.
  ///
  /// - Parameters:
  ///   - folder: The folder of components.
  ///   - subtypes: The defects; see the fixture.
  ///   - types: Types of the units other than effects, by subtype.
  /// - Returns: The path of the bundle.
  @discardableResult
  public static func make(
    in folder: TemporaryFolder, subtypes: [String], types: [String: String] = [:]
  ) throws -> String {
    let place = Places.inPackage("Tests/Fixtures/DefectUnits")
    let sources = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
      .filter { $0.hasSuffix(".c") }.map { "\(place)/\($0)" }
    try compile(sources, to: folder("binary"), ["-lm", "-lpthread"])
    let entries = subtypes.map {
      """
      <dict><key>type</key><string>\(types[$0] ?? "aufx")</string>
      <key>subtype</key><string>\($0)</string>
      <key>manufacturer</key><string>\($0 == "mnfc" ? "aute" : "AuTe")</string>
      <key>name</key><string>\($0 == "noco" ? "Defect" : "Defect: \($0)")</string>
      <key>version</key><integer>65536</integer>
      <key>factoryFunction</key><string>DefectUnitFactory</string></dict>
      """
    }
    let info = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>CFBundleExecutable</key><string>DefectUnit</string>
      <key>AudioComponents</key><array>\(entries.joined())</array></dict></plist>
      """
    return try ComponentFixture.makeBundle(
      "DefectUnit", info: info, binary: Data(contentsOf: URL(fileURLWithPath: folder("binary"))),
      in: folder)
  }

  /// Compiles a shared object in C.
  public static func compile(_ sources: [String], to path: String, _ flags: [String] = []) throws {
    let arguments =
      ["-std=gnu11", "-shared", "-fPIC", "-O1", "-I", Places.inPackage("SDK/include")]
      + sources + ["-o", path] + flags
    let result = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    guard result.exitCode == 0 else { throw FixtureError(description: result.summary) }
  }
}
