// Voices, and the functions that list them.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc
import Synchronization

/// A voice of the unit that speaks.
struct Voice: Sendable {
  let specification: VoiceSpec
  let name: String
  let language: String
  let gender: String

  private init?(_ table: CFDictionaryRef) {
    func text(_ key: String) -> String? { unsafe SpeechValue(entry: key, of: table)?.text }
    guard let creator = text("creator").flatMap(OSType.init(_:)),
      let number = text("number").flatMap(OSType.init(_:)), let name = text("name")
    else { return nil }
    specification = VoiceSpec(creator: creator, id: number)
    self.name = name
    language = text("language") ?? ""
    gender = text("gender") ?? ""
  }

  private static let known = Mutex<[Voice]>([])

  /// All voices.
  ///
  /// - Throws: -240 where nothing that speaks is installed.
  static func all() throws(SpeechFailure) -> [Voice] {
    try known.withLock { (known) throws(SpeechFailure) in
      if !known.isEmpty { return known }
      let unit = try SpeechUnit.open()
      defer { unit.dispose() }
      guard
        let list = unsafe unit.read(kAuricleProperty_SpeechVoices, initial: nil as CFArrayRef?),
        let list = unsafe list
      else { throw SpeechFailure(noSynthFound) }
      known = unsafe SpeechValue.tables(list).compactMap { unsafe Voice($0) }
      unsafe CFRelease(UnsafeRawPointer(list))
      return known
    }
  }

  /// The voice of a specification, or the usual one.
  ///
  /// - Throws: -244 for one that is not there.
  static func find(_ specification: VoiceSpec?) throws(SpeechFailure) -> Voice {
    let voices = try all()
    var wanted = specification
    if wanted == nil {
      let unit = try SpeechUnit.open()
      defer { unit.dispose() }
      wanted = unit.read(kAudioUnitProperty_Voice, initial: VoiceSpec(creator: 0, id: 0))
    }
    guard let wanted,
      let found = voices.first(where: {
        $0.specification.creator == wanted.creator && $0.specification.id == wanted.id
      })
    else { throw SpeechFailure(voiceNotFound) }
    return found
  }

  /// The record of the interface, byte by byte: its fields are closer together than others.
  var description: [UInt8] {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
    }
    func text(_ text: String, _ count: Int) -> [UInt8] {
      let bytes = Array(text.utf8.prefix(count - 1))
      return [UInt8(bytes.count)] + bytes + [UInt8](repeating: 0, count: count - 1 - bytes.count)
    }
    let genders: [String: Int16] = ["male": Int16(kMale), "female": Int16(kFemale)]
    let (english, unspecified): (Int16, Int16) = (0, 32_767)
    let whole =
      number(Int32(362)) + number(specification.creator) + number(specification.id)
      + number(Int32(1)) + text(name, 64) + text("\(name) (\(language))", 256)
      + number(genders[gender] ?? Int16(kNeuter)) + number(Int16(0)) + number(Int16(0))
      + number(language.hasPrefix("en") ? english : unspecified) + number(Int16(0))
    return whole + [UInt8](repeating: 0, count: 362 - whole.count)
  }
}

/// Writes a voice's record, as much of it as is wanted.
private func write(
  _ voice: UnsafePointer<VoiceSpec>?, _ info: UnsafeMutableRawPointer?, _ length: Int
) throws(SpeechFailure) {
  guard let info = unsafe info, length > 0 else { throw .parameter }
  let bytes = try Voice.find(unsafe voice?.pointee).description
  unsafe info.copyMemory(from: bytes, byteCount: min(length, bytes.count))
}

/// Makes the specification of a voice, which need not be there.
///
/// Context: any.
@c @implementation
public func MakeVoiceSpec(
  _ creator: OSType, _ id: OSType, _ voice: UnsafeMutablePointer<VoiceSpec>?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe store(VoiceSpec(creator: creator, id: id), voice)
  }
}

/// Counts the voices; 0 where no synthesizer is installed.
///
/// Context: control.
@c @implementation
public func CountVoices(_ numVoices: UnsafeMutablePointer<Int16>?) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe store(Int16(clamping: (try? Voice.all())?.count ?? 0), numVoices)
  }
}

/// The specification of a voice.
///
/// - Parameter index: From 1.
/// - Returns: -244 for one that is not there.
///
/// Context: control.
@c @implementation
public func GetIndVoice(_ index: Int16, _ voice: UnsafeMutablePointer<VoiceSpec>?) -> OSErr {
  withResult { () throws(SpeechFailure) in
    let voices = try Voice.all()
    guard voices.indices.contains(Int(index) - 1) else { throw SpeechFailure(voiceNotFound) }
    try unsafe store(voices[Int(index) - 1].specification, voice)
  }
}

/// Describes a voice.
///
/// - Parameters:
///   - voice: Null for the usual one.
///   - infoLength: The number of bytes that are wanted.
/// - Returns: -244 for one that is not there.
///
/// Context: control.
@c @implementation
public func GetVoiceDescription(
  _ voice: UnsafePointer<VoiceSpec>?, _ info: UnsafeMutablePointer<VoiceDescription>?,
  _ infoLength: Int
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    try unsafe write(voice, UnsafeMutableRawPointer(info), infoLength)
  }
}

/// Describes a voice, by a selector: `soVoiceDescription`.
///
/// - Returns: -231 for another selector: voices are in no separate file.
///
/// Context: control.
@c @implementation
public func GetVoiceInfo(
  _ voice: UnsafePointer<VoiceSpec>?, _ selector: OSType, _ voiceInfo: UnsafeMutableRawPointer?
) -> OSErr {
  withResult { () throws(SpeechFailure) in
    guard selector == soVoiceDescription else { throw SpeechFailure(siUnknownInfoType) }
    try unsafe write(voice, voiceInfo, 362)
  }
}

extension Channel {
  /// Speaks in another voice from the next text on.
  ///
  /// - Throws: -244 for one that is not there.
  func set(_ voice: VoiceSpec) throws(SpeechFailure) {
    let found = try Voice.find(voice)
    try state.withLock { (state) throws(SpeechFailure) in
      guard state.saying == nil else { throw SpeechFailure(synthNotReady) }
      guard unit.write(kAudioUnitProperty_Voice, found.specification) == noErr else {
        throw SpeechFailure(voiceNotFound)
      }
    }
  }

  /// Its voice.
  var voice: VoiceSpec {
    unit.read(kAudioUnitProperty_Voice, initial: VoiceSpec(creator: 0, id: 0))
      ?? VoiceSpec(creator: 0, id: 0)
  }
}
