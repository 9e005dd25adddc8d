// Scheduled parameter changes of the slice that is about to be rendered.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension UnitInstance {
  /// Takes events for the coming slice; those not due in it are dropped at its end.
  ///
  /// Context: render, or a render observer before the slice. The corresponding Core Audio function
  /// is `AudioUnitScheduleParameters`.
  func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) -> OSStatus {
    for index in events.indices {
      let event = unsafe events[index]
      var address = ParameterAddress()
      let status = table.find(event.parameter, event.scope, event.element, &address)
      guard status == 0 else { return status }
      let place = address.index
      let rate = table.sampleRate
      func inRange(_ value: Float) -> Float { address.entry.bounded(value, atSampleRate: rate) }
      let scheduled: ScheduledEvent
      if event.eventType == kParameterEvent_Ramped {
        let ramp = unsafe event.eventValues.ramp
        guard ramp.startValue.isFinite, ramp.endValue.isFinite else {
          return kAudioUnitErr_InvalidParameterValue
        }
        scheduled = ScheduledEvent(
          start: Int(ramp.startBufferOffset), duration: Int(ramp.durationInFrames), index: place,
          startValue: inRange(ramp.startValue), endValue: inRange(ramp.endValue))
      } else {
        let change = unsafe event.eventValues.immediate
        guard change.value.isFinite else { return kAudioUnitErr_InvalidParameterValue }
        scheduled = ScheduledEvent(
          start: Int(change.bufferOffset), duration: 0, index: place,
          startValue: inRange(change.value), endValue: inRange(change.value))
      }
      guard unsafe render.pointee.events.insert(scheduled) else {
        return kAudio_MemFullError
      }
    }
    return 0
  }
}
