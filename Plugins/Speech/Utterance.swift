// Passages to speak, and an utterance: samples with marks of time.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A passage that is said in one manner.
struct SpeechPassage: Hashable, Sendable {
  var text: String
  /// Words a minute; 0: as the unit has it.
  var rate: Float = 0
  /// Semitones above the unit's pitch.
  var pitch: Float = 0
  /// Factor of the pitch's movement; 1: the voice's own.
  var range: Float = 1
  var gain: Float = 1
  /// Seconds before it.
  var silence: Float = 0
  /// `kAuricleSpeechPassage_`.
  var flags: UInt32 = 0

  var isPhonemes: Bool { flags & kAuricleSpeechPassage_IsPhonemes != 0 }
  var hasEnding: Bool { flags & kAuricleSpeechPassage_HasNoEnding == 0 }

  /// Makes a passage with the unit's settings.
  init(_ text: String) { self.text = text }

  /// Reads records of the interface, each with its text behind it.
  ///
  /// - Throws: A sentence for records that are cut off or hold no numbers.
  static func list(_ bytes: [UInt8]) throws(UnitRefusal) -> [SpeechPassage] {
    let size = MemoryLayout<AuricleSpeechPassage>.size
    var found: [SpeechPassage] = []
    var place = 0
    while place < bytes.count {
      let refusal = UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue,
        reason: "passage \(found.count + 1) of what is to be said is damaged")
      guard place + size <= bytes.count else { throw refusal }
      let record = unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: place, as: AuricleSpeechPassage.self)
      }
      place += size
      let end = place + Int(record.byteCount)
      let numbers = [record.rate, record.pitch, record.range, record.gain, record.silence]
      guard end <= bytes.count, numbers.allSatisfy(\.isFinite), record.silence <= 3600 else {
        throw refusal
      }
      var passage = SpeechPassage(String(decoding: bytes[place..<end], as: UTF8.self))
      (passage.rate, passage.pitch, passage.range) = (record.rate, record.pitch, record.range)
      (passage.gain, passage.silence) = (record.gain, max(0, record.silence))
      passage.flags = record.flags
      found.append(passage)
      place = end
    }
    return found
  }
}

/// A mark of an utterance at a frame.
struct SpeechMark: Sendable {
  var frame: Int
  /// `kAuricleSpeechMark_`.
  var kind: UInt32
  var passage: Int
  /// Characters from the start of the passage, and how many; 0 where that is not known.
  var position = 0
  var length = 0
  /// Opcode of a phoneme.
  var opcode = 0
}

/// A finished speech: one channel at the rate of the voice.
struct Utterance: Sendable {
  var samples: [Float] = []
  /// In the order of frames.
  var marks: [SpeechMark] = []
  /// Frames a second (Hz).
  var sampleRate: Double

  /// Duration in seconds.
  var seconds: Double { Double(samples.count) / sampleRate }

  /// Marks for a host.
  var records: [AuricleSpeechMark] {
    marks.map {
      AuricleSpeechMark(
        seconds: Double($0.frame) / sampleRate, kind: $0.kind, passage: UInt32($0.passage),
        position: UInt32(clamping: $0.position), length: UInt32(clamping: $0.length),
        opcode: Int32($0.opcode), reserved: 0)
    }
  }

  /// Begins a passage, with the silence before it.
  mutating func begin(_ passage: SpeechPassage, _ number: Int) {
    let silence = Int((Double(passage.silence) * sampleRate).rounded())
    samples += [Float](repeating: 0, count: silence)
    marks.append(
      SpeechMark(frame: samples.count, kind: kAuricleSpeechMark_Passage, passage: number))
  }

  /// Adds a synthesiser's samples of a passage.
  mutating func append(_ made: [Int16], gain: Float) {
    let scale = gain / 32_768
    samples += made.map { Float($0) * scale }
  }
}
