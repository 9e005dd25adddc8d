// The components of the subjects: the built-in ones, and the fixtures, built and found once a process.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Foundation
import LV2Units
import NativeUnits
import TestSupport

/// The components of the subjects, built and found once a process.
enum SubjectComponents {
  static let shipped = Result<AudioComponentRegistry, any Error> {
    let folder = try ShippedComponents.folder()
    return AudioComponentRegistry(sources: [
      NativeComponentSource(folders: [(path: folder, origin: .builtIn)])
    ])
  }

  /// Kept for the life of the process: the binaries of units stay loaded.
  private static let folders = Result<(native: TemporaryFolder, lv2: TemporaryFolder), any Error> {
    (try TemporaryFolder("auricle-conforms"), try TemporaryFolder("auricle-conforms-lv2"))
  }

  /// The units in C++ and C that tests bring, each fixture one bundle with several components.
  static let foreign = Result<AudioComponentRegistry, any Error> {
    let folder = try folders.get().native
    try bundle(
      "CallingUnit", compiler: "c++", fallback: "clang++",
      flags: ["-std=c++17", "-I", Places.inPackage("SDK/include")], ending: ".cpp",
      entries: [
        ("aufx", "call", "CallingUnitFactory"), ("aumf", "call", "CallingMusicEffectFactory"),
        ("auou", "call", "CallingOutputFactory"),
      ], in: folder)
    try bundle(
      "WrittenUnits", compiler: "cc", fallback: "clang", flags: ["-std=c11"], ending: ".c",
      entries: [
        ("aumu", "writ", "WrittenInstrumentFactory"), ("auou", "writ", "WrittenOutputFactory"),
      ], in: folder)
    let source = NativeComponentSource(folders: [(path: folder.path, origin: .native)])
    return AudioComponentRegistry(sources: [source])
  }

  /// Compiles all sources of a fixture, and makes a bundle of the result.
  private static func bundle(
    _ name: String, compiler: String, fallback: String, flags: [String], ending: String,
    entries: [(type: String, subtype: String, factory: String)], in folder: TemporaryFolder
  ) throws {
    let place = Places.inPackage("Tests/Fixtures/\(name)")
    let sources = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
      .filter { $0.hasSuffix(ending) }.map { "\(place)/\($0)" }
    let arguments =
      flags + ["-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-o", folder(name)] + sources
      + ["-lm"]
    let result = try (try? runProcess(compiler, arguments)) ?? runProcess(fallback, arguments)
    guard result.exitCode == 0 else {
      throw AuricleError(.software, "the fixture is not built: \(result.summary)")
    }
    let components = entries.map {
      """
      <dict><key>type</key><string>\($0.type)</string>
      <key>subtype</key><string>\($0.subtype)</string>
      <key>manufacturer</key><string>AuTe</string>
      <key>name</key><string>Auricle Tests: \(name) \($0.type)</string>
      <key>version</key><integer>65536</integer>
      <key>factoryFunction</key><string>\($0.factory)</string></dict>
      """
    }
    let info = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleExecutable</key><string>\(name)</string>
      <key>AudioComponents</key><array>\(components.joined())</array></dict></plist>
      """
    let binary = try Data(contentsOf: URL(fileURLWithPath: folder(name)))
    try ComponentFixture.makeBundle(name, info: info, binary: binary, in: folder)
  }

  static let lv2 = Result<AudioComponentRegistry, any Error> {
    let folder = try folders.get().lv2
    for name in ["conforms", "plays", "sings"] {
      let bundle = folder("\(name).lv2")
      let place = Places.inPackage("Tests/Fixtures/ConformingLV2/\(name).lv2")
      try FileManager.default.copyItem(atPath: place, toPath: bundle)
      let result = try runProcess(
        "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", place + "/plugin.c", "-lm"])
      guard result.exitCode == 0 else {
        throw AuricleError(.software, "the fixture is not built: \(result.summary)")
      }
    }
    let source = LV2ComponentSource(searchPath: folder.path, cacheFolder: "")
    return AudioComponentRegistry(sources: [source])
  }
}
