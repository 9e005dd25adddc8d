// Says texts: a whole utterance at once, one at a time in a process.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

/// What was said: one channel at the rate of the voice.
final class Utterance: Sendable {
  let samples: [Float]
  /// Frames a second (Hz).
  let sampleRate: Double

  init(_ samples: [Float], sampleRate: Double) {
    self.samples = samples
    self.sampleRate = sampleRate
  }

  /// How long it lasts.
  var seconds: Double { Double(samples.count) / sampleRate }
}

/// What espeak-ng hands over while it speaks. Context: the thread that has the lock of `Speaker`.
nonisolated(unsafe) private var heard: [Int16] = []

/// The one who speaks in this process, since espeak-ng has one state. Context: control.
enum Speaker {
  /// What is to be said, and how.
  struct Request: Hashable, Sendable {
    var text: String
    /// As a host names it; empty for English.
    var voice: String
    /// Words a minute.
    var rate: Int32
    /// 0 to 100; 50 is usual.
    var pitch: Int32
  }

  private struct Present: Sendable {
    var voices: VoiceList?
    /// The last one, which is asked for how long it is before it is played.
    var last: (request: Request, utterance: Utterance)?

    mutating func list() throws(UnitRefusal) -> VoiceList {
      if let voices { return voices }
      let list = try SpeechLibrary.whileReady { (library, _) throws(UnitRefusal) in
        VoiceList(library)
      }
      voices = list
      return list
    }
  }

  private static let present = Mutex(Present())

  /// All voices.
  ///
  /// - Throws: A sentence where espeak-ng is not installed.
  static func voices() throws(UnitRefusal) -> VoiceList {
    return try present.withLock { (present) throws(UnitRefusal) in try present.list() }
  }

  /// Says a text.
  ///
  /// - Throws: A sentence where espeak-ng is not installed, has no such voice, or gives up.
  static func say(_ request: Request) throws(UnitRefusal) -> Utterance {
    guard !request.text.isEmpty else { return Utterance([], sampleRate: 22_050) }
    return try present.withLock { (present) throws(UnitRefusal) in
      if let last = present.last, last.request == request { return last.utterance }
      let voice = try present.list().find(request.voice.isEmpty ? "en" : request.voice)
      let utterance = try SpeechLibrary.whileReady { (library, rate) throws(UnitRefusal) in
        try synthesize(request, voice, library, rate)
      }
      present.last = (request, utterance)
      return utterance
    }
  }

  private static func synthesize(
    _ request: Request, _ voice: String, _ library: SpeechLibrary, _ sampleRate: Double
  ) throws(UnitRefusal) -> Utterance {
    unsafe heard = []
    unsafe library.setReceiver { samples, count, _ in
      if let samples = unsafe samples, count > 0 {
        unsafe heard.append(contentsOf: UnsafeBufferPointer(start: samples, count: Int(count)))
      }
      return 0
    }
    guard unsafe library.setVoice(voice) == 0 else {
      throw UnitRefusal(
        "espeak-ng cannot load its voice \(voice): install it again (apt install espeak-ng-data)")
    }
    let (rate, pitch): (Int32, Int32) = (1, 3)
    _ = library.setParameter(rate, request.rate, 0)
    _ = library.setParameter(pitch, request.pitch, 0)
    // UTF-8, phonemes in [[ ]], the pause of a sentence at the end: as espeak-ng's own command.
    let flags: UInt32 = 0x1 | 0x100 | 0x1000
    let bytes = Array(request.text.utf8.filter { $0 != 0 }) + [0]
    let status = unsafe bytes.withUnsafeBytes { text in
      unsafe text.baseAddress.map {
        unsafe library.synthesize($0, text.count, 0, 1, 0, flags, nil, nil)
      } ?? -1
    }
    let samples = unsafe heard.map { Float($0) / 32_768 }
    unsafe heard = []
    guard status == 0 else {
      throw UnitRefusal(
        "espeak-ng gave up a text of \(bytes.count - 1) bytes with status \(status)")
    }
    return Utterance(samples, sampleRate: sampleRate)
  }
}
