// swift-tools-version: 6.3
// A plug-in as a separate package, which names the SDK by the path that Scripts/check-sdk sets.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "WarmTremolo",
  products: [.library(name: "WarmTremolo", type: .dynamic, targets: ["WarmTremolo"])],
  dependencies: [.package(path: "SDK-PATH")],
  targets: [
    .target(
      name: "WarmTremolo",
      dependencies: [.product(name: "AuricleSDK", package: "AuricleSDK")])
  ])
