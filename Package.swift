// swift-tools-version: 6.3
// The package: what is built, and who may import whom (docs/architecture.md has the picture).
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

/// A room: the module `NAME` in the folder of its floor.
func module(_ name: String, in floor: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "\(floor)/\(name)", swiftSettings: swiftSettings)
}

/// The one door to a C library: its module map, its pkg-config name and its Debian package.
func library(_ name: String, in floor: String, _ package: String, _ debian: String) -> Target {
  .systemLibrary(
    name: name, path: "\(floor)/\(name)", pkgConfig: package, providers: [.apt([debian])])
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
      "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",
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
    // SDK: what a plug-in is linked with, and nothing else.
    .systemLibrary(name: "CAudioToolbox", path: "SDK/include"),
    .target(name: "CRealtime", path: "SDK/CRealtime"),
    module("AudioTypes", in: "SDK", ["CAudioToolbox"]),
    module("RealtimeSupport", in: "SDK", ["AudioTypes", "CAudioToolbox", "CRealtime"]),
    module(
      "AuricleSDK", in: "SDK", ["RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime"]),

    // System: the operating system and plain data; nothing of sound.
    library("CExpat", in: "Sources/System", "expat", "libexpat1-dev"),
    .target(
      name: "CHostSystem", dependencies: ["CRealtime"], path: "Sources/System/CHostSystem"),
    module("PropertyLists", in: "Sources/System", ["CExpat"]),

    // Units: audio units, what they are found by, graphs and chains of them.
    module("PlugInGuard", in: "Sources/Units", ["CHostSystem", "AudioTypes"]),
    module(
      "AudioUnits", in: "Sources/Units",
      ["PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    module(
      "AudioComponents", in: "Sources/Units",
      ["AudioUnits", "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),
    module(
      "AudioGraph", in: "Sources/Units",
      ["AudioUnits", "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime"]),
    module(
      "UnitPresets", in: "Sources/Units",
      ["AudioUnits", "PropertyLists", "AudioTypes", "CAudioToolbox"]),
    module("UnitValidation", in: "Sources/Units", ["AudioUnits", "AudioTypes", "CAudioToolbox"]),

    // Formats: sources of components; they meet in the host alone.
    library("CLilv", in: "Sources/Formats", "lilv-0", "liblilv-dev"),
    module(
      "NativeUnits", in: "Sources/Formats",
      [
        "AudioComponents", "AudioUnits", "PlugInGuard", "PropertyLists", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "LV2Units", in: "Sources/Formats",
      [
        "AudioComponents", "AudioUnits", "PlugInGuard", "AuricleSDK", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox", "CLilv", "CHostSystem", "CRealtime",
      ]),

    // Files: sound files, their rates and levels, pictures of sound.
    library("CSndFile", in: "Sources/Files", "sndfile", "libsndfile1-dev"),
    library("CSoxr", in: "Sources/Files", "soxr", "libsoxr-dev"),
    library("CEbur128", in: "Sources/Files", "libebur128", "libebur128-dev"),
    library("CZlib", in: "Sources/Files", "zlib", "zlib1g-dev"),
    .systemLibrary(name: "CAuricleCodec", path: "Sources/Files/CAuricleCodec"),
    .target(
      name: "CTagging", path: "Sources/Files/CTagging", linkerSettings: [.linkedLibrary("tag")]),
    module(
      "AudioFiles", in: "Sources/Files",
      [
        "PlugInGuard", "AudioTypes", "CSndFile", "CAuricleCodec", "CTagging", "CSoxr", "CEbur128",
        "CRealtime", "CHostSystem",
      ]),
    module("AudioPictures", in: "Sources/Files", ["CZlib"]),

    // Batch: presets of chains, and runs of many files.
    module(
      "ChainPresets", in: "Sources/Batch",
      [
        "UnitPresets", "AudioGraph", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox", .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "BatchProcessing", in: "Sources/Batch",
      [
        "AudioPictures", "ChainPresets", "AudioGraph", "AudioComponents", "AudioUnits",
        "PlugInGuard", "AudioFiles", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
        "CHostSystem", "CRealtime",
      ]),

    // Fronts: the command line, and the C functions.
    module(
      "AudioToolbox", in: "Sources/Fronts",
      [
        "UnitValidation", "AudioGraph", "AudioUnits", "AudioComponents", "NativeUnits", "LV2Units",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CHostSystem", "CRealtime",
      ]),
    .executableTarget(
      name: "auricle",
      dependencies: [
        "BatchProcessing", "AudioPictures", "ChainPresets", "AudioGraph", "AudioComponents",
        "AudioUnits", "PlugInGuard", "UnitPresets", "NativeUnits", "LV2Units", "AudioFiles",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CHostSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Fronts/auricle", swiftSettings: swiftSettings),

    // The unit that is written in C; the others are at the end.
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
        "CAudioToolbox", "CHostSystem", "CRealtime",
      ],
      path: "Tests/TestUnits", swiftSettings: swiftSettings),
    .executableTarget(
      name: "realtime-check",
      dependencies: [
        "TestUnits", "TestSupport", "NativeUnits", "LV2Units", "AudioGraph", "AudioComponents",
        "AudioUnits", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",
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
      ["RealtimeSupport", "PlugInGuard", "CHostSystem", "CRealtime", "AudioTypes", "CAudioToolbox"]),
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
        "CRealtime",
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
