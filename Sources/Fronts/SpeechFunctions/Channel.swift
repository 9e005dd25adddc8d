// A channel: its settings, its speech, and the beginning and end of that.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HostSystem
import MacSystem
import Synchronization

/// Speaks, and notifies its program on a separate thread.
///
/// @unchecked Sendable because its variables are in `state`, and units are used under its lock.
@safe final class Channel: @unchecked Sendable {
  /// The speech in progress.
  struct Saying {
    let supplied: ClientText
    let passages: [Passage]
    let marks: [AuricleSpeechMark]
    let clock: SpeechClock
    /// Seconds at which the text has ended; behind it is silence for the device.
    let end: Double
    /// The mark that is reported next.
    var next = 0
    /// The place in the caller's text of the word that was reported last.
    var place = 0
    var asksForMore = true
    /// Text that a callback brought for behind it.
    var following: (text: ClientText, flags: Int32)?
  }

  struct State {
    var settings = SpeechSettings()
    var callbacks = SpeechCallbacks()
    var target: SpeechTarget
    var saying: Saying?
    /// A device that plays the silence behind a text.
    var closing: SpeechClock?
    var file: SpeechFile?
    var errors = SpeechErrors()
    var recentSync: OSType = 0
    var opcode = 0
    /// The callbacks that come next, before marks.
    var pending: [SpeechCall] = []
    var isDelivering = false
    var isDisposed = false
    var thread: UInt = 0
  }

  let unit: SpeechUnit
  /// The graph of a channel that was made here; nil for a unit's.
  let output: SpeechOutput?
  /// The number of the unit.
  let number: UInt64
  let state: Mutex<State>
  let signal = ThreadSignal()

  /// The handle for C code.
  var handle: SpeechChannel? { unsafe SpeechChannel(OpaquePointer(unit.handle)) }

  /// Makes a channel with a unit.
  ///
  /// - Throws: -240 where none is installed.
  init() throws(SpeechFailure) {
    let made = try SpeechOutput()
    output = made
    unit = made.unit
    number = unit.clock()?.unit ?? 0
    state = Mutex(State(target: .device(0)))
  }

  /// The channel of a program's unit.
  init(of unit: SpeechUnit, number: UInt64) {
    self.unit = unit
    self.number = number
    output = nil
    state = Mutex(State(target: .unit))
  }

  /// Whether it says something.
  var isBusy: Bool { state.withLock { $0.saying != nil } }

