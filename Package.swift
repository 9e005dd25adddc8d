// swift-tools-version: 6.3
// The package: its targets, floor by floor, each with its purpose and the modules that it imports. Scripts/list-modules makes
// the tables and the picture of docs/architecture.md of them.
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

/// The modules that files of a target import, as its dependencies: without those that each target is linked with, and
/// that are named where they may be imported.
func imports(_ names: [Target.Dependency]) -> [Target.Dependency] {
  names.filter { name in
    guard case .byNameItem(let name, _) = name else { return true }
    return !["Foundation", "Dispatch"].contains(name)
  }
}

/// A room: the module `NAME` in the folder of its floor. The comment above it is its purpose in docs/architecture.md, and
/// its list has exactly the modules that its files import: Scripts/check-architecture compares them.
func module(
  _ name: String, in floor: String, _ names: [Target.Dependency], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: imports(names), path: "\(floor)/\(name)", exclude: exclude,
    resources: resources, swiftSettings: swiftSettings)
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
  "Network": ["NetworkSound"], "TimePitch": ["Restoration"],
]

/// A unit that ships, written on AuricleSDK: `Plugins/NAME`, built as `libNAME.so` or into a shared library.
func unit(_ name: String) -> Target {
  .target(
    name: name,
    dependencies: [
      "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime",
    ] + (unitLibraries[name] ?? []),
    path: "Plugins/\(name)", swiftSettings: swiftSettings)
}

let swiftUnits = [
  "LowPassFilter", "HighPassFilter", "ParametricEQ", "Dynamics", "PeakLimiter", "Delay",
  "MatrixReverb", "MultiChannelMixer", "Splitter", "Merger", "Converter",
  "GenericOutput", "Filters", "Distortion", "Generators", "Analysis", "Offline",
  "Spatial", "Varispeed", "DeferredRenderer", "SoundBanks", "TimePitch", "Players",
  "Speech", "Restoration", "Network",
]

/// Libraries that several units are built into, and that their components share: a chain loads one once, and the code
/// of the SDK is there once. Set AURICLE_UNITS_APART to have a library for each unit.
let sharedLibraries =
  Context.environment["AURICLE_UNITS_APART"] != nil
  ? [:]
  : [
    "Effects": [
      "LowPassFilter", "HighPassFilter", "ParametricEQ", "Dynamics", "PeakLimiter", "Delay",
      "MatrixReverb", "Filters", "Distortion",
    ],
    "Utilities": [
      "MultiChannelMixer", "Splitter", "Merger", "Converter", "GenericOutput", "Generators",
      "Analysis", "Offline", "Varispeed", "DeferredRenderer", "Players",
    ],
  ]
