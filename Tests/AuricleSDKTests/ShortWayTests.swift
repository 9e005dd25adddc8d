// The short way through a slice has the same result as the long way.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import RealtimeSupport
import TestUnits
import Testing

/// The behaviour of a test's callback, and its memory.
@safe private final class OddSource {
  enum Kind { case fills, schedules, hands, handsLittle, silent, fails, forgets }
  var kind = Kind.fills
  weak var unit: AudioUnit?
  let memory: UnsafeMutablePointer<Float>

  init() {
    unsafe memory = .allocate(capacity: 64)
    for frame in 0..<64 { unsafe (memory + frame).initialize(to: Float(frame + 1)) }
  }

  deinit { unsafe memory.deallocate() }

  func feed(_ unit: AudioUnit) throws(AuricleError) {
    try unsafe unit.setInputCallback(
      element: 0,
      { refCon, flags, _, _, frames, list in
        guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
        let source = unsafe Unmanaged<OddSource>.fromOpaque(refCon).takeUnretainedValue()
        let buffer = unsafe list.buffer(0)
        switch source.kind {
        case .fills, .schedules:
          if source.kind == .schedules {
            var change = AudioUnitParameterEvent()
            change.eventType = kParameterEvent_Immediate
            unsafe change.eventValues.immediate.bufferOffset = 4
            unsafe change.eventValues.immediate.value = 4
            try? source.unit?.scheduleParameters([change])
          }
          guard let samples = unsafe list.samples(0) else { return kAudio_ParamError }
          for frame in 0..<Int(frames) { unsafe samples[frame] = source.memory[frame] }
        case .hands: unsafe buffer.pointee.mData = UnsafeMutableRawPointer(source.memory)
        case .handsLittle:
          unsafe buffer.pointee.mData = UnsafeMutableRawPointer(source.memory)
          unsafe buffer.pointee.mDataByteSize = 8
        case .silent: unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
        case .fails: return -1234
        case .forgets: unsafe buffer.pointee.mData = nil
        }
        return 0
      }, refCon: Unmanaged.passUnretained(self).toOpaque())
  }
}

@Suite("The short way through a slice") struct ShortWayTests {
  @Test(arguments: [false, true])
  func everyKindOfSource(isLong: Bool) throws {
    let unit = try TestUnits.gain()
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 48_000, channelCount: 1), scope: scope, element: 0)
    }
    let source = OddSource()
    try source.feed(unit)
    try unit.initialize()
    // A search for NaN closes the short way.
    try unit.setProperty(kAuricleProperty_NaNGuard, UInt32(isLong ? 1 : 0))
    try unit.setParameter(0, 2)
    let host = UnitSelectors(unit)
    let full = (0..<8).map { Float($0 + 1) * 2 }
    var time = 0.0
    func check(_ kind: OddSource.Kind, _ status: OSStatus, _ expected: [Float]?) {
      source.kind = kind
      let memory = ListMemory(1, bytes: 64)
      let supplied = unsafe memory.list.buffer(0).pointee.mData
      let found = unsafe host.render(memory.list, 8, at: time)
      time += 8
      #expect(found == status, "\(kind)")
      guard let expected else { return }
      #expect(unsafe memory.list.buffer(0).pointee.mData == supplied, "\(kind)")
      #expect(unsafe memory.list.buffer(0).pointee.mDataByteSize == 32, "\(kind)")
      #expect(memory.signal[0].prefix(8) == expected[...], "\(kind)")
      // Memory behind the slice is not touched.
      #expect(unsafe memory.floats(0)[8].bitPattern == 0xAAAA_AAAA, "\(kind)")
    }
    check(.fills, 0, full)
    check(.hands, 0, full)
    check(.handsLittle, 0, [2, 4, 0, 0, 0, 0, 0, 0])
    check(.silent, 0, Array(repeating: 0, count: 8))
    check(.fails, -1234, nil)
    check(.forgets, kAudio_ParamError, nil)
    check(.fills, 0, full)
    // A change that the source schedules itself.
    source.unit = unit
    check(.schedules, 0, [2, 4, 6, 8, 20, 24, 28, 32])
    check(.fills, 0, full.map { $0 * 2 })
    try unit.setParameter(0, 2)
    // Memory of the unit, where the caller has none.
    source.kind = .fills
    let without = ListMemory(1, bytes: 64)
    unsafe without.list.buffer(0).pointee.mData = nil
    #expect(unsafe host.render(without.list, 8, at: time) == 0)
    let lent = unsafe without.list.samples(0)
    #expect(unsafe lent?[7] == 16)
    // The same cycle again; too little memory; too many buffers.
    let again = ListMemory(1, bytes: 64)
    #expect(unsafe host.render(again.list, 8, at: time) == 0)
    let little = ListMemory(1, bytes: 28)
    #expect(unsafe host.render(little.list, 8, at: time + 8) == kAudio_ParamError)
    let many = ListMemory(2, bytes: 64)
    #expect(unsafe host.render(many.list, 8, at: time + 8) == kAudio_ParamError)
  }

  @Test("a source's memory is used where it lies, but not where the output is made")
  func handedMemory() throws {
    let unit = try TestUnits.shape(1, 2)
    try unit.initialize()
    let source = OddSource()
    source.kind = .hands
    try source.feed(unit)
    let host = UnitSelectors(unit)
    let signal = (0..<8).map { Float($0 + 1) }
    let apart = ListMemory(2, bytes: 32)
    #expect(unsafe host.render(apart.list, 8, at: 0) == 0)
    #expect(apart.signal == [signal, signal.map { $0 * 2 }])
    #expect((0..<8).allSatisfy { unsafe source.memory[$0] == signal[$0] })
    // The first channel is made four frames before the part that the second still reads.
    let shared = ListMemory(2, bytes: 32)
    let memory = OddSource()
    for frame in 0..<8 { unsafe memory.memory[frame + 4] = signal[frame] }
    let output = unsafe UnsafeMutableRawPointer(memory.memory)
    unsafe shared.list.buffer(0).pointee.mData = output
    try unsafe unit.setInputCallback(
      element: 0,
      { refCon, _, _, _, _, list in
        unsafe list?.buffer(0).pointee.mData = refCon
        return 0
      }, refCon: output + 16)
    #expect(unsafe host.render(shared.list, 8, at: 8) == 0)
    #expect((0..<8).allSatisfy { unsafe memory.memory[$0] == signal[$0] })
    #expect((0..<8).allSatisfy { unsafe shared.floats(1)[$0] == signal[$0] * 2 })
  }
}
