// The voices of a synthesiser: their names, and the choice of one by a text.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A voice of espeak-ng or flite.
struct SpeechVoice: Hashable, Sendable {
  /// The name of its file: `gmw/en`, or of a variant: `f3`.
  var identifier: String
  /// Its name for people: `English (Great Britain)`.
  var name: String
  /// The language that it is made for: `en-gb`.
  var language: String
  /// Further languages that it can speak, with how well: 5 is usual, lower is better.
  var languages: [(name: String, priority: UInt8)]
  /// male, female or none.
  var gender: String

  /// The maker of the voice: 'espk' or 'flit'.
  var creator: UInt32 = Self.espeak

  /// The creator of espeak-ng's voices.
  static let espeak: UInt32 = 0x6573_706b
  /// The creator of flite's.
  static let flite: UInt32 = 0x666c_6974

  /// The number of its specification: that of its identifier alone, so it stays the same for ever.
  var number: UInt32 {
    identifier.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } & 0x7FFF_FFFF
  }

  static func == (a: SpeechVoice, b: SpeechVoice) -> Bool { a.identifier == b.identifier }
  func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// One of flite's.
  init(flite identifier: String, name: String, language: String, gender: String) {
    (self.identifier, self.name, self.language, self.gender) = (identifier, name, language, gender)
    languages = [(language, 2), ("en", 5)]
    creator = Self.flite
  }

  /// Reads espeak-ng's record of a voice: texts at 0, 8 and 16, the gender at 24.
  init?(_ record: UnsafeRawPointer) {
    func text(_ offset: Int) -> String {
      unsafe record.load(fromByteOffset: offset, as: UnsafePointer<CChar>?.self)
        .map { unsafe String(cString: $0) } ?? ""
    }
    name = text(0)
    identifier = text(16)
    let code = unsafe record.load(fromByteOffset: 24, as: UInt8.self)
    gender = code == 1 ? "male" : code == 2 ? "female" : "none"
    var found: [(name: String, priority: UInt8)] = []
    // A priority, a name, 0; and so on, until a priority of 0.
    var place = unsafe record.load(fromByteOffset: 8, as: UnsafePointer<UInt8>?.self)
    while let here = unsafe place, unsafe here.pointee != 0 {
      let name = unsafe String(cString: here + 1)
      unsafe found.append((name, here.pointee))
      unsafe place = here + 2 + name.utf8.count
    }
    languages = found
    language = found.first?.name ?? ""
    if identifier.isEmpty { return nil }
  }

  /// As a host reads it.
  var table: [String: String] {
    [
      "identifier": identifier, "name": name, "language": language, "gender": gender,
      "languages": languages.map(\.name).joined(separator: " "), "creator": "\(creator)",
      "number": "\(number)",
    ]
  }
}

/// All voices of a synthesiser.
struct VoiceList: Sendable {
  /// By language and name.
  let voices: [SpeechVoice]
  /// Changes of a voice: `f3` in `en-gb+f3`.
  let variants: [SpeechVoice]

  /// Makes the list of flite's voices.
  init(_ voices: [SpeechVoice]) {
    self.voices = voices
    variants = []
  }

  /// Reads those of espeak-ng. Context: control, in `SpeechLibrary.whileReady`.
  init(_ library: SpeechLibrary) {
    func list(_ specification: UnsafeRawPointer?) -> [SpeechVoice] {
      var found: [SpeechVoice] = []
      guard let records = unsafe library.listVoices(specification) else { return [] }
      var index = 0
      while let record = unsafe records[index] {
        if let voice = unsafe SpeechVoice(record) { found.append(voice) }
        index += 1
      }
      return found.sorted { ($0.language, $0.identifier) < ($1.language, $1.identifier) }
    }
    voices = list(nil)
    // A record that asks for the language "variant", at 8.
    variants = unsafe "variant".withCString { language in
      unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { record in
        unsafe record.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe record.storeBytes(of: language, toByteOffset: 8, as: UnsafePointer<CChar>.self)
        return unsafe list(UnsafeRawPointer(record.baseAddress))
      }
    }
  }

  /// Returns espeak-ng's name for the voice that a text names: a language, a name or a file, with a variant behind
  /// `+`.
  ///
  /// - Throws: A sentence for one that is not there.
  func find(_ text: String) throws(UnitRefusal) -> String {
    let parts = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let wanted = String(parts.first ?? "").lowercased()
    var variant: String?
    if parts.count > 1 {
      let name = parts[1].lowercased()
      // The synthesiser knows a variant by its file alone.
      variant =
        (variants.first { Self.file($0).lowercased() == name }
        ?? variants.first { $0.name.lowercased() == name }).map(Self.file)
      if variant == nil { throw refusal("there is no variant '\(parts[1])' of voices") }
    }
    let named = voices.first {
      $0.identifier.lowercased() == wanted || $0.name.lowercased() == wanted
    }
    let spoken = voices.flatMap { voice in voice.languages.map { (voice, $0) } }
      .filter { $0.1.name.lowercased() == wanted }
      .min { $0.1.priority < $1.1.priority }?.0
    guard let voice = spoken ?? named else {
      let language = wanted.split(separator: "-").first.map(String.init) ?? ""
      let near = voices.map(\.language).filter { $0 == language || $0.hasPrefix(language + "-") }
      throw refusal(
        "there is no voice '\(text)'"
          + (near.isEmpty ? "" : "; near: \(near.joined(separator: ", "))"))
    }
    return voice.identifier + (variant.map { "+" + $0 } ?? "")
  }

  /// The voice that a text names, with its variant; nil for one that is not there.
  func voice(_ text: String) -> SpeechVoice? {
    guard let found = try? find(text) else { return nil }
    var voice = voices.first { found.split(separator: "+").first == $0.identifier[...] }
    voice?.identifier = found
    return voice
  }

  /// The identifier of the voice, or of its variant, that a specification names; nil for one that is not there.
  func identifier(creator: UInt32, number: UInt32) -> String? {
    for voice in voices where voice.creator == creator {
      if voice.number == number { return voice.identifier }
      for variant in variants {
        var varied = voice
        varied.identifier += "+" + Self.file(variant)
        if varied.number == number { return varied.identifier }
      }
    }
    return nil
  }

  private static func file(_ voice: SpeechVoice) -> String {
    voice.identifier.split(separator: "/").last.map(String.init) ?? ""
  }

  private func refusal(_ text: String) -> UnitRefusal {
    UnitRefusal(
      status: kAudioUnitErr_InvalidPropertyValue,
      reason: text + " (auricle say --list-voices lists them)")
  }
}
