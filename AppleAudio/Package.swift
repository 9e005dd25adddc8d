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

let linking: [LinkerSetting] =
  isInstalled
  ? [
    .unsafeFlags(["-L" + library, "-Xlinker", "-rpath", "-Xlinker", library]),
    .linkedLibrary("AudioToolbox"),
  ] : []
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

func module(_ name: String, _ dependencies: [Target.Dependency], _ extra: [SwiftSetting] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, swiftSettings: settings + extra)
}

let package = Package(
  name: "AppleAudio",
  products: [
    .library(name: "CoreAudioTypes", targets: ["CoreAudioTypes"]),
    .library(name: "CoreAudio", targets: ["CoreAudio"]),
    .library(name: "CoreMIDI", targets: ["CoreMIDI"]),
    .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
    .library(name: "AudioUnit", targets: ["AudioUnit"]),
    .library(name: "AVFAudio", targets: ["AVFAudio"]),
    .library(
      name: "AVFoundation",
      targets: [
        "AVFoundation", "AVFAudio", "AudioUnit", "AudioToolbox", "CoreMIDI", "CoreAudio",
        "CoreAudioTypes", "os", "OSLog",
      ]),
    .library(name: "os", targets: ["os"]),
    .library(name: "OSLog", targets: ["OSLog"]),
    .library(name: "Accelerate", targets: ["Accelerate"]),
    .library(name: "CryptoKit", targets: ["CryptoKit"]),
  ],
  targets: [
    .systemLibrary(name: "CAuricle", pkgConfig: isInstalled ? nil : "auricle"),
    .systemLibrary(name: "COSModules"),
    .target(
      name: "CoreAudioTypes", dependencies: ["CAuricle"], swiftSettings: settings,
      linkerSettings: linking),
    module("CoreAudio", ["CoreAudioTypes"]),
    module("CoreMIDI", ["CoreAudioTypes"]),
    // A Clang module of the same name below: `import os.log` names a submodule of it.
    module("os", ["COSModules"], [.unsafeFlags(["-import-underlying-module"])]),
    module("OSLog", ["os"]),
    .target(name: "CSwiftConstruction"),
    .target(name: "CRealtimeCheck"),
    module(
      "AudioToolbox", ["CoreAudio", "CoreMIDI", "CSwiftConstruction", "CRealtimeCheck", "os"]),
    module("AudioUnit", ["AudioToolbox"]),
    module("AVFAudio", ["AudioToolbox", "os"]),
    module("AVFoundation", ["AVFAudio"]),
    module("Accelerate", [], [.unsafeFlags(["-Ounchecked"], .when(configuration: .release))]),
    module("CryptoKit", []),
    .testTarget(
      name: "CoreAudioTests", dependencies: ["AVFoundation", "AudioUnit"], swiftSettings: settings),
    .testTarget(
      name: "SystemModulesTests", dependencies: ["OSLog", "Accelerate", "CryptoKit", "os"],
      swiftSettings: settings),
    .testTarget(name: "AVFAudioTests", dependencies: ["AVFoundation"], swiftSettings: settings),
    .testTarget(name: "AudioUnitTests", dependencies: ["AVFoundation"], swiftSettings: settings),
  ])
