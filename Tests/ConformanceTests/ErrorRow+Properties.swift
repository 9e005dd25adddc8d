// Situations of properties and of calls that a unit has no method for, and their codes.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

extension ErrorRow {
  static let setting: [ErrorRow] = [
    .init(kAudioUnitErr_InvalidProperty, "an unknown property") { $0.set(63_000, UInt32(1)) },
    .init(kAudioUnitErr_PropertyNotWritable, "setting the latency", Subject.effects) {
      $0.set(kAudioUnitProperty_Latency, Float64(1))
    },
    .init(kAudioUnitErr_PropertyNotWritable, "setting the last render error") {
      $0.set(kAudioUnitProperty_LastRenderError, OSStatus(0))
    },
    .init(kAudioUnitErr_InvalidPropertyValue, "a slice of a size of eight bytes") {
      $0.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt64(64))
    },
    .init(kAudioUnitErr_InvalidPropertyValue, "a sample rate in four bytes") {
      $0.set(kAudioUnitProperty_SampleRate, Float32(48_000), kAudioUnitScope_Output)
    },
    .init(kAudioUnitErr_InvalidPropertyValue, "a factory preset that is not there") {
      unsafe $0.set(
        kAudioUnitProperty_PresentPreset, unsafe AUPreset(presetNumber: 999, presetName: nil))
    },
    .init(kAudioUnitErr_InvalidPropertyValue, "a class info that is no dictionary") { test in
      guard let text = unsafe CFStringCreateWithCString(nil, "x", kCFStringEncodingUTF8) else {
        return -1
      }
      defer { unsafe CFRelease(UnsafeRawPointer(text)) }
      return unsafe test.set(kAudioUnitProperty_ClassInfo, text)
    },
    .init(kAudioUnitErr_InvalidElement, "the callback of an input that is not there") {
      $0.feed(100_000)
    },
    .init(
      kAudioUnitErr_Initialized, "another slice size while initialised",
      Subject.everyKind.filter { $0 != .output }
    ) {
      try $0.start()
      return $0.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(1024))
    },
    .init(kAudio_ParamError, "a size without data") {
      unsafe AudioUnitSetProperty($0.handle, kAudioUnitProperty_BypassEffect, 0, 0, nil, 4)
    },
    .init(kAudio_ParamError, "data without a size") {
      var value: UInt32 = 0
      return unsafe AudioUnitSetProperty(
        $0.handle, kAudioUnitProperty_BypassEffect, 0, 0, &value, 0)
    },
    .init(kAudioUnitErr_PropertyNotInUse, "the name of the place, which nobody gave") {
      $0.read(kAudioUnitProperty_ContextName, 0, 0, room: 8).status
    },
    .init(
      kAudio_UnimplementedError, "MIDI for a unit that takes none",
      Subject.everyKind.filter { !$0.acceptsNotes }
    ) {
      unsafe MusicDeviceMIDIEvent($0.handle, 0x90, 60, 100, 0)
    },
    .init(
      kAudio_UnimplementedError, "starting what is no output",
      Subject.everyKind.filter { !$0.isOutput }
    ) { unsafe AudioOutputUnitStart($0.handle) },
    .init(kAudioUnitErr_CannotDoInCurrentContext, "a unit connected to itself", Subject.fed) {
      let itself = unsafe AudioUnitConnection(
        sourceAudioUnit: $0.handle, sourceOutputNumber: 0, destInputNumber: 0)
      let made = unsafe $0.set(
        kAudioUnitProperty_MakeConnection, itself, kAudioUnitScope_Input)
      guard made == 0 else { return made }
      same(unsafe AudioUnitInitialize($0.handle), 0)
      return $0.render(64)
    },
  ]
}
