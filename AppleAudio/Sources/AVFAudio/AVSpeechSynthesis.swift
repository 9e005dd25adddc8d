// Speech: texts that are said, out loud or into buffers.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The least rate of speech.
public let AVSpeechUtteranceMinimumSpeechRate: Float = 0
/// The greatest rate of speech.
public let AVSpeechUtteranceMaximumSpeechRate: Float = 1
/// The usual rate of speech.
public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5

/// The point at which speech is interrupted.
public enum AVSpeechBoundary: Int, Sendable {
  /// At once.
  case immediate = 0
  /// Behind the word.
  case word = 1
}

/// A voice.
open class AVSpeechSynthesisVoice: NSObject, @unchecked Sendable {
  /// A name that stays.
  public let identifier: String
  /// A name for people.
  public let name: String
  /// The language, as "en-GB".
  public let language: String
  let spec: VoiceSpec

  private init(_ spec: VoiceSpec) {
    self.spec = spec
    var description = VoiceDescription()
    var spec = spec
    _ = GetVoiceDescription(&spec, &description, MemoryLayout<VoiceDescription>.size)
    name = withUnsafeBytes(of: description.name) {
      String(decoding: $0.dropFirst().prefix(Int($0.first ?? 0)), as: UTF8.self)
    }
    identifier = "org.auricle.voice.\(spec.creator).\(spec.id)"
    // The comment is the name with the language in parentheses.
    let comment = withUnsafeBytes(of: description.comment) {
      String(decoding: $0.dropFirst().prefix(Int($0.first ?? 0)), as: UTF8.self)
    }
    let code =
      comment.lastIndex(of: "(").map { comment[comment.index(after: $0)...].dropLast() } ?? "en"
    language = code.replacingOccurrences(of: "_", with: "-")
  }
  /// The voices that are installed.
  open class func speechVoices() -> [AVSpeechSynthesisVoice] {
    var count: Int16 = 0
    guard CountVoices(&count) == noErr, count > 0 else { return [] }
    return (1...count).compactMap { index in
      var spec = VoiceSpec()
      return GetIndVoice(index, &spec) == noErr ? AVSpeechSynthesisVoice(spec) : nil
    }
  }
  /// The first voice of a language; nil for none. Without one, the first voice.
  public convenience init?(language languageCode: String?) {
    let voices = AVSpeechSynthesisVoice.speechVoices()
    let wanted = languageCode?.lowercased().replacingOccurrences(of: "_", with: "-")
    let found =
      wanted.flatMap { wanted in
        voices.first { $0.language.lowercased() == wanted }
          ?? voices.first { $0.language.lowercased().hasPrefix(wanted.prefix(2)) }
      } ?? (wanted == nil ? voices.first : nil)
    guard let found else { return nil }
    self.init(found.spec)
  }
  /// A voice by the name that stays; nil where it is not installed.
  public convenience init?(identifier: String) {
    guard
      let found = AVSpeechSynthesisVoice.speechVoices().first(where: { $0.identifier == identifier }
      )
    else { return nil }
    self.init(found.spec)
  }
  /// The language of the system.
  open class func currentLanguageCode() -> String {
    Locale.current.identifier.replacingOccurrences(of: "_", with: "-")
  }
}

/// A text to be said.
open class AVSpeechUtterance: NSObject, @unchecked Sendable {
  /// The text.
  public let speechString: String
  /// The voice; nil for the first.
  open var voice: AVSpeechSynthesisVoice?
  /// The rate, 0 to 1.
  open var rate = AVSpeechUtteranceDefaultSpeechRate
  /// The factor of the pitch, 0.5 to 2.
  open var pitchMultiplier: Float = 1
  /// The factor of the level, 0 to 1.
  open var volume: Float = 1
  /// Seconds before.
  open var preUtteranceDelay: TimeInterval = 0
  /// Seconds behind.
  open var postUtteranceDelay: TimeInterval = 0
  /// A text.
  public init(string: String) { speechString = string }
}

/// A receiver of a synthesizer's events, on the main queue.
public protocol AVSpeechSynthesizerDelegate: AnyObject {
  /// A text begins.
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
  /// A text was said.
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
  /// A text waits.
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance)
  /// A text continues.
  func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance)
  /// A text was dropped.
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
  /// A word is about to be said.
  func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
    utterance: AVSpeechUtterance)
}
extension AVSpeechSynthesizerDelegate {
  /// Does nothing.
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance
  ) {}
  /// Does nothing.
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance
  ) {}
  /// Does nothing.
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance
  ) {}
  /// Does nothing.
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance
  ) {}
  /// Does nothing.
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance
  ) {}
  /// Does nothing.
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
    utterance: AVSpeechUtterance
  ) {}
}

