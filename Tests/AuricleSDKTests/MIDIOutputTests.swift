// A unit's messages to its host, and its knowledge of the song.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct MIDIOutputTests {
  @Test func whatAUnitSendsReachesTheHost() throws {
    let host = try MIDIHost()
    let names = unsafe try #require(
      unsafe try host.unit.property(
        kAudioUnitProperty_MIDIOutputCallbackInfo, as: CFArrayRef?.self))
    defer { unsafe CFRelease(UnsafeRawPointer(names)) }
    #expect(unsafe CFArrayGetCount(names) == 2)
    let delivered = ReceivedMIDI()
    var callback = unsafe AUMIDIOutputCallbackStruct()
    unsafe callback.userData = Unmanaged.passUnretained(delivered).toOpaque()
    unsafe callback.midiOutputCallback = { userData, time, output, packets in
      guard let userData = unsafe userData, let packets = unsafe packets else { return -1 }
      unsafe Unmanaged<ReceivedMIDI>.fromOpaque(userData).takeUnretainedValue()
        .consume(Int(output), packets)
      return 0
    }
    unsafe try host.unit.setProperty(kAudioUnitProperty_MIDIOutputCallback, callback)
    #expect(try host.event(0x90, 60, 100, 77) == 0)
    #expect(try host.event(0xB0, 7, 100, 12) == 0)
    #expect(try host.sysEx([0xF0, 1, 2, 0xF7]) == 0)
    _ = try host.render()
    #expect(
      delivered.messages == [
        [0, 0, 0xF0, 1, 2, 0xF7], [0, 12, 0xB0, 7, 100], [0, 77, 0x90, 60, 100],
        [1, 77, 0x90, 60, 100],
      ])
    // Nobody listens any more.
    unsafe try host.unit.setProperty(
      kAudioUnitProperty_MIDIOutputCallback, AUMIDIOutputCallbackStruct())
    #expect(try host.event(0x90, 60, 100, 77) == 0)
    _ = try host.render()
    #expect(delivered.messages.count == 4)
    #expect(throws: AuricleError.self) {
      try TestUnits.gain().propertyInfo(kAudioUnitProperty_MIDIOutputCallback)
    }
  }

  @Test func aUnitReceivesTheSongOfItsHost() throws {
    let host = try MIDIHost()
    _ = try host.render()
    #expect(try (0..<7).map { try host.unit.parameter($0) } == [-1, -1, -1, -1, -1, -1, -1])
    var info = unsafe HostCallbackInfo()
    unsafe info.beatAndTempoProc = { _, beat, tempo in
      unsafe beat?.pointee = 12.5
      unsafe tempo?.pointee = 97
      return 0
    }
    unsafe info.musicalTimeLocationProc = { _, delta, numerator, denominator, beat in
      unsafe numerator?.pointee = 7
      unsafe denominator?.pointee = 8
      unsafe beat?.pointee = 10.5
      return 0
    }
    unsafe info.transportStateProc = { _, playing, changed, frame, cycling, start, end in
      unsafe playing?.pointee = true
      unsafe frame?.pointee = 4096
      return 0
    }
    // A host of old brings the structure without its last pointer.
    let size = unsafe UInt32(MemoryLayout<HostCallbackInfo>.size)
    let record = unsafe host.unit.instance.pointee
    let set = unsafe try #require(unsafe record.setProperty)
    let id = kAudioUnitProperty_HostCallbacks
    #expect(unsafe set(record.plugIn, id, 0, 0, &info, size - 8) == 0)
    _ = try host.render()
    #expect(try (0..<7).map { try host.unit.parameter($0) } == [12.5, 97, 7, 10.5, 1, -1, 4096])
    unsafe info.transportStateProc2 = {
      _, playing, recording, changed, frame, cycling, start, end in
      unsafe playing?.pointee = false
      unsafe recording?.pointee = true
      unsafe frame?.pointee = 100
      return 0
    }
    #expect(unsafe set(record.plugIn, id, 0, 0, &info, size) == 0)
    _ = try host.render()
    #expect(try (0..<7).map { try host.unit.parameter($0) } == [12.5, 97, 7, 10.5, 0, 1, 100])
    #expect(
      unsafe set(record.plugIn, id, 0, 0, &info, 8) == kAudioUnitErr_InvalidPropertyValue)
    #expect(unsafe set(record.plugIn, id, 0, 0, nil, 0) == 0)
    _ = try host.render()
    #expect(try host.unit.parameter(0) == -1)
  }
}

/// Messages a host received: output, frame, bytes.
private final class ReceivedMIDI {
  var messages: [[Int]] = []

  func consume(_ output: Int, _ packets: UnsafePointer<MIDIPacketList>) {
    let raw = unsafe UnsafeRawPointer(packets)
    var place = 4
    for _ in 0..<(unsafe raw.loadUnaligned(as: UInt32.self)) {
      let frame = unsafe Int(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let count = unsafe Int(raw.loadUnaligned(fromByteOffset: place + 8, as: UInt16.self))
      let bytes = (0..<count).map {
        unsafe Int((raw + place + 10 + $0).load(as: UInt8.self))
      }
      messages.append([output, frame] + bytes)
      place += 10 + count
    }
  }
}
