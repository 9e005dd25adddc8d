// A queue: its buffers, its thread, its listeners. Players and recorders build on it.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import HostSystem
import MacSystem
import RealtimeSupport
import Synchronization

/// The common part of output and input queues.
///
/// `state` is held for moments only, and never while a callback runs or a device is started or stopped.
///
/// @unchecked Sendable because its variables are under locks or atomic.
@safe class Queue: @unchecked Sendable {
  /// A listener of a property.
  @safe struct Listener: @unchecked Sendable {
    let property: AudioQueuePropertyID
    let procedure: AudioQueuePropertyListenerProc
    let context: UnsafeMutableRawPointer?
  }

  /// The state of a queue.
  enum Run {
    case stopped
    case running
    case paused
    /// Plays, or records, the buffers that are there, and stops.
    case ending
  }

  /// A device, and the times that it had to be started anew.
  struct DeviceMark: Equatable {
    var device: AudioObjectID
    var breaks: Int
  }

  struct State {
    var pending: [EnqueuedBuffer] = []
    var run = Run.stopped
    /// Whether the device was started, and should run.
    var hasStarted = false
    var isResetting = false
    /// Whether one is disposing of it; its handle is good until the callbacks that run have returned.
    var isGoing = false
    var isDisposed = false
    var wantsFlush = false
    var listeners: [Listener] = []
    var cookie: [UInt8] = []
    var layout: [UInt8] = []
    var deviceUID: String?
    var converterError: OSStatus = 0
    var aheadFrames: UInt32 = 0
    /// For each channel of the queue that of the device, from 1; empty for each its own.
    var assignments: [UInt32] = []
    /// The state of the device when a timeline was read the last time.
    var timelineMark: DeviceMark?
    var hasPitch = false
    var pitchAlgorithm: UInt32 = kAudioQueueTimePitchAlgorithm_Spectral
    var offlineFormat: AudioStreamBasicDescription?
    var tap: ProcessingTap?
  }

  let isInput: Bool
  /// The format of the buffers.
  var format: AudioStreamBasicDescription
  let delivery: CallbackDelivery
  let buffers = QueueBuffers()
  /// Posted when the queue's thread has something to do.
  let signal = RenderSignal()
  let state = Mutex(State())
  /// Held by the queue's thread while it converts, and by callers that need it not to.
  let work = Mutex<Void>(())
  /// The device while the queue was started.
  let device = Mutex<QueueDevice?>(nil)
  let levels: QueueLevels
  /// Frames of the queue since it was started.
  let frameTime = Atomic<Int64>(0)
  private let thread = Mutex<UInt>(0)
  /// Whether the queue's thread is in a turn, or in a call of it.
  private let isTurning = Atomic<Bool>(false)
  private let turnEnd = RenderSignal()
  /// The thread that has `work`; 0 for none.
  let worker = Atomic<UInt>(0)
  /// Callbacks that wait until `work` is let go of, and whether a thread calls them.
  let late = Mutex<(calls: [CallbackDelivery.Work], isCalling: Bool)>(([], false))

  init(isInput: Bool, _ format: AudioStreamBasicDescription, _ delivery: CallbackDelivery) {
    self.isInput = isInput
    self.format = format
    self.delivery = delivery
    levels = QueueLevels(channelCount: Int(max(1, format.mChannelsPerFrame)))
  }

  deinit { buffers.freeAll() }

  /// The handle for C code.
  var handle: OpaquePointer? { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Channels of the queue.
  var channelCount: Int { Int(max(1, format.mChannelsPerFrame)) }

  /// Interleaved 32-bit float at a rate, as the queue converts from and to.
  func floats(_ sampleRate: Double) -> AudioStreamBasicDescription {
    let size = UInt32(4 * channelCount)
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: size, mFramesPerPacket: 1,
      mBytesPerFrame: size, mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: 32,
      mReserved: 0)
  }

  // MARK: The thread

  /// One turn of the queue's thread: does all work at hand; true where it shall be called again at
  /// once.
  func turn() -> Bool { false }

  /// Returns a buffer through its callback.
  func returnBuffer(_ entry: EnqueuedBuffer) { unsafe buffers.returnBuffer(entry.buffer) }

  /// Has the thread run. Context: control.
  func startThread() -> OSStatus {
    thread.withLock { thread -> OSStatus in
      guard thread == 0 else { return noErr }
      guard let made = HostSystem.startThread({ self.runThread() }) else {
        return kAudioQueueErr_CannotStart
      }
      thread = UInt(made)
      return noErr
    }
  }

  private static let longestWait: UInt64 = 50_000_000

  private func runThread() {
    while true {
      let mark = signal.mark
      if state.withLock({ $0.isDisposed }) { return }
      isTurning.store(true, ordering: .sequentiallyConsistent)
      let goesOn = turn()
      isTurning.store(false, ordering: .sequentiallyConsistent)
      turnEnd.post()
      // A device that ended by itself posts nothing.
      if !goesOn { signal.wait(since: mark, nanoseconds: Self.longestWait) }
    }
  }

