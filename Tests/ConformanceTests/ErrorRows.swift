// Every error code that a unit can give: a situation that must give it, or the way it must come back.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

/// A situation, and the code that it must give.
struct ErrorRow: Sendable {
  var code: OSStatus
  var situation: String
  /// The kinds of units it is meant for; nil: those of its group.
  var subjects: [Subject]?
  var provoke: @Sendable (UnitUnderTest) throws -> OSStatus

  init(
    _ code: OSStatus, _ situation: String, _ subjects: [Subject]? = nil,
    _ provoke: @escaping @Sendable (UnitUnderTest) throws -> OSStatus
  ) {
    self.code = code
    self.situation = situation
    self.subjects = subjects
    self.provoke = provoke
  }

  static let all: [ErrorRow] =
    rendering.meant(for: Subject.everyKind) + setting.meant(for: Subject.everyKind)
    + formats.meant(for: Subject.fed) + parameters.meant(for: Subject.allCases + [.instrument])
    + life.meant(for: Subject.everyKind)

  private static let rendering: [ErrorRow] = [
    .init(kAudioUnitErr_Uninitialized, "render before Initialize") {
      if !$0.subject.isPlayed { same($0.feed(), 0) }
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

  private static let setting: [ErrorRow] = [
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
    .init(kAudioUnitErr_Initialized, "another slice size while initialised") {
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
    .init(kAudio_UnimplementedError, "MIDI for a unit that takes none", Subject.fed) {
      unsafe MusicDeviceMIDIEvent($0.handle, 0x90, 60, 100, 0)
    },
    .init(
      kAudio_UnimplementedError, "starting what is no output",
      Subject.everyKind.filter { $0 != .output }
    ) { unsafe AudioOutputUnitStart($0.handle) },
    .init(
      kAudioUnitErr_CannotDoInCurrentContext, "a unit connected to itself",
      Subject.fed.filter { $0 != .calling }
    ) {
      let itself = unsafe AudioUnitConnection(
        sourceAudioUnit: $0.handle, sourceOutputNumber: 0, destInputNumber: 0)
      let made = unsafe $0.set(
        kAudioUnitProperty_MakeConnection, itself, kAudioUnitScope_Input)
      guard made == 0 else { return made }
      same(unsafe AudioUnitInitialize($0.handle), 0)
      return $0.render(64)
    },
  ]

  /// A format of a rate and a width.
  private static func format(_ rate: Double, _ channels: Int) -> AudioStreamBasicDescription {
    AudioStreamFormat(sampleRate: rate, channelCount: channels).asbd
  }

  private static let formats: [ErrorRow] = [
    .init(kAudioUnitErr_Initialized, "another format while initialised") {
      try $0.start()
      return $0.set(kAudioUnitProperty_StreamFormat, format(96_000, 2), kAudioUnitScope_Input)
    },
    .init(0, "the same format while initialised") {
      try $0.start()
      let present = $0.get(
        kAudioUnitProperty_StreamFormat, AudioStreamBasicDescription.self, kAudioUnitScope_Output)
      guard let value = present.value else { return present.status }
      return $0.set(kAudioUnitProperty_StreamFormat, value, kAudioUnitScope_Output)
    },
    .init(kAudioUnitErr_FormatNotSupported, "a compressed format") {
      var packed = format(44_100, 2)
      packed.mFormatID = kAudioFormatMPEG4AAC
      return $0.set(kAudioUnitProperty_StreamFormat, packed, kAudioUnitScope_Input)
    },
    .init(kAudioUnitErr_FormatNotSupported, "no channels") {
      var none = format(44_100, 2)
      none.mChannelsPerFrame = 0
      return $0.set(kAudioUnitProperty_StreamFormat, none, kAudioUnitScope_Output)
    },
    .init(kAudioUnitErr_FormatNotSupported, "a rate that is no number") {
      $0.set(kAudioUnitProperty_StreamFormat, format(.nan, 2), kAudioUnitScope_Output)
    },
    .init(kAudioUnitErr_FormatNotSupported, "an input of another width", [.plainC, .calling]) {
      same(
        $0.set(kAudioUnitProperty_StreamFormat, format(44_100, 1), kAudioUnitScope_Input), 0)
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(kAudioUnitErr_FormatNotSupported, "an input of another rate", Subject.effects) {
      same(
        $0.set(kAudioUnitProperty_StreamFormat, format(96_000, 2), kAudioUnitScope_Input), 0)
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(
      kAudioUnitErr_FormatNotSupported, "lists to be processed from one rate to another",
      [.converter]
    ) {
      same($0.set(kAudioUnitProperty_SampleRate, 48_000.0, kAudioUnitScope_Output), 0)
      same(unsafe AudioUnitInitialize($0.handle), 0)
      $0.buffers.setFrameCount(64)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      return unsafe AudioUnitProcess($0.handle, &flags, &stamp, 64, $0.buffers.list)
    },
    .init(kAudioUnitErr_InvalidPropertyValue, "a format of ten bytes") {
      $0.setBytes(
        kAudioUnitProperty_StreamFormat, [UInt8](repeating: 0, count: 10), kAudioUnitScope_Input)
    },
    .init(kAudioUnitErr_InvalidElement, "the format of an output that is not there") {
      $0.set(kAudioUnitProperty_StreamFormat, format(44_100, 2), kAudioUnitScope_Output, 77)
    },
  ]

  private static let parameters: [ErrorRow] = [
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
      [.shipped, .plainC, .lv2, .mixer, .instrument]
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

  private static let life: [ErrorRow] = [
    .init(0, "a second Initialize does nothing") {
      try $0.start()
      return unsafe AudioUnitInitialize($0.handle)
    },
    .init(0, "Uninitialize of what is not initialised") {
      unsafe AudioUnitUninitialize($0.handle)
    },
    .init(kAudioUnitErr_InvalidScope, "a reset in a scope that is not there") {
      unsafe AudioUnitReset($0.handle, 9, 0)
    },
    .init(kAudioUnitErr_InvalidElement, "a reset of an element that is not there") {
      unsafe AudioUnitReset($0.handle, kAudioUnitScope_Input, 100_000)
    },
  ]

  /// All codes of the interface: whichever a source gives, a unit hands it on as it is.
  static let codes: [OSStatus] = [
    -4, -43, -54, -42, 561_017_960, -50, -108, -10879, -10878, -10877, -10876, -10875, -10874,
    -10871, -10870, -10869, -10868, -10867, -10866, -10865, -10863, -10851, -10850, -10849, -10848,
    -10847, -66753, -66754, -66749, -66745, -66744, -66743, -66742, -66741, -66740, -66752, -66751,
    -66750, -66748, -66747, -66746, -10873, -10872, -66784, -10860, -10861, -10862, -10864,
  ]
}

extension [ErrorRow] {
  /// The rows, those that name no kinds of units with some.
  fileprivate func meant(for subjects: [Subject]) -> [ErrorRow] {
    map { row in
      var row = row
      row.subjects = row.subjects ?? subjects
      return row
    }
  }
}
