// swift-tools-version: 6.3
// The package: what is built, and who may import whom (docs/adr/0001 has the picture).
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// Settings of every Swift target: language mode 6, strict memory safety, no warnings left.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

func module(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: ["TestSupport"] + dependencies, exclude: exclude,
    resources: resources,
    swiftSettings: swiftSettings)
}

/// A unit that ships, written on AuricleSDK: `Plugins/NAME`, built as `libNAME.so`.
func unit(_ name: String) -> Target {
  .target(
    name: name,
    dependencies: [
      "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CSignalLoops",
    ],
    path: "Plugins/\(name)", exclude: ["Info.plist"], swiftSettings: swiftSettings)
}

let swiftUnits = [
  "LowPassFilter", "HighPassFilter", "ParametricEQ", "DynamicsProcessor", "PeakLimiter", "Delay",
  "MatrixReverb", "MultiChannelMixer", "Splitter", "Merger", "Converter",
  "GenericOutput",
]

let package = Package(
  name: "auricle",
  products: [
    .executable(name: "auricle", targets: ["auricle"]),
    .library(name: "AudioToolbox", type: .dynamic, targets: ["AudioToolbox"]),
    .library(name: "SampleDelay", type: .dynamic, targets: ["SampleDelay"]),
  ] + swiftUnits.map { .library(name: $0, type: .dynamic, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
  ],
  targets: [
    // C: the contract, and one door a library.
    .systemLibrary(name: "CAudioToolbox", path: "SDK/include"),
    .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CAuricleCodec"),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CSystemSupport"),
    .target(name: "CSignalLoops", path: "SDK/CSignalLoops"),
    .target(name: "CTagging", linkerSettings: [.linkedLibrary("tag")]),

    // The host.
    module("AudioTypes", ["CAudioToolbox"]),
    module(
      "RealtimeSupport", ["AudioTypes", "CAudioToolbox", "CSignalLoops", "CSystemSupport"]),
    module("PropertyLists", ["CExpat"]),
    module("AudioUnits", ["RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    module("AudioComponents", ["AudioUnits", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    module("AudioGraph", ["AudioUnits", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    module(
      "UnitPresets", ["AudioUnits", "PropertyLists", "AudioTypes", "CAudioToolbox"]),
    module(
      "NativeUnits",
      ["AudioComponents", "PropertyLists", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    module(
      "LV2Units",
      [
        "AudioComponents", "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CLilv",
        "CSystemSupport",
      ]),
    module(
      "AudioFiles",
      [
        "AudioTypes", "CSndFile", "CAuricleCodec", "CTagging", "CSoxr", "CEbur128",
        "CSignalLoops", "CSystemSupport",
      ]),
    module(
      "ChainPresets",
      [
        "UnitPresets", "AudioGraph", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
        .product(name: "Yams", package: "Yams"),
      ]),
    module("AudioPictures", ["CZlib"]),
    module(
      "BatchProcessing",
      [
        "AudioPictures", "ChainPresets", "AudioGraph", "AudioComponents", "AudioFiles",
        "RealtimeSupport",
        "AudioTypes", "CSystemSupport",
      ]),
    module("UnitValidation", ["AudioUnits", "AudioTypes", "CAudioToolbox"]),
    module(
      "AudioToolbox",
      [
        "UnitValidation", "AudioGraph", "AudioUnits", "AudioComponents", "NativeUnits", "LV2Units",
        "AudioTypes",
        "CAudioToolbox",
        "CSystemSupport",
      ]),
    .executableTarget(
      name: "auricle",
      dependencies: [
        "BatchProcessing", "AudioPictures", "ChainPresets", "AudioGraph", "AudioComponents",
        "AudioUnits",
        "UnitPresets", "NativeUnits", "LV2Units", "AudioFiles", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CSystemSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    // The SDK, and the units that ship.
    module(
      "AuricleSDK", path: "SDK/AuricleSDK",
      ["RealtimeSupport", "AudioTypes", "CAudioToolbox", "CSignalLoops"]),
    .target(
      name: "SampleDelay", path: "Plugins/SampleDelay", exclude: ["Info.plist"],
      cSettings: [.headerSearchPath("../../SDK/include")],
      linkerSettings: [.linkedLibrary("Foundation")]),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["AudioTypes", "CAudioToolbox"], path: "Tests/TestSupport",
      swiftSettings: swiftSettings),
    .target(
      name: "TestUnits",
      dependencies: [
        "AudioGraph", "TestSupport", "AuricleSDK", "AudioUnits", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CSystemSupport",
      ],
      path: "Tests/TestUnits", swiftSettings: swiftSettings),
    .executableTarget(
      name: "realtime-check",
      dependencies: [
        "TestUnits", "TestSupport", "NativeUnits", "LV2Units", "AudioGraph", "AudioComponents",
        "AudioUnits", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ],
      path: "Tests/RealtimeCheck", exclude: ["Allocations.c", "StructAccesses.c"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "node-benchmark",
      dependencies: [
        "TestUnits", "AudioGraph", "AudioUnits", "AudioTypes", "RealtimeSupport", "CAudioToolbox",
      ],
      path: "Benchmarks/Nodes", swiftSettings: swiftSettings),
    .target(
      name: "FileTestSupport", dependencies: ["AudioFiles"], path: "Tests/FileTestSupport",
      swiftSettings: swiftSettings),
    tests("CAudioToolboxTests", ["CAudioToolbox", "AudioTypes"], exclude: ["ABI", "Programs"]),
    tests("AudioTypesTests", ["AudioTypes", "CAudioToolbox"]),
    tests(
      "RealtimeSupportTests",
      ["RealtimeSupport", "CSystemSupport", "AudioTypes", "CAudioToolbox"]),
    tests("PropertyListsTests", ["PropertyLists"]),
    tests(
      "AudioUnitsTests",
      ["AudioUnits", "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    tests(
      "AudioComponentsTests", ["AudioComponents", "AudioUnits", "AudioTypes", "CAudioToolbox"]),
    tests(
      "AudioGraphTests",
      [
        "AudioGraph", "AudioUnits", "TestUnits", "AuricleSDK", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    tests(
      "NativeUnitsTests",
      ["NativeUnits", "AudioComponents", "AudioUnits", "AudioTypes", "CAudioToolbox"]),
    tests(
      "LV2UnitsTests",
      ["LV2Units", "AudioComponents", "AudioUnits", "AudioTypes", "CAudioToolbox"],
      exclude: ["Fixtures"]),
    tests("AudioFilesTests", ["AudioFiles", "AudioTypes", "CSndFile"]),
    tests("AudioPicturesTests", ["AudioPictures"]),
    tests(
      "UnitPresetsTests",
      ["UnitPresets", "PropertyLists", "TestUnits", "AudioUnits", "AudioTypes", "CAudioToolbox"]),
    tests(
      "ChainPresetsTests",
      [
        "ChainPresets", "AudioGraph", "AudioComponents", "AudioUnits", "AuricleSDK", "NativeUnits",
        "LV2Units", "AudioTypes", "CAudioToolbox",
      ]),
    tests(
      "BatchProcessingTests",
      [
        "BatchProcessing", "AudioGraph", "AudioUnits", "TestUnits", "FileTestSupport", "AudioFiles",
        "AudioTypes",
      ]),
    tests(
      "AudioToolboxTests", ["AudioToolbox", "AudioTypes", "CAudioToolbox"], exclude: ["Programs"]),
    tests(
      "AuricleSDKTests",
      [
        "TestUnits", "AuricleSDK", "RealtimeSupport", "AudioUnits", "AudioTypes", "CAudioToolbox",
        "CSignalLoops",
      ]),
    tests(
      "PluginsTests",
      [
        "TestUnits", "AudioGraph", "NativeUnits", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ]
        + (swiftUnits + ["SampleDelay"]).map { .init(stringLiteral: $0) }),
    tests(
      "UnitValidationTests",
      [
        "UnitValidation", "NativeUnits", "LV2Units", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ]),
    tests(
      "ConformanceTests",
      [
        "AudioToolbox", "AudioGraph", "NativeUnits", "LV2Units", "TestUnits", "AudioComponents",
        "AudioUnits", "AudioTypes", "CAudioToolbox",
      ], exclude: ["Table"]),
    tests(
      "CommandLineTests", ["auricle", "FileTestSupport", "AudioFiles", "AudioTypes"],
      exclude: ["Snapshots"]),
  ] + swiftUnits.map(unit),
  cxxLanguageStandard: .cxx17
)