  /// Waits until the thread has returned its buffers, on a queue that was stopped; half a second at
  /// most, since a callback may wait for the caller. Context: control; nothing in a callback on the
  /// queue's own thread.
  func waitForTurn() {
    let isOwn = thread.withLock { $0 != 0 && pthread_equal(pthread_t($0), pthread_self()) != 0 }
    if !isOwn {
      turnEnd.wait(nanoseconds: 500_000_000) { !isTurning.load(ordering: .sequentiallyConsistent) }
    }
    delivery.performAllHere()
  }

  /// Ends the thread, and waits for it where that is not the caller.
  func endThread() {
    state.withLock { $0.isDisposed = true }
    signal.post()
    let made = thread.withLock { thread -> UInt in
      defer { thread = 0 }
      return thread
    }
    guard made != 0 else { return }
    let thread = pthread_t(made)
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  // MARK: Listeners

  /// Notifies the listeners of a property, where callbacks run.
  func changed(_ property: AudioQueuePropertyID) {
    let listeners = state.withLock { $0.listeners.filter { $0.property == property } }
    for listener in listeners {
      deliver { [self] in
        unsafe listener.procedure(listener.context, handle, property)
      }
    }
  }

  /// Whether the device runs for the queue.
  var isRunning: Bool { state.withLock { $0.run != .stopped } }

  // MARK: Running, for both kinds

  /// Whether the device has stopped by itself: it is gone, or has come to its end.
  var isDeviceOver: Bool {
    guard state.withLock({ $0.hasStarted }) else { return false }
    return device.withLock { $0.map { !$0.isRunning } ?? false }
  }

  /// Has a device run for the queue.
  ///
  /// - Parameter isPatient: Set where the device may wait for frames instead of going on without.
  func run(
    _ made: QueueDevice, at time: AudioTimeStamp?, isPatient: borrowing Atomic<Bool>
  ) throws(QueueFailure) {
    device.withLock { $0 = made }
    isPatient.store(!made.isRealTime, ordering: .releasing)
    let status = made.start(time)
    guard status == noErr else {
      _ = closeDevice()
      throw QueueFailure(
        status == kAudioDevicePermissionsError
          ? kAudioQueueErr_Permissions : kAudioQueueErr_CannotStart)
    }
    state.withLock { $0.hasStarted = true }
    signal.post()
    changed(kAudioQueueProperty_IsRunning)
  }

  /// Has a device that waits for this queue go on without it.
  func stopWaiting() {}

  /// Begins to dispose of it; false where another call does.
  func beginDisposal() -> Bool {
    state.withLock { state in
      defer { state.isGoing = true }
      return !state.isGoing
    }
  }

  /// Lets go of the device; false where the queue was stopped already.
  func closeDevice() -> Bool {
    let wasRunning = state.withLock { state -> Bool in
      defer {
        state.run = .stopped
        state.hasStarted = false
      }
      return state.run != .stopped
    }
    let old = device.withLock { device -> QueueDevice? in
      defer { device = nil }
      return device
    }
    stopWaiting()
    old?.stop()
    return wasRunning
  }

  /// Returns all buffers while none can be enqueued; also from a callback of the same.
  func resetting(_ body: () -> Void) {
    let isFirst = state.withLock { state -> Bool in
      defer { state.isResetting = true }
      return !state.isResetting
    }
    body()
    if isFirst { state.withLock { $0.isResetting = false } }
  }

  /// Removes and returns all buffers that were not begun.
  func dequeuePending() -> [EnqueuedBuffer] {
    state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
  }
}

/// The queues that C code has, by their handles.
enum Queues {
  private static let all = Mutex<[UInt: Queue]>([:])

  /// Has queues printed by `CAShow`; once.
  private static let areShown: Void = ShownObjects.add { address in
    guard let queue = all.withLock({ $0[address] }) else { return nil }
    let side = queue.isInput ? "records" : "plays"
    return "AudioQueue 0x\(String(address, radix: 16)): \(side) \(queue.channelCount) channels"
  }

  /// Keeps a queue until it is disposed of.
  static func keep(_ queue: Queue) -> OpaquePointer? {
    _ = areShown
    let handle = unsafe queue.handle
    all.withLock { $0[UInt(bitPattern: handle)] = queue }
    return unsafe handle
  }

  /// The queue of a handle; nil for one that is none.
  static func queue(_ handle: OpaquePointer?) -> Queue? {
    let address = UInt(bitPattern: handle)
    return all.withLock { $0[address] }
  }

  /// Forgets a queue.
  static func remove(_ handle: OpaquePointer?) {
    let address = UInt(bitPattern: handle)
    let old = all.withLock { $0.removeValue(forKey: address) }
    // Freed outside of the lock.
    _ = consume old
  }

  /// Runs a call to a queue; returns the status that it throws, -50 for an invalid handle.
  static func call(_ handle: OpaquePointer?, _ body: (Queue) throws(QueueFailure) -> Void)
    -> OSStatus
  {
    guard let queue = unsafe queue(handle) else { return kAudio_ParamError }
    do throws(QueueFailure) {
      try body(queue)
      return noErr
    } catch {
      return error.status
    }
  }
}
