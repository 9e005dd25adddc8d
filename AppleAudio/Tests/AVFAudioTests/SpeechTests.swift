// Speech into buffers and out loud: voices, rates, levels, and the events of a synthesizer.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

/// Records the events of a synthesizer.
private final class Events: AVSpeechSynthesizerDelegate {
  let stream = AsyncStream.makeStream(of: String.self)
  private func add(_ event: String) { stream.continuation.yield(event) }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart text: AVSpeechUtterance) {
    add("start \(text.speechString)")
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish text: AVSpeechUtterance) {
    add("finish \(text.speechString)")
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause text: AVSpeechUtterance) {
    add("pause \(text.speechString)")
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue text: AVSpeechUtterance) {
    add("continue \(text.speechString)")
  }
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel text: AVSpeechUtterance) {
    add("cancel \(text.speechString)")
  }
  func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString range: NSRange,
    utterance: AVSpeechUtterance
  ) {
    add("word \((utterance.speechString as NSString).substring(with: range))")
  }
  /// Waits for the next event.
  func next() async -> String? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }
  /// Waits for the events up to one that is last.
  func all(through last: String) async -> [String] {
    var found: [String] = []
    for await event in stream.stream {
      found.append(event)
      if event == last { break }
    }
    return found
  }
}

/// Speaks into buffers.
private func spoken(_ text: String, _ change: (AVSpeechUtterance) -> Void = { _ in }) async
  -> (samples: [Float], rate: Double, ends: Int)
{
  let utterance = AVSpeechUtterance(string: text)
  change(utterance)
  let synthesizer = AVSpeechSynthesizer()
  let stream = AsyncStream.makeStream(of: (samples: [Float], rate: Double).self)
  synthesizer.write(utterance) { buffer in
    let pcm = buffer as! AVAudioPCMBuffer
    stream.continuation.yield((pcm.samples(), pcm.format.sampleRate))
    if pcm.frameLength == 0 { stream.continuation.finish() }
  }
  var (samples, rate, ends): ([Float], Double, Int) = ([], 0, 0)
  for await part in stream.stream {
    samples += part.samples
    rate = part.rate
    if part.samples.isEmpty { ends += 1 }
  }
  withExtendedLifetime(synthesizer) {}
  return (samples, rate, ends)
}
private func peak(_ samples: [Float]) -> Float { samples.map { abs($0) }.max() ?? 0 }

extension SharedDevice {
  @Suite(.enabled(if: !AVSpeechSynthesisVoice.speechVoices().isEmpty))
  struct SpeechTests {
    private let text = "One two three four five six seven eight nine ten"

    @Test("A text becomes buffers, and an empty one ends them")
    func buffers() async {
      let speech = await spoken(text)
      #expect(speech.ends == 1 && speech.rate > 8_000)
      let seconds = Double(speech.samples.count) / speech.rate
      #expect(seconds > 1 && seconds < 12 && peak(speech.samples) > 0.05, "\(seconds)")
      #expect(await spoken("").ends == 1, "also a text without words ends")
    }

    @Test("A greater rate is shorter, a smaller volume quieter by its factor")
    func rates() async {
      let (usual, fast) = (await spoken(text), await spoken(text) { $0.rate = 0.75 })
      let slow = await spoken(text) { $0.rate = 0.25 }
      #expect(fast.samples.count * 5 < usual.samples.count * 4)
      #expect(slow.samples.count * 4 > usual.samples.count * 5)
      let quiet = await spoken(text) { $0.volume = 0.25 }
      let ratio = peak(quiet.samples) / peak(usual.samples)
      #expect(abs(ratio - 0.25) < 0.02, "\(ratio)")
    }

    @Test("Voices are found by language and by the name that stays")
    func voices() throws {
      let voice = try #require(AVSpeechSynthesisVoice(language: "en-US"))
      #expect(voice.language.hasPrefix("en") && !voice.name.isEmpty)
      #expect(AVSpeechSynthesisVoice(identifier: voice.identifier)?.name == voice.name)
      #expect(AVSpeechSynthesisVoice(identifier: "none") == nil)
      #expect(AVSpeechSynthesisVoice(language: "zz-ZZ") == nil)
      #expect(AVSpeechSynthesisVoice(language: nil) != nil)
    }

    @Test("Texts are said in order, and each word is announced", .enabled(if: hasFileDevice))
    func order() async {
      let (synthesizer, events) = (AVSpeechSynthesizer(), Events())
      synthesizer.delegate = events
      synthesizer.speak(AVSpeechUtterance(string: "Good morning"))
      synthesizer.speak(AVSpeechUtterance(string: "Good night"))
      #expect(synthesizer.isSpeaking)
      #expect(
        await events.all(through: "finish Good night") == [
          "start Good morning", "word Good", "word morning", "finish Good morning",
          "start Good night", "word Good", "word night", "finish Good night",
        ])
    }

    @Test(
      "A stop drops all texts; at the word's end it lets the word be said",
      .enabled(if: hasFileDevice),
      arguments: [AVSpeechBoundary.immediate, .word])
    func stops(_ boundary: AVSpeechBoundary) async {
      let (synthesizer, events) = (AVSpeechSynthesizer(), Events())
      synthesizer.delegate = events
      #expect(!synthesizer.stopSpeaking(at: boundary), "nothing is said yet")
      let first = AVSpeechUtterance(string: text)
      first.preUtteranceDelay = 0.2
      synthesizer.speak(first)
      synthesizer.speak(AVSpeechUtterance(string: "Not this"))
      #expect(synthesizer.stopSpeaking(at: boundary))
      let found = Set([await events.next(), await events.next()])
      #expect(found == ["cancel \(text)", "cancel Not this"])
      synthesizer.speak(AVSpeechUtterance(string: "Yes"))
      #expect(await events.all(through: "finish Yes").first == "start Yes")
    }

    @Test("A pause waits, and speech goes on from there", .enabled(if: hasFileDevice))
    func pauses() async {
      let (synthesizer, events) = (AVSpeechSynthesizer(), Events())
      synthesizer.delegate = events
      #expect(!synthesizer.pauseSpeaking(at: .immediate) && !synthesizer.continueSpeaking())
      synthesizer.speak(AVSpeechUtterance(string: "One two"))
      #expect(synthesizer.pauseSpeaking(at: .word) && synthesizer.isPaused)
      #expect(synthesizer.continueSpeaking() && !synthesizer.isPaused)
      let found = await events.all(through: "finish One two")
      #expect(found.contains("pause One two") && found.contains("continue One two"), "\(found)")
    }
  }
}
