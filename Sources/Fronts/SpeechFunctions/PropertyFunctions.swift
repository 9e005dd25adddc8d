// The properties of channels, as objects of Core Foundation; the functions for rate and pitch.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MacSystem
import Synchronization

extension Channel {
  /// The value of a property.
  ///
  /// - Throws: -231 for one that there is not.
  func value(_ id: OSType) throws(SpeechFailure) -> SpeechValue {
    let found = state.withLock { state -> SpeechValue? in
      if let number = state.settings.number(id) { return .number(number) }
      if let mode = state.settings.mode(id) { return .text(mode.code) }
      if SpeechCallbacks.all.contains(id) { return .address(state.callbacks.functions[id] ?? 0) }
      switch id {
      case soStatus: return .table(status(state))
      case soErrors:
        return .table([
          "Count": .number(Double(state.errors.count)),
          "OldestCode": .number(Double(state.errors.oldest.code)),
          "OldestCharacterOffset": .number(Double(state.errors.oldest.place)),
          "NewestCode": .number(Double(state.errors.newest.code)),
          "NewestCharacterOffset": .number(Double(state.errors.newest.place)),
        ])
      case soRecentSync: return .address(UInt(state.recentSync))
      case soCommandDelimiter:
        return .table([
          "Prefix": .text(state.settings.prefix), "Suffix": .text(state.settings.suffix),
        ])
      case soPhonemeOptions: return .address(UInt(state.settings.phonemeOptions))
      case soRefCon: return .address(state.callbacks.refCon)
      case soOutputToFileWithCFURL:
        if case .file(let path) = state.target { return .text(path) }
        return .text("")
      case soOutputToExtAudioFile:
        if case .extended(let file) = state.target { return .address(file) }
        return .address(0)
      case soOutputToAudioDevice:
        if case .device(let device) = state.target { return .address(UInt(device)) }
        return .address(0)
      default: return nil
      }
    }
    if let found { return found }
    switch id {
    case soCurrentVoice:
      return .table([
        "VoiceSynthesizerNumericID": .address(UInt(voice.creator)),
        "VoiceNumericID": .address(UInt(voice.id)),
      ])
    case soSynthType:
      let words = unit.text(kAuricleProperty_SpeechSynthesizer).split(separator: " ")
      return .table([
        "SynthesizerIdentifier": .text(String(words.first ?? "")),
        "SynthesizerManufacturer": .text("Auricle"),
        "SynthesizerVersion": .text(words.count > 1 ? String(words[1]) : ""),
      ])
    case soPhonemeSymbols: return .list(PhonemeTable.entries.map(\.value))
    case Self.unitProperty: return unsafe .address(UInt(bitPattern: unit.handle))
    case Self.graphProperty: return .address(unsafe UInt(bitPattern: output?.graph))
    default: throw SpeechFailure(siUnknownInfoType)
    }
  }

  /// Properties of the functions with objects alone: the unit and the graph behind a channel.
  private static let (unitProperty, graphProperty): (OSType, OSType) = (0x6175_6e69, 0x6175_6772)

  private func status(_ state: borrowing State) -> [String: SpeechValue] {
    let progress = state.saying?.clock.progress
    let left = state.saying.map { saying in
      saying.supplied.count - saying.supplied.counted(saying.place..<saying.place).place
    }
    return [
      "OutputBusy": .number(state.saying == nil ? 0 : 1),
      "OutputPaused": .number(Double(progress?.isPaused ?? 0)),
      "NumberOfCharactersLeft": .number(Double(left ?? 0)),
      "PhonemeCode": .number(Double(state.opcode)),
    ]
  }

  /// Sets a property that is a number, a mode, an address or a function.
  ///
  /// - Throws: -231 for one that there is not, -50 for another value.
  func set(_ id: OSType, _ value: SpeechValue?) throws(SpeechFailure) {
    if id == soReset {
      return state.withLock { state in
        state.settings.reset()
        unit.set(volume: state.settings.volume)
      }
    }
    try state.withLock { (state) throws(SpeechFailure) in
      if state.settings.number(id) != nil {
        guard let number = value?.number else { throw .parameter }
        try state.settings.set(id, number)
        if id == soVolume { unit.set(volume: state.settings.volume) }
      } else if state.settings.mode(id) != nil {
        guard let mode = value?.text.flatMap(OSType.init(code:)) else { throw .parameter }
        try state.settings.setMode(id, mode)
      } else if SpeechCallbacks.all.contains(id) {
        state.callbacks.functions[id] = value?.address ?? 0
      } else {
        try setPlace(id, value, &state)
      }
    }
  }

