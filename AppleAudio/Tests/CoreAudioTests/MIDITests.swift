// Packets of MIDI: building, reading, and passing on within the process.
// SPDX-License-Identifier: Apache-2.0

import CoreMIDI
import Foundation
import Testing

@Suite(.serialized) struct MIDITests {
  @Test func packetsAreBuiltAndRead() {
    let builder = MIDIPacketList.Builder(byteSize: 1024)
    builder.append(timestamp: 1, data: [0x90, 60, 100])
    builder.append(timestamp: 2, data: [0x80, 60, 0])
    builder.append(timestamp: 3, data: [UInt8](repeating: 1, count: 300))
    builder.withUnsafePointer { list in
      let packets = Array(list.unsafeSequence())
      #expect(packets.map { $0.pointee.timeStamp } == [1, 2, 3])
      #expect(
        Array(packets[0].sequence()) == [0x90, 60, 100] && packets[2].sequence().count == 300)
    }
    builder.append(timestamp: 4, data: [UInt8](repeating: 1, count: 2000))
    builder.withUnsafePointer { #expect($0.pointee.numPackets == 3) }
  }

  @Test func eventsAreBuiltAndRead() {
    let builder = MIDIEventList.Builder(inProtocol: ._1_0, wordSize: 16)
    builder.append(timestamp: 5, words: [0x2090_3C64])
    builder.append(timestamp: 6, words: [0x2080_3C00])
    builder.withUnsafePointer { list in
      #expect(list.unsafeSequence().map { Array($0.words()) } == [[0x2090_3C64], [0x2080_3C00]])
    }
    let packet = MIDIEventPacket.Builder(maximumNumberMIDIWords: 2)
    packet.timeStamp = 7
    packet.append(1, 2)
    packet.append(3)
    packet.withUnsafePointer {
      #expect(Array($0.sequence()) == [1, 2] && $0.pointee.timeStamp == 7)
    }
  }

  @Test func blocksReceiveWhatASourceSends() async throws {
    // The folder of this process, as in the other tests with MIDI.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-midi-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    setenv("XDG_RUNTIME_DIR", folder.path, 1)
    var client = MIDIClientRef()
    #expect(MIDIClientCreateWithBlock("Test" as CFString, &client, nil) == noErr)
    defer { MIDIClientDispose(client) }
    var source = MIDIEndpointRef()
    #expect(MIDISourceCreate(client, "Keys" as CFString, &source) == noErr)
    var port = MIDIPortRef()
    let received = AsyncStream.makeStream(of: [UInt8].self)
    let status = MIDIInputPortCreateWithBlock(client, "In" as CFString, &port) { list, _ in
      for packet in list.unsafeSequence() { received.continuation.yield(Array(packet.sequence())) }
    }
    #expect(status == noErr && MIDIPortConnectSource(port, source, nil) == noErr)
    let builder = MIDIPacketList.Builder(byteSize: 64)
    builder.append(timestamp: 0, data: [0x90, 64, 90])
    builder.withUnsafePointer { #expect(MIDIReceived(source, $0) == noErr) }
    var iterator = received.stream.makeAsyncIterator()
    #expect(await iterator.next() == [0x90, 64, 90])

    var name: Unmanaged<CFString>?
    #expect(MIDIObjectGetStringProperty(source, kMIDIPropertyName, &name) == noErr)
    #expect(name?.takeRetainedValue().isEqual(to: "Keys") == true)
  }
}
