// The settings of a channel: its speech, its callbacks, and its destination.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The settings of speech.
struct SpeechSettings: Sendable {
  /// The pitch of a voice (MIDI note), and how far it moves, as voices have it.
  static let (usualPitch, usualModulation) = (43.0, 6.0)

  /// Words a minute.
  var rate = 180.0
  var pitch = usualPitch
  var modulation = usualModulation
  /// 0 to 1.
  var volume = 1.0
  var inputMode = modeText
  var characterMode = modeNormal
  var numberMode = modeNormal
  /// The delimiters of commands; empty for no commands.
  var (prefix, suffix) = ("[[", "]]")
  /// Phonemes by words in small letters.
  var pronunciations: [String: String] = [:]
  var phonemeOptions: UInt32 = 0

  /// A passage that is spoken so.
  ///
  /// - Parameter volume: That of the unit, to which its gain adds.
  func passage(volume base: Double) -> Passage {
    var passage = Passage()
    passage.record.rate = Float(rate)
    passage.record.pitch = Float(pitch - Self.usualPitch)
    passage.record.range = Float(modulation / Self.usualModulation)
    passage.record.gain = base > 0 ? Float(volume / base) : 1
    return passage
  }

  /// Applies a property.
  ///
  /// - Throws: -50 for a value out of range.
  mutating func set(_ id: OSType, _ number: Double) throws(SpeechFailure) {
    guard number.isFinite else { throw .parameter }
    switch id {
    case soRate where (1...2000).contains(number): rate = number
    case soPitchBase where (0...127).contains(number): pitch = number
    case soPitchMod where (0...127).contains(number): modulation = number
    case soVolume where number >= 0: volume = min(number, 1)
    default: throw .parameter
    }
  }

  /// The number of a property; nil for another.
  func number(_ id: OSType) -> Double? {
    switch id {
    case soRate: rate
    case soPitchBase: pitch
    case soPitchMod: modulation
    case soVolume: volume
    default: nil
    }
  }

  /// Puts a mode in force.
  ///
  /// - Throws: -50 for one that it does not have.
  mutating func setMode(_ id: OSType, _ mode: OSType) throws(SpeechFailure) {
    switch (id, mode) {
    case (soInputMode, modeText), (soInputMode, modePhonemes), (soInputMode, modeTune):
      inputMode = mode
    case (soCharacterMode, modeNormal), (soCharacterMode, modeLiteral): characterMode = mode
    case (soNumberMode, modeNormal), (soNumberMode, modeLiteral): numberMode = mode
    default: throw .parameter
    }
  }

  /// The mode of a property; nil for another.
  func mode(_ id: OSType) -> OSType? {
    switch id {
    case soInputMode: inputMode
    case soCharacterMode: characterMode
    case soNumberMode: numberMode
    default: nil
    }
  }

  /// The settings at first, but for words with phonemes.
  mutating func reset() {
    let words = pronunciations
    self = SpeechSettings()
    pronunciations = words
  }
}

/// The functions of a program that a channel calls, by the selectors that set them; 0 for none.
struct SpeechCallbacks: Sendable {
  /// The selectors of two that have none.
  static let (wordCF, errorCF): (OSType, OSType) = (0x7763_6362, 0x6563_6362)

  static let all = [
    soTextDoneCallBack, soSpeechDoneCallBack, soSyncCallBack, soErrorCallBack, soPhonemeCallBack,
    soWordCallBack, wordCF, errorCF,
  ]

  var functions: [OSType: UInt] = [:]
  var refCon: UInt = 0

  /// A function of a type; nil where it was not set.
  func function<Function>(_ id: OSType, as type: Function.Type) -> Function? {
    guard let address = functions[id], let pointer = unsafe UnsafeRawPointer(bitPattern: address)
    else { return nil }
    return unsafe unsafeBitCast(pointer, to: Function.self)
  }

  var context: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: refCon) }
}

/// Where a channel's sound goes.
enum SpeechTarget: Sendable, Equatable {
  /// A device; 0 for the default one.
  case device(AudioDeviceID)
  /// A file that is made for each text.
  case file(String)
  /// A file of the program's, by its handle.
  case extended(UInt)
  /// Into any caller that pulls the unit, which is not the channel's own.
  case unit
}

/// The errors in texts since they were read last.
struct SpeechErrors: Sendable {
  var count = 0
  var oldest: (code: OSErr, place: Int) = (0, 0)
  var newest: (code: OSErr, place: Int) = (0, 0)

  mutating func add(_ code: OSErr, at place: Int) {
    count += 1
    newest = (code, place)
    if count == 1 { oldest = newest }
  }
}
