// The units that the table of the contract is run against, one of each kind.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import NativeUnits
import TestSupport
import Testing

/// A kind of unit that must keep the contract.
enum Subject: String, CaseIterable, Sendable, CustomTestStringConvertible {
  /// A unit that ships, in Swift on the SDK.
  case shipped = "shipped unit (lpas)"
  /// A mixer that ships: elements, and parameters of theirs.
  case mixer = "shipped mixer (mcmx)"
  /// A unit that ships, in C from the interface alone.
  case plainC = "C unit (sdly)"
  /// A unit in C++ that calls its host back.
  case calling = "C++ unit that calls back"
  /// An LV2 plug-in.
  case lv2 = "LV2 unit"

  var testDescription: String { rawValue }

  /// The kinds that are effects: one input and one output of the same width.
  static let effects: [Subject] = [.shipped, .plainC, .calling, .lv2]

  /// The type its component has.
  var type: OSType { self == .mixer ? kAudioUnitType_Mixer : kAudioUnitType_Effect }

  /// Whether it is built on the SDK, which has every property that any unit may have.
  var isOnSDK: Bool { self == .shipped || self == .mixer || self == .lv2 }

  /// Opens an instance.
  func open() throws -> AudioUnit {
    switch self {
    case .shipped: try SubjectComponents.shipped.get().resolve("aufx:lpas:appl").instantiate()
    case .mixer: try SubjectComponents.shipped.get().resolve("aumx:mcmx:appl").instantiate()
    case .plainC: try SubjectComponents.shipped.get().resolve("aufx:sdly:appl").instantiate()
    case .calling: try SubjectComponents.calling.get().instantiate()
    case .lv2: try SubjectComponents.lv2.get().instantiate()
    }
  }
}

/// The components of the subjects, built and found once a process.
private enum SubjectComponents {
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

  static let calling = Result<AudioComponent, any Error> {
    let folder = try folders.get().native
    let place = Places.inPackage("Tests/Fixtures/CallingUnit")
    let sources = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
      .filter { $0.hasSuffix(".cpp") }.map { "\(place)/\($0)" }
    let arguments =
      [
        "-std=c++17", "-shared", "-fPIC", "-O1", "-fvisibility=hidden",
        "-I", Places.inPackage("SDK/include"), "-o", folder("binary"),
      ] + sources
    let result = try (try? runProcess("c++", arguments)) ?? runProcess("clang++", arguments)
    guard result.exitCode == 0 else {
      throw AuricleError(.software, "the fixture is not built: \(result.summary)")
    }
    let binary = try Data(contentsOf: URL(fileURLWithPath: folder("binary")))
    try ComponentFixture.makeBundle("CallingUnit", subtype: "call", binary: binary, in: folder)
    let source = NativeComponentSource(folders: [(path: folder.path, origin: .native)])
    return try AudioComponentRegistry(sources: [source]).resolve("aufx:call:AuTe")
  }

  static let lv2 = Result<AudioComponent, any Error> {
    let folder = try folders.get().lv2
    let bundle = folder("conforms.lv2")
    let place = Places.inPackage("Tests/Fixtures/ConformingLV2/conforms.lv2")
    try FileManager.default.copyItem(atPath: place, toPath: bundle)
    let result = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", bundle + "/plugin.c", "-lm"])
    guard result.exitCode == 0 else {
      throw AuricleError(.software, "the fixture is not built: \(result.summary)")
    }
    let source = LV2ComponentSource(searchPath: folder.path, cacheFolder: "")
    return try AudioComponentRegistry(sources: [source]).resolve("urn:auricle:test:conforms")
  }
}