let sharingUnits = Set(sharedLibraries.values.joined())

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
  ]
    + sharedLibraries.sorted { $0.key < $1.key }.map {
      .library(name: $0.key, type: .dynamic, targets: $0.value)
    }
    + swiftUnits.filter { !sharingUnits.contains($0) }.map {
      .library(name: $0, type: .dynamic, targets: [$0])
    },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    // MARK: SDK: the libraries of a plug-in

    // The C contract in `SDK/include`: Core Audio's names, numbers and layouts.
    .systemLibrary(name: "CAudioToolbox", path: "SDK/include"),

    // C that render code calls: inner loops, the floating-point control word, the clock, marks for
    // sanitizers.
    .target(name: "CRealtime", path: "SDK/CRealtime"),

    // Shared values: status codes, formats, four-character codes, errors.
    module("AudioTypes", in: "SDK", ["CAudioToolbox"]),

    // The base of render code: rings, atomic parameter values, copies, sample conversion,
    // mathematics.
    module("RealtimeSupport", in: "SDK", ["AudioTypes", "CAudioToolbox", "CRealtime"]),

    // The helper for units in C: one header, `Auricle/AuricleUnit.h`, and one source to compile.
    .target(
      name: "CUnit", path: "SDK/CUnit", sources: ["AuricleUnit.c"],
      cSettings: [.headerSearchPath("../include")]),

    // The door to KissFFT.
    .systemLibrary(
      name: "CKissFFT", path: "SDK/CKissFFT", providers: [.apt(["libkissfft-dev"])]),

    // The Fourier transform, for spectra on control threads.
    module("Spectra", in: "SDK", ["CKissFFT"]),

    // The library for units in Swift: the author's side (`Authoring`, `Notes`), instance,
    // rendering, parameters, MIDI, adapters, DSP.
    module(
      "AuricleSDK", in: "SDK", ["RealtimeSupport", "AudioTypes", "CAudioToolbox", "CRealtime"]),

    // MARK: System: the system and plain data

    // The system calls that Swift cannot make: sandbox, process state, hashing, folders; libraries
    // opened late.
    .target(
      name: "CHostSystem", dependencies: ["CRealtime"], path: "Sources/System/CHostSystem"),

    // Files, processes and data as all host code sees them: descriptors, child processes,
    // identities and stamps of files, atomic files, checksums, JSON.
    module("HostSystem", in: "Sources/System", ["AudioTypes", "CHostSystem"]),

    // The C functions of a Mac's system: clocks, threads, errors and memory of Mach, files by
    // reference.
    module("MacSystem", in: "Sources/System", ["AudioTypes", "CAudioToolbox", "CHostSystem"]),

    // The door to expat.
    library("CExpat", in: "Sources/System", "expat", "libexpat1-dev"),

    // Reads and writes property lists, from anyone.
    module("PropertyLists", in: "Sources/System", ["CExpat"]),

    // MARK: Units: one unit and its registry; many units at work; presets and checks of units

    // Keeps the state of a process around foreign code in it, and reports that code's work to its
    // parent.
    module("PlugInGuard", in: "Sources/Units", ["HostSystem", "CHostSystem"]),

    // Turns and events in memory that a host shares with a unit in another process, with deadlines.
    .target(
      name: "CUnitLink", dependencies: ["CRealtime"], path: "Sources/Units/CUnitLink",
      cSettings: [.headerSearchPath("../../../SDK/include")]),

    // A connection to a unit in another process: sealed memory, a socket, the thread that notices
    // an end.
    module(
      "UnitLink", in: "Sources/Units", ["HostSystem", "AudioTypes", "CHostSystem", "CUnitLink"]),

    // Units that a program publishes for others to host: the registry of files, the node's door,
    // its hosts.
    module(
      "PublishedUnits", in: "Sources/Units",
      [
        "UnitLink", "HostSystem", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CHostSystem",
        "CUnitLink",
      ]),

    // The one way to use a unit: properties, parameters, formats, rendering.
    module(
      "AudioUnits", in: "Sources/Units",
      ["PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),

    // The registry: which components there are, from any format, by type, subtype and manufacturer.
    module(
      "AudioComponents", in: "Sources/Units",
      [
        "AudioUnits", "PlugInGuard", "HostSystem", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),

    // Units in other processes behind the interface of any unit: calls and slices there, states
    // back when one ends.
    module(
      "IsolatedUnits", in: "Sources/Units",
      [
        "MacSystem", "UnitLink", "CUnitLink", "AudioComponents", "AudioUnits", "PlugInGuard",
        "HostSystem", "CHostSystem", "AudioTypes", "CAudioToolbox",
      ]),

    // Graphs of units: connections, edits while they render, latencies aligned.
    module(
      "AudioGraph", in: "Sources/Units",
      ["AudioUnits", "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox"]),

    // A chain as a graph: stages with a mix, dry paths, branches, failures by stage.
    module(
      "UnitChains", in: "Sources/Units",
      [
        "AudioGraph", "AudioUnits", "PlugInGuard", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),

    // ClassInfo and `.aupreset` files.
    module(
      "UnitPresets", in: "Sources/Units",
      ["AudioUnits", "PropertyLists", "HostSystem", "AudioTypes", "CAudioToolbox"]),

    // Notes forbidden calls of render code, in a process that checks a unit.
    .target(name: "CRenderWatch", path: "Sources/Units/CRenderWatch"),

    // Checks that a unit keeps the contract: the rules, in phases, of one unit in this process.
    module(
      "UnitValidation", in: "Sources/Units",
      [
        "CRenderWatch", "PlugInGuard", "AudioComponents", "AudioUnits", "AudioTypes",
        "CAudioToolbox",
      ]),

    // MARK: Formats: the sources of components

    // Components in `.component` bundles and libraries.
    module(
      "NativeUnits", in: "Sources/Formats",
      [
        "AudioComponents", "PlugInGuard", "PropertyLists", "HostSystem", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),

    // The door to lilv and serd.
    library("CLilv", in: "Sources/Formats", "lilv-0", "liblilv-dev"),

    // The binary interfaces of other formats in words of our own, and the guard around a run.
    .systemLibrary(name: "CForeignPlugIns", path: "Sources/Formats/CForeignPlugIns"),

    // The common part of foreign formats: names, repeatable memory, the cache of files that only
    // their code describes.
    module(
      "ForeignPlugIns", in: "Sources/Formats",
      [
        "UnitValidation", "AudioComponents", "PlugInGuard", "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),

    // Runs a CLAP plug-in as an audio unit.
    module(
      "CLAPUnits", in: "Sources/Formats",
      [
        "ForeignPlugIns", "UnitValidation", "AudioComponents", "PlugInGuard", "HostSystem",
        "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),

    // Runs a VST3 plug-in as an audio unit.
    module(
      "VST3Units", in: "Sources/Formats",
      [
        "ForeignPlugIns", "UnitValidation", "AudioComponents", "PlugInGuard", "HostSystem",
        "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),

    // Hosts a unit that another program publishes: finds the program or starts it, and renders it.
    module(
      "ProgramUnits", in: "Sources/Formats",
      [
        "PublishedUnits", "UnitLink", "AudioComponents", "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CUnitLink",
      ]),

    // Runs a LADSPA plug-in as an audio unit.
    module(
      "LADSPAUnits", in: "Sources/Formats",
      [
        "ForeignPlugIns", "AudioComponents", "PlugInGuard", "HostSystem", "AuricleSDK",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CForeignPlugIns",
      ]),

    // Finds and describes LV2 plug-ins from their Turtle files; runs no code of a plug-in.
    module(
      "LV2Bundles", in: "Sources/Formats",
      [
        "ForeignPlugIns", "AudioComponents", "PlugInGuard", "HostSystem", "AuricleSDK",
        "CAudioToolbox", "CLilv",
      ]),

    // Runs an LV2 plug-in as an audio unit: ports, worker, state.
    module(
      "LV2Units", in: "Sources/Formats",
      [
        "LV2Bundles", "ForeignPlugIns", "UnitValidation", "AudioComponents", "PlugInGuard",
        "HostSystem", "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CLilv",
      ]),

    // MARK: Files: sound and notes in files, their formats and their packets

    // The door to libsndfile.
    library("CSndFile", in: "Sources/Files", "sndfile", "libsndfile1-dev"),

    // The C interface of codecs that are found at run time.
    .systemLibrary(name: "CAuricleCodec", path: "Sources/Files/CAuricleCodec"),

    // The door to TagLib.
    .target(
      name: "CTagging", path: "Sources/Files/CTagging", linkerSettings: [.linkedLibrary("tag")]),

    // The door to libsoxr, which is opened when it is first needed.
    .target(name: "CSoxr", dependencies: ["CHostSystem"], path: "Sources/Files/CSoxr"),

    // The door to libFLAC, which is opened when it is first needed: packets into samples.
    .target(name: "CFLAC", dependencies: ["CHostSystem"], path: "Sources/Files/CFLAC"),

    // The door to zlib.
    library("CZlib", in: "Sources/Files", "zlib", "zlib1g-dev"),

    // Sample rates, channels and loudness.
    module(
      "AudioConversion", in: "Sources/Files", ["HostSystem", "AudioTypes", "CRealtime", "CSoxr"]),

    // Byte-level syntax of sound files: numbers, boxes, pages, headers of frames, cookies.
    module("AudioFileSyntax", in: "Sources/Files", ["HostSystem", "CAudioToolbox"]),

    // Sound files as their containers hold them: packets, cookies, chunks, markers; read, written,
    // changed.
    module("AudioFilePackets", in: "Sources/Files", ["AudioFileSyntax", "CAudioToolbox"]),

    // The properties of open files and of streams, as the bytes of Core Audio's properties.
    module("AudioFileProperties", in: "Sources/Files", ["AudioFilePackets", "CAudioToolbox"]),

    // The settings of encoders and filters, as the dictionaries of `AudioCodec.h`.
    module("CodecSettings", in: "Sources/Files", ["AudioTypes", "CAudioToolbox"]),

    // Facts on formats and on layouts of channels: packets, names, cookies, matrices.
    module("AudioFormats", in: "Sources/Files", ["AudioFileSyntax", "CAudioToolbox"]),

    // Packets to samples and back: the table of encodings, cookies, the codec that is found at run
    // time.
    module(
      "AudioCodecs", in: "Sources/Files",
      [
        "AudioFormats", "AudioFileSyntax", "HostSystem", "AudioTypes", "CAudioToolbox",
        "CAuricleCodec", "CFLAC", "CHostSystem",
      ]),

    // Conversion between any linear PCM formats, and from packets and to them: samples, channels,
    // rate, dither; input is pulled.
    module(
      "AudioConverters", in: "Sources/Files",
      [
        "AudioCodecs", "AudioFormats", "AudioConversion", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),

    // Sound files read and written as linear PCM of a client's choice; places to the frame, writing
    // from a render thread.
    module(
      "ExtendedAudioFiles", in: "Sources/Files",
      [
        "HostSystem", "AudioFilePackets", "AudioFormats", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),

    // Reads headers, chunks, frames and checksums of files itself, where the libraries are silent
    // about damage.
    module(
      "AudioFileParsing", in: "Sources/Files", ["AudioFileSyntax", "HostSystem", "CHostSystem"]),

    // Reads and writes audio files with all they carry, and notices damage.
    module(
      "AudioFiles", in: "Sources/Files",
      [
        "AudioCodecs", "AudioFilePackets", "AudioFileParsing", "AudioFileSyntax", "AudioFormats",
        "AudioConversion", "HostSystem", "AudioTypes", "CAudioToolbox", "CAuricleCodec",
        "CHostSystem", "CSndFile", "CTagging",
      ]),

    // Waveforms and spectrograms.
    module("AudioPictures", in: "Sources/Files", ["Spectra", "CZlib"]),

    // Standard MIDI files: tracks of events, in and out, and the times of ticks.
    module("MIDIFiles", in: "Sources/Files", ["HostSystem", "AudioTypes"]),

    // MARK: Devices: sound cards and sound of other machines

    // Marks calls of a driver for sanitizers.
    .target(
      name: "CDeviceCalls", dependencies: ["CRealtime"], path: "Sources/Devices/CDeviceCalls"),

    // The door to alsa-lib.
    library("CALSA", in: "Sources/Devices", "alsa", "libasound2-dev"),

    // Two clocks: their smoothed times, the loop between them, the resampler whose ratio moves.
    module("DriftCompensation", in: "Sources/Devices", ["AuricleSDK", "CAudioToolbox"]),

    // Echo, noise and level of a voice, by SpeexDSP.
    module("VoiceProcessing", in: "Sources/Devices", ["AudioTypes"]),

    // Sound between machines: RTP, the session before it, both ends, the place in the stream that
    // is read.
    module(
      "NetworkSound", in: "Sources/Devices",
      [
        "DriftCompensation", "AudioCodecs", "HostSystem", "AuricleSDK", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),

    // Devices as Core Audio has them: ALSA's, computed ones, files, other machines, several as one;
    // the thread that owns one.
    module(
      "AudioHardware", in: "Sources/Devices",
      [
        "NetworkSound", "DriftCompensation", "HostSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CALSA", "CDeviceCalls",
      ]),

    // The objects of `AudioHardware.h`: the system, devices, streams, controls of a card's mixer,
    // aggregates, and their properties.
    module(
      "HardwareObjects", in: "Sources/Devices",
      ["AudioHardware", "HostSystem", "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CALSA"]),

    // The units that play and record: a converter each way between a client and a device.
    module(
      "OutputUnits", in: "Sources/Devices",
      [
        "PublishedUnits", "UnitLink", "AudioHardware", "HardwareObjects", "VoiceProcessing",
        "AudioComponents", "AuricleSDK", "RealtimeSupport", "AudioTypes", "CAudioToolbox",
        "CUnitLink", "HostSystem",
      ]),

    // MARK: MIDI: notes between programs, events in beats, clocks

    // Messages as bytes and as universal packets, of MIDI 1.0 and 2.0, from each to each; lists of
    // packets in memory.
    module("MIDIMessages", in: "Sources/MIDI", ["CAudioToolbox"]),

    // Clients, ports and virtual endpoints without a server: a folder of files, a socket for each
    // process, notifications; described devices, and the ones of ALSA's sequencer.
    module(
      "MIDIPorts", in: "Sources/MIDI",
      ["MIDIMessages", "HostSystem", "MacSystem", "AudioTypes", "CALSA"]),

    // Sessions of RTP-MIDI: invitations, clocks, packets with their journal, and a source and
    // destination for them.
    module(
      "MIDINetwork", in: "Sources/MIDI", ["MIDIPorts", "MIDIMessages", "HostSystem", "AudioTypes"]),

    // Sequences of music: tracks of events in beats, edits, MIDI files, and a player's work in a
    // slice.
    module("MusicSequences", in: "Sources/MIDI", ["MIDIFiles", "AudioTypes", "CAudioToolbox"]),

    // A clock in seconds, beats and time code, which sends and follows MIDI clocks.
    module("SyncClocks", in: "Sources/MIDI", ["MusicSequences", "CAudioToolbox"]),

    // MARK: Batch: one file or one song through a chain; many files, and their outcome

    // Settings of a result: tail, latency, dither, fades, places in time, quality; one type each.
    module(
      "ResultSettings", in: "Sources/Batch",
      ["AudioFiles", "AudioConversion", "HostSystem", "AudioTypes"]),

    // Presets of chains: YAML in, stages with their values out, every fault with its place.
    module(
      "ChainPresets", in: "Sources/Batch",
      [
        "ResultSettings", "AudioFiles", "AudioConversion", "UnitPresets", "UnitChains",
        "AudioComponents", "AudioUnits", "HostSystem", "AudioTypes", "CAudioToolbox",
        .product(name: "Yams", package: "Yams"),
      ]),

    // One file through one chain into its results.
    module(
      "FileRendering", in: "Sources/Batch",
      [
        "ChainPresets", "ResultSettings", "AudioFiles", "AudioFilePackets", "AudioConversion",
        "UnitChains", "AudioUnits", "AudioGraph", "PlugInGuard", "HostSystem", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox", "CHostSystem",
      ]),

    // A song through the chain of a preset's instruments, or a text through a voice: events at their
    // frames, stems, the tail.
    module(
      "SongPlaying", in: "Sources/Batch",
      [
        "FileRendering", "ChainPresets", "ResultSettings", "AudioFiles", "MIDIFiles",
        "AudioComponents", "UnitChains", "AudioUnits", "PlugInGuard", "HostSystem",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),

    // The plan of a run and the record of each file's outcome, on the disk.
    module(
      "RunLedgers", in: "Sources/Batch",
      [
        "FileRendering", "ResultSettings", "AudioPictures", "AudioFiles", "AudioFileParsing",
        "HostSystem", "AudioTypes", "CHostSystem",
      ]),

    // The supervisor, and the sandboxed processes that do the files.
    module(
      "Workers", in: "Sources/Batch",
      [
        "RunLedgers", "FileRendering", "ResultSettings", "AudioPictures", "AudioFiles",
        "UnitChains", "PlugInGuard", "HostSystem", "RealtimeSupport", "AudioTypes", "CHostSystem",
        "COpenWatch",
      ]),

    // Functions that open files, in front of the C library's, which note the sandbox's refusals to
    // a plug-in.
    .target(name: "COpenWatch", dependencies: ["CHostSystem"], path: "Sources/Batch/COpenWatch"),

    // The results of a run, as a table, CSV, JSON and a web page.
    module(
      "RunReports", in: "Sources/Batch",
      [
        "Foundation", "Workers", "RunLedgers", "FileRendering", "ResultSettings", "AudioFiles",
        "HostSystem", "AudioTypes",
      ], resources: [.embedInCode("Page")]),

    // MARK: Host: the requests of programs; units checked, each in a process

    // Decoders and encoders as components, for programs that open them through `AudioCodec.h`.
    module(
      "CodecComponents", in: "Sources/Host",
      [
        "AudioCodecs", "AudioConverters", "AudioFormats", "CodecSettings", "AudioComponents",
        "AudioTypes", "CAudioToolbox",
      ]),

    // The list of formats, and the registry of installed components, read by separate processes;
    // for every front.
    module(
      "InstalledComponents", in: "Sources/Host",
      [
        "CLAPUnits", "LADSPAUnits", "LV2Units", "NativeUnits", "ProgramUnits", "VST3Units",
        "WatchedProcesses", "PlugInGuard", "AudioComponents", "HostSystem",
      ]),

    // Plug-ins of one's own: projects from templates, bundles, the loop that builds and tries them.
    module(
      "PluginProjects", in: "Sources/Host",
      ["AudioFiles", "PlugInGuard", "PropertyLists", "HostSystem", "AudioTypes", "CAudioToolbox"]),

    // Drives the processes that check units, and collects their reports.
    module(
      "ComponentValidation", in: "Sources/Host",
      ["WatchedProcesses", "UnitValidation", "AudioComponents", "HostSystem", "AudioTypes"]),

    // The outcome of checking units, as text, JSON, JUnit's XML and a web page.
    module(
      "ValidationReports", in: "Sources/Host",
      [
        "ComponentValidation", "RunReports", "UnitValidation", "HostSystem", "AudioTypes",
      ], resources: [.embedInCode("Page")]),

    // Metadata reports of sound files, and the kinds of sound files.
    module(
      "SoundFileReports", in: "Sources/Host",
      [
        "AudioFiles", "AudioFilePackets", "AudioFormats", "HostSystem", "AudioTypes",
        "CAudioToolbox",
      ]),

    // Parts of songs and texts as separate files: the instruments of a preset, tracks, lines.
    module(
      "SongRendering", in: "Sources/Host",
      [
        "Foundation", "AuricleHost", "ChainPresets", "MIDIFiles", "AudioComponents", "HostSystem",
        "AudioTypes",
      ]),

    // Child processes of this program that show their parent the unit at work, end when they hang,
    // and end with it.
    module(
      "WatchedProcesses", in: "Sources/Host",
      ["PlugInGuard", "HostSystem", "AudioTypes", "CHostSystem"]),

    // The state of the machine, for a report of a fault.
    module(
      "SystemReports", in: "Sources/Host",
      [
        "Foundation", "AuricleHost", "InstalledComponents", "AudioComponents", "Workers",
        "HostSystem",
      ]),

    // The response of a chain to a test signal, as figures, SVG, PNG or characters.
    module(
      "ChainPlots", in: "Sources/Host",
      [
        "Foundation", "WatchedProcesses", "AuricleHost", "FileRendering", "ChainPresets",
        "AudioPictures", "AudioComponents", "UnitChains", "PlugInGuard", "Spectra", "HostSystem",
        "AudioTypes",
      ]),

    // The server of the studio: a gate, chains that pages edit, sounds rendered ahead, runs, live
    // sound. Its `Page` is the page.
    module(
      "StudioServer", in: "Sources/Host",
      [
        "ChainPlots",
        "Dispatch", "Foundation", "AuricleHost", "RunReports", "RunLedgers", "ChainPresets",
        "AudioUnits", "AudioPictures", "AudioConversion", "Spectra", "HostSystem", "AudioTypes",
        "CAudioToolbox", "CHostSystem", .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ], exclude: ["Page"]),

    // A file through a chain to a device, or from a device through a chain into a file: a process
    // with the device, and a sandboxed one that renders.
    module(
      "DeviceSound", in: "Sources/Host",
      [
        "Foundation", "WatchedProcesses", "AuricleHost", "Workers", "RunLedgers", "FileRendering",
        "ChainPresets", "ResultSettings", "AudioConversion", "AudioHardware", "UnitChains",
        "PlugInGuard", "HostSystem", "AudioTypes",
      ]),

    // The windows of plug-ins, each a process of `auricle-window`, and the units that they move:
    // one of this process, or one of a live chain.
    module(
      "PluginWindows", in: "Sources/Host",
      [
        "Foundation", "AuricleHost", "InstalledComponents", "ChainPresets", "LV2Units",
        "UnitPresets", "PropertyLists", "UnitChains", "AudioComponents", "AudioUnits", "HostSystem",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox",
      ]),

    // The processes that run units of a host, and the one that starts them.
    module(
      "UnitProcesses", in: "Sources/Host",
      [
        "AuricleHost", "DeviceSound", "WatchedProcesses", "IsolatedUnits", "UnitLink", "CUnitLink",
        "AudioHardware", "AudioComponents", "Workers", "PlugInGuard", "HostSystem", "AudioTypes",
      ]),

    // A chain for a program that loads a module of ours, such as the plug-in of ALSA: a sandboxed
    // process beside it.
    module(
      "ChainServing", in: "Sources/Host",
      [
        "AuricleHost", "Workers", "RunLedgers", "FileRendering", "ChainPresets", "ResultSettings",
        "UnitChains", "UnitLink", "PlugInGuard", "HostSystem", "AudioTypes", "CUnitLink",
      ]),

    // An input through a chain to an output, or a keyboard through instruments: a process with the
    // device, and sandboxed ones that render and are exchanged with fades.
    module(
      "LiveSound", in: "Sources/Host",
      [
        "Foundation", "IsolatedUnits", "PluginWindows", "DeviceSound",
        "WatchedProcesses", "AuricleHost", "SongPlaying", "FileRendering", "ChainPresets",
        "AudioHardware", "AudioComponents", "MIDIPorts", "MIDIMessages", "Workers", "UnitChains",
        "AudioUnits", "PlugInGuard", "HostSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox", "CHostSystem",
      ]),

    // Runs on many machines: plans in shards, one shard done, all merged; Slurm.
    module(
      "ShardedRuns", in: "Sources/Host",
      [
        "Foundation", "AuricleHost", "RunReports", "RunLedgers", "HostSystem", "AudioTypes",
        "CHostSystem",
      ]),

    // Chains for packages of other languages: sound in memory that two processes share.
    module(
      "ArrayWorkers", in: "Sources/Host",
      [
        "Foundation", "AuricleHost", "Workers", "RunLedgers", "FileRendering", "ChainPresets",
        "ResultSettings", "AudioConversion", "AudioFiles", "UnitChains", "AudioUnits",
        "PlugInGuard", "HostSystem", "AudioTypes", "CHostSystem",
      ]),

    // The requests of every front: begin, resume, watch, one file; list, info, scan, validate;
    // export.
    module(
      "AuricleHost", in: "Sources/Host",
      [
        "Foundation", "OutputUnits", "AudioHardware", "CodecComponents", "InstalledComponents",
        "ComponentValidation", "WatchedProcesses", "UnitValidation", "RunReports", "Workers",
        "RunLedgers", "SongPlaying", "FileRendering", "ChainPresets", "ResultSettings",
        "AudioPictures", "AudioFiles", "AudioCodecs", "AudioConversion", "LV2Units", "NativeUnits",
        "UnitPresets", "UnitChains", "AudioComponents", "AudioUnits", "PlugInGuard", "HostSystem",
        "AudioTypes", "CAudioToolbox", "CHostSystem",
      ]),

    // MARK: Commands: families of commands

    // The output of all commands: standard streams, JSON, lines redrawn in a terminal; Ctrl-C.
    module(
      "CommandOutput", in: "Sources/Commands",
      [
        "Foundation", "RunReports", "AudioFiles", "HostSystem", "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // `auricle file`, `measure` and `tag`: arguments and printing.
    module(
      "FileCommands", in: "Sources/Commands",
      [
        "CommandOutput", "SoundFileReports", "AuricleHost", "RunReports", "AudioFiles",
        "AudioConversion", "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // `auricle midi`: arguments and printing.
    module(
      "MIDICommands", in: "Sources/Commands",
      [
        "CommandOutput", "MIDINetwork", "MIDIPorts", "MIDIMessages", "MIDIFiles", "RunReports",
        "AudioTypes", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // `auricle plugin` and `validate`: arguments and printing.
    module(
      "PluginCommands", in: "Sources/Commands",
      [
        "Foundation", "CommandOutput", "AuricleHost", "ComponentValidation", "ValidationReports",
        "PluginProjects", "UnitValidation", "RunReports", "AudioTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    // MARK: Fronts: the callers

    // The program: the other commands, exit codes; arguments and printing, and nothing else.
    .executableTarget(
      name: "auricle",
      dependencies: imports([
        "Foundation", "CommandOutput", "FileCommands", "MIDICommands", "PluginCommands",
        "InstalledComponents", "ArrayWorkers", "ShardedRuns", "DeviceSound", "LiveSound",
        "ChainServing", "UnitProcesses", "PluginWindows", "SongRendering", "ChainPlots",
        "SoundFileReports", "SystemReports", "AuricleHost", "SongPlaying", "RunReports", "Workers",
        "RunLedgers", "FileRendering", "ChainPresets", "ResultSettings", "AudioFiles",
        "AudioConversion", "UnitPresets", "UnitChains", "AudioGraph", "AudioComponents",
        "AudioUnits", "WatchedProcesses", "PlugInGuard", "HostSystem", "AudioTypes",
        "CAudioToolbox", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
      path: "Sources/Fronts/auricle", swiftSettings: swiftSettings,
      // Named for Scripts/order-libraries, which puts it in front: a sixth of all names of a start are in it.
      linkerSettings: [.linkedLibrary("_FoundationICU")]),

    // The C functions of the headers, a folder a header.
    module(
      "AudioToolbox", in: "Sources/Fronts",
      [
        "ProgramUnits", "PublishedUnits", "OutputUnits", "MacSystem", "InstalledComponents",
        "ComponentValidation", "LV2Units", "NativeUnits", "IsolatedUnits", "UnitLink",
        "UnitValidation", "CodecComponents", "CodecSettings", "ExtendedAudioFiles", "AudioCodecs",
        "AudioConverters", "AudioFilePackets", "AudioFileProperties", "AudioFileSyntax",
        "AudioFormats", "AudioGraph", "AudioComponents", "AudioUnits", "HostSystem",
        "RealtimeSupport", "AudioTypes", "CAudioToolbox", "CAuricleCodec", "CHostSystem",
      ]),

    // The C functions of `AudioHardware.h` and its older kin, linked into the same library.
    module(
      "HardwareFunctions", in: "Sources/Fronts",
      ["AudioHardware", "HardwareObjects", "MacSystem", "AudioTypes", "CAudioToolbox"]),

    // The C functions of `AudioQueue.h`: buffers through a converter and an output unit; linked
    // into the same library.
    module(
      "AudioQueues", in: "Sources/Fronts",
      [
        "HostSystem", "AudioHardware", "HardwareObjects", "MacSystem", "RealtimeSupport",
        "AudioTypes", "CAudioToolbox",
      ]),

    // The functions of `libauricle.so`: those of `AuricleHost.h` for C and cffi, and the decoding
    // reader of sound files for `libAudioToolbox.so`, which opens it for kinds without packets.
    module(
      "HostLibrary", in: "Sources/Fronts",
      [
        "Foundation", "AuricleHost", "Workers", "FileRendering", "ChainPresets", "UnitChains",
        "AudioFiles", "AudioFilePackets", "AudioConversion", "AudioUnits", "HostSystem",
        "AudioTypes", "CAudioToolbox", "CAuricleCodec", "CHostSystem",
      ]),

    // The functions of `libStudioLibrary.so`, which `auricle studio` opens: a start maps no library
    // of the server.
    module("StudioLibrary", in: "Sources/Fronts", ["StudioServer", "AudioTypes"]),

    // The C functions of `AudioServices.h` and `AudioSession.h`: short sounds, each through an
    // output unit, and the session of a process; linked into the same library.
    module(
      "SystemSounds", in: "Sources/Fronts",
      [
        "AudioHardware", "HardwareObjects", "HostSystem", "RealtimeSupport", "MacSystem",
        "CAudioToolbox",
      ]),

    // The C functions of `AudioFile.h` with references to files, by those with URLs; linked into
    // the same library.
    module("FileReferenceFunctions", in: "Sources/Fronts", ["MacSystem", "CAudioToolbox"]),

    // The C functions of `CoreAudioClock.h`, over `SyncClocks` and `MIDIPorts`; linked into the
    // same library.
    module(
      "ClockFunctions", in: "Sources/Fronts",
      [
        "SyncClocks", "MIDIPorts", "MIDIMessages", "MacSystem", "HostSystem", "AudioTypes",
        "CAudioToolbox",
      ]),

    // The C functions of `CoreMIDI.h`, a few lines each over `MIDIPorts`; linked into the same
    // library.
    module(
      "MIDIFunctions", in: "Sources/Fronts",
      ["MIDIPorts", "MIDIMessages", "MacSystem", "AudioTypes", "CAudioToolbox"]),

    // The C functions of `MusicPlayer.h`: sequences, tracks, iterators, and players that drive a
    // graph or MIDI endpoints; linked into the same library.
    module(
      "MusicFunctions", in: "Sources/Fronts",
      [
        "MusicSequences", "MIDIFiles", "HostSystem", "MacSystem", "RealtimeSupport", "AudioTypes",
        "CAudioToolbox",
      ]),

    // The C functions of `SpeechSynthesis.h`: channels that speak through a speech unit into a
    // device, a file or a graph, voices, settings, callbacks; linked into the same library.
    module(
      "SpeechFunctions", in: "Sources/Fronts",
      ["MacSystem", "HostSystem", "AudioTypes", "CAudioToolbox"]),

    // The unit that is written in C; the others are at the end.
    .target(
      name: "SampleDelay", dependencies: ["CUnit"], path: "Plugins/SampleDelay",
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
      path: "Tests/RealtimeCheck",
      exclude: ["Allocations.c", "Keys.c", "StructAccesses.c", "devices.py"],
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
        "FileRendering", "ResultSettings", "AudioFiles", "HostSystem", "AudioTypes", "CHostSystem",
        "FileTestSupport",
      ]),
    tests("PluginWindowTests", ["auricle"], optimized: false),
    tests(
      "StudioServerTests",
      ["auricle", "AudioFiles", "FileTestSupport", "MIDIMessages", "MIDIPorts"]
    ),
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
