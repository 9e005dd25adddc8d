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
import TestUnits
import Testing

/// A kind of unit that must keep the contract.
enum Subject: String, Sendable, CustomTestStringConvertible {
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
  /// A converter that ships: no parameters, other rates and formats on either side.
  case converter = "shipped converter (conv)"
  /// The generic output: a converter that is started and stopped.
  case output = "shipped generic output (genr)"
  /// A splitter that ships: several outputs.
  case splitter = "shipped splitter (mspl)"
  /// An instrument on the SDK that sends MIDI as well.
  case instrument = "instrument on the SDK"
  /// An instrument that is an LV2 plug-in.
  case lv2Instrument = "LV2 instrument"

  var testDescription: String { rawValue }

  /// The kinds that have parameters and an input, which most of the table needs.
  static let allCases: [Subject] = [.shipped, .mixer, .plainC, .calling, .lv2]

  /// The kinds that have an input.
  static let fed = allCases + [.converter, .output, .splitter]

  /// Every kind there is.
  static let everyKind = allCases + [.converter, .output, .splitter, .instrument, .lv2Instrument]

  /// The kinds that are effects: one input and one output of the same width.
  static let effects: [Subject] = [.shipped, .plainC, .calling, .lv2]

  /// The type its component has.
  var type: OSType {
    switch self {
    case .shipped, .plainC, .calling, .lv2: kAudioUnitType_Effect
    case .mixer: kAudioUnitType_Mixer
    case .converter, .splitter: kAudioUnitType_FormatConverter
    case .output: kAudioUnitType_Output
    case .instrument, .lv2Instrument: kAudioUnitType_MusicDevice
    }
  }

  /// Whether it is played.
  var isPlayed: Bool { type == kAudioUnitType_MusicDevice }

  /// Whether it is built on the SDK, which has every property that any unit may have.
  var isOnSDK: Bool { self != .plainC && self != .calling }

  /// Opens an instance.
  func open() throws -> AudioUnit {
    switch self {
    case .shipped: try SubjectComponents.shipped.get().resolve("aufx:lpas:appl").instantiate()
    case .mixer: try SubjectComponents.shipped.get().resolve("aumx:mcmx:appl").instantiate()
    case .plainC: try SubjectComponents.shipped.get().resolve("aufx:sdly:appl").instantiate()
    case .calling: try SubjectComponents.calling.get().instantiate()
    case .lv2: try SubjectComponents.lv2.get().resolve("urn:auricle:test:conforms").instantiate()
    case .lv2Instrument:
      try SubjectComponents.lv2.get().resolve("urn:auricle:test:plays").instantiate()
    case .converter: try SubjectComponents.shipped.get().resolve("aufc:conv:appl").instantiate()
    case .output: try SubjectComponents.shipped.get().resolve("auou:genr:appl").instantiate()
    case .splitter: try SubjectComponents.shipped.get().resolve("aufc:mspl:appl").instantiate()
    case .instrument: try TestUnits.midi(type: kAudioUnitType_MusicDevice)
    }
  }
}

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

  static let lv2 = Result<AudioComponentRegistry, any Error> {
    let folder = try folders.get().lv2
    for name in ["conforms", "plays"] {
      let bundle = folder("\(name).lv2")
      let place = Places.inPackage("Tests/Fixtures/ConformingLV2/\(name).lv2")
      try FileManager.default.copyItem(atPath: place, toPath: bundle)
      let result = try runProcess(
        "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", bundle + "/plugin.c", "-lm"])
      guard result.exitCode == 0 else {
        throw AuricleError(.software, "the fixture is not built: \(result.summary)")
      }
    }
    let source = LV2ComponentSource(searchPath: folder.path, cacheFolder: "")
    return AudioComponentRegistry(sources: [source])
  }
}
