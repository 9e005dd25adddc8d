// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// The SDK as a separate package: the modules for plug-ins in Swift, as `make install` lays it out.

import PackageDescription

// Warnings are no errors here: a newer toolchain may have more of them.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "AuricleSDK",
  products: [.library(name: "AuricleSDK", targets: ["AuricleSDK"])],
  targets: [
    .systemLibrary(name: "CAudioToolbox", path: "include"),
    .target(name: "CRealtime", path: "CRealtime"),
    .target(
      name: "AudioTypes", dependencies: ["CAudioToolbox"], path: "AudioTypes",
      swiftSettings: settings),
    .target(
      name: "RealtimeSupport", dependencies: ["AudioTypes", "CAudioToolbox", "CRealtime"],
      path: "RealtimeSupport", swiftSettings: settings),
    .target(
      name: "AuricleSDK",
      dependencies: ["RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime"],
      path: "AuricleSDK", swiftSettings: settings),
  ])
