// Lists of MIDI: their limits, long messages, words, and what a thru connection and a property hold.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

struct PacketTests {
  private func packets(_ builder: MIDIPacketList.Builder) -> [(UInt64, [UInt8])] {
    builder.withUnsafePointer { list in
      list.unsafeSequence().map { ($0.pointee.timeStamp, Array($0.bytes())) }
    }
  }

  @Test("An empty list has no packets")
  func empty() {
    #expect(packets(MIDIPacketList.Builder(byteSize: 100)).isEmpty)
    MIDIEventList.Builder(inProtocol: ._2_0, wordSize: 4).withUnsafePointer {
      #expect($0.pointee.numPackets == 0 && $0.pointee.protocol == ._2_0)
      #expect(Array($0.unsafeSequence()).isEmpty)
    }
  }

  @Test("Packets of any lengths come back in order", arguments: [1, 2, 3, 4, 5, 63, 255, 256, 257])
  func lengths(_ length: Int) {
    let builder = MIDIPacketList.Builder(byteSize: 4_096)
    let first = (0..<length).map { UInt8($0 & 127) }
    builder.append(timestamp: 1, data: first)
    builder.append(timestamp: 2, data: [0xF8])
    builder.append(timestamp: 3, data: first.reversed())
    let found = packets(builder)
    #expect(found.map(\.0) == [1, 2, 3])
    #expect(found.map(\.1) == [first, [0xF8], first.reversed()])
  }

  @Test("Messages of one time share a packet; system exclusive has its own")
  func sharedPackets() {
    let builder = MIDIPacketList.Builder(byteSize: 1_024)
    builder.append(timestamp: 9, data: [0x90, 60, 1])
    builder.append(timestamp: 9, data: [0x90, 64, 1])
    builder.append(timestamp: 9, data: [0xF0, 1, 2, 0xF7])
    let found = packets(builder)
    #expect(found.flatMap(\.1) == [0x90, 60, 1, 0x90, 64, 1, 0xF0, 1, 2, 0xF7])
    #expect(found.last?.1.first == 0xF0 && found.allSatisfy { $0.0 == 9 })
  }

  @Test("What does not fit is left out, and what fits behind it is not lost")
  func full() {
    let builder = MIDIPacketList.Builder(byteSize: MemoryLayout<MIDIPacketList>.size)
    builder.append(timestamp: 1, data: [UInt8](repeating: 1, count: 200))
    builder.append(timestamp: 2, data: [UInt8](repeating: 2, count: 200))
    builder.append(timestamp: 3, data: [3])
    #expect(packets(builder).map(\.0) == [1, 3])
  }

  @Test("Fields of a packet lie where C has them")
  func layout() {
    #expect(MemoryLayout<MIDIPacket>.offset(of: \.timeStamp) == 0)
    #expect(MemoryLayout<MIDIPacket>.offset(of: \.length) == 8)
    #expect(MemoryLayout<MIDIPacket>.offset(of: \.data) == 10)
    #expect(MemoryLayout<MIDIEventPacket>.offset(of: \.wordCount) == 8)
    #expect(MemoryLayout<MIDIEventPacket>.offset(of: \.words) == 12)
  }

  @Test("Words of event packets come back in order, up to 64", arguments: [1, 2, 4, 63, 64])
  func words(_ count: Int) {
    let builder = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 256)
    let words = (0..<count).map { UInt32($0) | 0x2000_0000 }
    builder.append(timestamp: 1, words: words)
    builder.append(timestamp: 2, words: [0x20F8_0000])
    builder.withUnsafePointer { list in
      let found = list.unsafeSequence().map { ($0.pointee.timeStamp, Array($0.words())) }
      #expect(found.flatMap(\.1) == words + [0x20F8_0000])
      #expect(found.first?.0 == 1 && found.last?.0 == 2)
    }
  }

  @Test("A packet's builder stops at its size")
  func packetBuilder() {
    let builder = MIDIEventPacket.Builder(maximumNumberMIDIWords: 3)
    builder.append(contentsOf: [1, 2])
    builder.append(3, 4)
    builder.append(5)
    #expect(builder.count == 3)
    builder.withUnsafePointer {
      #expect(Array(MIDIEventPacket.WordCollection($0)) == [1, 2, 5] && $0.pointee.wordCount == 3)
    }
  }

  @Test("Collections of bytes and words are read from any place")
  func collections() {
    let builder = MIDIPacketList.Builder(byteSize: 1_024)
    builder.append(timestamp: 0, data: [UInt8](0..<100))
    builder.withUnsafePointer { list in
      let bytes = MIDIPacket.ByteCollection(list.unsafeSequence().first { _ in true }!)
      #expect(bytes.count == 100 && bytes[99] == 99 && Array(bytes[10..<13]) == [10, 11, 12])
      #expect(bytes.reversed().first == 99 && bytes.firstIndex(of: 50) == 50)
    }
  }

  @Test("Lists of buffers are collections, with the size that C has")
  func bufferLists() {
    let list = AudioBufferList.allocate(maximumBuffers: 3)
    defer { free(list.unsafeMutablePointer) }
    #expect(list.count == 3 && AudioBufferList.sizeInBytes(maximumBuffers: 3) == 8 + 3 * 16)
    var samples: [Float] = [1, 2, 3, 4]
    samples.withUnsafeMutableBufferPointer { memory in
      list[1] = AudioBuffer(memory, numberOfChannels: 2)
      #expect(list[1].mDataByteSize == 16 && list[1].mNumberChannels == 2)
      let view = UnsafeMutableBufferPointer<Float>(list[1])
      #expect(Array(view) == [1, 2, 3, 4])
    }
    list.count = 1
    #expect(list.unsafePointer.pointee.mNumberBuffers == 1 && Array(list).count == 1)
    #expect(UnsafeMutableAudioBufferListPointer(nil) == nil)
  }

  @Test("Descriptions of components are equal by all of their numbers")
  func descriptions() {
    let one = AudioComponentDescription(
      componentType: 1, componentSubType: 2, componentManufacturer: 3, componentFlags: 0,
      componentFlagsMask: 0)
    var other = one
    #expect(one == other && Set([one, other]).count == 1)
    other.componentSubType = 4
    #expect(one != other && Set([one, other]).count == 2)
  }
}
