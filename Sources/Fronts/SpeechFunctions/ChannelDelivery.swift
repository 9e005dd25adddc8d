// The thread of a channel: renders into files, and reports the progress to the program.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem
import MacSystem
import Synchronization

/// A callback of the program.
enum SpeechCall {
  case word(ClientText, scalars: Range<Int>)
  case phoneme(Int)
  case sync(OSType)
  case error(ClientText, OSErr, scalar: Int)
  case textDone
  case done
}

extension Channel {
  /// Starts the thread. Context: control, once until it has ended.
  func startDelivering() {
    guard let thread = HostSystem.startThread({ self.deliver() }) else {
      state.withLock { $0.isDelivering = false }
      return
    }
    pthread_detach(thread)
  }

  /// Makes callbacks until none is left.
  private func deliver() {
    state.withLock { $0.thread = UInt(pthread_self()) }
    while true {
      let mark = signal.mark
      let (calls, callbacks, isOver) = state.withLock { state in
        (advance(&state), state.callbacks, state.saying == nil && state.closing == nil)
      }
      for call in calls { perform(call, callbacks) }
      // A callback may have begun something, which needs the thread.
      let ends = state.withLock { state in
        let ends = isOver && calls.isEmpty && state.saying == nil && state.closing == nil
        if ends { (state.isDelivering, state.thread) = (false, 0) }
        return ends
      }
      if ends { return signal.ring() }
      let isRendering = state.withLock { $0.file != nil && $0.saying?.clock.progress.isPaused == 0 }
      if calls.isEmpty, !isRendering { signal.wait(since: mark, milliseconds: 5) }
    }
  }

  /// Renders into a file, and finds the callbacks that are due. Context: under the lock.
  private func advance(_ state: inout State) -> [SpeechCall] {
    var calls = state.pending
    state.pending = []
    if let closing = state.closing, closing.progress.isOver != 0 || closing.progress.isGone != 0 {
      output?.stop()
      state.closing = nil
    }
    if let file = state.file, let saying = state.saying, saying.clock.progress.isPaused == 0 {
      render(saying, into: file, &state)
    }
    guard var saying = state.saying else { return calls }
    let progress = saying.clock.progress
    let ends = progress.isOver != 0 || progress.isGone != 0
    let isWhole = progress.isOver != 0 && progress.seconds >= progress.duration
    while saying.next < saying.marks.count {
      let mark = saying.marks[saying.next]
      guard mark.seconds < progress.seconds || isWhole, mark.seconds <= saying.end else { break }
      saying.next += 1
      report(mark, &saying, &state, &calls)
    }
    let isLast = !saying.marks.dropFirst(saying.next).contains {
      $0.kind == kAuricleSpeechMark_Word
    }
    if saying.asksForMore, isLast || ends, progress.isGone == 0 {
      saying.asksForMore = false
      if state.callbacks.functions[soTextDoneCallBack] != nil { calls.append(.textDone) }
    }
    let hasEnded = ends || progress.seconds >= saying.end
    state.saying = saying
    // Speech that a callback brings comes before the end is reported.
    if hasEnded, calls.isEmpty { calls = end(saying, &state) }
    return calls
  }

  /// Ends the speech, or goes on with that which a callback brought.
  private func end(_ saying: Saying, _ state: inout State) -> [SpeechCall] {
    if let following = saying.following, saying.clock.progress.isGone == 0,
      (try? begin(following.text, following.flags, &state, goesOn: true)) != nil
    {
      return []
    }
    (state.saying, state.file, state.opcode) = (nil, nil, 0)
    if let output, case .device = state.target {
      if saying.clock.progress.isOver == 0 { state.closing = saying.clock } else { output.stop() }
    }
    return [.done]
  }

  private func render(_ saying: Saying, into file: SpeechFile, _ state: inout State) {
    let progress = saying.clock.progress
    let left = Int(((progress.duration - progress.seconds) * SpeechOutput.fileRate).rounded())
    let frames = min(left, SpeechOutput.sliceFrames)
    guard progress.isOver == 0, frames > 0 else { return }
    let status = unsafe output?.render(frames, into: file.file) ?? noErr
    guard status != noErr else { return }
    state.errors.add(OSErr(truncatingIfNeeded: status), at: saying.place)
    state.pending.append(
      .error(saying.supplied, OSErr(truncatingIfNeeded: status), scalar: 0))
    unit.set(AuricleSpeechLimits(pause: .infinity, stop: 0))
  }

