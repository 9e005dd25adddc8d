// The questions of a stream's reader to the file that it is reading: known places, and places to go on from.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension PacketFile {
  /// The bytes of a packet that is known.
  func packetBytes(_ index: Int) throws(AudioFileFailure) -> [UInt8] {
    guard let pieces = table?.pieces[index] else {
      return try bytes.bytes(at: table?.starts[index] ?? 0, count: Int(table?.sizes[index] ?? 0))
    }
    var packet: [UInt8] = []
    for piece in pieces { packet += try bytes.bytes(at: piece.start, count: piece.count) }
    return packet
  }

  /// The frames of a packet where packets have different numbers; 0 where the format says it.
  func variableFrames(_ index: Int) -> UInt32 {
    guard format.mFramesPerPacket == 0, index < table?.frames.count ?? 0 else { return 0 }
    return table?.frames[index] ?? 0
  }

  /// Returns the place where reading must begin for a packet, from the start of the sound; nil if unknown.
  func knownStart(ofPacket packet: Int64) -> Int64? {
    guard let count = table?.count else {
      return stretch(at: packet * Int64(format.mBytesPerPacket)).place - soundOffset
    }
    if packet == 0, scanner?.keepsPlace != true { return 0 }
    guard packet < count, let table, scanner?.keepsPlace != true else { return nil }
    let index = Int(packet)
    // Frames begin with a header that is not part of the packet.
    let start = scanner == nil ? table.starts[index] : table.end(of: index - 1)
    return start - soundOffset
  }

  /// Forgets the packets from one on; they are found again from a place.
  func cutScan(to packet: Int64, at place: Int64) {
    bytes.forget()
    guard scanner != nil, let count = table?.count, packet <= count else { return }
    table?.cut(to: Int(packet))
    table?.isComplete = false
    scannedEnd = place
  }

  /// Searches further packets from a place on.
  func moveScan(to place: Int64) {
    bytes.forget()
    scannedEnd = place
    table?.isComplete = false
    scanner?.jump(to: place)
  }

  /// Packets that are known by now, and whether there are no more.
  package var knownPackets: (count: Int64, areAll: Bool) {
    guard let table else {
      let size = Int64(max(1, format.mBytesPerPacket))
      return (soundByteCount / size, soundByteCount < ArrivingStore.endless / 2)
    }
    return (Int64(table.count), table.isComplete)
  }

  /// The mean size of the packets that are known, in bytes; 0 for none.
  package var meanPacketSize: Double {
    guard let count = table?.count else { return Double(format.mBytesPerPacket) }
    guard count > 0, let table else { return 0 }
    return Double(table.sizes.reduce(0) { $0 + Int64($1) }) / Double(count)
  }
}
