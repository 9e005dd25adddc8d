// The procedures that C programs have devices call.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import HardwareObjects
import MacSystem
import Synchronization

/// One procedure of a device, and which streams it wants.
///
/// @unchecked Sendable because its variables are atomic, and the caller keeps the context valid.
@safe final class IORegistration: @unchecked Sendable {
  let device: HardwareDevice
  let procedure: AudioDeviceIOProc
  let context: UnsafeMutableRawPointer?
  /// The number of the registration: the token as an address.
  let number: UInt
  /// A block in place of the procedure.
  let block: Block?
  private let isProcedure: Bool
  let queue: DispatchQueueHandle?
  let wantsInput = Atomic<Bool>(true)
  let wantsOutput = Atomic<Bool>(true)
  /// The time before which it is not called: 0 for none, else a `StartKind`, with the bits of the time.
  private let startKind = Atomic<Int>(0)
  private let startBits = Atomic<UInt64>(0)

  private enum StartKind {
    static let none = 0
    static let sample = 1
    static let host = 2
    /// Added for a time of the input.
    static let ofInput = 4
  }

  init(
    _ device: HardwareDevice, _ procedure: AudioDeviceIOProc, _ context: UnsafeMutableRawPointer?,
    number: UInt, block: Block? = nil, queue: DispatchQueueHandle? = nil
  ) {
    self.device = device
    unsafe self.procedure = unsafe procedure
    unsafe self.context = unsafe context
    self.number = number
    self.block = block
    isProcedure = block == nil
    self.queue = queue
  }

  /// Chooses the time of the first call of the next start; null for the first cycle. Context: control.
  func setStart(_ time: AudioTimeStamp?, isInput: Bool) {
    startKind.store(StartKind.none, ordering: .releasing)
    guard let time else { return }
    let isSample = time.mFlags & kAudioTimeStampSampleTimeValid != 0
    startBits.store(isSample ? time.mSampleTime.bitPattern : time.mHostTime, ordering: .releasing)
    startKind.store(
      (isSample ? StartKind.sample : StartKind.host) | (isInput ? StartKind.ofInput : 0),
      ordering: .releasing)
  }

  /// Whether a cycle comes before the time of the first call.
  @_noLocks private func isEarly(_ inputTime: AudioTimeStamp, _ outputTime: AudioTimeStamp) -> Bool
  {
    let kind = startKind.load(ordering: .acquiring)
    guard kind != StartKind.none else { return false }
    let time = kind & StartKind.ofInput != 0 ? inputTime : outputTime
    let bits = startBits.load(ordering: .acquiring)
    let isEarly =
      kind & StartKind.sample != 0
      ? time.mSampleTime < Double(bitPattern: bits) - 0.5 : time.mHostTime < bits
    if !isEarly { startKind.store(StartKind.none, ordering: .releasing) }
    return isEarly
  }

  /// The sides that the device opens for it.
  var sides: DeviceSides {
    var sides: DeviceSides = []
    if wantsInput.load(ordering: .relaxed) { sides.insert(.input) }
    if wantsOutput.load(ordering: .relaxed) { sides.insert(.output) }
    return sides
  }

