// libFuzzer target: any bytes are a sound file, or none. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Opens the bytes as a file; reads all that can be asked of it, and changes a copy.
@c(LLVMFuzzerTestOneInput)
public func fuzzSoundFiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    // Frames without a magic number are searched if a hint names them.
    for hint in [0, kAudioFileMP3Type, kAudioFileAAC_ADTSType] {
      guard let file = try? PacketFile.open(MemoryStore(bytes), hint: hint) else { continue }
      try? read(file)
      change(bytes, hint)
      name(bytes, hint)
    }
  }
}

private func read(_ file: PacketFile) throws(AudioFileFailure) {
  _ = try? file.marks()
  _ = try? file.storedInfo()
  _ = try? file.tag()
  for code in file.chunkCodes { _ = try? file.chunkBytes(code, count: 4096) }
  let count = try file.packetCount()
  _ = try file.totalFrameCount()
  _ = try file.duration()
  _ = try? file.packet(ofByte: file.byteCount() / 2)
  _ = try? file.packet(ofFrame: 1000)
  _ = try? file.frame(ofPacket: count / 2)
  _ = try? file.byteCount(ofPackets: count / 3, count: 10)
  var room = [UInt8](repeating: 0, count: 1 << 14)
  for place in [0, count / 2, count] {
    var span = room.mutableSpan
    _ = try? unsafe span.withUnsafeMutableBytes { (buffer) throws(AudioFileFailure) in
      try unsafe file.readPackets(from: place, count: 20, into: buffer) { _, packet in
        precondition(
          packet.mStartOffset >= 0 && packet.mStartOffset + Int64(packet.mDataByteSize) <= 1 << 14,
          "a packet lies outside of the buffer")
      }
    }
  }
}

/// Sets chunks in a copy; it can be opened again, with the same packets.
private func change(_ bytes: [UInt8], _ hint: AudioFileTypeID) {
  let store = MemoryStore(bytes)
  guard let file = try? PacketFile.open(store, hint: hint, isWritable: true), file.hasChunks,
    let before = try? file.packetCount(),
    (try? file.setChunk(UInt32(code: "abcd"), 0, [1, 2, 3])) != nil,
    (try? file.optimize()) != nil, (try? file.flush()) != nil
  else { return }
  guard let again = try? PacketFile.open(MemoryStore(store.bytes), hint: hint) else {
    broken("a file that was changed does not open")
  }
  promise((try? again.packetCount()) == before, "packets were lost by a change")
  promise((try? again.chunkBytes(UInt32(code: "abcd"))) == [1, 2, 3], "a chunk does not come back")
}

/// Sets a title in a copy; it comes back, with the same packets.
private func name(_ bytes: [UInt8], _ hint: AudioFileTypeID) {
  var info = SoundInfo()
  info["title"] = "Evening"
  let store = MemoryStore(bytes)
  guard let file = try? PacketFile.open(store, hint: hint, isWritable: true),
    file.stores(kAudioFilePropertyInfoDictionary), let before = try? file.packetCount(),
    (try? file.setInfo(info)) != nil, (try? file.flush()) != nil
  else { return }
  guard let again = try? PacketFile.open(MemoryStore(store.bytes), hint: hint) else {
    broken("a file that was named does not open")
  }
  let after = try? again.packetCount()
  promise(after == before, "packets were lost by a name: \(before), then \(after ?? -1)")
  let title = (try? again.storedInfo())?["title"]
  promise(title == "Evening", "a name does not come back: \(title ?? "none")")
}
