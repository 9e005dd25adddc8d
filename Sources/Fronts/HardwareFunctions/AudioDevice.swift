// The functions of AudioHardware.h that run devices.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import AudioTypes
public import CAudioToolbox
import Glibc
import HardwareObjects
import MacSystem

/// Registers a procedure with a device, as often as wanted.
///
/// Context: control.
@c @implementation
public func AudioDeviceCreateIOProcID(
  _ device: AudioObjectID, _ procedure: AudioDeviceIOProc?,
  _ clientData: UnsafeMutableRawPointer?,
  _ outProcedureID: UnsafeMutablePointer<AudioDeviceIOProcID?>?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let procedure = unsafe procedure, let outProcedureID = unsafe outProcedureID else {
      throw .illegal
    }
    let number = try unsafe IORegistrations.shared.add(device, procedure, clientData)
    unsafe outProcedureID.pointee = IORegistrations.token(number)
  }
}

/// Registers a block with a device; with a queue, the device's thread waits for it there.
///
/// Context: control. The corresponding Core Audio function is `AudioDeviceCreateIOProcIDWithBlock`.
@_cdecl("AudioDeviceCreateIOProcIDWithBlock")
public func createIOProcIDWithBlock(
  _ outProcedureID: UnsafeMutablePointer<UInt>?, _ device: AudioObjectID,
  _ queue: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let outProcedureID = unsafe outProcedureID, let block = unsafe Block(block) else {
      throw .illegal
    }
    unsafe outProcedureID.pointee = try unsafe IORegistrations.shared.add(
      device, { _, _, _, _, _, _, _ in noErr }, nil, block: block,
      queue: DispatchQueueHandle(queue))
  }
}

/// Stops a procedure and forgets it.
///
/// Context: control.
@c @implementation
public func AudioDeviceDestroyIOProcID(
  _ device: AudioObjectID, _ procedureID: AudioDeviceIOProcID?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    try unsafe IORegistrations.shared.remove(device, IORegistrations.number(procedureID))
  }
}

/// The client of a device that runs without any procedure.
private let nobody: UInt = 2

/// Starts a procedure; the first call comes soon, on the device's thread. Null runs the device alone.
///
/// - Returns: `!dev` for a device that is gone, `!hog` without permission, `nrdy` for one that is busy, `what` where it
///   cannot be opened otherwise.
///
/// Context: control.
@c @implementation
public func AudioDeviceStart(
  _ device: AudioObjectID, _ procedureID: AudioDeviceIOProcID?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    let opened = try IORegistrations.device(device)
    let number = unsafe IORegistrations.number(procedureID)
    do throws(AuricleError) {
      guard number != 0 else {
        return try unsafe opened.start(
          IOClient({ _, _, _, _, _, _, _ in noErr }, nil, number: nobody), sides: [.output, .input])
      }
      let registration: IORegistration
      do throws(HardwareError) {
        registration = try IORegistrations.shared.registration(device, number)
      } catch {
        throw AuricleError(.usage, status: error.status, "there is no such procedure")
      }
      try opened.start(registration.client, sides: registration.sides)
    } catch {
      throw HardwareError(status(of: error))
    }
  }
}

/// The code of a failure to open a device.
private func status(of error: AuricleError) -> OSStatus {
  if error.status != 0 { return error.status }
  return switch error.category {
  case .noPermission: kAudioDevicePermissionsError
  case .temporary: kAudioHardwareNotReadyError
  case .badData: kAudioDeviceUnsupportedFormatError
  default: kAudioHardwareUnspecifiedError
  }
}

/// Stops a procedure; on another thread than the device's, it is not called any more then.
///
/// Context: any but under a lock that the procedure waits for.
@c @implementation
public func AudioDeviceStop(
  _ device: AudioObjectID, _ procedureID: AudioDeviceIOProcID?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let opened = HardwareSystem.shared.device(device) else { throw .badDevice }
    let number = unsafe IORegistrations.number(procedureID)
    opened.stop(number: number == 0 ? nobody : number)
  }
}

/// Starts a procedure whose first call is that of the first cycle at a time or after it: in samples of the device, or on
/// the host's clock. For a device that runs, the caller's time becomes that of the cycle.
///
/// - Returns: As `AudioDeviceStart`; `nope` for a time that says nothing.
///
/// Context: control.
@c @implementation
public func AudioDeviceStartAtTime(
  _ device: AudioObjectID, _ procedureID: AudioDeviceIOProcID?,
  _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>?, _ flags: UInt32
) -> OSStatus {
  guard let wanted = unsafe ioRequestedStartTime, unsafe procedureID != nil else {
    return unsafe AudioDeviceStart(device, procedureID)
  }
  let status = HardwareCalls.status { () throws(HardwareError) in
    let known = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
    guard unsafe wanted.pointee.mFlags & known != 0 else { throw .illegal }
    let registration = try unsafe IORegistrations.shared.registration(
      device, IORegistrations.number(procedureID))
    let isInput = flags & kAudioDeviceStartTimeIsInputFlag != 0
    if let engine = try? running(device) {
      unsafe wanted.pointee = try unsafe firstCycle(engine, at: wanted.pointee, isInput: isInput)
    }
    unsafe registration.setStart(wanted.pointee, isInput: isInput)
  }
  return status == noErr ? unsafe AudioDeviceStart(device, procedureID) : status
}

