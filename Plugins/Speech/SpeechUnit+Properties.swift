// A host's access to the speech unit: text and voice, passages, marks, and progress.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Synchronization

extension SpeechUnit {
  static var properties: [CustomProperty<Self>] {
    CustomProperty<Self>.settings([
      NamedSetting(
        "text", name: "text", isPath: false, get: { $0.state.text },
        set: { (access, text) throws(UnitRefusal) in
          // Missing parts are reported here, not when the speech is due.
          if !text.isEmpty { _ = try Speaker.voices() }
          try say([SpeechPassage(text)], access)
        }),
      NamedSetting(
        "voice", name: "voice", isPath: false, get: { $0.state.voice },
        set: { (access, voice) throws(UnitRefusal) in
          _ = try Speaker.voices().find(voice)
          try setVoice(voice, access)
        }),
    ]) + spoken + [
      .tables(kAuricleProperty_SpeechVoices) { (_) throws(UnitRefusal) in
        try Speaker.voices().voices.map(\.table)
      },
      .bytes(
        kAudioUnitProperty_Voice, get: { specification($0.state.voice) },
        set: { (access, bytes) throws(UnitRefusal) in
          let voices = try Speaker.voices()
          guard let creator = UInt32(Array(bytes.prefix(4))),
            let number = UInt32(Array(bytes.dropFirst(4))),
            let voice = voices.identifier(creator: creator, number: number)
          else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue,
              reason: "the specification is that of no voice which is installed")
          }
          try setVoice(voice, access)
        }),
      .bytes(
        kAudioUnitProperty_SpeechChannel,
        get: { unsafe [UInt(bitPattern: $0.handle)].bytes }),
      .text(kAuricleProperty_SpeechSynthesizer, get: { _ in (try? Speaker.name()) ?? "" }),
    ]
  }

  /// The properties of the speech, and of its progress.
  private static var spoken: [CustomProperty<Self>] {
    [
      .bytes(
        kAuricleProperty_SpeechPassages, get: { _ in [] },
        set: { (access, bytes) throws(UnitRefusal) in
          let passages = try SpeechPassage.list(bytes)
          if !passages.isEmpty { _ = try Speaker.voices() }
          try say(passages, access)
        }),
      .bytes(
        kAuricleProperty_SpeechMarks,
        get: { access in
          let made = access.state.progress.utterance.withLock { $0 }
          let utterance = made ?? (try? Speaker.say(request(access.state, access.parameters)))
          return utterance?.records.bytes ?? []
        }),
      .bytes(
        kAuricleProperty_SpeechClock, size: unsafe MemoryLayout<AuricleSpeechClock>.size,
        get: { access in
          unsafe [access.state.progress.clock(unit: access.state.number)].bytes
        }),
      .bytes(
        kAuricleProperty_SpeechLimits, get: { [$0.state.progress.limits].bytes },
        set: { (access, bytes) throws(UnitRefusal) in
          guard bytes.count == MemoryLayout<AuricleSpeechLimits>.size else {
            throw UnitRefusal(
              status: kAudioUnitErr_InvalidPropertyValue, reason: "the limits are two numbers")
          }
          access.state.progress.limits = unsafe bytes.withUnsafeBytes {
            unsafe $0.loadUnaligned(as: AuricleSpeechLimits.self)
          }
        }),
      .text(
        kAuricleProperty_SpeechPhonemes,
        get: { (try? Speaker.phonemes(request($0.state, $0.parameters))) ?? "" }),
      .number(kAuricleProperty_SpeechDuration) { access in
        (try? Speaker.say(request(access.state, access.parameters)).seconds) ?? 0
      },
    ]
  }

  private static func say(
    _ passages: [SpeechPassage], _ access: UnitAccess<Self>
  ) throws(UnitRefusal) {
    var state = access.state
    state.say(passages)
    try access.setState(state)
  }

  private static func setVoice(_ voice: String, _ access: UnitAccess<Self>) throws(UnitRefusal) {
    var state = access.state
    state.voice = voice
    state.say(state.passages)
    try access.setState(state)
  }

  private static func specification(_ voice: String) -> [UInt8] {
    let found = (try? Speaker.voices())?.voice(voice)
    return [found?.creator ?? 0, found?.number ?? 0].bytes
  }

  /// Returns the request to the speaker.
  static func request(_ state: State, _ parameters: Parameters) -> Speaker.Request {
    Speaker.Request(
      passages: state.passages, voice: state.voice, rate: Int32(parameters.rate.rounded()),
      pitch: Int32(parameters.pitch.rounded()))
  }
}
