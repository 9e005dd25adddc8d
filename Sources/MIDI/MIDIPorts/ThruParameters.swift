// The processing of messages by a thru connection: the parameters of MIDIThruConnection.h, as bytes, and their effect.
// SPDX-License-Identifier: Apache-2.0

/// Parameters of a connection between sources and destinations.
package struct ThruParameters: Sendable, Equatable {
  /// An end of a connection: a number in this process, and one that outlives it; either may be 0.
  package struct End: Sendable, Equatable {
    /// The number in this process.
    package var ref: MIDIRef
    /// The unique number.
    package var uniqueID: Int32
  }

  /// The bytes without the controllers' transforms and the maps.
  package static let baseSize = 204
  private static let mostEnds = 8
  /// As the C functions have them.
  package private(set) var bytes: [UInt8]

  /// Reads parameters.
  ///
  /// - Throws: `.argument` for another version, too many ends, too few bytes. Also for an unknown
  ///   transform, a map that is not there, and a controller of more than seven bits.
  package init(_ bytes: [UInt8]) throws(MIDIError) {
    self.bytes = bytes
    guard bytes.count >= Self.baseSize, word(0) == 0, word(4) <= 8, word(72) <= 8,
      bytes.count >= Self.baseSize + 8 * controlCount + 128 * mapCount
    else { throw .argument }
    self.bytes = Array(bytes.prefix(Self.baseSize + 8 * controlCount + 128 * mapCount))
    for place in stride(from: 160, to: 184, by: 4) { try check(half(place), half(place + 2)) }
    for index in 0..<controlCount {
      let place = Self.baseSize + 8 * index
      guard bytes[place] == 0, bytes[place + 1] == 0 else { throw .argument }
      // Transform 2 changes the number of the controller.
      if half(place + 4) != 2 { try check(half(place + 4), half(place + 6)) }
    }
  }

  private func check(_ transform: Int, _ parameter: Int) throws(MIDIError) {
    switch transform {
    case 0, 1, 8, 9, 10, 11: return
    case 12 where parameter < mapCount: return
    default: throw .argument
    }
  }

  private func word(_ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
  }
  private func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
  private var controlCount: Int { half(192) }
  private var mapCount: Int { half(194) }

  private func ends(_ place: Int) -> [End] {
    (0..<Int(word(place))).map {
      End(ref: word(place + 4 + 8 * $0), uniqueID: Int32(bitPattern: word(place + 8 + 8 * $0)))
    }
  }

  private mutating func setEnds(_ place: Int, _ ends: [End]) {
    for (index, end) in ends.prefix(Self.mostEnds).enumerated() {
      for (offset, value) in [(4, end.ref), (8, UInt32(bitPattern: end.uniqueID))] {
        for byte in 0..<4 {
          bytes[place + offset + 8 * index + byte] = UInt8(
            truncatingIfNeeded: value >> UInt32(8 * byte))
        }
      }
    }
  }

  /// The sources of messages.
  package var sources: [End] {
    get { ends(4) }
    set { setEnds(4, newValue) }
  }

  /// The destinations of messages.
  package var destinations: [End] {
    get { ends(72) }
    set { setEnds(72, newValue) }
  }
}

extension ThruParameters {
  /// The transformed universal packets of MIDI 1.0.
  package func words(_ messages: [ArraySlice<UInt32>]) -> [ArraySlice<UInt32>] {
    messages.compactMap { message in
      let first = message[message.startIndex]
      switch first >> 28 {
      case 1: return passesSystem(first >> 16 & 0xFF) ? message : nil
      case 2: return channelVoice(first).map { [$0] }
      case 3, 5: return bytes[184] == 0 ? message : nil
      default: return message
      }
    }
  }

  private func passesSystem(_ status: UInt32) -> Bool {
    switch status {
    case 0xF1: bytes[185] == 0
    case 0xF2, 0xF8, 0xFA, 0xFB, 0xFC: bytes[186] == 0
    case 0xF6: bytes[187] == 0
    default: true
    }
  }

  private func channelVoice(_ word: UInt32) -> UInt32? {
    let channel = bytes[140 + Int(word >> 16 & 15)]
    guard channel < 16 else { return nil }
    var (first, second) = (Int(word >> 8 & 0x7F), Int(word & 0x7F))
    switch word >> 20 & 15 {
    case 8, 9, 10:
      let isOn = word >> 20 & 15 == 9 && second > 0
      guard passesNote(first), !isOn || passesVelocity(second), let note = value(160, first, 127)
      else { return nil }
      first = note
      if isOn {
        // A note that begins is not made one that ends.
        guard let velocity = value(164, second, 127) else { return nil }
        second = max(1, velocity)
      } else if word >> 20 & 15 == 10 {
        guard let pressure = value(168, second, 127) else { return nil }
        second = pressure
      }
    case 11:
      guard bytes[191] == 0, let changed = control(first, second) else { return nil }
      (first, second) = changed
    case 12, 13:
      guard let changed = value(word >> 20 & 15 == 12 ? 176 : 172, first, 127) else { return nil }
      first = changed
    default:
      guard let bend = value(180, second << 7 | first, 0x3FFF) else { return nil }
      (first, second) = (bend & 0x7F, bend >> 7)
    }
    return word & 0xFFF0_0000 | UInt32(channel) << 16 | UInt32(first) << 8 | UInt32(second)
  }

  private func passesVelocity(_ velocity: Int) -> Bool {
    velocity >= Int(bytes[156]) && (bytes[157] == 0 || velocity <= Int(bytes[157]))
  }

  /// With the lowest above the highest, the notes between are left out.
  private func passesNote(_ note: Int) -> Bool {
    let (low, high) = (Int(bytes[158]), Int(bytes[159]))
    return low <= high ? low...high ~= note : note <= high || note >= low
  }

  /// A value through the transform at a place; nil: left out.
  private func value(_ place: Int, _ value: Int, _ most: Int) -> Int? {
    transformed(half(place), Int(Int16(truncatingIfNeeded: half(place + 2))), value, most)
  }

  private func transformed(_ transform: Int, _ parameter: Int, _ value: Int, _ most: Int) -> Int? {
    let result: Int
    switch transform {
    case 1: return nil
    case 8: result = value + parameter
    case 9: result = value * parameter / 4096
    case 10: result = max(value, parameter)
    case 11: result = min(value, parameter)
    case 12:
      let map = Self.baseSize + 8 * controlCount + 128 * parameter
      // In a value of 14 bits, the upper seven are mapped.
      result = most > 127 ? Int(bytes[map + value >> 7]) << 7 : Int(bytes[map + value])
    default: result = value
    }
    return min(max(result, 0), most)
  }

  private func control(_ number: Int, _ value: Int) -> (Int, Int)? {
    var (number, value) = (number, value)
    for index in 0..<controlCount {
      let place = Self.baseSize + 8 * index
      guard half(place + 2) == number else { continue }
      let parameter = Int(Int16(truncatingIfNeeded: half(place + 6)))
      if half(place + 4) == 2 {
        number = parameter & 0x7F
      } else if let changed = transformed(half(place + 4), parameter, value, 127) {
        value = changed
      } else {
        return nil
      }
    }
    return (number, value)
  }
}
