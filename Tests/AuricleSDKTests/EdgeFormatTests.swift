// Buses in formats other than planar float: converted where samples come in and go out.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct EdgeFormatTests {
  private func format(
    _ flags: UInt32, bits: UInt32, frameBytes: UInt32, channels: UInt32 = 2, rate: Double = 44_100
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frameBytes, mFramesPerPacket: 1, mBytesPerFrame: frameBytes,
      mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
  }

  private func set(
    _ unit: AudioUnit, _ scope: AudioUnitScope, _ format: AudioStreamBasicDescription
  ) throws {
    try unit.setProperty(kAudioUnitProperty_StreamFormat, scope: scope, format)
  }

  private let signed16: UInt32 = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
  private let planar = kAudioFormatFlagIsNonInterleaved
  private let big = kAudioFormatFlagIsBigEndian

  /// A source of bytes; the callback's list must have one buffer of the size they have.
  private final class ByteSource {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func connect(to unit: AudioUnit) throws {
      unsafe try unit.setInputCallback(
        element: 0,
        { refCon, _, _, _, _, list in
          guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
          let source = unsafe Unmanaged<ByteSource>.fromOpaque(refCon).takeUnretainedValue()
          guard unsafe list.pointee.mNumberBuffers == 1,
            unsafe Int(list.pointee.mBuffers.mDataByteSize) == source.bytes.count,
            let data = unsafe list.pointee.mBuffers.mData
          else { return -1234 }
          unsafe source.bytes.withUnsafeBytes {
            unsafe data.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
          }
          return 0
        }, refCon: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  @Test func interleavedIntegersInAndBigEndianOut() throws {
    let unit = try TestUnits.gain()
    try set(unit, kAudioUnitScope_Input, format(signed16, bits: 16, frameBytes: 4))
    try set(unit, kAudioUnitScope_Output, format(signed16 | big, bits: 16, frameBytes: 4))
    // The value read equals the value set.
    let reported = try unit.property(
      kAudioUnitProperty_StreamFormat, scope: kAudioUnitScope_Output,
      as: AudioStreamBasicDescription.self)
    #expect(reported.mFormatFlags == signed16 | big)
    #expect(reported.mBytesPerFrame == 4)
    let samples: [Int16] = [100, -200, 300, 16_384, -16_384, 7]
    let source = ByteSource(
      samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    try source.connect(to: unit)
    try unit.setParameter(0, 2)
    try unit.initialize()
    let memory = ListMemory(1, channels: 2, bytes: 12)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 3, at: 0) == 0)
    // 16384 twice is full scale, which is clipped.
    #expect(
      memory.values(0, as: Int16.self).map(Int16.init(bigEndian:)) == [
        200, -400, 600, 32_767, -32_768, 14,
      ])
    #expect(unsafe memory.buffer(0).pointee.mNumberChannels == 2)
  }

  @Test(
    arguments: [
      (32, 8, 0x4 | 24 << 7, 1 << 24), (32, 8, 0x4 | 0x8, 1 << 31), (24, 6, 0x4 | 0x8, 1 << 23),
      (24, 8, 0x4 | 0x10, 1 << 31), (24, 8, 0x4, 1 << 23), (8, 2, 0x4 | 0x8, 1 << 7),
    ] as [(UInt32, UInt32, UInt32, Int)])
  func integersOfAllWidths(
    _ bits: UInt32, _ frameBytes: UInt32, _ flags: UInt32, _ one: Int
  ) throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[0.5, -0.25], [-0.5, 0.125]])
    try source.connect(to: unit)
    try set(unit, kAudioUnitScope_Output, format(flags, bits: bits, frameBytes: frameBytes))
    try unit.initialize()
    let memory = ListMemory(1, channels: 2, bytes: Int(frameBytes) * 2)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 2, at: 0) == 0)
    let bytes = memory.values(0, as: UInt8.self)
    let width = Int(frameBytes) / 2
    let values = stride(from: 0, to: bytes.count, by: width).map { start -> Int in
      let raw = bytes[start..<start + width].reversed().reduce(0) { $0 << 8 | Int($1) }
      let shift = Int.bitWidth - 8 * width
      return (raw << shift) >> shift
    }
    #expect(values.map { Double($0) / Double(one) } == [0.5, -0.5, -0.25, 0.125])
  }

  @Test func doublesAndInterleavedFloats() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[0.5, 0.25], [1, 2]])
    try source.connect(to: unit)
    try set(unit, kAudioUnitScope_Output, format(0x9, bits: 64, frameBytes: 16))
    try unit.initialize()
    let memory = ListMemory(1, channels: 2, bytes: 32)
    #expect(unsafe UnitSelectors(unit).render(memory.list, 2, at: 0) == 0)
    #expect(memory.values(0, as: Double.self) == [0.5, 1, 0.25, 2])
    try unit.uninitialize()
    try set(unit, kAudioUnitScope_Output, format(0x9, bits: 32, frameBytes: 8))
    try unit.initialize()
    // The unit's own memory, for a caller that brings none.
    memory.prepare(withMemory: false)
    source.position = 0
    #expect(unsafe UnitSelectors(unit).render(memory.list, 2, at: 2) == 0)
    let supplied = unsafe memory.buffer(0).pointee
    unsafe #expect(supplied.mDataByteSize == 16)
    let floats = unsafe supplied.mData?.assumingMemoryBound(to: Float.self)
    #expect((0..<4).map { unsafe floats?[$0] } == [0.5, 1, 0.25, 2])
  }

  @Test func theCodesForWrongLists() throws {
    let unit = try TestUnits.gain()
    let source = SignalSource([[0.5, 0.25]])
    try source.connect(to: unit)
    try set(unit, kAudioUnitScope_Output, format(signed16, bits: 16, frameBytes: 4))
    try unit.initialize()
    let call = UnitSelectors(unit)
    #expect(unsafe call.render(ListMemory(2, bytes: 64).list, 2, at: 0) == kAudio_ParamError)
    #expect(
      unsafe call.render(ListMemory(1, channels: 2, bytes: 7).list, 2, at: 0) == kAudio_ParamError)
    #expect(
      unsafe call.process(ListMemory(2, bytes: 64).list, 2) == kAudioUnitErr_FormatNotSupported)
    #expect(
      status {
        try set(unit, kAudioUnitScope_Output, format(signed16, bits: 16, frameBytes: 4))
      } == 0)
    #expect(
      status {
        try set(unit, kAudioUnitScope_Output, format(signed16 | big, bits: 16, frameBytes: 4))
      } == kAudioUnitErr_Initialized)
  }

  @Test func refusesWhatIsNoLinearPCM() throws {
    let unit = try TestUnits.gain()
    var odd = format(signed16, bits: 16, frameBytes: 4)
    odd.mFormatID = 0x6161_6320
    #expect(
      status { try set(unit, kAudioUnitScope_Input, odd) } == kAudioUnitErr_FormatNotSupported)
    #expect(
      status { try set(unit, kAudioUnitScope_Input, format(0x9, bits: 16, frameBytes: 4)) }
        == kAudioUnitErr_FormatNotSupported)
    #expect(
      status { try set(unit, kAudioUnitScope_Input, format(signed16, bits: 16, frameBytes: 3)) }
        == kAudioUnitErr_FormatNotSupported)
    #expect(
      status {
        try set(
          unit, kAudioUnitScope_Input, format(signed16, bits: 16, frameBytes: 0, channels: 0))
      } == kAudioUnitErr_FormatNotSupported)
  }

  @Test func processesIntegersInPlace() throws {
    let unit = try TestUnits.gain()
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try set(unit, scope, format(signed16, bits: 16, frameBytes: 4))
    }
    try unit.setParameter(0, 0.5)
    try unit.initialize()
    let memory = ListMemory(1, channels: 2, bytes: 8)
    for (index, value) in [Int16(1000), -1000, 32, 8].enumerated() {
      unsafe memory.buffer(0).pointee.mData?.storeBytes(
        of: value, toByteOffset: 2 * index, as: Int16.self)
    }
    #expect(unsafe UnitSelectors(unit).process(memory.list, 2) == 0)
    #expect(memory.values(0, as: Int16.self) == [500, -500, 16, 4])
  }

  @Test func aConnectionHasTheFormatOfItsSource() throws {
    let first = try TestUnits.gain()
    let source = SignalSource([[0.5, 0.25], [-0.5, 0.125]])
    try source.connect(to: first)
    try set(first, kAudioUnitScope_Output, format(signed16 | big, bits: 16, frameBytes: 4))
    try first.initialize()
    let second = try TestUnits.gain()
    try second.connectInput(element: 0, to: first, outputElement: 0)
    #expect(
      try second.property(
        kAudioUnitProperty_StreamFormat, scope: kAudioUnitScope_Input,
        as: AudioStreamBasicDescription.self
      ).mFormatFlags == signed16 | big)
    try second.initialize()
    let memory = ListMemory(2, bytes: 8)
    #expect(unsafe UnitSelectors(second).render(memory.list, 2, at: 0) == 0)
    #expect(memory.signal == [[0.5, 0.25], [-0.5, 0.125]])
  }
}