/// The time of the first cycle of a running device that begins at a time or after it.
private func firstCycle(
  _ engine: DeviceEngine, at time: AudioTimeStamp, isInput: Bool
) throws(HardwareError) -> AudioTimeStamp {
  guard let present = engine.presentTime else { throw .init(kAudioHardwareNotRunningError) }
  let period = Double(engine.periodFrames)
  let asked = try translated(time, engine)
  // The last cycle's recording began a period before it; its output begins behind all that the device holds.
  let last = isInput ? present.sample - period : present.sample + engine.outputDelay
  var start = AudioTimeStamp()
  start.mSampleTime = last + period * max(1, ((asked.mSampleTime - last) / period).rounded(.up))
  start.mFlags = kAudioTimeStampSampleTimeValid
  return try translated(start, engine)
}

/// The time of a running device now.
///
/// - Returns: `stop` for one that does not run.
///
/// Context: any.
@c @implementation
public func AudioDeviceGetCurrentTime(
  _ device: AudioObjectID, _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let outTime = unsafe outTime else { throw .illegal }
    let engine = try running(device)
    var time = AudioTimeStamp()
    time.mHostTime = engine.now
    time.mFlags = kAudioTimeStampHostTimeValid
    unsafe outTime.pointee = try translated(time, engine)
  }
}

/// Converts a time of a running device to its other clocks.
///
/// - Returns: `stop` for a device that does not run; `nope` for a time that says nothing.
///
/// Context: any.
@c @implementation
public func AudioDeviceTranslateTime(
  _ device: AudioObjectID, _ time: UnsafePointer<AudioTimeStamp>?,
  _ outTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let time = unsafe time, let outTime = unsafe outTime else { throw .illegal }
    unsafe outTime.pointee = try unsafe translated(time.pointee, running(device))
  }
}

/// The first time from which a running device can start something: the next cycle at the earliest.
///
/// Context: any.
@c @implementation
public func AudioDeviceGetNearestStartTime(
  _ device: AudioObjectID, _ ioRequestedStartTime: UnsafeMutablePointer<AudioTimeStamp>?,
  _ flags: UInt32
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let wanted = unsafe ioRequestedStartTime else { throw .illegal }
    let engine = try running(device)
    var now = AudioTimeStamp()
    now.mHostTime = engine.now
    now.mFlags = kAudioTimeStampHostTimeValid
    now = try translated(now, engine)
    let asked = try unsafe translated(wanted.pointee, engine)
    var start = AudioTimeStamp()
    start.mSampleTime = max(asked.mSampleTime, now.mSampleTime + Double(engine.periodFrames))
    start.mFlags = kAudioTimeStampSampleTimeValid
    unsafe wanted.pointee = try translated(start, engine)
  }
}

/// The engine of a device whose time is known.
private func running(_ id: AudioObjectID) throws(HardwareError) -> DeviceEngine {
  let device = try IORegistrations.device(id)
  guard let engine = device.engine, engine.presentTime != nil else {
    throw .init(kAudioHardwareNotRunningError)
  }
  return engine
}

/// A time in samples and on the host's clock.
private func translated(
  _ time: AudioTimeStamp, _ engine: DeviceEngine
) throws(HardwareError) -> AudioTimeStamp {
  guard let present = engine.presentTime else { throw .init(kAudioHardwareNotRunningError) }
  let nanosecondsPerFrame = present.scalar * 1e9 / max(1, engine.sampleRate)
  var result = AudioTimeStamp()
  if time.mFlags & kAudioTimeStampSampleTimeValid != 0 {
    result.mSampleTime = time.mSampleTime
    let away = (time.mSampleTime - present.sample) * nanosecondsPerFrame
    result.mHostTime = UInt64(max(0, min(9e18, Double(present.host) + away)))
  } else if time.mFlags & kAudioTimeStampHostTimeValid != 0 {
    result.mHostTime = time.mHostTime
    let away = Double(time.mHostTime) - Double(present.host)
    result.mSampleTime = present.sample + away / nanosecondsPerFrame
  } else {
    throw .illegal
  }
  result.mRateScalar = present.scalar
  result.mFlags =
    kAudioTimeStampSampleHostTimeValid | kAudioTimeStampRateScalarValid
  return result
}

/// Stops all devices of this process.
///
/// Context: control.
@c @implementation
public func AudioHardwareUnload() -> OSStatus {
  HardwareSystem.shared.unload()
  return noErr
}

/// Makes one device of several, as a dictionary describes it; this process alone sees it.
///
/// - Returns: `nope` for a description without a UID, or with that of another device.
///
/// Context: control.
@c @implementation
public func AudioHardwareCreateAggregateDevice(
  _ description: CFDictionaryRef?, _ outDevice: UnsafeMutablePointer<AudioObjectID>?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let outDevice = unsafe outDevice, let description = unsafe description,
      let read = unsafe AggregateDescription(dictionary: UnsafeRawPointer(description))
    else { throw .illegal }
    unsafe outDevice.pointee = try HardwareSystem.shared.createAggregate(read)
  }
}

/// Stops an aggregate device and dissolves it.
///
/// - Returns: `!dev` for another device.
///
/// Context: control, outside of procedures.
@c @implementation
public func AudioHardwareDestroyAggregateDevice(_ device: AudioObjectID) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    try HardwareSystem.shared.destroyAggregate(device)
  }
}
