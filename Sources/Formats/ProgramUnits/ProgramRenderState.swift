// The render state of a unit of a program: a slice there and back, or silence.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import CUnitLink
import Glibc
import RealtimeSupport

/// Renders a slice: what the SDK calls.
let processProgram: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: ProgramRenderState.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}

/// The host's side of the slices of a program. Made and freed by `ProgramUnitCore`.
@safe struct ProgramRenderState: ~Copyable {
  private let link: OpaquePointer
  private let inputChannels: Int
  private let outputChannels: Int
  private let sampleRate: Double
  private let isOffline: Bool
  /// The last sample of each channel, from which silence is faded in.
  private let last: UnsafeMutablePointer<Float>
  /// Frames of a fade, and how many of it are done since the sound or the silence began.
  private let fadeFrames: Int
  private var faded: Int
  private var isSilent = true
  /// Messages of slices that the program did not get.
  private let waiting: UnsafeMutablePointer<AuricleLinkEvent>
  private var waitingCount = 0
  private static let mostWaiting = 512

  /// Makes a state for slices of a form. Context: control.
  init(_ link: OpaquePointer, _ form: AuricleLinkForm, _ format: RenderFormat) {
    unsafe self.link = unsafe link
    inputChannels = Int(form.inputChannels)
    outputChannels = Int(form.outputChannels)
    sampleRate = format.sampleRate
    isOffline = format.isOffline
    fadeFrames = max(1, Int(format.sampleRate / 200))
    // A unit that begins has nothing to fade from.
    faded = fadeFrames
    isSilent = false
    unsafe last = .allocate(capacity: max(1, outputChannels))
    unsafe last.initialize(repeating: 0, count: max(1, outputChannels))
    unsafe waiting = .allocate(capacity: Self.mostWaiting)
    unsafe waiting.initialize(repeating: AuricleLinkEvent(), count: Self.mostWaiting)
  }

  /// Frees the memory. Context: control, when nothing renders any more.
  func free() {
    unsafe last.deallocate()
    unsafe waiting.deallocate()
  }

  /// Forgets the past. Context: control or render.
  mutating func reset() {
    waitingCount = 0
    (isSilent, faded) = (false, fadeFrames)
    for channel in 0..<outputChannels { unsafe last[channel] = 0 }
  }

  /// Renders one slice. Context: render; the functions of the link are marked in C.
  mutating func process(_ slice: borrowing RenderSlice) {
    let isAnswered = exchange(slice)
    let wasSilent = isSilent
    isSilent = !isAnswered
    if isSilent != wasSilent { faded = 0 }
    for channel in 0..<min(outputChannels, slice.channelCount) {
      let samples = unsafe slice.output(bus: 0, channel: channel)
      if isAnswered {
        let row = unsafe AuricleLinkOutput(link, UInt32(channel))
        for frame in 0..<slice.frameCount {
          let value = unsafe row[frame]
          // The program may be broken, or worse.
          unsafe samples[frame] = value.isFinite ? value : 0
        }
      }
      unsafe fade(samples, channel, slice.frameCount)
      unsafe last[channel] = samples[slice.frameCount - 1]
    }
    faded = min(fadeFrames, faded + slice.frameCount)
    if isSilent, faded == fadeFrames { slice.markOutputSilent() }
  }

  /// Fades sound in after silence, and the last sample out where silence begins.
  @_noLocks private func fade(
    _ samples: UnsafeMutablePointer<Float>, _ channel: Int, _ frameCount: Int
  ) {
    let held = unsafe last[channel]
    for frame in 0..<frameCount {
      let part = Float(min(fadeFrames, faded + frame + 1)) / Float(fadeFrames)
      if isSilent {
        unsafe samples[frame] = held * (1 - part)
      } else if faded < fadeFrames {
        unsafe samples[frame] *= part
      } else {
        return
      }
    }
  }

