// espeak-ng as a synthesiser: passages spoken one behind the other, with marks of time.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The output of espeak-ng while it speaks. Context: the thread that has the lock of `Speaker`.
nonisolated(unsafe) private var delivered: [Int16] = []
nonisolated(unsafe) private var events: [Espeak.Event] = []

/// Speaks by espeak-ng. Context: control, under the lock of `Speaker`.
struct Espeak: SpeechSynthesizer {
  /// Its report on a text: one of its records of 40 bytes.
  struct Event {
    var kind: Int32
    /// In characters, from 1.
    var position: Int
    var length: Int
    var frame: Int
    var name: String

    init(_ record: UnsafeRawPointer) {
      func number(_ offset: Int) -> Int {
        unsafe Int(record.load(fromByteOffset: offset, as: Int32.self))
      }
      kind = Int32(number(0))
      (position, length, frame) = (number(8), number(12), number(20))
      let bytes = (0..<8).map { unsafe record.load(fromByteOffset: 32 + $0, as: UInt8.self) }
      name = kind == Self.phoneme ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : ""
    }

    static let (end, word, sentence, phoneme): (Int32, Int32, Int32, Int32) = (0, 1, 2, 7)
  }

  func name() throws(UnitRefusal) -> String {
    try SpeechLibrary.whileReady { (library, _) throws(UnitRefusal) in
      let version = unsafe library.version(nil).map { unsafe String(cString: $0) } ?? ""
      return "espeak-ng " + (version.split(separator: " ").first ?? "")
    }
  }

  func voices() throws(UnitRefusal) -> VoiceList {
    try SpeechLibrary.whileReady { (library, _) throws(UnitRefusal) in VoiceList(library) }
  }

  func say(_ request: Speaker.Request, voice: String) throws(UnitRefusal) -> Utterance {
    try SpeechLibrary.whileReady { (library, rate) throws(UnitRefusal) in
      try begin(voice, library)
      var utterance = Utterance(sampleRate: rate)
      for (number, passage) in request.passages.enumerated() {
        utterance.begin(passage, number)
        guard !passage.text.isEmpty else { continue }
        set(passage, request, library)
        try synthesize(passage, library)
        unsafe consume(events, number, into: &utterance)
        unsafe utterance.append(delivered, gain: passage.gain)
      }
      unsafe (delivered, events) = ([], [])
      return utterance
    }
  }

  func phonemes(_ request: Speaker.Request, voice: String) throws(UnitRefusal) -> String {
    try SpeechLibrary.whileReady { (library, _) throws(UnitRefusal) in
      try begin(voice, library)
      return request.passages.map { passage in
        passage.isPhonemes ? passage.text : phonemes(passage.text, library)
      }.joined(separator: " ")
    }
  }

  private func begin(_ voice: String, _ library: SpeechLibrary) throws(UnitRefusal) {
    unsafe library.setReceiver { samples, count, reported in
      if let samples = unsafe samples, count > 0 {
        unsafe delivered.append(contentsOf: UnsafeBufferPointer(start: samples, count: Int(count)))
      }
      var place = UnsafeRawPointer(reported)
      while let record = unsafe place {
        let event = unsafe Event(record)
        guard event.kind != Event.end else { break }
        unsafe events.append(event)
        unsafe place = record + 40
      }
      return 0
    }
    guard unsafe library.setVoice(voice) == 0 else {
      throw UnitRefusal(
        "espeak-ng cannot load its voice \(voice): install it again (apt install espeak-ng-data)")
    }
  }

  private func set(
    _ passage: SpeechPassage, _ request: Speaker.Request, _ library: SpeechLibrary
  ) {
    let (rate, pitch, range): (Int32, Int32, Int32) = (1, 3, 4)
    let words = passage.rate > 0 ? passage.rate : Float(request.rate)
    _ = library.setParameter(rate, Int32(min(max(words, 80), 450).rounded()), 0)
    // From 0 to 100 it goes up by two octaves.
    let height = Float(request.pitch) + passage.pitch * 50 / 12
    _ = library.setParameter(pitch, Int32(min(max(height, 0), 100).rounded()), 0)
    guard request.passages.contains(where: { $0.range != 1 }) else { return }
    _ = library.setParameter(range, Int32(min(max(passage.range * 50, 0), 100).rounded()), 0)
  }

  private func synthesize(
    _ passage: SpeechPassage, _ library: SpeechLibrary
  ) throws(UnitRefusal) {
    unsafe (delivered, events) = ([], [])
    let text = passage.isPhonemes ? Self.spelled(passage.text) : passage.text
    // UTF-8, phonemes in [[ ]], the pause of a sentence at the end: as espeak-ng's own command.
    let flags: UInt32 = 0x1 | 0x100 | (passage.hasEnding ? 0x1000 : 0)
    let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
    let status = unsafe bytes.withUnsafeBytes { text in
      unsafe text.baseAddress.map {
        unsafe library.synthesize($0, text.count, 0, 1, 0, flags, nil, nil)
      } ?? -1
    }
    guard status == 0 else {
      throw UnitRefusal(
        "espeak-ng gave up a text of \(bytes.count - 1) bytes with status \(status)")
    }
  }

  /// Apple's phonemes as espeak-ng reads them.
  private static func spelled(_ text: String) -> String {
    PhonemeSpelling.espeak.words(of: text).map { word in
      "[["
        + word.map { ($0.stress == 1 ? "'" : $0.stress == 2 ? "," : "") + $0.name }.joined()
        + "]]"
    }.joined(separator: " ")
  }

  private func consume(_ events: [Event], _ number: Int, into utterance: inout Utterance) {
    let start = utterance.samples.count
    var end = 0
    for event in events {
      var mark = SpeechMark(
        frame: start + event.frame, kind: kAuricleSpeechMark_Word, passage: number,
        position: max(0, event.position - 1), length: event.length)
      switch event.kind {
      case Event.word:
        // For a number each spoken word of it is reported.
        guard mark.position >= end else { continue }
        end = mark.position + mark.length
      case Event.sentence: mark.kind = kAuricleSpeechMark_Sentence
      case Event.phoneme:
        guard let opcode = PhonemeSpelling.espeak.opcode(event.name) else { continue }
        (mark.kind, mark.opcode) = (kAuricleSpeechMark_Phoneme, opcode)
      default: continue
      }
      utterance.marks.append(mark)
    }
  }

  /// Clause after clause; a bar separates phonemes.
  private func phonemes(_ text: String, _ library: SpeechLibrary) -> String {
    let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
    let (isUTF8, withBars): (Int32, Int32) = (1, 0x7C << 8)
    var clauses: [String] = []
    unsafe bytes.withUnsafeBytes { memory in
      var place = memory.baseAddress
      while unsafe place != nil {
        guard let found = unsafe library.phonemes(&place, isUTF8, withBars) else { break }
        unsafe clauses.append(String(cString: found))
      }
    }
    return clauses.joined(separator: " ").split(separator: " ").map { word in
      word.split(separator: "|").map { phoneme in
        let name = phoneme.drop { "',%=".contains($0) }
        let stress = phoneme.hasPrefix("'") ? "1" : phoneme.hasPrefix(",") ? "2" : ""
        let symbol = PhonemeSpelling.espeak.symbol(String(name))
        return symbol.isEmpty ? "" : stress + symbol
      }.joined()
    }.joined(separator: " ")
  }
}
