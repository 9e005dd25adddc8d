// swift-tools-version: 6.3
// The package: its targets, and the imports each may have (docs/architecture.md has the picture).
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
  resources: [Resource] = [], optimized: Bool = true
) -> Target {
  .testTarget(
    name: name, dependencies: ["TestSupport"] + dependencies, exclude: exclude,
    resources: resources,
    swiftSettings: swiftSettings + (optimized ? [] : [.unsafeFlags(["-Onone"])]))
}

/// The libraries of units beside the SDK: a spectrum; the units inside of the mixers in space; the protocol of
/// sound over the network, which devices speak too.
let unitLibraries: [String: [Target.Dependency]] = [
  "Analysis": ["Spectra"], "Spatial": ["MatrixReverb", "Filters", "MultiChannelMixer"],
  "Network": ["NetworkSound"],
]

/// A unit that ships, written on AuricleSDK: `Plugins/NAME`, built as `libNAME.so` or into `libEffects.so`.
func unit(_ name: String) -> Target {
  .target(
    name: name,
    dependencies: [
      "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",
    ] + (unitLibraries[name] ?? []),
    path: "Plugins/\(name)", exclude: ["Info.plist"], swiftSettings: swiftSettings)
}

let swiftUnits = [
  "LowPassFilter", "HighPassFilter", "ParametricEQ", "Dynamics", "PeakLimiter", "Delay",
  "MatrixReverb", "MultiChannelMixer", "Splitter", "Merger", "Converter",
  "GenericOutput", "Filters", "Distortion", "Generators", "Analysis", "Offline",
  "Spatial", "Varispeed", "DeferredRenderer", "SoundBanks", "TimePitch", "Players",
  "Speech", "Restoration", "Network",
]

/// Units that are built into one library, which their components share: a chain of them loads it once. Set
/// AURICLE_UNITS_APART to have a library for each.
let effects =
  Context.environment["AURICLE_UNITS_APART"] != nil
  ? []
  : [
    "LowPassFilter", "HighPassFilter", "ParametricEQ", "Dynamics", "PeakLimiter", "Delay",
    "MatrixReverb", "Filters", "Distortion",
  ]

