// Situations of parameters and their schedule, and their codes.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox

extension ErrorRow {
  static let parameters: [ErrorRow] = [
    .init(kAudioUnitErr_InvalidParameter, "getting an unknown parameter") {
      var value: Float = 0
      return unsafe AudioUnitGetParameter($0.handle, 4_000_000, 0, 0, &value)
    },
    .init(kAudioUnitErr_InvalidParameter, "setting an unknown parameter") {
      unsafe AudioUnitSetParameter($0.handle, 4_000_000, 0, 0, 0, 0)
    },
    .init(kAudioUnitErr_InvalidScope, "a parameter in a scope that is not there") {
      let parameter = try $0.firstParameter()
      return unsafe AudioUnitSetParameter($0.handle, parameter.id, 9, 0, 0, 0)
    },
    .init(kAudioUnitErr_InvalidElement, "a parameter of an element that is not there") {
      let parameter = try $0.firstParameter()
      return unsafe AudioUnitSetParameter(
        $0.handle, parameter.id, parameter.scope, 100_000, parameter.minimum, 0)
    },
    .init(kAudioUnitErr_InvalidParameterValue, "a value that is no number") {
      let parameter = try $0.firstParameter()
      return unsafe AudioUnitSetParameter(
        $0.handle, parameter.id, parameter.scope, parameter.element, .nan, 0)
    },
    .init(kAudioUnitErr_InvalidParameterValue, "an infinite value") {
      let parameter = try $0.firstParameter()
      return unsafe AudioUnitSetParameter(
        $0.handle, parameter.id, parameter.scope, parameter.element, .infinity, 0)
    },
    .init(kAudio_ParamError, "no place for a value") {
      let parameter = try $0.firstParameter()
      return unsafe AudioUnitGetParameter(
        $0.handle, parameter.id, parameter.scope, parameter.element, nil)
    },
    .init(
      kAudio_MemFullError, "more changes than a slice has room for",
      Subject.allCases + [.instrument, .writtenInstrument, .musicEffect]
    ) {
      let parameter = try $0.firstParameter()
      var event = AudioUnitParameterEvent()
      (event.scope, event.element) = (parameter.scope, parameter.element)
      event.parameter = parameter.id
      event.eventType = kParameterEvent_Immediate
      unsafe event.eventValues.immediate.value = parameter.minimum
      let many = [AudioUnitParameterEvent](repeating: event, count: 100_000)
      return unsafe AudioUnitScheduleParameters($0.handle, many, UInt32(many.count))
    },
    .init(kAudioUnitErr_InvalidParameter, "scheduling an unknown parameter") {
      var event = AudioUnitParameterEvent()
      event.parameter = 4_000_000
      event.eventType = kParameterEvent_Immediate
      return unsafe AudioUnitScheduleParameters($0.handle, &event, 1)
    },
  ]
}