  /// Has the program render the slice; false where it did not in time.
  private mutating func exchange(_ slice: borrowing RenderSlice) -> Bool {
    guard unsafe !AuricleLinkIsAbandoned(link), unsafe AuricleLinkIsIdle(link) else {
      keepMessages(slice)
      return false
    }
    var turn = AuricleLinkTurn()
    turn.kind = UInt32(kAuricleLinkTurn_Render)
    turn.frameCount = UInt32(slice.frameCount)
    turn.sampleTime = slice.sampleTime
    turn.hostTime = AuricleLinkNow()
    turn.rateScalar = 1
    turn.song = Self.song(slice)
    for channel in 0..<min(inputChannels, slice.inputChannelCount) {
      unsafe AuricleLinkInput(link, UInt32(channel)).update(
        from: slice.input(bus: 0, channel: channel), count: slice.frameCount)
    }
    addMessages(slice)
    guard unsafe AuricleLinkPost(link, &turn, true) else { return false }
    var answer = AuricleLinkAnswer()
    let deadline = deadline(turn.hostTime, slice.frameCount)
    let outcome = unsafe AuricleLinkAwait(link, deadline, &answer)
    guard outcome == AuricleLinkOutcomeAnswered else {
      unsafe AuricleLinkCountMiss(link)
      return false
    }
    return answer.status == 0
  }

  /// The time until which the program is waited for. Of a slice that others wait for: three quarters of the rest, so
  /// that silence is there in time. Otherwise 65 % of the slice on a thread with realtime priority; where nothing waits for
  /// the sound, as long as a program that works may need.
  private func deadline(_ now: UInt64, _ frameCount: Int) -> UInt64 {
    let slice = AuricleSliceDeadline()
    guard slice == 0 else { return now + (max(slice, now) - now) / 4 * 3 }
    if isOffline { return now + 10_000_000_000 }
    // Round robin and first in, first out; a sandbox may refuse to say.
    let policy = sched_getscheduler(0)
    guard policy > 0, [SCHED_FIFO, SCHED_RR].contains(policy & 0xF) else {
      return now + 250_000_000
    }
    return now + UInt64(Double(frameCount) / sampleRate * 0.65e9)
  }

  private mutating func addMessages(_ slice: borrowing RenderSlice) {
    for index in 0..<waitingCount { _ = unsafe AuricleLinkAddEvent(link, waiting + index, nil) }
    waitingCount = 0
    for index in 0..<slice.midiEventCount {
      let message = slice.midiEvent(index)
      var event = Self.event(message)
      let isLong = message.byteCount > 3
      _ = unsafe AuricleLinkAddEvent(link, &event, isLong ? message.bytes : nil)
    }
  }

  /// Keeps short messages for the next slice that the program renders: a note that is released is never lost.
  private mutating func keepMessages(_ slice: borrowing RenderSlice) {
    for index in 0..<slice.midiEventCount where waitingCount < Self.mostWaiting {
      let message = slice.midiEvent(index)
      guard message.byteCount <= 3 else { continue }
      var event = Self.event(message)
      event.frame = 0
      unsafe waiting[waitingCount] = event
      waitingCount += 1
    }
  }

  private static func event(_ message: MIDIEventRecord) -> AuricleLinkEvent {
    var event = AuricleLinkEvent()
    event.frame = UInt32(clamping: message.frame)
    guard message.byteCount <= 3 else {
      event.kind = UInt32(kAuricleLinkEvent_SysEx)
      event.byteCount = UInt32(clamping: message.byteCount)
      return event
    }
    event.kind = UInt32(kAuricleLinkEvent_MIDI)
    let count = message.byteCount
    event.message = unsafe (
      count > 0 ? message.bytes[0] : 0, count > 1 ? message.bytes[1] : 0,
      count > 2 ? message.bytes[2] : 0, 0
    )
    return event
  }

  private static func song(_ slice: borrowing RenderSlice) -> AuricleLinkSong {
    var song = AuricleLinkSong()
    if let place = slice.beatAndTempo() {
      (song.beat, song.tempo) = (place.beat, place.tempo)
      song.flags |= 16
    }
    if let place = slice.musicalTimeLocation() {
      song.deltaToNextBeat = place.framesToNextBeat
      song.signatureNumerator = place.signatureNumerator
      song.signatureDenominator = place.signatureDenominator
      song.measureDownBeat = place.barDownBeat
      song.flags |= 32
    }
    if let state = slice.transportState() {
      song.sampleInTimeline = state.sampleInTimeLine
      (song.cycleStartBeat, song.cycleEndBeat) = (state.cycleStartBeat, state.cycleEndBeat)
      song.flags |= 64 | (state.isPlaying ? 1 : 0) | (state.hasChanged ? 2 : 0)
      song.flags |= (state.isCycling ? 4 : 0) | (state.isRecording == true ? 8 : 0)
    }
    return song
  }
}
