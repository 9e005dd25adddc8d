// Key, velocity and loops of a sampled instrument, as the file library and as AIFF have them.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// Key, velocity and loops of a sampled instrument, between the file library and AIFF.
struct InstrumentData {
  /// A loop, from a frame to the one behind its last.
  struct Loop {
    var mode: Int32
    var start: UInt32
    var end: UInt32
  }

  /// As the file library lays it out.
  let bytes: [UInt8]

  /// Reads the file library's layout; nil for nothing.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == MemoryLayout<SF_INSTRUMENT>.size else { return nil }
    self.bytes = bytes
  }

  /// Makes it of a chunk of AIFF, and the loops in that.
  init(_ chunk: [UInt8], loops: [Loop]) {
    var bytes = [UInt8](repeating: 0, count: MemoryLayout<SF_INSTRUMENT>.size)
    for (place, value) in zip(Self.keyPlaces, chunk) { bytes[place] = value }
    func store(_ number: UInt32, _ offset: Int?) {
      guard let offset else { return }
      for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    let gain = Int16(truncatingIfNeeded: Int(chunk[6]) << 8 | Int(chunk[7]))
    store(UInt32(bitPattern: Int32(gain)), MemoryLayout<SF_INSTRUMENT>.offset(of: \.gain))
    store(UInt32(loops.count), Self.countPlace)
    for (index, loop) in loops.enumerated() {
      let place = AuricleInstrumentLoopsOffset + 16 * index
      store(UInt32(bitPattern: loop.mode), place)
      store(loop.start, place + 4)
      store(loop.end, place + 8)
    }
    self.bytes = bytes
  }

  /// Its loops.
  var loops: [Loop] {
    guard let place = Self.countPlace else { return [] }
    return (0..<min(Int(word(place)), 16)).map { index in
      let place = AuricleInstrumentLoopsOffset + 16 * index
      return Loop(
        mode: Int32(bitPattern: word(place)), start: word(place + 4), end: word(place + 8))
    }
  }

  /// The chunk of AIFF, with loops between the marks 1 and 2, and 3 and 4.
  func chunk(loops: [Loop]) -> [UInt8] {
    let gain = MemoryLayout<SF_INSTRUMENT>.offset(of: \.gain).map { Int32(bitPattern: word($0)) }
    // The file library's 1 is 0 dB in AIFF.
    let decibels = gain == 1 ? 0 : Int(gain ?? 0)
    var chunk = Self.keyPlaces.map { bytes[$0] } + AIFFMarks.bytes(decibels, 2)
    for index in 0..<2 {
      guard index < loops.count else {
        chunk += [0, 0, 0, 0, 0, 0]
        continue
      }
      let isBothWays = loops[index].mode == Int32(SF_LOOP_ALTERNATING)
      chunk += [0, isBothWays ? 2 : 1, 0, UInt8(2 * index + 1), 0, UInt8(2 * index + 2)]
    }
    return chunk
  }

  private static let countPlace = MemoryLayout<SF_INSTRUMENT>.offset(of: \.loop_count)

  /// Key, its fine tuning, lowest and highest key, lowest and highest velocity: the order of AIFF.
  private static let keyPlaces: [Int] = [
    MemoryLayout<SF_INSTRUMENT>.offset(of: \.basenote),
    MemoryLayout<SF_INSTRUMENT>.offset(of: \.detune),
    MemoryLayout<SF_INSTRUMENT>.offset(of: \.key_lo),
    MemoryLayout<SF_INSTRUMENT>.offset(of: \.key_hi),
    MemoryLayout<SF_INSTRUMENT>.offset(of: \.velocity_lo),
    MemoryLayout<SF_INSTRUMENT>.offset(of: \.velocity_hi),
  ].compactMap(\.self)

  private func word(_ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }
}