/// A channel of speech that says one text.
private final class SpokenText: @unchecked Sendable {
  let channel: SpeechChannel
  var done: (() -> Void)?
  var word: ((NSRange) -> Void)?
  let text: String

  init?(_ utterance: AVSpeechUtterance, _ file: URL?) {
    text = utterance.speechString
    var channel: SpeechChannel?
    var status: OSErr
    if var spec = utterance.voice?.spec {
      status = NewSpeechChannel(&spec, &channel)
    } else {
      status = NewSpeechChannel(nil, &channel)
    }
    guard status == noErr, let channel else { return nil }
    self.channel = channel
    // The usual rate of 0.5 is the voice's own; each side doubles or halves it.
    var rate: Fixed = 0
    if GetSpeechRate(channel, &rate) == noErr {
      SetSpeechRate(
        channel,
        Fixed(
          Double(rate) * pow(2, Double(utterance.rate - AVSpeechUtteranceDefaultSpeechRate) * 2)))
    }
    var pitch: Fixed = 0
    if utterance.pitchMultiplier != 1, GetSpeechPitch(channel, &pitch) == noErr {
      SetSpeechPitch(channel, pitch + Fixed(12 * log2(Double(utterance.pitchMultiplier)) * 65_536))
    }
    var volume = Fixed(utterance.volume * 65_536)
    SetSpeechInfo(channel, OSType(soVolume), &volume)
    SetSpeechInfo(channel, OSType(soRefCon), Unmanaged.passUnretained(self).toOpaque())
    if let file {
      let reference = file as CFURL
      withExtendedLifetime(reference) {
        _ = SetSpeechInfo(
          channel, OSType(soOutputToFileWithCFURL), Unmanaged.passUnretained(reference).toOpaque())
      }
    }
    let procedure: SpeechDoneProcPtr = { _, refCon in
      guard let refCon else { return }
      Unmanaged<SpokenText>.fromOpaque(refCon).takeUnretainedValue().done?()
    }
    SetSpeechInfo(
      channel, OSType(soSpeechDoneCallBack), unsafeBitCast(procedure, to: UnsafeRawPointer.self))
    let words: SpeechWordProcPtr = { _, refCon, position, length in
      guard let refCon else { return }
      let spoken = Unmanaged<SpokenText>.fromOpaque(refCon).takeUnretainedValue()
      let bytes = Array(spoken.text.utf8)
      let start = String(decoding: bytes.prefix(Int(position)), as: UTF8.self).utf16.count
      let word = String(decoding: bytes.dropFirst(Int(position)).prefix(Int(length)), as: UTF8.self)
        .utf16.count
      spoken.word?(NSRange(location: start, length: word))
    }
    SetSpeechInfo(channel, OSType(soWordCallBack), unsafeBitCast(words, to: UnsafeRawPointer.self))
  }
  /// Begins to speak; false where nothing is spoken, as for an empty text, which stops a channel.
  func speak() -> Bool {
    guard !text.isEmpty else { return false }
    let string = text as CFString
    return withExtendedLifetime(string) {
      __SpeakCFString(channel, OpaquePointer(Unmanaged.passUnretained(string).toOpaque()), nil)
        == noErr
    }
  }
  func dispose() { DisposeSpeechChannel(channel) }
}

/// A synthesizer that says texts behind each other.
open class AVSpeechSynthesizer: NSObject, @unchecked Sendable {
  /// Receives a buffer of speech; an empty one is the end.
  public typealias BufferCallback = (AVAudioBuffer) -> Void

  private let lock = NSRecursiveLock()
  private let queue = DispatchQueue(label: "org.auricle.speech")
  private var waiting: [AVSpeechUtterance] = []
  private var present: (utterance: AVSpeechUtterance, spoken: SpokenText)?
  private var paused = false
  /// Whether the present text is dropped at the end of its word.
  private var isStopping = false

  /// A synthesizer.
  public override init() {}
  deinit { present?.spoken.dispose() }
  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
  private func notify(
    _ body: @escaping (AVSpeechSynthesizer, any AVSpeechSynthesizerDelegate) -> Void
  ) {
    nonisolated(unsafe) let body = body
    DispatchQueue.main.async { [weak self] in
      if let self, let delegate = self.delegate { body(self, delegate) }
    }
  }

  /// The receiver of the synthesizer's events.
  open weak var delegate: (any AVSpeechSynthesizerDelegate)?
  /// Whether something is said, or waits to be.
  open var isSpeaking: Bool { locked { present != nil || !waiting.isEmpty } }
  /// Whether it waits.
  open var isPaused: Bool { locked { paused } }

