// Memory that units lend, or do not; lists of a caller; settings that change nothing; formats by the unit.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("Contract: memory and lists")
struct MemoryConformanceTests {
  /// The kinds that have the properties of memory.
  static let lending = Subject.fed.filter(\.isOnSDK)

  /// Renders into buffers without memory; where the unit put its samples.
  private func renderWithoutMemory(
    _ test: UnitUnderTest, at time: Double
  ) -> (status: OSStatus, address: UInt) {
    test.buffers.setFrameCount(64)
    for channel in 0..<2 { unsafe test.buffers.list.buffer(channel).pointee.mData = nil }
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: time)
    let status = unsafe AudioUnitRender(test.handle, &flags, &stamp, 0, 64, test.buffers.list)
    let memory = unsafe test.buffers.list.buffer(0).pointee.mData
    return (status, UInt(bitPattern: memory))
  }

  @Test("an output set to have no memory lends none", arguments: lending)
  func outputWithoutMemory(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let id = kAudioUnitProperty_ShouldAllocateBuffer
    same(test.get(id, UInt32.self, 2).value, 1)
    same(test.set(id, UInt32(0), 2), 0)
    same(test.get(id, UInt32.self, 2).value, 0)
    try test.start()
    same(renderWithoutMemory(test, at: 0).status, kAudio_ParamError, subject.rawValue)
    same(test.render(64, at: 0), 0, subject.rawValue)
    same(test.set(id, UInt32(1), 2), kAudioUnitErr_Initialized, subject.rawValue)
    same(unsafe AudioUnitUninitialize(test.handle), 0)
    same(test.set(id, UInt32(1), 2), 0)
    same(unsafe AudioUnitInitialize(test.handle), 0)
    same(renderWithoutMemory(test, at: 0).status, 0, subject.rawValue)
  }

  @Test("a source of an input without memory brings its own", arguments: lending)
  func inputWithoutMemory(_ subject: Subject) throws {
    let reference = try UnitUnderTest(subject)
    try reference.start()
    same(reference.render(64), 0)
    let expected = reference.output(0, 64)
    let test = try UnitUnderTest(subject)
    same(test.set(kAudioUnitProperty_ShouldAllocateBuffer, UInt32(0), 1), 0)
    let own = AudioBuffers(channelCount: 2, frameCapacity: 64)
    for channel in 0..<2 {
      for frame in 0..<64 { unsafe own.channel(channel)[frame] = reference.source(frame, channel) }
    }
    let callback = unsafe AURenderCallbackStruct(
      inputProc: { reference, _, _, _, _, list in
        guard let reference = unsafe reference, let list = unsafe list else { return -1 }
        let own = unsafe Unmanaged<AudioBuffers>.fromOpaque(reference).takeUnretainedValue()
        for channel in 0..<(unsafe list.bufferCount) {
          if unsafe list.buffer(channel).pointee.mData != nil { return -2 }
          unsafe list.buffer(channel).pointee.mData = UnsafeMutableRawPointer(
            own.channel(channel))
        }
        return 0
      }, inputProcRefCon: Unmanaged.passUnretained(own).toOpaque())
    same(unsafe test.set(kAudioUnitProperty_SetRenderCallback, callback, 1), 0)
    same(unsafe AudioUnitInitialize(test.handle), 0)
    same(test.render(64), 0, subject.rawValue)
    same(test.output(0, 64), expected, subject.rawValue)
    withExtendedLifetime(own) {}
  }

  @Test("callers without memory get the host's, where that is enough", arguments: lending)
  func externalBuffer(_ subject: Subject) throws {
    let bytes = 2 * UnitUnderTest.maximumFrames * MemoryLayout<Float>.size
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    defer { unsafe memory.deallocate() }
    let id = kAudioUnitProperty_SetExternalBuffer
    for isEnough in [true, false] {
      let test = try UnitUnderTest(subject)
      let buffer = unsafe AudioUnitExternalBuffer(
        buffer: memory.assumingMemoryBound(to: UInt8.self), size: UInt32(isEnough ? bytes : 64))
      same(unsafe test.set(id, buffer), 0, subject.rawValue)
      try test.start()
      let (status, address) = renderWithoutMemory(test, at: 0)
      same(status, 0, subject.rawValue)
      let start = UInt(bitPattern: memory)
      same((start..<start + UInt(bytes)).contains(address), isEnough, subject.rawValue)
      same(unsafe test.set(id, buffer), kAudioUnitErr_Initialized, subject.rawValue)
      same(test.read(id, 0, 0, room: 16).status, kAudioUnitErr_InvalidProperty)
      same(unsafe AudioUnitUninitialize(test.handle), 0)
      same(unsafe AudioUnitSetProperty(test.handle, id, 0, 0, nil, 0), 0, subject.rawValue)
      same(unsafe AudioUnitInitialize(test.handle), 0)
      same((start..<start + UInt(bytes)).contains(renderWithoutMemory(test, at: 0).address), false)
    }
  }

  @Test("which input the output was made of", arguments: lending)
  func inputSamples(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    let seen = Seen()
    let id = kAudioUnitProperty_InputSamplesInOutput
    let callback = unsafe AUInputSamplesInOutputCallbackStruct(
      inputToOutputCallback: { reference, stamp, first, count in
        guard let reference = unsafe reference, let stamp = unsafe stamp else { return }
        let seen = unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue()
        seen.add(unsafe UInt32(stamp.pointee.mSampleTime - first))
        seen.add(UInt32(count))
      }, userData: Unmanaged.passUnretained(seen).toOpaque())
    same(unsafe test.set(id, callback), 0, subject.rawValue)
    same(test.read(id, 0, 0, room: 16).bytes.count, 16)
    try test.start()
    same(test.render(64, at: 6400), 0)
    let latency = (test.get(kAudioUnitProperty_Latency, Double.self).value ?? 0) * 44_100
    same(seen.all, [UInt32(latency.rounded()), 64], subject.rawValue)
    same(unsafe AudioUnitSetProperty(test.handle, id, 0, 0, nil, 0), 0)
    same(test.render(64, at: 6464), 0)
    same(seen.all.count, 2, "\(subject.rawValue), taken away")
  }

  @Test("a mixer mixes the supplied lists, in place as well")
  func mixerLists() throws {
    let test = try UnitUnderTest(.mixer)
    same(unsafe AudioUnitInitialize(test.handle), 0)
    let lists = (0..<9).map { _ in AudioBuffers(channelCount: 2, frameCapacity: 64) }
    for (index, list) in lists.enumerated() {
      list.setFrameCount(64)
      for channel in 0..<2 {
        for frame in 0..<64 { unsafe list.channel(channel)[frame] = index < 2 ? 0.25 : 0 }
      }
    }
    var inputs = unsafe lists.prefix(8).map { list -> UnsafePointer<AudioBufferList>? in
      unsafe UnsafePointer(list.list)
    }
    for output in [lists[8], lists[0]] {
      var outputs: [UnsafeMutablePointer<AudioBufferList>?] = unsafe [output.list]
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: 0)
      same(
        unsafe AudioUnitProcessMultiple(
          test.handle, &flags, &stamp, 64, 8, &inputs, 1, &outputs), 0)
      #expect(unsafe output.channel(1)[63] == 0.5)
    }
    // One list: the first input, alone.
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 64)
    same(unsafe AudioUnitProcess(test.handle, &flags, &stamp, 64, lists[1].list), 0)
    #expect(unsafe lists[1].channel(0)[63] == 0.25)
    withExtendedLifetime(lists) {}
  }

  @Test("settings without a change are accepted while initialised", arguments: Subject.fed)
  func unchanged(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    let frames = UInt32(UnitUnderTest.maximumFrames)
    same(test.set(kAudioUnitProperty_MaximumFramesPerSlice, frames), 0, subject.rawValue)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let rate = test.get(kAudioUnitProperty_SampleRate, Double.self, scope).value ?? 0
      same(test.set(kAudioUnitProperty_SampleRate, rate, scope), 0, subject.rawValue)
      guard test.info(kAudioUnitProperty_ElementCount, scope).isWritable else { continue }
      let count = test.get(kAudioUnitProperty_ElementCount, UInt32.self, scope).value ?? 0
      same(test.set(kAudioUnitProperty_ElementCount, count, scope), 0, subject.rawValue)
      same(
        test.set(kAudioUnitProperty_ElementCount, count + 1, scope), kAudioUnitErr_Initialized,
        subject.rawValue)
    }
  }

  @Test("the format of the unit is that of its first output", arguments: lending)
  func formatOfUnit(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    same(test.set(kAudioUnitProperty_SampleRate, 48_000.0, 0), 0, subject.rawValue)
    same(test.get(kAudioUnitProperty_SampleRate, Double.self, 2).value, 48_000, subject.rawValue)
    let whole = test.read(kAudioUnitProperty_StreamFormat, 0, 0, room: 40)
    same(whole.bytes, test.read(kAudioUnitProperty_StreamFormat, 2, 0, room: 40).bytes)
    same(test.info(kAudioUnitProperty_StreamFormat, 0, 1).status, kAudioUnitErr_InvalidElement)
  }

  @Test(
    "settings fixed at Initialize cannot be changed until Uninitialize",
    arguments: Subject.everyKind
  )
  func fixed(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    try test.start()
    let (input, output) = (kAudioUnitScope_Input, kAudioUnitScope_Output)
    var rows: [(id: UInt32, scope: UInt32, bytes: [UInt8])] = [
      (kAudioUnitProperty_MaximumFramesPerSlice, 0, bytes(UInt32(100))),
      (kAudioUnitProperty_SampleRate, output, bytes(22_050.0)),
      (kAudioUnitProperty_SetExternalBuffer, 0, bytes([0x1000, 64])),
      (kAudioUnitProperty_ShouldAllocateBuffer, output, bytes(UInt32(0))),
      (kAudioUnitProperty_SampleRateConverterComplexity, 0, bytes(0x6261_7473 as UInt32)),
      (kAudioOutputUnitProperty_ChannelMap, output, bytes([1, 0] as [Int32])),
    ]
    if !subject.isInstrument {
      rows.append((kAudioUnitProperty_SampleRate, input, bytes(22_050.0)))
      rows.append((kAudioUnitProperty_ShouldAllocateBuffer, input, bytes(UInt32(0))))
    }
    for scope in [input, output] where test.info(11, scope).isWritable {
      rows.append((kAudioUnitProperty_ElementCount, scope, bytes(UInt32(7))))
    }
    // Output units accept another format at any time, as programs rely on; memory is fixed for them, too.
    let ofMemory = [kAudioUnitProperty_SetExternalBuffer, kAudioUnitProperty_ShouldAllocateBuffer]
    for row in rows where test.info(row.id, row.scope).status == 0 {
      let isFree = subject == .output && !ofMemory.contains(row.id)
      same(
        test.setBytes(row.id, row.bytes, row.scope), isFree ? noErr : kAudioUnitErr_Initialized,
        "\(subject.rawValue), property \(row.id), scope \(row.scope)")
    }
    same(unsafe AudioUnitUninitialize(test.handle), 0)
    for row in rows where test.info(row.id, row.scope).status == 0 {
      same(
        test.setBytes(row.id, row.bytes, row.scope), 0,
        "\(subject.rawValue), property \(row.id), scope \(row.scope), uninitialised")
    }
  }

  private func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }

  private func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
    unsafe values.withUnsafeBytes { unsafe Array($0) }
  }
}
