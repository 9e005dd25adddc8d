// The units that the table of the contract is run against, one of each kind.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

/// A kind of unit that must keep the contract.
enum Subject: String, Sendable, CustomTestStringConvertible {
  /// A unit that ships, in Swift on the SDK.
  case shipped = "shipped unit (lpas)"
  /// A mixer that ships: elements, and parameters of theirs.
  case mixer = "shipped mixer (mcmx)"
  /// A unit that ships, in C from the interface alone.
  case plainC = "C unit (sdly)"
  /// A unit in C++ that calls its host back.
  case calling = "C++ unit that calls back"
  /// The same as a music effect, which is played as well.
  case callingMusicEffect = "C++ music effect that calls back"
  /// The same as an output, which is started and stopped.
  case callingOutput = "C++ output that calls back"
  /// An instrument in C that knows the interface by its numbers alone, without any header of ours.
  case writtenInstrument = "C instrument by numbers"
  /// An output in C like it.
  case writtenOutput = "C output by numbers"
  /// An LV2 plug-in.
  case lv2 = "LV2 unit"
  /// A converter that ships: no parameters, other rates and formats on either side.
  case converter = "shipped converter (conv)"
  /// The generic output: a converter that is started and stopped.
  case output = "shipped generic output (genr)"
  /// A splitter that ships: several outputs.
  case splitter = "shipped splitter (mspl)"
  /// An instrument on the SDK that sends MIDI as well.
  case instrument = "instrument on the SDK"
  /// An instrument that is an LV2 plug-in.
  case lv2Instrument = "LV2 instrument"
  /// A music effect on the SDK: MIDI beside sound, and no notes that are started by a call.
  case musicEffect = "music effect on the SDK"
  /// A music effect that is an LV2 plug-in: a gain that plays notes as well.
  case lv2MusicEffect = "LV2 music effect"

  var testDescription: String { rawValue }

  /// The kinds that have parameters and an input, which most of the table needs.
  static let allCases: [Subject] = [
    .shipped, .mixer, .plainC, .calling, .callingMusicEffect, .callingOutput, .writtenOutput, .lv2,
    .lv2MusicEffect,
  ]

  /// The kinds that have an input.
  static let fed = allCases + [.converter, .output, .splitter]

  /// The kinds that are LV2 plug-ins.
  static let everyLV2: [Subject] = [.lv2, .lv2Instrument, .lv2MusicEffect]

  /// Every kind there is.
  static let everyKind = fed + played + [.musicEffect]

  /// The instruments: no input.
  static let played: [Subject] = [.instrument, .lv2Instrument, .writtenInstrument]

  /// The kinds that are effects: one input and one output of the same width.
  static let effects: [Subject] = [.shipped, .plainC, .calling, .lv2, .lv2MusicEffect]

  /// The type its component has.
  var type: OSType {
    switch self {
    case .shipped, .plainC, .calling, .lv2: kAudioUnitType_Effect
    case .mixer: kAudioUnitType_Mixer
    case .converter, .splitter: kAudioUnitType_FormatConverter
    case .output, .callingOutput, .writtenOutput: kAudioUnitType_Output
    case .callingMusicEffect, .musicEffect, .lv2MusicEffect: kAudioUnitType_MusicEffect
    case .instrument, .lv2Instrument, .writtenInstrument: kAudioUnitType_MusicDevice
    }
  }

  /// Whether it is an instrument: played, and without an input.
  var isInstrument: Bool { type == kAudioUnitType_MusicDevice }

  /// Whether it accepts notes.
  var acceptsNotes: Bool { isInstrument || type == kAudioUnitType_MusicEffect }

  /// Whether notes are started and stopped by calls of their own: instruments' are; a music effect
  /// may leave it at MIDI, as those on the SDK do.
  var startsNotes: Bool { isInstrument || self == .callingMusicEffect }

  /// Whether it is started and stopped.
  var isOutput: Bool { type == kAudioUnitType_Output }

  /// Whether it is built on the SDK, which has every property that any unit may have.
  var isOnSDK: Bool {
    ![
      .plainC, .calling, .callingMusicEffect, .callingOutput, .writtenInstrument, .writtenOutput,
    ].contains(self)
  }

  /// Opens an instance.
  func open() throws -> AudioUnit {
    switch self {
    case .shipped: try SubjectComponents.shipped.get().resolve("aufx:lpas:appl").instantiate()
    case .mixer: try SubjectComponents.shipped.get().resolve("aumx:mcmx:appl").instantiate()
    case .plainC: try SubjectComponents.shipped.get().resolve("aufx:sdly:appl").instantiate()
    case .calling: try SubjectComponents.foreign.get().resolve("aufx:call:AuTe").instantiate()
    case .callingMusicEffect:
      try SubjectComponents.foreign.get().resolve("aumf:call:AuTe").instantiate()
    case .callingOutput:
      try SubjectComponents.foreign.get().resolve("auou:call:AuTe").instantiate()
    case .writtenInstrument:
      try SubjectComponents.foreign.get().resolve("aumu:writ:AuTe").instantiate()
    case .writtenOutput:
      try SubjectComponents.foreign.get().resolve("auou:writ:AuTe").instantiate()
    case .lv2: try SubjectComponents.lv2.get().resolve("urn:auricle:test:conforms").instantiate()
    case .lv2Instrument:
      try SubjectComponents.lv2.get().resolve("urn:auricle:test:plays").instantiate()
    case .converter: try SubjectComponents.shipped.get().resolve("aufc:conv:appl").instantiate()
    case .output: try SubjectComponents.shipped.get().resolve("auou:genr:appl").instantiate()
    case .splitter: try SubjectComponents.shipped.get().resolve("aufc:mspl:appl").instantiate()
    case .instrument: try TestUnits.midi(type: kAudioUnitType_MusicDevice)
    case .musicEffect: try TestUnits.midi(type: kAudioUnitType_MusicEffect)
    case .lv2MusicEffect:
      try SubjectComponents.lv2.get().resolve("urn:auricle:test:sings").instantiate()
    }
  }
}