  /// Speaks a text, behind the others.
  open func speak(_ utterance: AVSpeechUtterance) {
    locked {
      waiting.append(utterance)
      next()
    }
  }
  private func next() {
    guard present == nil, !paused, !waiting.isEmpty else { return }
    let utterance = waiting.removeFirst()
    guard let spoken = SpokenText(utterance, nil) else {
      notify { $1.speechSynthesizer($0, didCancel: utterance) }
      return next()
    }
    present = (utterance, spoken)
    spoken.done = { [weak self] in
      guard let self else { return }
      self.queue.async { self.ended(spoken) }
    }
    spoken.word = { [weak self] range in
      self?.notify {
        $1.speechSynthesizer($0, willSpeakRangeOfSpeechString: range, utterance: utterance)
      }
    }
    queue.asyncAfter(deadline: .now() + utterance.preUtteranceDelay) { [weak self] in
      guard let self, self.locked({ self.present?.spoken === spoken }) else { return }
      if self.locked({ self.isStopping }) { return self.ended(spoken) }
      self.notify { $1.speechSynthesizer($0, didStart: utterance) }
      guard spoken.speak() else { return self.ended(spoken) }
      self.locked { if self.isStopping { StopSpeechAt(spoken.channel, Int32(kEndOfWord)) } }
    }
  }
  private func ended(_ spoken: SpokenText) {
    let found: (utterance: AVSpeechUtterance, isDropped: Bool)? = locked {
      guard let present, present.spoken === spoken else { return nil }
      defer { isStopping = false }
      self.present = nil
      return (present.utterance, isStopping)
    }
    guard let (utterance, isDropped) = found else { return }
    spoken.dispose()
    notify {
      isDropped
        ? $1.speechSynthesizer($0, didCancel: utterance)
        : $1.speechSynthesizer($0, didFinish: utterance)
    }
    queue.asyncAfter(deadline: .now() + utterance.postUtteranceDelay) { [weak self] in
      guard let self else { return }
      self.locked { self.next() }
    }
  }
  /// Drops all texts, the present one at once or at the end of its word; false where there are none.
  @discardableResult open func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool {
    let (wasSpeaking, dropped) = locked {
      let wasSpeaking = isSpeaking
      var dropped = waiting
      if let present, boundary == .word, !paused {
        isStopping = true
        StopSpeechAt(present.spoken.channel, Int32(kEndOfWord))
      } else if let present {
        dropped.insert(present.utterance, at: 0)
        StopSpeech(present.spoken.channel)
        queue.async { present.spoken.dispose() }
        (self.present, isStopping) = (nil, false)
      }
      (waiting, paused) = ([], false)
      return (wasSpeaking, dropped)
    }
    for utterance in dropped { notify { $1.speechSynthesizer($0, didCancel: utterance) } }
    return wasSpeaking
  }
  /// Waits; false where nothing is said.
  @discardableResult open func pauseSpeaking(at boundary: AVSpeechBoundary) -> Bool {
    locked {
      guard let present, !paused else { return false }
      paused = true
      PauseSpeechAt(
        present.spoken.channel, boundary == .immediate ? Int32(kImmediate) : Int32(kEndOfWord))
      notify { $1.speechSynthesizer($0, didPause: present.utterance) }
      return true
    }
  }
  /// Goes on; false where nothing waits.
  @discardableResult open func continueSpeaking() -> Bool {
    locked {
      guard paused else { return false }
      paused = false
      guard let present else {
        next()
        return true
      }
      ContinueSpeech(present.spoken.channel)
      notify { $1.speechSynthesizer($0, didContinue: present.utterance) }
      return true
    }
  }

  /// Renders a text into buffers; an empty one is the end.
  open func write(
    _ utterance: AVSpeechUtterance, toBufferCallback bufferCallback: @escaping BufferCallback
  ) {
    nonisolated(unsafe) let callback = bufferCallback
    queue.async {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "auricle-speech-\(UUID().uuidString).caf")
      defer { try? FileManager.default.removeItem(at: url) }
      let isDone = DispatchSemaphore(value: 0)
      if let spoken = SpokenText(utterance, url) {
        spoken.done = { isDone.signal() }
        if spoken.speak() { isDone.wait() }
        spoken.dispose()
      }
      var format = AVAudioFormat.auricleStandard(22_050, 1)
      if let file = try? AVAudioFile(forReading: url) {
        format = file.processingFormat
        while file.framePosition < file.length,
          let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8_192),
          (try? file.read(into: buffer)) != nil, buffer.frameLength > 0
        { callback(buffer) }
      }
      if let end = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 0) { callback(end) }
    }
  }
}
