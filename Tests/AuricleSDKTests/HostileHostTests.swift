// A unit made with the SDK under a host that asks for too much, too little, or nonsense.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct HostileHostTests {
  /// Asks for a property of the global scope through the C interface.
  private func get(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ data: UnsafeMutableRawPointer, _ size: UInt32
  ) -> OSStatus {
    var size = size
    guard let method = unsafe unit.instance.pointee.getProperty else {
      return kAudio_UnimplementedError
    }
    return unsafe method(unit.instance.pointee.plugIn, id, 0, 0, data, &size)
  }

  @Test(arguments: [AudioUnitParameterID(0), 7], [Float.nan, .infinity, -3e38, 3e38, 1.5])
  func returnsAnyValueAText(_ id: AudioUnitParameterID, _ value: Float) throws {
    let unit = try TestUnits.gain()
    var value = value
    let text = unsafe withUnsafePointer(to: &value) { pointer in
      var request = unsafe AudioUnitParameterStringFromValue(
        inParamID: id, inValue: pointer, outString: nil)
      let size = unsafe UInt32(MemoryLayout<AudioUnitParameterStringFromValue>.size)
      let status = unsafe get(unit, kAudioUnitProperty_ParameterStringFromValue, &request, size)
      #expect(status == 0)
      return unsafe String(consumingCFString: request.outString)
    }
    #expect(text?.isEmpty == false)
  }

  @Test func doesNotCutAQuestionShort() throws {
    let unit = try TestUnits.gain()
    var request = unsafe AudioUnitParameterStringFromValue(
      inParamID: 7, inValue: nil, outString: nil)
    let status = unsafe get(unit, kAudioUnitProperty_ParameterStringFromValue, &request, 16)
    #expect(status == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test(arguments: [0, -1, 0.5, 1e7, 4_294_967_295, 1e12, 1e300, .infinity, .nan] as [Double])
  func refusesSampleRatesNothingHas(_ rate: Double) throws {
    let unit = try TestUnits.gain()
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let format = AudioStreamFormat(sampleRate: rate, channelCount: 2)
      let error = #expect(throws: AuricleError.self) {
        try unit.setStreamFormat(format, scope: scope)
      }
      #expect(error?.status == kAudioUnitErr_FormatNotSupported)
      #expect(throws: AuricleError.self) {
        try unit.setProperty(kAudioUnitProperty_SampleRate, scope: scope, rate)
      }
      #expect(try unit.streamFormat(scope: scope).sampleRate == 44_100)
    }
  }

  @Test func refusesAPacketThatIsNoSample() throws {
    let unit = try TestUnits.gain()
    var format = AudioStreamFormat(sampleRate: 48_000, channelCount: 2)
    format.asbd.mBytesPerPacket = 3
    let error = #expect(throws: AuricleError.self) {
      try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
    }
    #expect(error?.status == kAudioUnitErr_FormatNotSupported)
  }

  @Test func refusesSlicesBeyondAllMemory() throws {
    let unit = try TestUnits.gain()
    let error = #expect(throws: AuricleError.self) {
      try UnitPlayer(unit, inputs: 1024, outputs: 1024, maximumFrames: 1 << 24)
    }
    #expect(error?.status == kAudio_MemFullError)
    _ = try UnitPlayer(unit, inputs: 1024, outputs: 1024, maximumFrames: 64)
  }

  @Test func exposesNoMemoryOfAnEarlierCaller() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 16)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 0)
    buffers.setFrameCount(16)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 16, buffers: buffers.list)
        == 0)
    buffers.setFrameCountWithoutMemory(16)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 16, buffers: buffers.list)
        == 0)
    let supplied = unsafe buffers.list.pointee.mBuffers.mData
    #expect(unsafe supplied != nil)
    #expect(unsafe supplied != UnsafeMutableRawPointer(buffers.channel(0)))
    #expect(player.pulls == 1)
  }

  @Test func readsNoMoreThanASourceHas() throws {
    let unit = try TestUnits.gain()
    let player = try UnitPlayer(unit)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 16)
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(repeating: 0.5, count: 16)
    // The source hands out its own memory, and says that only half of it counts.
    unsafe try unit.setInputCallback(
      { refCon, _, _, _, _, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        for channel in 0..<(unsafe list.bufferCount) {
          unsafe list.buffer(channel).pointee.mData = refCon
          unsafe list.buffer(channel).pointee.mDataByteSize = 32
        }
        return 0
      }, refCon: memory)
    let (output, status) = player.play([[Float](repeating: 0, count: 16)])
    #expect(status == 0)
    #expect(output[1] == [Float](repeating: 0.5, count: 8) + [Float](repeating: 0, count: 8))
  }

  @Test func acceptsNoEventsAndNoHalfProperty() throws {
    let unit = try TestUnits.gain()
    let record = unsafe unit.instance.pointee
    let schedule = unsafe try #require(unsafe record.scheduleParameters)
    #expect(unsafe schedule(record.plugIn, nil, 0) == 0)
    #expect(unsafe schedule(record.plugIn, nil, 1) == kAudio_ParamError)
    var frames: UInt32 = 256
    let set = unsafe try #require(unsafe record.setProperty)
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    #expect(unsafe set(record.plugIn, id, 0, 0, &frames, 0) == kAudio_ParamError)
    #expect(unsafe set(record.plugIn, id, 0, 0, nil, 4) == kAudio_ParamError)
    #expect(unsafe set(record.plugIn, id, 0, 0, &frames, 3) == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test func aDamagedStateChangesNothing() throws {
    let unit = try TestUnits.gain()
    try unit.setParameter(0, 3)
    let state = unsafe try #require(
      unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self))
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    try unit.setParameter(0, 1)
    // The last byte of the data is missing: its first pairs are still whole.
    let key = unsafe try #require(unsafe makeCFString("data"))
    defer { unsafe CFRelease(UnsafeRawPointer(key)) }
    let data = unsafe try #require(
      unsafe CFDictionaryGetValue(state, UnsafeRawPointer(key)).map { CFDataRef($0) })
    let cut = unsafe try #require(
      unsafe CFDataCreate(nil, CFDataGetBytePtr(data), CFDataGetLength(data) - 1))
    unsafe CFDictionarySetValue(state, UnsafeRawPointer(key), UnsafeRawPointer(cut))
    unsafe CFRelease(UnsafeRawPointer(cut))
    #expect(throws: AuricleError.self) {
      unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state as CFDictionaryRef?)
    }
    #expect(try unit.parameter(0) == 1)
  }
}