  /// Says a text.
  ///
  /// - Parameter flags: Those of SpeakBuffer.
  /// - Throws: -242 for one that speaks and is not to be interrupted; the error of the unit, the device or the file.
  func speak(_ text: ClientText, _ flags: Int32) throws(SpeechFailure) {
    let starts = try state.withLock { (state) throws(SpeechFailure) -> Bool in
      if state.saying != nil, flags & kNoSpeechInterrupt != 0 {
        throw SpeechFailure(synthNotReady)
      }
      try begin(text, flags, &state)
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    signal.ring()
    if starts { startDelivering() }
  }

  /// Begins to speak a text in place of the present one. Context: under the lock.
  ///
  /// - Parameter goesOn: Whether it goes into the file of the text before.
  func begin(
    _ text: ClientText, _ flags: Int32, _ state: inout State, goesOn: Bool = false
  ) throws(SpeechFailure) {
    (state.saying, state.closing) = (nil, nil)
    let reader = CommandReader(text, state.settings)
    unit.set(volume: state.settings.volume)
    var passages = reader.joined(goesOn: flags & kNoEndingProsody != 0)
    // A unit receives one passage at least; of a text of blanks and commands it is an empty one.
    if passages.isEmpty { passages.append(Passage()) }
    let said = passages
    // A stop of the device drops frames that it has not played: it gets silence for that.
    if case .device = state.target {
      var silence = Passage()
      silence.record.silence = 0.2
      passages.append(silence)
    }
    if !goesOn { try prepare(&state) }
    try unit.say(passages)
    if flags & kPreflightThenPause != 0 {
      unit.set(AuricleSpeechLimits(pause: 0, stop: .infinity))
    }
    guard let clock = unit.clock() else { throw SpeechFailure(noSynthFound) }
    let marks = unit.marks
    var end = Double.infinity
    if passages.count > said.count, let last = marks.last { end = last.seconds - 0.2 }
    state.settings = reader.settings
    for error in reader.errors {
      let place = text.counted(error.place..<error.place).place
      state.errors.add(error.code, at: place)
      state.pending.append(.error(text, error.code, scalar: error.place))
    }
    state.saying = Saying(supplied: text, passages: said, marks: marks, clock: clock, end: end)
    try output?.start()
  }

  /// Has the unit speak into where the channel speaks.
  private func prepare(_ state: inout State) throws(SpeechFailure) {
    guard let output else { return }
    state.file = nil
    switch state.target {
    case .device(let device): try output.useDevice(device)
    case .file(let path):
      try output.useFile()
      state.file = try SpeechFile(path: path)
    case .extended(let handle):
      guard let file = unsafe ExtAudioFileRef(bitPattern: handle) else { throw .parameter }
      try output.useFile()
      state.file = try unsafe SpeechFile(file)
    case .unit: break
    }
  }

  /// Ends the speech, at once or behind the word or the sentence.
  func stop(at place: Int32) throws(SpeechFailure) {
    try limit(at: place) { $0.stop = $1 }
  }

  /// Pauses the speech, at once or behind the word or the sentence.
  func pause(at place: Int32) throws(SpeechFailure) {
    try limit(at: place) { $0.pause = $1 }
  }

  /// Goes on.
  func goOn() {
    state.withLock { state in
      guard state.saying != nil, var limits = unit.limits else { return }
      limits.pause = .infinity
      unit.set(limits)
    }
    signal.ring()
  }

  private func limit(
    at place: Int32, _ set: (inout AuricleSpeechLimits, Double) -> Void
  ) throws(SpeechFailure) {
    guard (kImmediate...kEndOfSentence).contains(place) else { throw .parameter }
    state.withLock { state in
      guard let saying = state.saying, var limits = unit.limits else { return }
      let now = saying.clock.progress.seconds
      // A word ends where the next one begins, or the sentence does.
      let kinds =
        place == kEndOfWord
        ? [kAuricleSpeechMark_Word, kAuricleSpeechMark_Sentence] : [kAuricleSpeechMark_Sentence]
      let next = saying.marks.first { $0.seconds > now && kinds.contains($0.kind) }
      set(&limits, place == kImmediate ? 0 : next?.seconds ?? .infinity)
      unit.set(limits)
    }
    signal.ring()
  }

  /// Falls silent and makes no further callbacks; waits for one that runs, but for its own.
  func close() {
    let thread = state.withLock { state -> UInt in
      state.isDisposed = true
      (state.saying, state.closing, state.file) = (nil, nil, nil)
      (state.callbacks, state.pending) = (SpeechCallbacks(), [])
      return state.thread
    }
    output?.stop()
    signal.ring()
    guard thread != UInt(pthread_self()) else { return }
    while true {
      let mark = signal.mark
      guard state.withLock({ $0.isDelivering }) else { return }
      signal.wait(since: mark, milliseconds: 100)
    }
  }
}

extension CommandReader {
  /// The passages; each that does not end a sentence goes on into the next.
  ///
  /// - Parameter goesOn: Whether the last one does.
  func joined(goesOn: Bool) -> [Passage] {
    var passages = passages
    for index in passages.indices where !passages[index].endsSentence {
      guard goesOn || index < passages.count - 1 else { continue }
      passages[index].record.flags |= kAuricleSpeechPassage_HasNoEnding
    }
    return passages
  }
}
