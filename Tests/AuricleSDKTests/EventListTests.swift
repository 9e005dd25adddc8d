// MIDI that a unit sends as event lists, in both protocols, to a block of the host.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Synchronization
import TestUnits
import Testing

/// The arguments of the block: time, output, protocol, and the words of all packets.
private let delivered = Mutex<[[Int64]]>([])

private typealias BlockFunction =
  @convention(c) (UnsafeMutableRawPointer?, Int64, UInt8, UnsafePointer<MIDIEventList>?) -> OSStatus

private let spatialize: BlockFunction = { _, time, output, list in
  guard let list = unsafe list else { return -1 }
  let raw = unsafe UnsafeRawPointer(list)
  var entry = [time, Int64(output), unsafe Int64(raw.load(as: Int32.self))]
  var place = 8
  for _ in 0..<(unsafe raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) {
    let count = unsafe Int(raw.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self))
    for index in 0..<count {
      entry.append(
        unsafe Int64(
          raw.loadUnaligned(fromByteOffset: place + 12 + 4 * index, as: UInt32.self)))
    }
    place += 12 + 4 * count
  }
  delivered.withLock { $0.append(entry) }
  return 0
}

/// A block as a compiler lays out one that captures nothing: keeping it is nothing to do.
@safe private struct PlainBlock {
  var kind: UInt
  var flags: Int32 = 1 << 28
  var reserved: Int32 = 0
  var function: BlockFunction
  var descriptor: UInt = 0
}

@Suite(.serialized) struct EventListTests {
  private func send(
    _ messages: [[UInt8]], protocol version: Int32, limit: UInt32 = 0
  ) throws -> [[Int64]] {
    let unit = try TestUnits.midi(type: kAudioUnitType_MusicDevice)
    let block = UnsafeMutablePointer<PlainBlock>.allocate(capacity: 1)
    unsafe block.initialize(
      to: unsafe PlainBlock(kind: UInt(bitPattern: block), function: spatialize))
    defer { unsafe block.deallocate() }
    unsafe try unit.setProperty(
      kAudioUnitProperty_MIDIOutputEventListCallback, UnsafeRawPointer(block) as UnsafeRawPointer?)
    try unit.setProperty(kAudioUnitProperty_HostMIDIProtocol, version)
    try unit.setProperty(kAudioUnitProperty_MIDIOutputBufferSizeHint, limit)
    try unit.initialize()
    let lookUp = unsafe try #require(unsafe unit.instance.pointee.plugIn.pointee.Lookup)
    let event = unsafe unsafeBitCast(
      lookUp(Int16(kMusicDeviceMIDIEventSelect)), to: MusicDeviceMIDIEventProc.self)
    let exclusive = unsafe unsafeBitCast(
      lookUp(Int16(kMusicDeviceSysExSelect)), to: MusicDeviceSysExProc.self)
    let plugIn = unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
    for (index, bytes) in messages.enumerated() {
      let status =
        bytes[0] == 0xF0
        ? unsafe exclusive(plugIn, bytes, UInt32(bytes.count))
        : unsafe event(
          plugIn, UInt32(bytes[0]), UInt32(bytes[1]), bytes.count > 2 ? UInt32(bytes[2]) : 0,
          UInt32(index))
      #expect(status == 0)
    }
    delivered.withLock { $0 = [] }
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 64)
    buffers.setFrameCount(64)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 1000)
    #expect(
      unsafe unit.render(
        flags: &flags, timeStamp: &stamp, frameCount: 64, buffers: buffers.list) == 0)
    unsafe try unit.setProperty(
      kAudioUnitProperty_MIDIOutputEventListCallback, nil as UnsafeRawPointer?)
    // The first output alone: notes go to the second as well.
    return delivered.withLock { $0 }.filter { $0[1] == 0 }
  }

  @Test func messagesOfTheFirstProtocol() throws {
    let lists = try send([[0x93, 60, 100], [0xC1, 7], [0xE0, 1, 64]], protocol: 1)
    #expect(
      lists == [
        [1000, 0, 1, 0x2093_3C64], [1001, 0, 1, 0x20C1_0700], [1002, 0, 1, 0x20E0_0140],
      ])
  }

  @Test func messagesOfTheSecondProtocol() throws {
    let lists = try send(
      [
        [0x93, 60, 127], [0x90, 60, 0], [0x80, 60, 64], [0xB2, 7, 127], [0xB2, 7, 64],
        [0xC1, 9], [0xD0, 127], [0xE0, 0, 64], [0xE0, 127, 127], [0xA0, 60, 0],
      ], protocol: 2)
    #expect(
      lists.map { $0.dropFirst(3).map { String(UInt32($0), radix: 16) } } == [
        ["40933c00", "ffff0000"], ["40803c00", "80000000"], ["40803c00", "80000000"],
        ["40b20700", "ffffffff"], ["40b20700", "80000000"], ["40c10000", "9000000"],
        ["40d00000", "ffffffff"], ["40e00000", "80000000"], ["40e00000", "ffffffff"],
        ["40a03c00", "0"],
      ])
    #expect(lists.allSatisfy { $0[2] == 2 })
  }

  @Test func systemExclusiveMessagesInParts() throws {
    let lists = try send([[0xF0] + (1...14).map { UInt8($0) } + [0xF7]], protocol: 1)
    #expect(
      lists == [
        [
          1000, 0, 1, 0x3016_0102, 0x0304_0506, 0x3026_0708, 0x090A_0B0C, 0x3032_0D0E, 0,
        ]
      ])
    #expect(try send([[0xF0, 5, 0xF7]], protocol: 2) == [[1000, 0, 2, 0x3001_0500, 0]])
  }

  @Test func noMoreThanTheHostHasRoomFor() throws {
    // Each note goes to two outputs: three bytes each.
    let messages = (0..<10).map { [0x90, UInt8($0), 1] }
    #expect(try send(messages, protocol: 1, limit: 12).count == 2)
    #expect(try send(messages, protocol: 1).count == 10)
  }
}
