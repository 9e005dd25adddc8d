// Makes `.component` bundles in a temporary folder: compiles a fixture and puts an Info.plist beside.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

/// A fixture that could not be built.
public struct FixtureError: Error, CustomStringConvertible {
  /// The output of the compiler.
  public let description: String
}

/// The plug-ins in C that tests open; built once a process.
public enum ComponentFixture {
  private static let built = Mutex<[String: Data]>([:])

  /// The shared object of a fixture.
  ///
  /// - Parameters:
  ///   - name: The file without `.c`, in `Tests/Fixtures/GainUnit` or `Tests/Fixtures/BrokenUnits`.
  ///   - flags: More arguments for the compiler, at the end.
  public static func binary(_ name: String, flags: [String] = []) throws -> Data {
    let key = ([name] + flags).joined(separator: " ")
    if let data = built.withLock({ $0[key] }) { return data }
    let sources = ["GainUnit", "BrokenUnits"].map {
      Places.inPackage("Tests/Fixtures/\($0)/\(name).c")
    }
    guard let source = sources.first(where: FileManager.default.fileExists(atPath:)) else {
      throw FixtureError(description: "there is no fixture \(name)")
    }
    let folder = try TemporaryFolder("auricle-fixture")
    let arguments =
      [
        "-std=c11", "-shared", "-fPIC", "-O1", "-I", Places.inPackage("SDK/include"), source, "-o",
        folder("binary"), "-lm",
      ] + flags
    // The Swift toolchain brings clang, where there is no other compiler.
    let result = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    guard result.exitCode == 0 else { throw FixtureError(description: result.summary) }
    let data = try Data(contentsOf: URL(fileURLWithPath: folder("binary")))
    built.withLock { $0[key] = data }
    return data
  }

  /// An `Info.plist` with one entry, for the unit `aufx:SUBTYPE:AuTe` made by `NAMEFactory`.
  public static func info(_ name: String, subtype: String = "gain", more: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleExecutable</key><string>\(name)</string>
    <key>AudioComponents</key><array><dict>
    <key>type</key><string>aufx</string>
    <key>subtype</key><string>\(subtype)</string>
    <key>manufacturer</key><string>AuTe</string>
    <key>name</key><string>Auricle Tests: \(name)</string>
    <key>version</key><integer>65536</integer>
    <key>factoryFunction</key><string>\(name)Factory</string>
    \(more)</dict></array></dict></plist>
    """
  }

  /// Makes `NAME.component` in a folder, and returns its path.
  ///
  /// - Parameters:
  ///   - name: Of the bundle, its executable, and its fixture.
  ///   - info: The `Info.plist`; nil for one that fits the fixture, `""` for none.
  ///   - binary: The contents of the binary; nil for the compiled fixture, empty for no file.
  ///   - folder: The folder of components.
  @discardableResult
  public static func makeBundle(
    _ name: String, subtype: String = "gain", info: String? = nil, binary: Data? = nil,
    in folder: TemporaryFolder
  ) throws -> String {
    let contents = "\(name).component/Contents"
    try folder.makeFolder(contents)
    let text = info ?? Self.info(name, subtype: subtype)
    if !text.isEmpty { try folder.write(text, to: contents + "/Info.plist") }
    let data = try binary ?? Self.binary(name)
    if !data.isEmpty { try folder.write(data, to: contents + "/Linux/\(name)") }
    return folder("\(name).component")
  }

  /// Makes the gain unit's bundle, with its own `Info.plist`: `aufx:gain:AuTe`.
  @discardableResult
  public static func makeGainUnit(in folder: TemporaryFolder) throws -> String {
    let info = Places.inPackage("Tests/Fixtures/GainUnit/Info.plist")
    return try makeBundle(
      "GainUnit", info: String(contentsOfFile: info, encoding: .utf8), in: folder)
  }
}