let package = Package(
  name: "auricle",
  products: [
    .executable(name: "auricle", targets: ["auricle"]),
    .library(
      name: "AudioToolbox", type: .dynamic,
      targets: [
        "AudioToolbox", "HardwareFunctions", "AudioQueues", "SystemSounds", "MIDIFunctions",
        "MusicFunctions", "SpeechFunctions", "ClockFunctions", "FileReferenceFunctions",
      ]),
    .library(name: "HostLibrary", type: .dynamic, targets: ["HostLibrary"]),
    .library(name: "StudioLibrary", type: .dynamic, targets: ["StudioLibrary"]),
    .library(name: "SampleDelay", type: .dynamic, targets: ["SampleDelay"]),
  ] + (effects.isEmpty ? [] : [.library(name: "Effects", type: .dynamic, targets: effects)])
    + swiftUnits.filter { !effects.contains($0) }.map {
      .library(name: $0, type: .dynamic, targets: [$0])
    },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    // SDK: the only libraries of a plug-in.
    .systemLibrary(name: "CAudioToolbox", path: "SDK/include"),
    .target(name: "CRealtime", path: "SDK/CRealtime"),
    module(
      "AudioTypes", in: "SDK",
      [
        "CAudioToolbox"
      ]),
    module(
      "RealtimeSupport", in: "SDK",
      [
        "AudioTypes", "CAudioToolbox", "CRealtime",
      ]),
    module(
      "AuricleSDK", in: "SDK",
      [
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",
      ]),

    // Without pkg-config: SwiftPM refuses its flags for KissFFT, which only repeat the default.
    .systemLibrary(
      name: "CKissFFT", path: "SDK/CKissFFT", providers: [.apt(["libkissfft-dev"])]),
    module("Spectra", in: "SDK", ["CKissFFT"]),

    .target(
      name: "CUnit", path: "SDK/CUnit", sources: ["AuricleUnit.c"],
      cSettings: [.headerSearchPath("../include")]),

    // System: the operating system and plain data; nothing of sound.
    library("CExpat", in: "Sources/System", "expat", "libexpat1-dev"),
    .target(
      name: "CHostSystem", dependencies: ["CRealtime"], path: "Sources/System/CHostSystem"),
    module(
      "HostSystem", in: "Sources/System",
      [
        "AudioTypes", "CHostSystem",
      ]),
    module(
      "MacSystem", in: "Sources/System", ["AudioTypes", "CAudioToolbox", "CHostSystem"]),
    module(
      "PropertyLists", in: "Sources/System",
      [
        "CExpat"
      ]),

    // Units: audio units, their registry, graphs and chains of them.
    module(
      "PlugInGuard", in: "Sources/Units",
      [
        "HostSystem", "CHostSystem",
      ]),
    module(
      "AudioUnits", in: "Sources/Units",
      [
        "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "AudioComponents", in: "Sources/Units",
      [
        "AudioUnits", "PlugInGuard", "HostSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "AudioGraph", in: "Sources/Units",
      [
        "AudioUnits", "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "UnitChains", in: "Sources/Units",
      [
        "AudioGraph", "AudioUnits", "PlugInGuard", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "UnitPresets", in: "Sources/Units",
      [
        "AudioUnits", "PropertyLists", "HostSystem", "AudioTypes", "CAudioToolbox",
      ]),
    .target(
      name: "CUnitLink", dependencies: ["CRealtime"], path: "Sources/Units/CUnitLink",
      cSettings: [.headerSearchPath("../../../SDK/include")]),
    module(
      "UnitLink", in: "Sources/Units",
      [
        "HostSystem", "AudioTypes", "CHostSystem", "CUnitLink",
      ]),
    module(
      "IsolatedUnits", in: "Sources/Units",
      [
        "UnitLink", "CUnitLink", "AudioComponents", "AudioUnits", "PlugInGuard", "HostSystem",
        "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "PublishedUnits", in: "Sources/Units",
      [
        "UnitLink", "HostSystem", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CHostSystem",
        "CUnitLink",
      ]),
    .target(name: "CRenderWatch", path: "Sources/Units/CRenderWatch"),
    module(
      "UnitValidation", in: "Sources/Units",
      [
        "CRenderWatch", "PlugInGuard", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ]),

    // Formats: sources of components; they meet in the host alone.
    library("CLilv", in: "Sources/Formats", "lilv-0", "liblilv-dev"),
    .systemLibrary(name: "CForeignPlugIns", path: "Sources/Formats/CForeignPlugIns"),
    module(
      "ForeignPlugIns", in: "Sources/Formats",
      [
        "UnitValidation", "AudioComponents", "PlugInGuard", "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),
    module(
      "CLAPUnits", in: "Sources/Formats",
      [
        "ForeignPlugIns", "UnitValidation", "AudioComponents", "PlugInGuard", "HostSystem",
        "AuricleSDK",
        "RealtimeSupport",
        "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),
    module(
      "VST3Units", in: "Sources/Formats",
      [
        "ForeignPlugIns", "UnitValidation", "AudioComponents", "PlugInGuard", "HostSystem",
        "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),
    module(
      "LADSPAUnits", in: "Sources/Formats",
      [
        "ForeignPlugIns", "AudioComponents", "PlugInGuard", "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),
    module(
      "ProgramUnits", in: "Sources/Formats",
      [
        "PublishedUnits", "UnitLink", "AudioComponents", "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CUnitLink",
      ]),
    module(
      "NativeUnits", in: "Sources/Formats",
      [
        "AudioComponents", "PlugInGuard", "PropertyLists", "HostSystem", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "LV2Bundles", in: "Sources/Formats",
      [
        "ForeignPlugIns", "AudioComponents", "PlugInGuard", "HostSystem", "AuricleSDK",
        "CAudioToolbox", "CLilv",
      ]),
    module(
      "LV2Units", in: "Sources/Formats",
      [
        "LV2Bundles", "ForeignPlugIns", "UnitValidation", "AudioComponents", "PlugInGuard",
        "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CLilv",
      ]),

    // Files: sound files, their rates and levels, pictures of sound.
    library("CSndFile", in: "Sources/Files", "sndfile", "libsndfile1-dev"),
    .target(name: "CSoxr", dependencies: ["CHostSystem"], path: "Sources/Files/CSoxr"),
    .target(name: "CFLAC", dependencies: ["CHostSystem"], path: "Sources/Files/CFLAC"),
    library("CZlib", in: "Sources/Files", "zlib", "zlib1g-dev"),
    .systemLibrary(name: "CAuricleCodec", path: "Sources/Files/CAuricleCodec"),
    .target(
      name: "CTagging", path: "Sources/Files/CTagging", linkerSettings: [.linkedLibrary("tag")]),
    module(
      "AudioConversion", in: "Sources/Files",
      [
        "HostSystem", "AudioTypes", "CRealtime", "CSoxr",
      ]),
    module(
      "AudioFormats", in: "Sources/Files",
      [
        "AudioFileSyntax", "CAudioToolbox",
      ]),
    module(
      "AudioCodecs", in: "Sources/Files",
      [
        "AudioFormats", "AudioFileSyntax", "AudioTypes", "CAudioToolbox", "CAuricleCodec", "CFLAC",
        "CHostSystem",
      ]),
    module(
      "AudioConverters", in: "Sources/Files",
      [
        "AudioCodecs", "AudioFormats", "AudioConversion", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "ExtendedAudioFiles", in: "Sources/Files",
      [
        "HostSystem", "AudioFilePackets", "AudioFormats", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "AudioFileParsing", in: "Sources/Files",
      [
        "AudioFileSyntax", "HostSystem", "CHostSystem",
      ]),
    module(
      "AudioFiles", in: "Sources/Files",
      [
        "AudioCodecs", "AudioFilePackets", "AudioFileParsing", "AudioFileSyntax", "AudioFormats",
        "AudioConversion", "HostSystem", "AudioTypes", "CAudioToolbox", "CAuricleCodec",
        "CHostSystem", "CSndFile", "CTagging",
      ]),
    module(
      "AudioPictures", in: "Sources/Files",
      [
        "Spectra", "CZlib",
      ]),

    // Batch: presets of chains, and runs of many files.
    module(
      "ResultSettings", in: "Sources/Batch",
      [
        "AudioFiles", "AudioConversion", "HostSystem", "AudioTypes",
      ]),
    .target(name: "COpenWatch", dependencies: ["CHostSystem"], path: "Sources/Batch/COpenWatch"),
    module(
      "ChainPresets", in: "Sources/Batch",
      [
        "ResultSettings", "AudioFiles", "AudioConversion", "UnitPresets", "UnitChains",
        "AudioComponents", "AudioUnits", "HostSystem", "AudioTypes", "CAudioToolbox",
        .product(name: "Yams", package: "Yams"),
      ]),
    module(
      "FileRendering", in: "Sources/Batch",
      [
        "ChainPresets", "ResultSettings", "AudioFiles", "AudioFilePackets", "AudioConversion",
        "UnitChains", "AudioUnits", "AudioGraph", "PlugInGuard", "HostSystem", "RealtimeSupport",
        "AudioTypes",
        "CAudioToolbox", "CHostSystem",
      ]),
    module(
      "SongPlaying", in: "Sources/Batch",
      [
        "FileRendering", "ChainPresets", "ResultSettings", "AudioFiles", "MIDIFiles",
        "AudioComponents", "UnitChains", "AudioUnits", "PlugInGuard", "HostSystem",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "RunLedgers", in: "Sources/Batch",
      [
        "FileRendering", "ResultSettings", "AudioPictures", "AudioFiles", "AudioFileParsing",
        "HostSystem", "AudioTypes", "CHostSystem",
      ]),
    module(
      "Workers", in: "Sources/Batch",
      [
        "RunLedgers", "FileRendering", "ResultSettings", "AudioPictures", "AudioFiles",
        "UnitChains", "PlugInGuard", "HostSystem", "RealtimeSupport", "AudioTypes", "CHostSystem",
        "COpenWatch",
      ]),
    .target(
      name: "RunReports",
      dependencies: [
        "Workers", "RunLedgers", "FileRendering", "ResultSettings", "AudioFiles", "HostSystem",
        "AudioTypes",
      ],
      path: "Sources/Batch/RunReports", resources: [.embedInCode("Page")],
      swiftSettings: swiftSettings),

    // Devices: sound cards.
    library("CALSA", in: "Sources/Devices", "alsa", "libasound2-dev"),
    module("DriftCompensation", in: "Sources/Devices", ["AuricleSDK", "CAudioToolbox"]),
    module(
      "NetworkSound", in: "Sources/Devices",
      [
        "DriftCompensation", "AudioCodecs", "HostSystem", "AuricleSDK", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "AudioHardware", in: "Sources/Devices",
      [
        "NetworkSound", "DriftCompensation", "HostSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CALSA",
      ]),
    module(
      "HardwareObjects", in: "Sources/Devices",
      ["AudioHardware", "HostSystem", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CALSA"]),
    module("VoiceProcessing", in: "Sources/Devices", ["AudioTypes"]),
    module(
      "OutputUnits", in: "Sources/Devices",
      [
        "PublishedUnits", "UnitLink", "AudioHardware", "HardwareObjects", "VoiceProcessing",
        "AudioComponents", "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
        "CUnitLink",
      ]),

    // MIDI: messages of both protocols, and ports between programs.
    module("MIDIMessages", in: "Sources/MIDI", ["CAudioToolbox"]),
    module(
      "MIDIPorts", in: "Sources/MIDI",
      ["MIDIMessages", "HostSystem", "MacSystem", "AudioTypes", "CALSA"]),

    // Host: units checked in separate processes, and the reports of these checks.
    module(
      "ComponentValidation", in: "Sources/Host",
      [
        "UnitValidation", "AudioComponents", "HostSystem", "CHostSystem",
      ]),
    .target(
      name: "ValidationReports",
      dependencies: [
        "ComponentValidation", "RunReports", "UnitValidation", "HostSystem", "AudioTypes",
      ],
      path: "Sources/Host/ValidationReports", resources: [.embedInCode("Page")],
      swiftSettings: swiftSettings),

    // Host: the installed components, and operations on them.
    module(
      "WatchedProcesses", in: "Sources/Host",
      ["PlugInGuard", "HostSystem", "AudioTypes", "CHostSystem"]),
    module(
      "AuricleHost", in: "Sources/Host",
      [
        "OutputUnits", "AudioHardware",
        "CodecComponents", "InstalledComponents", "ComponentValidation", "UnitValidation",
        "RunReports", "Workers", "RunLedgers", "SongPlaying", "FileRendering", "ChainPresets",
        "ResultSettings", "AudioPictures", "AudioFiles", "AudioFilePackets",
        "AudioCodecs", "AudioFormats",
        "AudioConversion",
        "LV2Units", "NativeUnits", "UnitPresets", "UnitChains", "AudioComponents", "AudioUnits",
        "PlugInGuard", "HostSystem", "AudioTypes", "CAudioToolbox", "CHostSystem",
      ]),

    // Host: runs in shards, and chains for packages of other languages.
    module(
      "ShardedRuns", in: "Sources/Host",
      ["AuricleHost", "RunReports", "RunLedgers", "HostSystem", "AudioTypes", "CHostSystem"]),
    module(
      "ArrayWorkers", in: "Sources/Host",
      [
        "AuricleHost", "Workers", "RunLedgers", "FileRendering", "ChainPresets", "ResultSettings",
        "AudioConversion", "AudioFiles", "UnitChains", "AudioUnits", "PlugInGuard", "HostSystem",
        "AudioTypes", "CHostSystem",
      ]),

    module("MIDIFiles", in: "Sources/Files", ["HostSystem", "AudioTypes"]),
    module("CodecSettings", in: "Sources/Files", ["AudioTypes", "CAudioToolbox"]),
    module("AudioFileSyntax", in: "Sources/Files", ["HostSystem", "CAudioToolbox"]),
    module(
      "AudioFilePackets", in: "Sources/Files", ["AudioFileSyntax", "CAudioToolbox"]),

    module("AudioFileProperties", in: "Sources/Files", ["AudioFilePackets", "CAudioToolbox"]),

    module(
      "MIDINetwork", in: "Sources/MIDI", ["MIDIPorts", "MIDIMessages", "HostSystem", "AudioTypes"]),
    // MIDI: clocks that lead and follow others.
    module("SyncClocks", in: "Sources/MIDI", ["MusicSequences", "CAudioToolbox"]),
    // MIDI: events in beats.
    module("MusicSequences", in: "Sources/MIDI", ["MIDIFiles", "AudioTypes", "CAudioToolbox"]),

    // Host: metadata reports of sound files.
    module(
      "SoundFileReports", in: "Sources/Host",
      [
        "AudioFiles", "AudioFilePackets", "AudioFormats", "HostSystem", "AudioTypes",
        "CAudioToolbox",
      ]),

    // Host: codecs as components.
    module(
      "CodecComponents", in: "Sources/Host",
      [
        "AudioCodecs", "AudioConverters", "AudioFormats", "CodecSettings", "AudioComponents",
        "AudioTypes", "CAudioToolbox",
      ]),

    // Host: the installation, for every front.
    module(
      "InstalledComponents", in: "Sources/Host",
      [
        "CLAPUnits", "LADSPAUnits", "LV2Units", "NativeUnits", "ProgramUnits", "VST3Units",
        "AudioComponents", "HostSystem", "CHostSystem",
      ]),

    // Fronts: the command line, and the C functions.
    module(
      "AudioToolbox", in: "Sources/Fronts",
      [
        "ProgramUnits", "PublishedUnits",
        "OutputUnits", "MacSystem", "InstalledComponents", "ComponentValidation", "LV2Units",
        "NativeUnits", "IsolatedUnits", "UnitLink",
        "UnitValidation", "CodecComponents", "CodecSettings", "ExtendedAudioFiles", "AudioCodecs",
        "AudioConverters",
        "AudioFilePackets", "AudioFileProperties", "AudioFileSyntax", "AudioFormats",
        "AudioGraph",
        "AudioComponents", "AudioUnits", "HostSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CHostSystem",
      ]),
    module(
      "HostLibrary", in: "Sources/Fronts",
      [
        "AuricleHost", "Workers", "FileRendering", "ChainPresets", "UnitChains", "AudioUnits",
        "HostSystem", "AudioTypes", "CAudioToolbox", "CHostSystem",
      ]),
    module("StudioLibrary", in: "Sources/Fronts", ["StudioServer", "AudioTypes"]),
    module(
      "AudioQueues", in: "Sources/Fronts",
      [
        "HostSystem", "AudioHardware", "HardwareObjects", "MacSystem", "RealtimeSupport",
        "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "SystemSounds", in: "Sources/Fronts",
      [
        "AudioHardware", "HardwareObjects", "HostSystem", "MacSystem", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "MIDIFunctions", in: "Sources/Fronts",
      ["MIDIPorts", "MIDIMessages", "MacSystem", "HostSystem", "AudioTypes", "CAudioToolbox"]),
    module(
      "MusicFunctions", in: "Sources/Fronts",
      [
        "MusicSequences", "MIDIFiles", "HostSystem", "MacSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "SpeechFunctions", in: "Sources/Fronts",
      ["MacSystem", "HostSystem", "AudioTypes", "CAudioToolbox"]),
    module(
      "FileReferenceFunctions", in: "Sources/Fronts", ["MacSystem", "CAudioToolbox"]),
    module(
      "ClockFunctions", in: "Sources/Fronts",
      [
        "SyncClocks", "MIDIPorts", "MIDIMessages", "MacSystem", "HostSystem", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "HardwareFunctions", in: "Sources/Fronts",
      ["AudioHardware", "HardwareObjects", "MacSystem", "AudioTypes", "CAudioToolbox"]),
    module(
      "SystemReports", in: "Sources/Host",
      ["AuricleHost", "InstalledComponents", "AudioComponents", "Workers", "HostSystem"]),
    module(
      "SongRendering", in: "Sources/Host",
      [
        "AuricleHost", "SongPlaying", "ChainPresets", "ResultSettings", "MIDIFiles",
        "AudioComponents", "AudioUnits", "HostSystem", "AudioTypes",
      ]),
    module(
      "DeviceSound", in: "Sources/Host",
      [
        "WatchedProcesses", "AuricleHost", "Workers", "RunLedgers", "FileRendering",
        "ChainPresets", "ResultSettings", "AudioConversion", "AudioHardware", "UnitChains",
        "PlugInGuard", "HostSystem", "AudioTypes",
      ]),
    module(
      "PluginWindows", in: "Sources/Host",
      [
        "AuricleHost", "InstalledComponents", "ChainPresets", "LV2Units", "UnitPresets",
        "PropertyLists", "UnitChains", "AudioComponents", "AudioUnits", "HostSystem",
        "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),
    module(
      "UnitProcesses", in: "Sources/Host",
      [
        "AuricleHost", "DeviceSound", "WatchedProcesses", "IsolatedUnits", "UnitLink",
        "AudioHardware",
        "AudioComponents", "Workers", "PlugInGuard", "HostSystem", "AudioTypes",
      ]),
    module(
      "LiveSound", in: "Sources/Host",
      [
        "IsolatedUnits",
        "PluginWindows", "LV2Units", "DeviceSound", "WatchedProcesses", "AuricleHost",
        "FileRendering", "ChainPresets",
        "AudioHardware",
        "AudioComponents", "MIDIPorts", "MIDIMessages", "Workers",
        "UnitChains", "AudioUnits", "PlugInGuard", "HostSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CHostSystem",
      ]),
    module(
      "ChainServing", in: "Sources/Host",
      [
        "AuricleHost", "Workers", "RunLedgers", "FileRendering", "ChainPresets", "ResultSettings",
        "UnitChains", "UnitLink", "PlugInGuard", "HostSystem", "AudioTypes", "CUnitLink",
      ]),
    module(
      "ChainPlots", in: "Sources/Host",
      [
        "WatchedProcesses", "AuricleHost", "FileRendering", "ChainPresets", "AudioPictures",
        "AudioComponents", "UnitChains", "PlugInGuard", "Spectra", "HostSystem", "AudioTypes",
      ]),
    // Host: the server of the studio's page; the page's own files are no sources.
    .target(
      name: "StudioServer",
      dependencies: [
        "ChainPlots", "AuricleHost", "RunReports", "RunLedgers", "ChainPresets", "AudioUnits",
        "AudioPictures", "AudioConversion", "Spectra", "HostSystem", "AudioTypes", "CAudioToolbox",
        "CHostSystem",
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Sources/Host/StudioServer", exclude: ["Page"], swiftSettings: swiftSettings),
    module(
      "PluginProjects", in: "Sources/Host",
      [
        "AudioFiles", "PlugInGuard", "PropertyLists", "HostSystem", "AudioTypes",
        "CAudioToolbox",
      ]),
    module(
      "CommandOutput", in: "Sources/Commands",
      [
        "RunReports", "AudioFiles", "HostSystem", "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    module(
      "FileCommands", in: "Sources/Commands",
      [
        "CommandOutput", "SoundFileReports", "AuricleHost", "RunReports", "AudioFiles",
        "AudioConversion", "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    module(
      "PluginCommands", in: "Sources/Commands",
      [
        "CommandOutput", "AuricleHost", "ComponentValidation", "ValidationReports",
        "PluginProjects", "UnitValidation", "RunReports", "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    module(
      "MIDICommands", in: "Sources/Commands",
      [
        "CommandOutput", "MIDINetwork", "MIDIPorts", "MIDIMessages", "MIDIFiles", "RunReports",
        "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "auricle",
      dependencies: [
        "CommandOutput", "FileCommands", "MIDICommands", "PluginCommands",
        "InstalledComponents", "ArrayWorkers", "ShardedRuns", "DeviceSound", "LiveSound",
        "ChainServing",
        "UnitProcesses",
        "PluginWindows", "SongRendering",
        "ChainPlots", "SoundFileReports", "SystemReports", "AuricleHost", "SongPlaying",
        "RunReports",
        "Workers", "RunLedgers",
        "FileRendering", "ChainPresets", "ResultSettings", "AudioFiles", "AudioConversion",
        "UnitPresets", "UnitChains", "AudioGraph", "AudioComponents", "AudioUnits",
        "WatchedProcesses", "PlugInGuard", "HostSystem",
        "AudioTypes", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        "CAudioToolbox",
      ],
      path: "Sources/Fronts/auricle", swiftSettings: swiftSettings,
      // Named for Scripts/order-libraries, which puts it in front: a sixth of all names of a start are in it.
      linkerSettings: [.linkedLibrary("_FoundationICU")]),

    // The unit that is written in C; the others are at the end.
    .target(
      name: "SampleDelay", dependencies: ["CUnit"], path: "Plugins/SampleDelay",
      exclude: ["Info.plist"],
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
        "TestUnits", "TestSupport", "NativeUnits", "LV2Units", "UnitChains", "AudioGraph",
        "AudioComponents", "ExtendedAudioFiles", "AudioFilePackets",
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
    .executableTarget(
      name: "run-a-batch",
      dependencies: [
        "AuricleHost", "RunReports", "Workers", "RunLedgers", "FileRendering", "ChainPresets",
        "ResultSettings", "AudioTypes",
      ],
      path: "Tests/HostPrograms", swiftSettings: swiftSettings),
    library("CEbur128", in: "Tests", "libebur128", "libebur128-dev"),
    .target(
      name: "FileTestSupport", dependencies: ["AudioFiles", "CEbur128"],
      path: "Tests/FileTestSupport",
      swiftSettings: swiftSettings),
    tests(
      "CAudioToolboxTests",
      [
        "CAudioToolbox"
      ], exclude: ["ABI", "Programs"]),
    tests(
      "AudioTypesTests",
      [
        "AudioTypes", "CAudioToolbox",
      ]),
    tests(
      "AudioHardwareTests",
      ["AudioHardware", "DriftCompensation", "VoiceProcessing", "CAudioToolbox"]),
    tests(
      "RealtimeSupportTests",
      [
        "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",

      ]),
    tests(
      "HostSystemTests",
      [
        "HostSystem", "AudioTypes", "CHostSystem",
      ]),
    tests(
      "PropertyListsTests",
      [
        "PropertyLists"
      ]),
    tests(
      "UnitLinkTests",
      [
        "UnitLink", "CUnitLink", "HostSystem", "CHostSystem", "AudioTypes", "CAudioToolbox",
      ]),
    tests(
      "AudioUnitsTests",
      [
        "AudioUnits", "AudioTypes", "CAudioToolbox",
      ]),
    tests(
      "AudioComponentsTests",
      [
        "AudioComponents", "AudioTypes", "CAudioToolbox",
      ]),
    tests(
      "AudioGraphTests",
      [
        "AudioGraph", "AudioUnits", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
        "TestUnits",
      ]),
    tests(
      "UnitChainsTests",
      [
        "UnitChains", "AudioGraph", "AudioUnits", "AudioTypes", "TestUnits",
      ]),
    tests(
      "NativeUnitsTests",
      [
        "NativeUnits", "AudioComponents", "AudioUnits", "AudioTypes", "CAudioToolbox",

      ]),
    tests(
      "LV2UnitsTests",
      [
        "LV2Units", "LV2Bundles", "ForeignPlugIns", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",

      ], exclude: ["Fixtures"]),
    tests(
      "CLAPUnitsTests",
      [
        "CLAPUnits", "UnitValidation", "UnitPresets", "AudioComponents", "AudioUnits",
        "AudioTypes", "CAudioToolbox",
      ], exclude: ["Fixtures"]),
    tests(
      "VST3UnitsTests",
      [
        "VST3Units", "UnitValidation", "UnitPresets", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ], exclude: ["Fixtures"]),
    tests(
      "LADSPAUnitsTests",
      [
        "LADSPAUnits", "ForeignPlugIns", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ], exclude: ["Fixtures"]),
    tests(
      "AudioFilesTests",
      [
        "AudioCodecs", "AudioFileParsing", "AudioFilePackets", "AudioFiles", "AudioConversion",
        "HostSystem", "AudioTypes", "CAudioToolbox", "CSndFile", "FileTestSupport",
        "SoundFileReports",
      ]),
    tests(
      "AudioConversionTests",
      [
        "AudioConversion", "AudioTypes", "CRealtime", "FileTestSupport",
      ]),
    tests(
      "AudioCodecsTests",
      [
        "AudioCodecs", "AudioTypes", "CAudioToolbox",
      ]),
    tests(
      "AudioConvertersTests",
      [
        "AudioCodecs", "AudioConverters", "AudioFormats", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),
    tests(
      "AudioFormatsTests",
      [
        "AudioFileSyntax", "AudioFormats", "CAudioToolbox",
      ]),
    tests(
      "AudioPicturesTests",
      [
        "AudioPictures"
      ]),
    tests(
      "UnitPresetsTests",
      [
        "UnitPresets", "AudioUnits", "PropertyLists", "AudioTypes", "CAudioToolbox",
        "TestUnits",
      ]),
    tests(
      "ChainPresetsTests",
      [
        "ChainPresets", "ResultSettings", "LV2Units", "NativeUnits", "UnitChains",
        "AudioComponents", "AudioUnits", "AuricleSDK", "AudioTypes", "CAudioToolbox",

      ]),
    tests(
      "RunLedgersTests",
      [
        "RunLedgers", "FileRendering", "ResultSettings", "AudioFiles", "HostSystem", "AudioTypes",

      ]),
    tests(
      "FileRenderingTests",
      [
        "RunLedgers", "FileRendering", "ResultSettings", "AudioFiles", "AudioCodecs",
        "AudioConversion", "SongPlaying", "MIDIFiles",
        "UnitChains", "AudioGraph", "AudioUnits", "AudioTypes", "FileTestSupport",
        "TestUnits",
      ]),
    tests(
      "WorkersTests",
      [
        "Workers", "RunLedgers", "FileRendering", "ResultSettings", "AudioFiles", "PlugInGuard",
        "HostSystem", "AudioTypes", "CHostSystem",
      ]),
    tests(
      "AudioFilePacketsTests", ["AudioFilePackets", "AudioTypes", "CAudioToolbox"]),
    tests("MIDIFilesTests", ["MIDIFiles", "AudioTypes"]),
    tests("MIDINetworkTests", ["MIDINetwork", "MIDIMessages"]),
    tests("NetworkSoundTests", ["NetworkSound", "AudioTypes"]),
    tests("SyncClocksTests", ["SyncClocks", "CAudioToolbox"]),
    tests("MIDIPortsTests", ["MIDIPorts", "MIDIMessages"]),
    tests(
      "AudioToolboxTests",
      [
        "AudioToolbox", "AudioTypes", "CAudioToolbox",
      ], exclude: ["Programs"]),
    tests(
      "AuricleSDKTests",
      [
        "AudioUnits", "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",
        "TestUnits",
      ]),
    tests(
      "PluginsTests",
      [
        "TestUnits", "UnitChains", "AudioGraph", "NativeUnits", "AudioComponents", "AudioUnits",
        "Spectra", "AudioTypes", "CAudioToolbox",
      ]
        + (swiftUnits + ["SampleDelay"]).map { .init(stringLiteral: $0) }),
    tests(
      "UnitValidationTests",
      [
        "TestUnits", "NativeUnits", "UnitValidation", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ]),
    tests("ComponentValidationTests", ["auricle", "ComponentValidation", "UnitValidation"]),
    tests(
      "ConformanceTests",
      [
        "AudioToolbox", "LV2Units", "NativeUnits", "AudioGraph", "AudioComponents", "AudioUnits",
        "AudioTypes", "CAudioToolbox", "TestUnits",
      ], exclude: ["Table"]),
    tests("MacSourceTests", ["AudioFiles", "FileTestSupport", "AudioTypes"]),
    tests(
      "PluginProjectsTests",
      [
        "PluginProjects", "PropertyLists", "AudioTypes",
      ]),
    tests(
      "AuricleHostTests",
      [
        "ShardedRuns", "WatchedProcesses", "AuricleHost", "RunReports", "Workers", "RunLedgers",
        "FileRendering", "ResultSettings", "AudioFiles", "HostSystem", "AudioTypes",
        "FileTestSupport",
      ]),
    tests("PluginWindowTests", ["auricle"], optimized: false),
    tests("StudioServerTests", ["auricle", "AudioFiles", "FileTestSupport"]),
    tests(
      "CommandLineTests",
      [
        "AudioCodecs", "AudioFiles", "AudioConversion", "FileTestSupport", "MIDIPorts",
        "MIDIMessages", "auricle",
      ],
      exclude: ["Snapshots"],
      // The optimizer worked on it for minutes; its time passes in the programs that it starts.
      optimized: false),
  ] + swiftUnits.map(unit),
  cxxLanguageStandard: .cxx17
)
