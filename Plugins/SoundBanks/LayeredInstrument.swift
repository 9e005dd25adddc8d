// Reads the state of Apple's sampler: layers of zones, whose sounds are in a list of files.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The zones of a state of Apple's sampler, as the opcodes of SFZ regions.
enum LayeredInstrument {
  /// The regions of a state; nil for a state without such an instrument.
  ///
  /// - Throws: A sentence: no zone with a sound, a sound without a file.
  ///
  /// Context: control.
  static func regions(_ state: UnitState) throws(UnitRefusal) -> [SFZText.Opcodes]? {
    guard let instrument = state.state("Instrument") else { return nil }
    let files = state.state("file-references")
    var regions: [SFZText.Opcodes] = []
    for zone in instrument.states("Layers").flatMap({ $0.states("Zones") }) {
      guard let waveform = zone.integer("waveform") else { continue }
      guard let path = files?.string("Sample:\(waveform)") else {
        throw UnitRefusal(
          status: OSStatus(kAudio_FileNotFoundError),
          reason: "the state has no file for Sample:\(waveform): name it in file-references")
      }
      regions.append(opcodes(zone, path))
    }
    guard !regions.isEmpty else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidFile,
        reason: "the instrument of the state has no zone with a sound: give one with a waveform")
    }
    return regions
  }

  private static let numbers = [
    ("root key", "pitch_keycenter"), ("min key", "lokey"), ("max key", "hikey"),
    ("min velocity", "lovel"), ("max velocity", "hivel"), ("coarse tune", "transpose"),
    ("fine tune", "tune"),
  ]

  private static func opcodes(_ zone: UnitState, _ path: String) -> SFZText.Opcodes {
    let prefix = "file://"
    var opcodes = [
      "sample": path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    ]
    for (key, opcode) in numbers {
      if let number = zone.real(key), number.isFinite, abs(number) < 1e6 {
        opcodes[opcode] = String(Int(number))
      }
    }
    if let loops = zone.boolean("loop enabled") {
      opcodes["loop_mode"] = loops ? "loop_continuous" : "no_loop"
    }
    return opcodes
  }
}
