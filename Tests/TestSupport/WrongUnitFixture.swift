// The sample delay with one thing wrong, as a bundle of components.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the fixture whose components each break one rule of the interface.
public enum WrongUnitFixture {
  /// Makes a bundle with a component for each subtype.
  ///
  /// - Parameters:
  ///   - folder: The folder of components.
  ///   - subtypes: What is wrong; see the fixture.
  ///   - types: Types of those that are no effects, by subtype.
  ///   - manufacturers: Those that are not `AuTe`, by subtype.
  public static func make(
    in folder: TemporaryFolder, subtypes: [String], types: [String: String] = [:],
    manufacturers: [String: String] = [:]
  ) throws {
    let sources = try ["Tests/Fixtures/WrongUnit", "Plugins/SampleDelay"].flatMap {
      let place = Places.inPackage($0)
      return try FileManager.default.contentsOfDirectory(atPath: place).sorted()
        .filter { $0.hasSuffix(".c") }.map { "\(place)/\($0)" }
    }
    let arguments =
      ["-std=gnu11", "-shared", "-fPIC", "-O1", "-I", Places.inPackage("SDK/include")]
      + sources + ["-o", folder("binary"), "-lm"]
    let result = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    guard result.exitCode == 0 else { throw FixtureError(description: result.summary) }
    let entries = subtypes.map {
      """
      <dict><key>type</key><string>\(types[$0] ?? "aufx")</string>
      <key>subtype</key><string>\($0)</string>
      <key>manufacturer</key><string>\(manufacturers[$0] ?? "AuTe")</string><key>name</key><string>Wrong: \($0)</string>
      <key>version</key><integer>65536</integer>
      <key>factoryFunction</key><string>WrongUnitFactory</string></dict>
      """
    }
    let info = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>CFBundleExecutable</key><string>WrongUnit</string>
      <key>AudioComponents</key><array>\(entries.joined())</array></dict></plist>
      """
    try ComponentFixture.makeBundle(
      "WrongUnit", info: info, binary: Data(contentsOf: URL(fileURLWithPath: folder("binary"))),
      in: folder)
  }
}
