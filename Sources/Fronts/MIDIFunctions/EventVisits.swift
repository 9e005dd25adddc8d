// The functions of MIDIServices.h that split universal packets into fields.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIMessages

/// Calls a function for each universal packet of a list.
///
/// Context: any but a device's thread.
@c @implementation
public func MIDIEventListForEachEvent(
  _ list: UnsafePointer<MIDIEventList>?, _ visitor: MIDIEventVisitor?,
  _ context: UnsafeMutableRawPointer?
) {
  guard let list = unsafe list, let visitor = unsafe visitor else { return }
  for packet in unsafe PacketMemory.words(list) {
    for message in UniversalWords.messages(packet.words) {
      unsafe visitor(context, packet.time, apart(Array(message)))
    }
  }
}

/// The bytes of the system exclusive pieces of a group, to be released: with F0 where one begins, F7 where one ends.
///
/// - Returns: -10845 where there are none; -50 for null pointers, and for a group above 15.
///
/// Context: control.
@c @implementation
public func MIDIEventPacketSysexBytesForGroup(
  _ packet: UnsafePointer<MIDIEventPacket>?, _ group: UInt8,
  _ outData: UnsafeMutablePointer<CFDataRef?>?
) -> OSStatus {
  guard let packet = unsafe packet, let out = unsafe outData, group < 16 else {
    return OSStatus(paramErr)
  }
  var bytes: [UInt8] = []
  for message in UniversalWords.messages(unsafe PacketMemory.words(of: packet)) {
    let words = Array(message)
    guard words[0] >> 28 == 3, words[0] >> 24 & 15 == UInt32(group) else { continue }
    let kind = words[0] >> 20 & 15
    if kind < 2 { bytes.append(0xF0) }
    bytes += UniversalWords.exclusive(words)
    if kind == 0 || kind == 3 { bytes.append(0xF7) }
  }
  guard !bytes.isEmpty else { return kMIDIUnknownError }
  unsafe out.pointee = PropertyObjects.data(bytes)
  return noErr
}

// MARK: Splitting

/// Splits a universal packet into its fields, at the header's places.
private func apart(_ words: [UInt32]) -> MIDIUniversalMessage {
  var made = MIDIUniversalMessage()
  let type = words[0] >> 28
  unsafe withUnsafeMutableBytes(of: &made) { memory in
    func put<Value: BitwiseCopyable>(_ value: Value, at place: Int) {
      unsafe memory.storeBytes(of: value, toByteOffset: place, as: Value.self)
    }
    let hasGroup = type != 15
    put(known.contains(type) ? type : 255, at: 0)
    put(UInt8(hasGroup ? words[0] >> 24 & 15 : 0), at: 4)
    switch type {
    case 0:
      put(words[0] >> 20 & 15, at: 8)
      put(UInt16(words[0] & 0xFFFF), at: 12)
    case 1:
      put(words[0] >> 16 & 0xFF, at: 8)
      let isPosition = words[0] >> 16 & 0xFF == 0xF2
      let position = UInt16(words[0] >> 8 & 0x7F) | UInt16(words[0] & 0x7F) << 7
      if isPosition { put(position, at: 12) } else { put(UInt8(words[0] >> 8 & 0x7F), at: 12) }
    case 2:
      voice1(
        words[0], put16: { put($0, at: $1) }, put8: { put($0, at: $1) }, put32: { put($0, at: $1) })
    case 3:
      put(words[0] >> 20 & 15, at: 8)
      let bytes = UniversalWords.exclusive(words)
      put(UInt8(bytes.count), at: 12)
      for (index, byte) in bytes.enumerated() { put(byte, at: 13 + index) }
    case 4:
      voice2(
        words, put16: { put($0, at: $1) }, put8: { put($0, at: $1) }, put32: { put($0, at: $1) })
    case 5:
      put(words[0] >> 20 & 15, at: 8)
      put(UInt8(words[0] >> 16 & 15), at: 12)
      put(UInt8(words[0] >> 8 & 0xFF), at: 13)
      let data = [words[0]] + words[1...].flatMap { [$0 >> 24, $0 >> 16, $0 >> 8, $0] }
      for (index, byte) in data.enumerated() { put(UInt8(byte & 0xFF), at: 14 + index) }
    default:
      for (index, word) in words.enumerated() { put(word, at: 8 + 4 * index) }
    }
  }
  return made
}

private let known: Set<UInt32> = [0, 1, 2, 3, 4, 5, 13, 15]

/// A channel voice message of MIDI 1.0: status at 8, channel at 12, data from 16.
private func voice1(
  _ word: UInt32, put16: (UInt16, Int) -> Void, put8: (UInt8, Int) -> Void,
  put32: (UInt32, Int) -> Void
) {
  let status = word >> 20 & 15
  let (first, second) = (UInt8(word >> 8 & 0x7F), UInt8(word & 0x7F))
  put32(status, 8)
  put8(UInt8(word >> 16 & 15), 12)
  switch status {
  case 12, 13: put8(first, 16)
  case 14: put16(UInt16(first) | UInt16(second) << 7, 16)
  default:
    put8(first, 16)
    put8(second, 17)
  }
}

/// A channel voice message of MIDI 2.0: status at 8, channel at 12, data from 16.
private func voice2(
  _ words: [UInt32], put16: (UInt16, Int) -> Void, put8: (UInt8, Int) -> Void,
  put32: (UInt32, Int) -> Void
) {
  let status = words[0] >> 20 & 15
  let (first, second) = (UInt8(words[0] >> 8 & 0x7F), UInt8(words[0] & 0xFF))
  put32(status, 8)
  put8(UInt8(words[0] >> 16 & 15), 12)
  switch status {
  case 8, 9:
    put8(first, 16)
    put8(second, 17)
    put16(UInt16(words[1] >> 16), 18)
    put16(UInt16(words[1] & 0xFFFF), 20)
  case 12:
    put8(second, 16)
    put8(UInt8(words[1] >> 24 & 0x7F), 17)
    put16(UInt16(words[1] >> 8 & 0x7F) << 7 | UInt16(words[1] & 0x7F), 20)
  case 13, 14: put32(words[1], 16)
  case 15:
    put8(first, 16)
    put8(second, 17)
  default:
    put8(first, 16)
    put8(second, 17)
    put32(words[1], 20)
  }
}
