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
    "Sources/Formats/LV2Units/Running/LV2Repeatability.swift": (1, "FFTW, only if it is loaded"),
    "Sources/Fronts/OpenAL/OpenAL.c": (1, "OpenAL Soft"),
    "Sources/Fronts/OpenAL/LoopbackOutput.c": (2, "our own libAudioToolbox"),
    "Sources/Files/CFLAC/FLACDecoding.c": (1, "libFLAC"),
    "Sources/Files/AudioCodecs/CodecLibrary.swift": (1, "codecs of Auricle"),
    "Sources/Files/CSoxr/Soxr.c": (1, "libsoxr"),
    "Sources/Devices/VoiceProcessing/SpeexDSP.swift": (1, "SpeexDSP"),
    "Sources/Devices/AudioHardware/Engine/RealtimeDaemon.swift": (1, "libdbus"),
    "Sources/Devices/CALSA/shim.h": (1, "JACK"),
  ]

  @Test("no other file opens a library")
  func openers() throws {
    let root = Places.inPackage("Sources")
    var found: [String: Int] = [:]
    for name in FileManager.default.subpaths(atPath: root) ?? []
    where name.hasSuffix(".swift") || name.hasSuffix(".c") || name.hasSuffix(".h") {
      let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
      let lines = text.split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }
      let count = lines.reduce(0) { $0 + $1.matches(of: /dlm?open\(/).count }
      if count > 0 { found["Sources/" + name] = count }
    }
    for (file, count) in found {
      #expect(
        Self.openings[file]?.count == count,
        "\(file) opens libraries in \(count) places: plug-ins are opened by ForeignLibrary alone")
    }
    #expect(Set(found.keys) == Set(Self.openings.keys))
  }
}
