// One function opens the binaries of plug-ins; all other libraries that are opened at run time have fixed names.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ForeignCodeTests {
  /// The files that call the loader, how often, and the libraries that they open.
  static let openings: [String: (count: Int, reason: String)] = [
    "Sources/Units/PlugInGuard/ForeignLibrary.swift": (1, "plug-ins, in the sandbox"),
    "Sources/Formats/NativeUnits/ToolboxLibrary.swift": (3, "our own libAudioToolbox"),
    "Sources/Formats/ForeignPlugIns/Repeatability.swift": (1, "FFTW, only if it is loaded"),
    "Sources/Formats/LADSPAUnits/Loading/LADSPALibrary.swift": (1, "libm, which some lack"),
    "Sources/Fronts/auricle/Chains/StudioService.swift": (1, "our own libStudioLibrary"),
    "Sources/Fronts/AudioToolbox/AudioFile/SoundLibrary.swift": (1, "our own libauricle"),
    "Sources/Fronts/OpenAL/OpenAL.c": (1, "OpenAL Soft"),
    "Sources/Fronts/OpenAL/LoopbackOutput.c": (2, "our own libAudioToolbox"),
    "Sources/Files/CFLAC/FLACDecoding.c": (1, "libFLAC"),
    "Sources/Files/AudioCodecs/CodecLibrary.swift": (1, "codecs of Auricle"),
    "Sources/Files/CSoxr/Soxr.c": (1, "libsoxr"),
    "Sources/System/CHostSystem/Lazy/LazyLibrary.c": (
      2, "libraries that need not be there at a start"
    ),
    "Sources/Devices/VoiceProcessing/SpeexDSP.swift": (1, "SpeexDSP"),
    "Sources/Devices/AudioHardware/Engine/RealtimeDaemon.swift": (1, "libdbus"),
    "Sources/Devices/CALSA/shim.h": (1, "JACK"),
    "Plugins/Players/FileFunctions.swift": (1, "our own libAudioToolbox, only if it is loaded"),
    "Plugins/SoundBanks/FluidLibrary.swift": (1, "FluidSynth"),
    "Plugins/Spatial/SofaLibrary.swift": (1, "libmysofa"),
    "Plugins/Speech/FliteLibrary.swift": (2, "Flite and its voices"),
    "Plugins/Speech/SpeechLibrary.swift": (2, "eSpeak NG and what it needs"),
    "Plugins/TimePitch/RubberBand.swift": (1, "Rubber Band"),
    "Codecs/FFmpeg/AMREncoder.c": (1, "encoders of AMR"),
    "SDK/CRealtime/StayLoaded.c": (1, "the library itself, to keep it"),
    "SDK/CUnit/UnitCheck.c": (1, "an author's own unit, in the author's own check"),
    "SDK/include/dlfcn.h": (1, "a client's own libraries"),
  ]

  @Test("no other file opens a library")
  func openers() throws {
    var found: [String: Int] = [:]
    let endings = [".swift", ".c", ".h", ".cpp", ".hpp", ".py"]
    let names = ["Sources", "SDK", "Plugins", "Codecs", "Python/src"].flatMap { folder in
      let below = FileManager.default.subpaths(atPath: Places.inPackage(folder)) ?? []
      return below.map { "\(folder)/\($0)" }
    }
    for name in names where endings.contains(where: name.hasSuffix) && !name.contains("/.build/") {
      let text = try String(contentsOfFile: Places.inPackage(name), encoding: .utf8)
      let lines = text.split(separator: "\n").filter {
        !["//", "#"].contains(where: $0.drop { $0 == " " }.hasPrefix)
      }
      // lilv opens binaries itself, and so do bundles of Foundation and Python's ctypes.
      let loader = /dlm?open\(|lilv_plugin_instantiate\(|\.loadAndReturnError\(|\bCDLL\(/
      let count = lines.reduce(0) { $0 + $1.matches(of: loader).count }
      if count > 0 { found[name] = count }
    }
    for (file, count) in found {
      #expect(
        Self.openings[file]?.count == count,
        "\(file) opens libraries in \(count) places: plug-ins are opened by ForeignLibrary alone")
    }
    #expect(Set(found.keys) == Set(Self.openings.keys))
  }
}
