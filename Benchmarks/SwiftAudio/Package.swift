// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0
// A client of the package of Core Audio's modules, which the script beside it copies and builds.
import PackageDescription

let package = Package(
  name: "SwiftAudio",
  dependencies: [.package(path: "../AppleAudio")],
  targets: [
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr"),
    .executableTarget(
      name: "SwiftAudio",
      dependencies: ["CSoxr", .product(name: "AVFoundation", package: "AppleAudio")]),
  ])
