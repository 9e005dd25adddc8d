// flite as a synthesiser: English, under a permissive licence.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Speaks by flite. Context: control, under the lock of `Speaker`.
///
/// @unchecked Sendable because voices are used under that lock.
@safe struct Flite: SpeechSynthesizer, @unchecked Sendable {
  private let library: FliteLibrary
  private let opened: [String: FliteLibrary.Thing]
  private let list: [SpeechVoice]

  private static let known = [
    SpeechVoice(flite: "slt", name: "SLT", language: "en-us", gender: "female"),
    SpeechVoice(flite: "rms", name: "RMS", language: "en-us", gender: "male"),
    SpeechVoice(flite: "kal16", name: "Kal", language: "en-us", gender: "male"),
    SpeechVoice(flite: "awb", name: "AWB", language: "en-gb-scotland", gender: "male"),
  ]

  /// Opens the library and its voices; nil where there is none.
  init?() {
    guard let library = try? FliteLibrary() else { return nil }
    var opened: [String: FliteLibrary.Thing] = unsafe [:]
    for voice in Self.known {
      unsafe opened[voice.identifier] = FliteLibrary.voice(voice.identifier)
    }
    list = Self.known.filter { unsafe opened[$0.identifier] != nil }
    guard !list.isEmpty else { return nil }
    self.library = library
    unsafe self.opened = unsafe opened
  }

  func name() -> String { "flite 2" }

  func voices() -> VoiceList { VoiceList(list) }

  func say(_ request: Speaker.Request, voice: String) throws(UnitRefusal) -> Utterance {
    var utterance = Utterance(sampleRate: 16_000)
    for (number, passage) in request.passages.enumerated() {
      utterance.begin(passage, number)
      unsafe try synthesize(passage, request, voice) { made in
        unsafe consume(made, passage, number, into: &utterance)
      }
    }
    return utterance
  }

  func phonemes(_ request: Speaker.Request, voice: String) throws(UnitRefusal) -> String {
    var words: [String] = []
    for passage in request.passages {
      guard !passage.isPhonemes else {
        words.append(passage.text)
        continue
      }
      unsafe try synthesize(passage, request, voice) { made in
        var last: FliteLibrary.Thing?
        unsafe forEachSegment(of: made) { segment, name, _ in
          let word = unsafe library.item(segment, "R:SylStructure.parent.parent")
          guard unsafe word != nil else { return }
          if unsafe word != last { words.append("") }
          unsafe last = unsafe word
          words[words.count - 1] += PhonemeSpelling.flite.symbol(name)
        }
      }
    }
    return words.joined(separator: " ")
  }

  /// Makes an utterance of flite's, which lives while a body reads it.
  private func synthesize(
    _ passage: SpeechPassage, _ request: Speaker.Request, _ voice: String,
    _ body: (FliteLibrary.Thing) -> Void
  ) throws(UnitRefusal) {
    guard !passage.text.isEmpty, let voice = unsafe opened[voice] else { return }
    let features = unsafe voice.load(fromByteOffset: 8, as: FliteLibrary.Thing?.self)
    let words = passage.rate > 0 ? passage.rate : Float(request.rate)
    unsafe library.setNumber(features, "duration_stretch", 180 / min(max(words, 80), 450))
    let octaves = (Double(request.pitch) - 50) / 50 + Double(passage.pitch) / 12
    unsafe library.setNumber(
      features, "f0_shift", Float(RealtimeMath.exp2(min(max(octaves, -1), 1))))
    let made =
      passage.isPhonemes
      ? unsafe library.synthesizePhonemes(Self.spelled(passage.text), voice)
      : unsafe library.synthesize(passage.text, voice)
    guard let made = unsafe made else {
      throw UnitRefusal("flite gave up a text of \(passage.text.utf8.count) bytes")
    }
    unsafe body(made)
    unsafe library.deleteUtterance(made)
  }

  /// Apple's phonemes as flite reads them.
  private static func spelled(_ text: String) -> String {
    let names = PhonemeSpelling.flite.words(of: text).flatMap { $0.map(\.name) }
    return (["pau"] + names + ["pau"]).joined(separator: " ")
  }

  /// Calls a body with each phoneme, its name, and the second at which it begins.
  private func forEachSegment(
    of utterance: FliteLibrary.Thing, _ body: (FliteLibrary.Thing, String, Double) -> Void
  ) {
    var place = unsafe library.head(library.relation(utterance, "Segment"))
    var start = 0.0
    while let segment = unsafe place {
      let name = unsafe library.text(segment, "name").map { unsafe String(cString: $0) } ?? ""
      unsafe body(segment, name, start)
      start = Double(unsafe library.number(segment, "end"))
      unsafe place = library.next(segment)
    }
  }

  private func consume(
    _ made: FliteLibrary.Thing, _ passage: SpeechPassage, _ number: Int,
    into utterance: inout Utterance
  ) {
    let start = utterance.samples.count
    func frame(_ seconds: Double) -> Int { start + Int((seconds * utterance.sampleRate).rounded()) }
    // flite reports words without their places: each is searched for behind the one before.
    var rest = passage.text[...]
    var last: FliteLibrary.Thing?
    utterance.marks.append(
      SpeechMark(frame: start, kind: kAuricleSpeechMark_Sentence, passage: number))
    unsafe forEachSegment(of: made) { segment, name, seconds in
      let token = unsafe library.item(
        segment, "R:SylStructure.parent.parent.R:Token.parent")
      if let token = unsafe token, unsafe token != last {
        unsafe last = unsafe token
        let word = unsafe library.text(token, "name").map { unsafe String(cString: $0) } ?? ""
        if let range = rest.range(of: word) {
          utterance.marks.append(
            SpeechMark(
              frame: frame(seconds), kind: kAuricleSpeechMark_Word, passage: number,
              position: passage.text[..<range.lowerBound].unicodeScalars.count,
              length: word.unicodeScalars.count))
          rest = rest[range.upperBound...]
        }
      }
      guard let opcode = PhonemeSpelling.flite.opcode(name) else { return }
      utterance.marks.append(
        SpeechMark(
          frame: frame(seconds), kind: kAuricleSpeechMark_Phoneme, passage: number, opcode: opcode))
    }
    // The fields of a wave: its rate at 8, its samples' number at 12, and their place at 24.
    guard let wave = unsafe library.wave(made),
      let samples = unsafe wave.load(fromByteOffset: 24, as: UnsafePointer<Int16>?.self)
    else { return }
    let count = unsafe Int(wave.load(fromByteOffset: 12, as: Int32.self))
    utterance.append(
      unsafe Array(UnsafeBufferPointer(start: samples, count: max(0, count))), gain: passage.gain)
  }
}

extension Substring {
  /// Returns the place where a text first occurs in this one.
  fileprivate func range(of text: String) -> Range<Index>? {
    guard !text.isEmpty else { return nil }
    return indices.lazy.filter { self[$0...].hasPrefix(text) }
      .map { $0..<self.index($0, offsetBy: text.count) }.first
  }
}
