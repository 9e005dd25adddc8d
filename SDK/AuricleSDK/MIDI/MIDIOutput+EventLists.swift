// MIDI output as universal packets, for hosts that receive event lists.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// Writes universal packets with the same time to an event list. Context: render.
@safe struct EventListWriter {
  private let list: UnsafeMutableRawPointer
  private let capacity: Int
  private var used = 8
  private var packetCount: UInt32 = 0
  private var wordCount: UInt32 = 0
  /// The start of the current packet.
  private var packet = 8

  @_noLocks init(_ list: UnsafeMutableRawPointer, capacity: Int, protocol protocolID: Int32) {
    unsafe self.list = unsafe list
    self.capacity = capacity
    unsafe list.storeBytes(of: protocolID, as: Int32.self)
  }

  /// Whether there is no room for two more words.
  var isFull: Bool { @_noLocks get { used + 12 + 8 > capacity } }
  /// Whether nothing was written yet.
  var isEmpty: Bool { @_noLocks get { packetCount == 0 } }

  /// Adds a message of one or two words, which stay in one packet.
  @_noLocks mutating func add(_ first: UInt32, _ second: UInt32?) {
    if packetCount == 0 || wordCount > 62 {
      packet = used
      unsafe list.storeBytes(of: 0, toByteOffset: packet, as: UInt64.self)
      used += 12
      packetCount += 1
      wordCount = 0
    }
    append(first)
    if let second { append(second) }
    unsafe list.storeBytes(of: wordCount, toByteOffset: packet + 8, as: UInt32.self)
    unsafe list.storeBytes(of: packetCount, toByteOffset: 4, as: UInt32.self)
  }

  @_noLocks private mutating func append(_ word: UInt32) {
    unsafe list.storeBytes(of: word, toByteOffset: used, as: UInt32.self)
    used += 4
    wordCount += 1
  }
}

extension MIDIOutput {
  /// Sends the messages of the cycle to the host's block, each with the sample time it is due at.
  ///
  /// - Returns: 0, or the first error that the block returned.
  @_noLocks func sendLists(
    _ block: UnsafeMutableRawPointer, _ timeStamp: UnsafePointer<AudioTimeStamp>
  ) -> OSStatus {
    var status: OSStatus = 0
    let start = unsafe timeStamp.pointee.mSampleTime
    let base = abs(start) < 9e18 ? Int64(start) : 0
    for index in 0..<events.count {
      let entry = events.entry(index)
      let bytes = unsafe events.bytes(of: entry)
      let time = base &+ Int64(entry.frame)
      var writer = unsafe EventListWriter(
        list, capacity: Self.listCapacity, protocol: hostProtocol)
      if unsafe bytes[0] == 0xF0 {
        status = unsafe Self.first(
          status, addExclusive(bytes, entry, block, time, &writer))
      } else {
        let word = unsafe UInt32(bytes[0]) << 16 | Self.byte(bytes, 1, entry) << 8
        let last = unsafe Self.byte(bytes, 2, entry)
        if unsafe bytes[0] >= 0xF0 {
          writer.add(1 << 28 | word | last, nil)
        } else if hostProtocol == 2 {
          Self.addVoice(word, last, &writer)
        } else {
          writer.add(2 << 28 | word | last, nil)
        }
      }
      if !writer.isEmpty {
        status = unsafe Self.first(status, send(block, time, entry.output))
      }
    }
    return status
  }

  @_noLocks private static func byte(
    _ bytes: UnsafePointer<UInt8>, _ index: Int, _ entry: MIDIEventEntry
  ) -> UInt32 {
    index < entry.byteCount ? unsafe UInt32(bytes[index] & 0x7F) : 0
  }

  /// Adds a system exclusive message, six bytes a packet, without its first and last byte.
  ///
  /// - Returns: As `sendLists`.
  @_noLocks private func addExclusive(
    _ bytes: UnsafePointer<UInt8>, _ entry: MIDIEventEntry, _ block: UnsafeMutableRawPointer,
    _ time: Int64, _ writer: inout EventListWriter
  ) -> OSStatus {
    var status: OSStatus = 0
    var end = entry.byteCount
    if unsafe end > 1 && bytes[end - 1] == 0xF7 { end -= 1 }
    var place = 1
    repeat {
      if writer.isFull {
        status = unsafe Self.first(status, send(block, time, entry.output))
        writer = unsafe EventListWriter(list, capacity: Self.listCapacity, protocol: hostProtocol)
      }
      let count = min(6, end - place)
      let isFirst = place == 1
      let isLast = place + count >= end
      // 0 whole, 1 first, 2 middle, 3 last.
      let part: UInt32 = isFirst ? (isLast ? 0 : 1) : (isLast ? 3 : 2)
      var words: (UInt32, UInt32) = (3 << 28 | part << 20 | UInt32(max(0, count)) << 16, 0)
      for index in 0..<max(0, count) {
        let value = unsafe UInt32(bytes[place + index] & 0x7F)
        if index < 2 {
          words.0 |= value << UInt32(8 - 8 * index)
        } else {
          words.1 |= value << UInt32(24 - 8 * (index - 2))
        }
      }
      writer.add(words.0, words.1)
      place += count
    } while place < end
    return status
  }

  /// Adds a channel voice message in the form of MIDI 2.0.
  ///
  /// - Parameters:
  ///   - word: Status and second byte in position.
  ///   - last: Third byte.
  @_noLocks private static func addVoice(
    _ word: UInt32, _ last: UInt32, _ writer: inout EventListWriter
  ) {
    let status = word >> 16 & 0xF0
    let second = word >> 8 & 0x7F
    let head = 4 << 28 | word & 0xFF_0000
    switch status {
    case 0x80, 0x90:
      // A note on without velocity is a note off.
      let isOff = status == 0x90 && last == 0
      let kind = isOff ? head & ~0x10_0000 : head
      let velocity = isOff ? 64 : last
      writer.add(kind | second << 8, scaled(velocity, from: 7, to: 16) << 16)
    case 0xA0, 0xB0: writer.add(head | second << 8, scaled(last, from: 7, to: 32))
    case 0xC0: writer.add(head, second << 24)
    case 0xD0: writer.add(head, scaled(second, from: 7, to: 32))
    default: writer.add(head, scaled(last << 7 | second, from: 14, to: 32))
    }
  }

  /// Returns a value with more bits: minimum, center and maximum are preserved.
  @_noLocks private static func scaled(
    _ value: UInt32, from: UInt32, to: UInt32
  ) -> UInt32 {
    let more = to - from
    var result = value << more
    guard value > 1 << (from - 1) else { return result }
    let width = from - 1
    var rest = value & (1 << width - 1)
    rest = more > width ? rest << (more - width) : rest >> (width - more)
    while rest != 0 {
      result |= rest
      rest >>= width
    }
    return result
  }

  @_noLocks private func send(
    _ block: UnsafeMutableRawPointer, _ time: Int64, _ output: Int
  ) -> OSStatus {
    typealias Function =
      @convention(c) (UnsafeMutableRawPointer, Int64, UInt8, UnsafeRawPointer) -> OSStatus
    let function = unsafe unsafeBitCast(
      block.load(fromByteOffset: 16, as: UnsafeRawPointer.self), to: Function.self)
    // Door out of checked code: the host's block.
    return unsafe _unsafePerformance {
      unsafe function(block, time, UInt8(truncatingIfNeeded: output), UnsafeRawPointer(list))
    }
  }
}
