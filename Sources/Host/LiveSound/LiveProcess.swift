// A process that renders live sound, as its parent sees it.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import AuricleHost
import CAudioToolbox
import CHostSystem
import DeviceSound
import Glibc
import HostSystem
import RealtimeSupport
import WatchedProcesses

/// A process with the memory for its slices. Context: one control thread, except for the parts that the device's
/// thread uses.
@safe final class LiveProcess {
  /// The device's side.
  let link: OpaquePointer
  let conversation: WatchedConversation
  private let memory: UnsafeMutableRawPointer
  private let size: Int
  /// The newest status.
  var status = LiveStatus()
  /// Whether it has ended, or was given up.
  private(set) var isAbandoned = false
  private var isFinished = false

  /// The word that starts one.
  static let command = "render-live"

  /// Starts a process, which opens its units.
  ///
  /// - Throws: The system's exhausted resource; `.software` with a unit that crashed or hangs.
  init(
    _ setup: LiveSetup, _ isolation: SoundIsolation, shouldStop: @escaping () -> Bool,
    onPrint: @escaping (String) -> Void
  ) throws(AuricleError) {
    size = AuricleSharedSoundSize(setup.form)
    let shared = AuricleMakeSharedMemory(size)
    guard shared >= 0 else { throw systemError(errno, "make", "shared memory") }
    defer { close(shared) }
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw systemError(errno, "map", "shared memory")
    }
    guard let link = unsafe AuricleSoundLinkMake(memory, setup.form) else {
      unsafe munmap(memory, size)
      throw systemError(ENOMEM, "make", "memory for live sound")
    }
    unsafe self.memory = unsafe memory
    unsafe self.link = unsafe link
    conversation = try WatchedConversation(
      arguments: [Self.command], sound: shared, limits: isolation.limits, shouldStop: shouldStop,
      onPrint: onPrint)
    try conversation.send(SoundFrame.task, setup.bytes)
  }

  deinit {
    unsafe AuricleSoundLinkFree(link)
    unsafe munmap(memory, size)
  }

  /// Has the device wait for it no longer. Context: any.
  func abandon() {
    isAbandoned = true
    unsafe AuricleSoundLinkAbandon(link)
  }

  /// Seconds since a slice was sent that it has not answered.
  var waitingSeconds: Double { unsafe Double(AuricleSoundLinkWaiting(link)) / 1e9 }

  /// Adds messages to the first slice. Context: control, before the link is offered.
  func prepare(_ messages: [[UInt8]]) {
    for message in messages {
      let record = LiveNotes.record(message, time: 0)
      unsafe _ = AuricleSoundLinkAddEvent(link, record, UInt32(record.count))
    }
  }

  /// Has it close its units, and ends it. Context: control, when no mixer has the link.
  ///
  /// - Parameters:
  ///   - isHurried: Whether it gets a second for it.
  ///   - onSaid: Called with what it says meanwhile.
  /// - Throws: `.software` with the unit that crashed or hangs meanwhile; nothing where it is hurried.
  func finish(
    isHurried: Bool, onSaid: (String) -> Void = { _ in }
  ) throws(AuricleError) {
    guard !isFinished else { return }
    isFinished = true
    unsafe AuricleSoundLinkEnd(link)
    try conversation.finish(
      asking: SoundFrame.quit, done: SoundFrame.done, isHurried: isHurried || isAbandoned
    ) { if $0.kind == LiveFrame.said { onSaid($0.text) } }
  }
}

/// The client of the device: slices to the process that renders, and to the next one while that fades in.
///
/// @unchecked Sendable because the device's thread and control share it as `AuricleSoundMixer` allows.
@safe final class LiveMixer: @unchecked Sendable {
  private let mixer: OpaquePointer
  private let notes: LiveNotes
  private let borrowedNotes: Unmanaged<LiveNotes>
  private let form: AuricleSliceForm

  /// The longest wait of a device's thread for a slice (ns): longer ones are silent.
  private static let longestWait: UInt64 = 1_000_000_000

  /// - Throws: `.temporary` where there is no memory left.
  init(
    _ form: AuricleSliceForm, _ notes: LiveNotes, sampleRate: Double, isRealTime: Bool
  ) throws(AuricleError) {
    let fade = UInt32(max(1, sampleRate / 50))
    guard
      let made = unsafe AuricleSoundMixerMake(form, fade, isRealTime ? Self.longestWait : 0)
    else { throw systemError(ENOMEM, "make", "memory for live sound") }
    unsafe mixer = unsafe made
    self.form = form
    self.notes = notes
    unsafe borrowedNotes = Unmanaged.passUnretained(notes)
  }

  deinit { unsafe AuricleSoundMixerFree(mixer) }

  /// Has a process faded in; false while another still is. Context: control.
  func offer(_ process: LiveProcess) -> Bool { unsafe AuricleSoundMixerOffer(mixer, process.link) }

  /// The link that was faded out since the last call; nil for none. Context: control.
  func removeRetired() -> OpaquePointer? { unsafe AuricleSoundMixerTakeRetired(mixer) }

  /// Slices that were silent because a process was late. Context: any.
  var missedCount: Int { unsafe Int(AuricleSoundMixerMissed(mixer)) }

  /// The client of the device; this must outlive the device's thread.
  var client: IOClient {
    unsafe IOClient(
      { _, _, input, _, output, _, context in
        guard let context = unsafe context, let output = unsafe output else { return 0 }
        unsafe Unmanaged<LiveMixer>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.run(input, output.pointee.mBuffers)
        }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }

  /// Renders a slice. Context: the device's thread.
  @_noLocks private func run(_ inputs: UnsafePointer<AudioBufferList>?, _ output: AudioBuffer) {
    let input = unsafe inputs?.pointee.mBuffers
    guard let target = unsafe output.mData else { return }
    let width = unsafe max(1, output.mNumberChannels)
    sendNotes()
    let there = unsafe input?.mData == nil ? 0 : input?.mDataByteSize ?? 0
    let (inputFrames, frames) = unsafe (
      there / (4 * max(1, form.inputWidth)), output.mDataByteSize / (4 * width)
    )
    let source = unsafe input?.mData?.assumingMemoryBound(to: Float.self)
    let samples = unsafe target.assumingMemoryBound(to: Float.self)
    unsafe AuricleSoundMixerRun(mixer, source, inputFrames, samples, frames)
  }

  /// Begins a slice with the messages that wait. Context: the device's thread.
  @_noLocks private func sendNotes() {
    unsafe AuricleSoundMixerBegin(mixer)
    var record = EventRing.emptyRecord
    while unsafe borrowedNotes._withUnsafeGuaranteedRef({ $0.peek(&record) }) {
      let isSent = unsafe AuricleSoundMixerAddEvent(mixer, record.bytes, UInt32(record.count))
      unsafe borrowedNotes._withUnsafeGuaranteedRef { $0.release(isLost: !isSent) }
    }
  }
}