  private func setPlace(
    _ id: OSType, _ value: SpeechValue?, _ state: inout State
  ) throws(SpeechFailure) {
    switch id {
    case soRefCon: state.callbacks.refCon = value?.address ?? 0
    case soPhonemeOptions: state.settings.phonemeOptions = UInt32(clamping: value?.address ?? 0)
    case soCurrentA5: break
    case soOutputToFileWithCFURL, soOutputToExtAudioFile, soOutputToAudioDevice:
      // A unit's channel speaks into its unit.
      guard output != nil else { throw .parameter }
      guard state.saying == nil else { throw SpeechFailure(synthNotReady) }
      switch (id, value) {
      case (soOutputToFileWithCFURL, .text(let path)?): state.target = .file(path)
      case (soOutputToExtAudioFile, .address(let file)?) where file != 0:
        state.target = .extended(file)
      case (soOutputToAudioDevice, .address(let device)?):
        state.target = .device(AudioDeviceID(clamping: device))
      case (_, nil), (soOutputToExtAudioFile, .address(0)?): state.target = .device(0)
      default: throw .parameter
      }
    default: throw SpeechFailure(siUnknownInfoType)
    }
  }

  /// Sets the delimiters of commands.
  func setDelimiters(_ prefix: String, _ suffix: String) {
    state.withLock { state in
      (state.settings.prefix, state.settings.suffix) = suffix.isEmpty ? ("", "") : (prefix, suffix)
    }
  }
}

private func identifier(_ property: CFStringRef?) throws(SpeechFailure) -> OSType {
  guard let text = unsafe String(cfString: property) else { throw .parameter }
  guard let id = OSType(code: text) else { throw SpeechFailure(siUnknownInfoType) }
  return id
}

/// The value of a property, which the caller releases.
///
/// - Returns: -231 for one that there is not.
///
/// Context: control.
@c @implementation
public func CopySpeechProperty(
  _ chan: SpeechChannel?, _ property: CFStringRef?, _ object: UnsafeMutablePointer<CFTypeRef?>?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    let id = try unsafe identifier(property)
    guard let object = unsafe object else { throw .parameter }
    unsafe object.pointee = unsafe try channel.value(id).made()
    if id == soErrors { channel.state.withLock { $0.errors = SpeechErrors() } }
  }
}

/// Sets a property. Rate, pitch and modes act on the next text, the volume at once.
///
/// - Returns: -231 for one that there is not, -50 for another value, -242 for a voice or an output while it speaks.
///
/// Context: control.
@c @implementation
public func SetSpeechProperty(
  _ chan: SpeechChannel?, _ property: CFStringRef?, _ object: CFTypeRef?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let channel = try unsafe Channels.find(chan)
    switch try unsafe identifier(property) {
    case soCurrentVoice:
      let table = unsafe object.map { CFDictionaryRef($0) }
      func number(_ key: String) throws(SpeechFailure) -> OSType {
        guard let found = unsafe SpeechValue(entry: key, of: table)?.address else {
          throw .parameter
        }
        return OSType(clamping: found)
      }
      try channel.set(
        VoiceSpec(creator: number("VoiceSynthesizerNumericID"), id: number("VoiceNumericID")))
    case soCommandDelimiter:
      let table = unsafe object.map { CFDictionaryRef($0) }
      channel.setDelimiters(
        unsafe SpeechValue(entry: "Prefix", of: table)?.text ?? "",
        unsafe SpeechValue(entry: "Suffix", of: table)?.text ?? "")
    case soOutputToFileWithCFURL:
      guard let url = unsafe object else { return try channel.set(soOutputToFileWithCFURL, nil) }
      unsafe try channel.setFile(CFURLRef(url))
    case let id: try channel.set(id, unsafe SpeechValue(object))
    }
  }
}

extension Channel {
  /// Speaks into the file of a URL from the next text on.
  func setFile(_ url: CFURLRef?) throws(SpeechFailure) {
    guard let path = unsafe filePath(of: url) else { throw .parameter }
    try set(soOutputToFileWithCFURL, .text(String(decoding: path.dropLast(), as: UTF8.self)))
  }

  fileprivate func read(
    _ id: OSType, _ result: UnsafeMutablePointer<Fixed>?
  ) throws(SpeechFailure) {
    try unsafe store(Fixed(rounding: value(id).number ?? 0), result)
  }
}

/// Sets the rate of the next text, in words a minute.
///
/// Context: control.
@c @implementation
public func SetSpeechRate(_ chan: SpeechChannel?, _ rate: Fixed) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe Channels.find(chan).set(soRate, .number(rate.number))
  }
}

/// The rate, in words a minute.
///
/// Context: control.
@c @implementation
public func GetSpeechRate(_ chan: SpeechChannel?, _ rate: UnsafeMutablePointer<Fixed>?) -> OSErr {
  withResult { () throws(SpeechFailure) in try unsafe Channels.find(chan).read(soRate, rate) }
}

/// Sets the pitch of the next text, a MIDI note.
///
/// Context: control.
@c @implementation
public func SetSpeechPitch(_ chan: SpeechChannel?, _ pitch: Fixed) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe Channels.find(chan).set(soPitchBase, .number(pitch.number))
  }
}

/// The pitch, a MIDI note.
///
/// Context: control.
@c @implementation
public func GetSpeechPitch(_ chan: SpeechChannel?, _ pitch: UnsafeMutablePointer<Fixed>?) -> OSErr {
  withResult { () throws(SpeechFailure) in try unsafe Channels.find(chan).read(soPitchBase, pitch) }
}
