// Schedules parameter changes for the next slice: all of them, or none with an error.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension RenderState {
  /// Schedules events for the next slice; those not due in it are dropped at its end.
  ///
  /// Context: render, or a render observer before the slice. The corresponding Core Audio function
  /// is `AudioUnitScheduleParameters`.
  @_noLocks func schedule(
    _ list: UnsafePointer<AudioUnitParameterEvent>, count: Int
  ) -> OSStatus {
    guard count <= events.room else { return kAudio_MemFullError }
    var made = ScheduledEvent(
      start: 0, duration: 0, index: 0, isKernelRamp: false, startValue: 0, endValue: 0)
    for index in 0..<count {
      let status = unsafe make(list + index, &made)
      guard status == 0 else { return status }
    }
    for index in 0..<count {
      if unsafe make(list + index, &made) == 0 { events.insert(made) }
    }
    return 0
  }

  /// Checks and converts one event of a host.
  @_noLocks private func make(
    _ event: UnsafePointer<AudioUnitParameterEvent>, _ made: inout ScheduledEvent
  ) -> OSStatus {
    var address = ParameterAddress()
    let status = unsafe table.find(
      event.pointee.parameter, event.pointee.scope, event.pointee.element, &address)
    guard status == 0 else { return status }
    let entry = address.entry
    guard !entry.isMeter else { return kAudioUnitErr_InvalidParameter }
    let rate = table.sampleRate
    switch unsafe event.pointee.eventType {
    case kParameterEvent_Ramped:
      let ramp = unsafe event.pointee.eventValues.ramp
      guard ramp.startValue.isFinite, ramp.endValue.isFinite else {
        return kAudioUnitErr_InvalidParameterValue
      }
      made = ScheduledEvent(
        start: ramp.startBufferOffset, duration: ramp.durationInFrames,
        index: Int32(truncatingIfNeeded: address.index), isKernelRamp: entry.isRampedByKernel,
        startValue: entry.bounded(ramp.startValue, atSampleRate: rate),
        endValue: entry.bounded(ramp.endValue, atSampleRate: rate))
    case kParameterEvent_Immediate:
      let change = unsafe event.pointee.eventValues.immediate
      guard change.value.isFinite else { return kAudioUnitErr_InvalidParameterValue }
      let value = entry.bounded(change.value, atSampleRate: rate)
      made = ScheduledEvent(
        start: Int32(clamping: change.bufferOffset), duration: 0,
        index: Int32(truncatingIfNeeded: address.index), isKernelRamp: false, startValue: value,
        endValue: value)
    default: return kAudio_ParamError
    }
    return 0
  }
}
