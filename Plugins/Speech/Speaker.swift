// Synthesises units' requests: a whole utterance at once, one at a time in a process.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc
import Synchronization

/// A synthesiser of speech from texts. Context: control, under the lock of `Speaker`.
protocol SpeechSynthesizer: Sendable {
  /// Its name and version.
  func name() throws(UnitRefusal) -> String
  /// All voices.
  func voices() throws(UnitRefusal) -> VoiceList
  /// Synthesises a request with a voice of `VoiceList.find`.
  func say(_ request: Speaker.Request, voice: String) throws(UnitRefusal) -> Utterance
  /// The same in Apple's symbols, with spaces between words.
  func phonemes(_ request: Speaker.Request, voice: String) throws(UnitRefusal) -> String
}

/// The one speaker of this process, since a synthesiser has one state. Context: control.
enum Speaker {
  /// The text to speak, and its settings.
  struct Request: Hashable, Sendable {
    var passages: [SpeechPassage]
    /// As a host names it; empty for English.
    var voice: String
    /// Words a minute.
    var rate: Int32
    /// 0 to 100; 50 is usual.
    var pitch: Int32
  }

  private struct Present: Sendable {
    var synthesizer: (any SpeechSynthesizer)?
    var voices: VoiceList?
    var name: String?
    /// The last one, which is asked for how long it is before it is played.
    var last: (request: Request, utterance: Utterance)?

    mutating func ready() throws(UnitRefusal) -> (any SpeechSynthesizer, VoiceList) {
      if let synthesizer, let voices { return (synthesizer, voices) }
      let found = try Speaker.choose()
      let list = try found.voices()
      (synthesizer, voices) = (found, list)
      return (found, list)
    }
  }

  private static let present = Mutex(Present())

  /// espeak-ng, or flite where it is not installed; `AURICLE_SPEECH` names one of both.
  private static func choose() throws(UnitRefusal) -> any SpeechSynthesizer {
    let named = unsafe getenv("AURICLE_SPEECH").map { unsafe String(cString: $0) } ?? ""
    guard ["", "espeak-ng", "flite"].contains(named) else {
      throw UnitRefusal("AURICLE_SPEECH is 'espeak-ng' or 'flite', not '\(named)'")
    }
    if named != "flite", SpeechLibrary.isInstalled { return Espeak() }
    if named != "espeak-ng", let flite = Flite() { return flite }
    throw UnitRefusal(
      "texts are spoken by espeak-ng or flite, and neither library (\(SpeechLibrary.name), \(FliteLibrary.name)) "
        + "can be loaded: install one (apt install libespeak-ng1, or libflite1)")
  }

  /// All voices.
  ///
  /// - Throws: A sentence where nothing that speaks is installed.
  static func voices() throws(UnitRefusal) -> VoiceList {
    try present.withLock { (present) throws(UnitRefusal) in try present.ready().1 }
  }

  /// Returns the name of the synthesiser, and its version.
  static func name() throws(UnitRefusal) -> String {
    try present.withLock { (present) throws(UnitRefusal) in
      if let name = present.name { return name }
      let name = try present.ready().0.name()
      present.name = name
      return name
    }
  }

  /// Synthesises a request.
  ///
  /// - Throws: A sentence where nothing that speaks is installed, has no such voice, or gives up.
  static func say(_ request: Request) throws(UnitRefusal) -> Utterance {
    guard request.passages.contains(where: { !$0.text.isEmpty || $0.silence > 0 }) else {
      return Utterance(sampleRate: 22_050)
    }
    return try present.withLock { (present) throws(UnitRefusal) in
      if let last = present.last, last.request == request { return last.utterance }
      let (synthesizer, voices) = try present.ready()
      let voice = try voices.find(request.voice.isEmpty ? "en" : request.voice)
      let utterance = try synthesizer.say(request, voice: voice)
      present.last = (request, utterance)
      return utterance
    }
  }

  /// The phonemes of something, in Apple's symbols.
  ///
  /// - Throws: As `say`.
  static func phonemes(_ request: Request) throws(UnitRefusal) -> String {
    try present.withLock { (present) throws(UnitRefusal) in
      let (synthesizer, voices) = try present.ready()
      let voice = try voices.find(request.voice.isEmpty ? "en" : request.voice)
      return try synthesizer.phonemes(request, voice: voice)
    }
  }
}
