// The thread that renders slices of live sound for the device of another process.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
import CAudioToolbox
import CHostSystem
import Glibc
import HostSystem
import RealtimeSupport
import Synchronization
import WatchedProcesses

/// Renders each slice that the parent sends through shared memory, until it sends none.
///
/// @unchecked Sendable because the thread alone uses the rest, from its start to its end.
@safe final class LiveSlices: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let form: AuricleSliceForm
  private let client: IOClient
  private let notes: LiveNotes
  private let borrowedNotes: Unmanaged<LiveNotes>
  private var thread: pthread_t?
  private let isRealTime: Bool
  private let threadNumber = Atomic<Int>(0)

  /// Maps the memory that the parent prepared.
  ///
  /// - Throws: `.temporary` where there is no memory left.
  init(
    _ setup: LiveSetup, _ client: IOClient, _ notes: LiveNotes
  ) throws(AuricleError) {
    form = setup.form
    isRealTime = setup.isRealTime
    self.client = client
    self.notes = notes
    unsafe borrowedNotes = Unmanaged.passUnretained(notes)
    let memory = unsafe mmap(
      nil, AuricleSharedSoundSize(form), PROT_READ | PROT_WRITE, MAP_SHARED,
      WatchedProcess.soundDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw systemError(errno, "map", "shared memory")
    }
    unsafe self.memory = unsafe memory
    close(WatchedProcess.soundDescriptor)
  }

  /// Starts the thread. Context: control, once, behind the sandbox, whose rules a thread has from the one that starts it.
  ///
  /// - Throws: `.temporary` where the system has no thread left.
  func start() throws(AuricleError) {
    guard let made = startThread(letting: [SIGXCPU], { self.run() }) else {
      throw AuricleError(
        .temporary, "the thread that renders cannot be started: the system has no thread left")
    }
    thread = made
  }

  /// Waits for the end of the thread, which the parent brings about. Context: control, once.
  func join() {
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  /// The number of a thread that wants realtime priority and has none; nil for none. Context: control.
  func removeThread() -> Int? {
    let number = threadNumber.exchange(0, ordering: .acquiringAndReleasing)
    return number == 0 ? nil : number
  }

  private func run() {
    if isRealTime, RealtimePriority.raiseDirectly() == .normal {
      threadNumber.store(Int(AuricleSystemThread()), ordering: .releasing)
    }
    var number: UInt32 = 0
    while true {
      let frames = unsafe AuricleSharedSoundTake(memory, form, &number)
      guard frames > 0 else { return }
      RealtimeSection.enter()
      render(frames)
      unsafe AuricleSharedSoundAnswer(memory, number)
      RealtimeSection.exit()
    }
  }

  /// Renders a slice in the shared memory, after its messages.
  @_noLocks private func render(_ frames: UInt32) {
    var (place, count): (UInt32, UInt32) = (0, 0)
    while let event = unsafe AuricleSharedSoundEvent(memory, form, &place, &count) {
      unsafe borrowedNotes._withUnsafeGuaranteedRef {
        unsafe $0.forward(event, count: Int(count))
      }
    }
    var (input, output) = (AudioBufferList(), AudioBufferList())
    var time = AudioTimeStamp()
    unsafe describe(
      &input, UnsafeMutableRawPointer(mutating: AuricleSharedSoundInput(memory, form)),
      form.inputWidth, frames)
    unsafe describe(&output, AuricleSharedSoundOutput(memory, form), form.outputWidth, frames)
    let (procedure, context) = unsafe (client.procedure, client.context)
    // Door out of checked code: the procedure of the client, which calls checked code again.
    unsafe _unsafePerformance {
      unsafe _ = procedure(0, &time, &input, &time, &output, &time, context)
    }
  }

  deinit { unsafe munmap(memory, AuricleSharedSoundSize(form)) }
}

/// Makes a list describe interleaved samples.
@_noLocks private func describe(
  _ list: inout AudioBufferList, _ samples: UnsafeMutableRawPointer?, _ width: UInt32,
  _ frames: UInt32
) {
  list.mNumberBuffers = width > 0 ? 1 : 0
  unsafe list.mBuffers.mNumberChannels = width
  unsafe list.mBuffers.mDataByteSize = frames * width * 4
  unsafe list.mBuffers.mData = unsafe samples
}