  private func report(
    _ mark: AuricleSpeechMark, _ saying: inout Saying, _ state: inout State,
    _ calls: inout [SpeechCall]
  ) {
    let index = Int(mark.passage)
    guard saying.passages.indices.contains(index) else { return }
    switch mark.kind {
    case kAuricleSpeechMark_Passage:
      guard let sync = saying.passages[index].sync else { return }
      state.recentSync = sync
      calls.append(.sync(sync))
    case kAuricleSpeechMark_Word:
      let origin = saying.passages[index].origin(
        of: Int(mark.position), length: Int(mark.length))
      guard let origin, origin.lowerBound >= saying.place || saying.place == 0 else { return }
      saying.place = origin.lowerBound
      calls.append(.word(saying.supplied, scalars: origin))
    case kAuricleSpeechMark_Phoneme:
      state.opcode = Int(mark.opcode)
      calls.append(.phoneme(state.opcode))
    default: break
    }
  }

  /// Calls the program. Context: the channel's thread, under no lock.
  private func perform(_ call: SpeechCall, _ callbacks: SpeechCallbacks) {
    let (channel, context) = unsafe (handle, callbacks.context)
    switch call {
    case .word(let text, let scalars):
      if let function = unsafe callbacks.function(soWordCallBack, as: SpeechWordProcPtr.self) {
        let (place, length) = text.counted(scalars)
        unsafe function(channel, context, UInt(place), UInt16(clamping: length))
      }
      if let function = unsafe callbacks.function(
        SpeechCallbacks.wordCF, as: SpeechWordCFProcPtr.self)
      {
        let (place, length) = text.counted(scalars, inBytes: false)
        unsafe function(channel, context, text.string, CFRange(location: place, length: length))
      }
    case .phoneme(let opcode):
      unsafe callbacks.function(soPhonemeCallBack, as: SpeechPhonemeProcPtr.self)?(
        channel, context, Int16(opcode))
    case .sync(let message):
      unsafe callbacks.function(soSyncCallBack, as: SpeechSyncProcPtr.self)?(
        channel, context, message)
    case .error(let text, let code, let scalar): reportError(text, code, scalar, callbacks)
    case .textDone: askForMore(callbacks)
    case .done:
      unsafe callbacks.function(soSpeechDoneCallBack, as: SpeechDoneProcPtr.self)?(
        channel, context)
    }
  }

  private func reportError(
    _ text: ClientText, _ code: OSErr, _ scalar: Int, _ callbacks: SpeechCallbacks
  ) {
    let (channel, context) = unsafe (handle, callbacks.context)
    unsafe callbacks.function(soErrorCallBack, as: SpeechErrorProcPtr.self)?(
      channel, context, code, text.counted(scalar..<scalar).place)
    guard
      let function = unsafe callbacks.function(
        SpeechCallbacks.errorCF, as: SpeechErrorCFProcPtr.self)
    else { return }
    let place = text.counted(scalar..<scalar, inBytes: false).place
    let details = unsafe makeCFDictionary(takingOver: [
      "SpokenString": unsafe UnsafeRawPointer(makeCFString(text.text)),
      "CharacterOffset": unsafe SpeechValue.number(Double(place)).made(),
    ])
    let error = unsafe CFErrorCreate(nil, kCFErrorDomainOSStatus, CFIndex(code), details)
    unsafe function(channel, context, error)
    if let details = unsafe details { unsafe CFRelease(UnsafeRawPointer(details)) }
    if let error = unsafe error { unsafe CFRelease(UnsafeRawPointer(error)) }
  }

  /// Asks the program for text that follows.
  private func askForMore(_ callbacks: SpeechCallbacks) {
    guard
      let function = unsafe callbacks.function(
        soTextDoneCallBack, as: SpeechTextDoneProcPtr.self)
    else { return }
    var next: UnsafeRawPointer?
    var (count, flags): (UInt, Int32) = (0, 0)
    unsafe function(handle, callbacks.context, &next, &count, &flags)
    guard let next = unsafe next, count > 0 else { return }
    let text = unsafe ClientText(bytes: UnsafeRawBufferPointer(start: next, count: Int(count)))
    state.withLock { $0.saying?.following = (text, flags) }
  }
}
