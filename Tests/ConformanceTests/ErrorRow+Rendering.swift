// Situations of rendering and of a life, and their codes.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

extension ErrorRow {
  static let rendering: [ErrorRow] = [
    .init(kAudioUnitErr_Uninitialized, "render before Initialize") {
      if !$0.subject.isInstrument { same($0.feed(), 0) }
      return $0.render(64)
    },
    .init(kAudioUnitErr_Uninitialized, "render after Uninitialize") {
      try $0.start()
      same(unsafe AudioUnitUninitialize($0.handle), 0)
      return $0.render(64)
    },
    .init(kAudioUnitErr_TooManyFramesToProcess, "more frames than the slice may have") {
      try $0.start()
      let status = $0.render(UnitUnderTest.maximumFrames + 1)
      same($0.pullCount, 0, "frames pulled although there were too many")
      return status
    },
    .init(kAudioUnitErr_NoConnection, "nothing feeds the input", Subject.effects) {
      same(unsafe AudioUnitInitialize($0.handle), 0)
      return $0.render(64)
    },
    .init(kAudioUnitErr_InvalidElement, "an output that is not there") {
      try $0.start()
      return $0.render(64, bus: 7)
    },
    .init(kAudio_ParamError, "one buffer for two channels") {
      try $0.start()
      let one = AudioBuffers(channelCount: 1, frameCapacity: 64)
      one.setFrameCount(64)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      return unsafe AudioUnitRender($0.handle, &flags, &stamp, 0, 64, one.list)
    },
    .init(kAudio_ParamError, "buffers too small for the frames") {
      try $0.start()
      $0.buffers.setFrameCount(32)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      return unsafe AudioUnitRender($0.handle, &flags, &stamp, 0, 64, $0.buffers.list)
    },
    .init(kAudio_ParamError, "no buffer list") {
      try $0.start()
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      return unsafe AudioUnitRender($0.handle, &flags, &stamp, 0, 64, nil)
    },
  ]

  static let life: [ErrorRow] = [
    .init(0, "a second Initialize does nothing") {
      try $0.start()
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(0, "Uninitialize of what is not initialised") {
      unsafe AudioUnitUninitialize($0.handle)
    },
    .init(
      kAudioUnitErr_FailedInitialization, "a rate that the unit cannot work at",
      [
        .calling, .callingMusicEffect, .callingOutput, .writtenInstrument, .writtenOutput, .lv2,
        .lv2MusicEffect,
      ]
    ) {
      if !$0.subject.isInstrument {
        same($0.set(kAudioUnitProperty_SampleRate, 768_000.0, kAudioUnitScope_Input), 0)
      }
      same($0.set(kAudioUnitProperty_SampleRate, 768_000.0, kAudioUnitScope_Output), 0)
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(
      kAudioUnitErr_Unauthorized, "a place that a unit has no licence for",
      [.writtenInstrument, .writtenOutput]
    ) { test in
      guard let text = unsafe makeCFString("unlicensed") else { return -1 }
      defer { unsafe CFRelease(UnsafeRawPointer(text)) }
      same(unsafe test.set(kAudioUnitProperty_ContextName, text), 0)
      return unsafe AudioUnitInitialize(test.handle)
    },
    .init(
      kAudioUnitErr_InvalidOfflineRender, "a first pass over a unit that wants none",
      [.writtenInstrument, .writtenOutput]
    ) {
      try $0.start()
      var flags = kAudioOfflineUnitRenderAction_Preflight
      return $0.render(64, flags: &flags)
    },
    .init(kAudioUnitErr_InvalidScope, "a reset in a scope that is not there") {
      unsafe AudioUnitReset($0.handle, 9, 0)
    },
    .init(kAudioUnitErr_InvalidElement, "a reset of an element that is not there") {
      unsafe AudioUnitReset($0.handle, kAudioUnitScope_Input, 100_000)
    },
  ]
}
