// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// Core Audio for programs in Swift: modules under the names that these programs import, over the library's C functions.

import Foundation
import PackageDescription

// Prefix of the installation: this package lies in PREFIX/share/auricle. In the source tree, AURICLE_PREFIX names it;
// otherwise pkg-config finds it.
let prefix = Context.environment["AURICLE_PREFIX"] ?? Context.packageDirectory + "/../../.."
let library = prefix + "/lib/auricle"
let isInstalled = FileManager.default.fileExists(atPath: library + "/libAudioToolbox.so")

// Swift's runtime has no stable binary interface on Linux: library and client come from one release.
#if compiler(>=6.5)
  let release = "a later one"
#elseif compiler(>=6.4)
  let release = "6.4"
#else
  let release = "6.3"
#endif
if let built = try? String(contentsOfFile: prefix + "/share/auricle/toolchain", encoding: .utf8),
  built.trimmingCharacters(in: .whitespacesAndNewlines) != release
{
  let built = built.trimmingCharacters(in: .whitespacesAndNewlines)
  print(
    "AppleAudio: Auricle in \(prefix) was built by Swift \(built), and this is Swift \(release): "
      + "use the toolchain of \(built)")
  exit(65)
}

// An installation has the modules compiled by one compiler, whose version `Scripts/install` writes here. Another one
// compiles the sources.
#if compiler(>=0.0.0) && !compiler(>=0.0.1)
  let areCompiled = FileManager.default.fileExists(atPath: Context.packageDirectory + "/Modules")
#else
  let areCompiled = false
#endif

let linking: [LinkerSetting] =
  isInstalled
  ? [
    .unsafeFlags(["-L" + library, "-Xlinker", "-rpath", "-Xlinker", library])
  ] + (areCompiled ? [.linkedLibrary("AppleAudio")] : []) + [.linkedLibrary("AudioToolbox")] : []
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

func module(_ name: String, _ dependencies: [Target.Dependency], _ extra: [SwiftSetting] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, swiftSettings: settings + extra)
}

let types = ["CoreAudioTypes"]
let toolbox = ["AudioToolbox", "CoreMIDI", "CoreAudio", "os"] + types
// The modules that a client of each product can import.
let products: KeyValuePairs = [
  "CoreAudioTypes": types, "CoreAudio": ["CoreAudio"] + types, "CoreMIDI": ["CoreMIDI"] + types,
  "AudioToolbox": toolbox, "AudioUnit": ["AudioUnit"] + toolbox, "AVFAudio": ["AVFAudio"] + toolbox,
  "AVFoundation": ["AVFoundation", "AVFAudio", "AudioUnit", "OSLog"] + toolbox,
  "os": ["os"], "OSLog": ["OSLog", "os"], "Accelerate": ["Accelerate"], "CryptoKit": ["CryptoKit"],
]

let sources: [Target] = [
  .target(name: "CSwiftConstruction"),
  .target(name: "CRealtimeCheck"),
  .target(
    name: "CoreAudioTypes", dependencies: ["CAuricle"], swiftSettings: settings,
    linkerSettings: linking),
  module("CoreAudio", ["CoreAudioTypes"]),
  module("CoreMIDI", ["CoreAudioTypes"]),
  // A Clang module of the same name below: `import os.log` names a submodule of it.
  module("os", ["COSModules"], [.unsafeFlags(["-import-underlying-module"])]),
  module("OSLog", ["os"]),
  module("AudioToolbox", ["CoreAudio", "CoreMIDI", "CSwiftConstruction", "CRealtimeCheck", "os"]),
  module("AudioUnit", ["AudioToolbox"]),
  module("AVFAudio", ["AudioToolbox", "os"]),
  module("AVFoundation", ["AVFAudio"]),
  module("Accelerate", [], [.unsafeFlags(["-Ounchecked"], .when(configuration: .release))]),
  module("CryptoKit", []),
]
let hasTests = FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests")
let tests: [Target] = [
  .testTarget(
    name: "CoreAudioTests", dependencies: ["AVFoundation", "AudioUnit"], swiftSettings: settings),
  .testTarget(
    name: "SystemModulesTests", dependencies: ["OSLog", "Accelerate", "CryptoKit", "os"],
    swiftSettings: settings),
  .testTarget(name: "AVFAudioTests", dependencies: ["AVFoundation"], swiftSettings: settings),
  .testTarget(name: "AudioUnitTests", dependencies: ["AVFoundation"], swiftSettings: settings),
]

/// The folder of a module as a library of the system, whose flags name it to the compiler.
func compiled(_ name: String) -> Target {
  let path = "Modules/" + name
  return .systemLibrary(
    name: "Compiled" + name, path: path,
    pkgConfig: Context.packageDirectory + "/" + path + "/module.pc")
}
let headers = ["CSwiftConstruction", "CRealtimeCheck"]
/// A product's target, which has no code: the compiled modules, and the library.
func product(_ name: String, _ modules: [String]) -> Target {
  let names = ["CAuricle", "COSModules"] + headers + modules.map { "Compiled" + $0 }
  return .target(
    name: "Product" + name, dependencies: names.map { .target(name: $0) },
    path: "Modules/\(name)/Product", linkerSettings: linking)
}
let binaries: [Target] =
  headers.map { .systemLibrary(name: $0, path: "Sources/\($0)/include") }
  + products.flatMap { [compiled($0.key), product($0.key, $0.value)] }

let package = Package(
  name: "AppleAudio",
  products: products.map {
    .library(name: $0.key, targets: areCompiled ? ["Product" + $0.key] : $0.value)
  },
  targets: [
    .systemLibrary(name: "CAuricle", pkgConfig: isInstalled ? nil : "auricle"),
    .systemLibrary(name: "COSModules"),
  ] + (areCompiled ? binaries : sources + (hasTests ? tests : [])))
