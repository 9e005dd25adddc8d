// The functions of the headers with blocks and dispatch queues.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
public import CAudioToolbox
import MacSystem

// The declarations are hidden from Swift: `@c` cannot check a signature with a block.

/// Makes a listener of parameters whose block runs on a queue.
///
/// Context: control. The corresponding Core Audio function is `AUListenerCreateWithDispatchQueue`.
@_cdecl("AUListenerCreateWithDispatchQueue")
public func createQueueListener(
  _ listener: UnsafeMutablePointer<OpaquePointer?>?, _ interval: Float32,
  _ queue: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  guard let listener = unsafe listener, interval >= 0,
    let queue = unsafe DispatchQueueHandle(queue), let block = unsafe Block(block)
  else { return kAudio_ParamError }
  typealias Function =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafePointer<AudioUnitParameter>?, Float
    ) -> Void
  let made = unsafe EventListener(
    interval: Double(interval), granularity: .infinity,
    delivery: EventDelivery { queue.run(after: $0, $1) }
  ) { object, event, _, value in
    guard event.kind == .valueChange else { return }
    var parameter = unsafe event.cParameter
    unsafe block.function(as: Function.self)(block.pointer, object, &parameter, value)
  }
  unsafe listener.pointee = OpaquePointer(bitPattern: made.address)
  return noErr
}

/// Makes a listener of events whose block runs on a queue.
///
/// Context: control. The corresponding Core Audio function is
/// `AUEventListenerCreateWithDispatchQueue`.
@_cdecl("AUEventListenerCreateWithDispatchQueue")
public func createQueueEventListener(
  _ listener: UnsafeMutablePointer<OpaquePointer?>?, _ interval: Float32,
  _ valueChangeGranularity: Float32, _ queue: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  guard let listener = unsafe listener, interval >= 0, valueChangeGranularity >= 0,
    let queue = unsafe DispatchQueueHandle(queue), let block = unsafe Block(block)
  else { return kAudio_ParamError }
  typealias Function =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, UInt64, Float
    ) -> Void
  let made = unsafe EventListener(
    interval: Double(interval), granularity: Double(valueChangeGranularity),
    delivery: EventDelivery { queue.run(after: $0, $1) }
  ) { object, event, hostTime, value in
    var event = unsafe event.cEvent
    unsafe block.function(as: Function.self)(block.pointer, object, &event, hostTime, value)
  }
  unsafe listener.pointee = OpaquePointer(bitPattern: made.address)
  return noErr
}

/// Opens an instance and passes it to a block, before this returns.
///
/// With `kAudioComponentInstantiation_LoadOutOfProcess` the unit runs in a sandboxed process of the `auricle` program. When that
/// ends, calls of the instance return `kAudioComponentErr_InstanceInvalidated`.
///
/// Context: control. The corresponding Core Audio function is `AudioComponentInstantiate`.
@_cdecl("AudioComponentInstantiate")
public func instantiate(
  _ component: AudioComponentHandle?, _ options: UInt32, _ block: UnsafeRawPointer?
) {
  guard let block = unsafe Block(block) else { return }
  typealias Function =
    @convention(c) (UnsafeMutableRawPointer?, AudioComponentInstance?, OSStatus) -> Void
  var instance: AudioComponentInstance?
  var status = kAudio_ParamError
  if options & kAudioComponentInstantiation_LoadOutOfProcess == 0 {
    status = unsafe AudioComponentInstanceNew(component, &instance)
  } else if let found = unsafe Toolbox.component(component) {
    do throws(AuricleError) {
      unsafe instance = unsafe Toolbox.keep(try OutOfProcess.instantiate(found))
      status = noErr
    } catch { status = error.statusForC }
  }
  unsafe block.function(as: Function.self)(block.pointer, instance, status)
}

/// Checks a component and passes the result to a block, before this returns.
///
/// The dictionary, which lives as long as the block runs, has two arrays of strings: `Errors`, for which
/// validation fails, and `Warnings`.
///
/// Context: control. The corresponding Core Audio function is `AudioComponentValidateWithResults`.
@_cdecl("AudioComponentValidateWithResults")
public func validateWithResults(
  _ component: AudioComponentHandle?, _ parameters: UnsafeRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  guard let block = unsafe Block(block) else { return kAudio_ParamError }
  typealias Function =
    @convention(c) (UnsafeMutableRawPointer?, UInt32, UnsafeRawPointer?) -> Void
  let limit = unsafe timeLimit(of: parameters.map { CFDictionaryRef($0) })
  guard let outcome = unsafe validate(component, timeLimit: limit) else {
    return kAudio_ParamError
  }
  let details = unsafe outcome.makeDetails()
  unsafe block.function(as: Function.self)(
    block.pointer, outcome.result, details.map { unsafe UnsafeRawPointer($0) })
  if let details = unsafe details { unsafe CFRelease(UnsafeRawPointer(details)) }
  return noErr
}