  /// The client that the device calls.
  var client: IOClient {
    unsafe IOClient(
      { device, now, input, inputTime, output, outputTime, context in
        guard let context = unsafe context else { return noErr }
        return unsafe Unmanaged<IORegistration>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.call(device, now, input, inputTime, output, outputTime)
        }
      }, Unmanaged.passUnretained(self).toOpaque(), number: number)
  }

  /// Calls the procedure; streams that it does not want have no memory. Context: the device's thread.
  @_noLocks private func call(
    _ device: AudioObjectID, _ now: UnsafePointer<AudioTimeStamp>?,
    _ input: UnsafePointer<AudioBufferList>?, _ inputTime: UnsafePointer<AudioTimeStamp>?,
    _ output: UnsafeMutablePointer<AudioBufferList>?, _ outputTime: UnsafePointer<AudioTimeStamp>?
  ) -> OSStatus {
    guard let now = unsafe now, let input = unsafe input, let inputTime = unsafe inputTime,
      let output = unsafe output, let outputTime = unsafe outputTime
    else { return noErr }
    guard unsafe !isEarly(inputTime.pointee, outputTime.pointee) else { return noErr }
    let (isReading, isPlaying) = (
      wantsInput.load(ordering: .relaxed), wantsOutput.load(ordering: .relaxed)
    )
    guard !(isReading && isPlaying) else {
      return unsafe pass(device, now, input, inputTime, output, outputTime)
    }
    var recorded = unsafe input.pointee
    let played = unsafe output.pointee
    if !isReading { unsafe recorded.mBuffers.mData = nil }
    if !isPlaying { unsafe output.pointee.mBuffers.mData = nil }
    let status = unsafe pass(device, now, &recorded, inputTime, output, outputTime)
    unsafe output.pointee = played
    return status
  }

  /// Calls the client. The door out of checked code: its procedure, or its block.
  @_noLocks private func pass(
    _ device: AudioObjectID, _ now: UnsafePointer<AudioTimeStamp>,
    _ input: UnsafePointer<AudioBufferList>, _ inputTime: UnsafePointer<AudioTimeStamp>,
    _ output: UnsafeMutablePointer<AudioBufferList>, _ outputTime: UnsafePointer<AudioTimeStamp>
  ) -> OSStatus {
    let (procedure, context) = unsafe (procedure, context)
    if isProcedure {
      return unsafe _unsafePerformance {
        unsafe procedure(device, now, input, inputTime, output, outputTime, context)
      }
    }
    let registration = unsafe Unmanaged.passUnretained(self)
    unsafe _unsafePerformance {
      unsafe registration._withUnsafeGuaranteedRef {
        unsafe $0.callBlock(now, input, inputTime, output, outputTime)
      }
    }
    return noErr
  }

  /// Calls the block, on its queue where it has one.
  private func callBlock(
    _ now: UnsafePointer<AudioTimeStamp>,
    _ input: UnsafePointer<AudioBufferList>, _ inputTime: UnsafePointer<AudioTimeStamp>,
    _ output: UnsafeMutablePointer<AudioBufferList>, _ outputTime: UnsafePointer<AudioTimeStamp>
  ) {
    guard let block else { return }
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<AudioTimeStamp>, UnsafePointer<AudioBufferList>,
        UnsafePointer<AudioTimeStamp>, UnsafeMutablePointer<AudioBufferList>,
        UnsafePointer<AudioTimeStamp>
      ) -> Void
    let function = unsafe block.function(as: Function.self)
    guard let queue else {
      unsafe function(block.pointer, now, input, inputTime, output, outputTime)
      return
    }
    queue.wait {
      unsafe function(block.pointer, now, input, inputTime, output, outputTime)
    }
  }
}

/// All procedures of this process, by their tokens.
final class IORegistrations: Sendable {
  /// The one of this process.
  static let shared = IORegistrations()

  private struct State {
    var all: [IORegistration] = []
    var next: UInt = 0x1000
  }

  private let state = Mutex(State())

  /// The token of a number: an address that nobody calls, or a procedure's own.
  static func token(_ number: UInt) -> AudioDeviceIOProc? {
    unsafe unsafeBitCast(number, to: AudioDeviceIOProc?.self)
  }

  /// The number of a token; 0 for none.
  static func number(_ token: AudioDeviceIOProc?) -> UInt {
    unsafe unsafeBitCast(token, to: UInt.self)
  }

  /// The device of a number.
  static func device(_ id: AudioObjectID) throws(HardwareError) -> HardwareDevice {
    guard let device = HardwareSystem.shared.device(id) else { throw .badDevice }
    guard device.isAlive else { throw .badDevice }
    return device
  }

  /// Keeps a procedure under a new token, or under its own address.
  func add(
    _ id: AudioObjectID, _ procedure: @escaping AudioDeviceIOProc,
    _ context: UnsafeMutableRawPointer?, isOwnToken: Bool = false, block: Block? = nil,
    queue: DispatchQueueHandle? = nil
  ) throws(HardwareError) -> UInt {
    let device = try Self.device(id)
    let number = unsafe isOwnToken ? Self.number(procedure) : fresh()
    let made = unsafe IORegistration(
      device, procedure, context, number: number, block: block, queue: queue)
    let isNew = state.withLock { state -> Bool in
      guard !state.all.contains(where: { $0.number == number && $0.device.id == id }) else {
        return false
      }
      state.all.append(made)
      return true
    }
    guard isNew else { throw .illegal }
    return number
  }

  private func fresh() -> UInt {
    state.withLock {
      $0.next += 16
      return $0.next
    }
  }

  /// The registration of a token on a device.
  func registration(
    _ id: AudioObjectID, _ number: UInt
  ) throws(HardwareError) -> IORegistration {
    let found = state.withLock { state in
      state.all.first { $0.number == number && $0.device.id == id }
    }
    guard let found else { throw .illegal }
    return found
  }

  /// Stops and forgets one.
  func remove(_ id: AudioObjectID, _ number: UInt) throws(HardwareError) {
    let found = try registration(id, number)
    found.device.stop(number: number)
    state.withLock { $0.all.removeAll { $0 === found } }
  }
}
