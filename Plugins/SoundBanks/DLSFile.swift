// Reads DLS files, of levels 1 and 2, into presets of a SoundFont.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A DLS file: instruments with their regions, and a pool of waves.
struct DLSFile {
  /// Bytes of a file that are read at most.
  private static let mostBytes = 1 << 30

  private let bytes: [UInt8]
  private let pool: Range<Int>
  /// The place of each wave's list.
  private var waves: [Int: Int] = [:]

  /// A chunk: its code, of a list that of the list, and its data.
  private typealias Chunk = (code: String, list: String, start: Int, end: Int)

  /// Whether a file begins as a DLS file does. Context: control.
  static func isOne(_ path: String) -> Bool {
    guard let start = FileBytes.read(path, first: 12), start.count == 12 else { return false }
    return start.starts(with: "RIFF".utf8) && start[8...].starts(with: "DLS ".utf8)
  }

  /// The bytes of a SoundFont with the presets of a file; nil for a file that is damaged, or has no instrument.
  ///
  /// Context: control.
  static func soundFont(_ path: String) -> [UInt8]? {
    guard let bytes = FileBytes.read(path, most: mostBytes), let file = DLSFile(bytes) else {
      return nil
    }
    var font = SoundFontBuilder()
    file.write(to: &font)
    return font.bytes
  }

  private init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let whole = Self.chunks(bytes, 12..<min(bytes.count, 8 + Self.number(bytes, 4, 4)))
    guard let pool = whole.first(where: { $0.list == "wvpl" }) else { return nil }
    self.pool = pool.start..<pool.end
    // The table has places in the pool; without one waves count in their order.
    let all = Self.chunks(bytes, self.pool).filter { $0.list == "wave" }
    guard let table = whole.first(where: { $0.code == "ptbl" }), table.end - table.start >= 8 else {
      for (index, wave) in all.enumerated() { waves[index] = wave.start }
      return
    }
    let places = Dictionary(all.map { ($0.start - 12, $0.start) }) { first, _ in first }
    let size = max(8, Self.number(bytes, table.start, 4))
    let room = max(0, (table.end - table.start - size) / 4)
    for index in 0..<min(Self.number(bytes, table.start + 4, 4), room) {
      let place = pool.start + Self.number(bytes, table.start + size + 4 * index, 4)
      if let wave = places[place] { waves[index] = wave }
    }
  }

  // MARK: Bytes

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    guard place >= 0, place + count <= bytes.count else { return 0 }
    return (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  private func number(_ place: Int, _ count: Int) -> Int { Self.number(bytes, place, count) }

  private func signed(_ place: Int) -> Int { Int(Int32(truncatingIfNeeded: number(place, 4))) }

  /// The chunks of a range; one that leads beyond it ends there.
  private static func chunks(_ bytes: [UInt8], _ range: Range<Int>) -> [Chunk] {
    var found: [Chunk] = []
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = number(bytes, place + 4, 4)
      let end = min(place + 8 + size, range.upperBound)
      let code = String(decoding: bytes[place..<place + 4], as: UTF8.self)
      let isList = code == "LIST" && place + 12 <= end
      let list = isList ? String(decoding: bytes[place + 8..<place + 12], as: UTF8.self) : ""
      found.append((code, list, place + (isList ? 12 : 8), end))
      place += 8 + size + size & 1
    }
    return found
  }

  private func chunks(_ chunk: Chunk) -> [Chunk] {
    Self.chunks(bytes, chunk.start..<max(chunk.start, chunk.end))
  }

  // MARK: Instruments

  private func write(to font: inout SoundFontBuilder) {
    let whole = Self.chunks(bytes, 12..<min(bytes.count, 8 + number(4, 4)))
    for list in whole where list.list == "lins" {
      for instrument in chunks(list) where instrument.list == "ins " {
        write(chunks(instrument), to: &font)
      }
    }
  }

  private func write(_ parts: [Chunk], to font: inout SoundFontBuilder) {
    guard let header = parts.first(where: { $0.code == "insh" }), header.end - header.start >= 12
    else { return }
    let bank = number(header.start + 4, 4)
    let (msb, lsb) = (bank >> 8 & 0x7F, bank & 0x7F)
    let isDrums = bank >> 31 != 0 || msb == 120
    // General MIDI 2 has its variations in the second byte.
    let number = isDrums ? 128 : msb == 121 || msb == 0 ? lsb : msb
    let common = articulation(parts)
    var zones: [SoundFontBuilder.Zone] = []
    for list in parts where list.list == "lrgn" {
      for region in chunks(list) where region.list == "rgn " || region.list == "rgn2" {
        zones += self.zones(chunks(region), common, &font)
      }
    }
    let texts = parts.first { $0.list == "INFO" }.map(chunks) ?? []
    let text = texts.first { $0.code == "INAM" }.map { bytes[$0.start..<$0.end] } ?? []
    let name = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    font.add(
      name: name, bank: number, program: self.number(header.start + 8, 4) & 0x7F, zones: zones)
  }

  /// The settings of samples: root, cents, attenuation in tenths of decibels, loop.
  private struct Sampling {
    var root = 60
    var cents = 0
    var attenuation = 0
    var loop: Range<Int>?
    var loopsWhileHeld = false
  }

  private func sampling(_ parts: [Chunk]) -> Sampling? {
    guard let chunk = parts.first(where: { $0.code == "wsmp" }), chunk.end - chunk.start >= 20
    else { return nil }
    var made = Sampling()
    made.root = min(number(chunk.start + 4, 2), 127)
    made.cents = Int(Int16(truncatingIfNeeded: number(chunk.start + 6, 2)))
    made.attenuation = max(0, -signed(chunk.start + 8) / 65_536)
    let first = chunk.start + max(20, number(chunk.start, 4))
    if number(chunk.start + 16, 4) > 0, first + 16 <= chunk.end {
      let start = number(first + 8, 4)
      made.loop = start..<start + number(first + 12, 4)
      made.loopsWhileHeld = number(first + 4, 4) == 1
    }
    return made
  }

  private func zones(
    _ parts: [Chunk], _ common: [Int: Int], _ font: inout SoundFontBuilder
  ) -> [SoundFontBuilder.Zone] {
    guard let header = parts.first(where: { $0.code == "rgnh" }), header.end - header.start >= 12,
      let link = parts.first(where: { $0.code == "wlnk" }), link.end - link.start >= 12,
      let place = waves[number(link.start + 8, 4)]
    else { return [] }
    let end = place - 12 + 8 + number(place - 8, 4)
    let wave = Self.chunks(bytes, place..<min(max(place, end), pool.upperBound))
    let settings = sampling(parts) ?? sampling(wave) ?? Sampling()
    var generators = common
    generators.merge(articulation(parts)) { $1 }
    let group = number(header.start + 10, 2)
    if group > 0 { generators[57] = group }
    generators[48, default: 0] += settings.attenuation
    // FluidSynth applies four tenths of a file's value.
    generators[48] = (generators[48] ?? 0) * 5 / 2
    let fine = (generators[52] ?? 0) + settings.cents
    generators[51] = (generators[51] ?? 0) + fine / 100
    generators[52] = fine % 100
    generators[54] = settings.loop == nil ? 0 : settings.loopsWhileHeld ? 3 : 1
    generators[58] = settings.root
    let keys = (number(header.start, 2), number(header.start + 2, 2))
    let velocities = (number(header.start + 4, 2), number(header.start + 6, 2))
    guard keys.0 <= keys.1, velocities.0 <= velocities.1 else { return [] }
    let channels = samples(wave)
    return channels.enumerated().map { index, samples in
      var own = generators
      if channels.count > 1 { own[17] = index == 0 ? -500 : 500 }
      let sample = font.sample(
        key: place * 4 + index, samples.data, rate: samples.rate, loop: settings.loop)
      return SoundFontBuilder.Zone(
        keys: (min(keys.0, 127), min(keys.1, 127)),
        // Level 1 has no velocities: there all are 0.
        velocities: velocities.1 == 0 ? (0, 127) : (min(velocities.0, 127), min(velocities.1, 127)),
        generators: own, sample: sample)
    }
  }

  /// The samples of a wave in 16 bits, one or two channels; none for a kind that is not read.
  private func samples(_ parts: [Chunk]) -> [(data: [Int16], rate: Int)] {
    guard let format = parts.first(where: { $0.code == "fmt " }), format.end - format.start >= 16,
      let data = parts.first(where: { $0.code == "data" }), number(format.start, 2) == 1
    else { return [] }
    let count = number(format.start + 2, 2), width = (number(format.start + 14, 2) + 7) / 8
    guard (1...2).contains(count), (1...4).contains(width) else { return [] }
    let frames = (data.end - data.start) / (count * width)
    return (0..<count).map { channel in
      let samples = (0..<frames).map { frame -> Int16 in
        let place = data.start + (frame * count + channel) * width
        if width == 1 { return (Int16(bytes[place]) - 128) << 8 }
        return Int16(truncatingIfNeeded: number(place + width - 2, 2))
      }
      return (samples, number(format.start + 4, 4))
    }
  }

  // MARK: Articulation

  /// The generators of a SoundFont that are the same as a connection: source 0 to a destination.
  private static let plain: [Int: Int] = [
    0x3: 52, 0x4: 17, 0x104: 22, 0x105: 21, 0x114: 24, 0x115: 23, 0x206: 34, 0x207: 36,
    0x209: 38, 0x20B: 33, 0x20C: 35, 0x30A: 26, 0x30B: 28, 0x30D: 30, 0x30F: 25, 0x310: 27,
    0x500: 8, 0x501: 9,
  ]
  /// The same of sources that move a destination: source, destination.
  private static let moving: [[Int]: Int] = [
    [1, 0x3]: 5, [1, 0x1]: 13, [1, 0x500]: 10, [5, 0x3]: 7, [5, 0x500]: 11, [9, 0x3]: 6,
  ]

  /// Returns the generators of the connections in a list, without the defaults of SoundFonts.
  private func articulation(_ parts: [Chunk]) -> [Int: Int] {
    var made: [Int: Int] = [:]
    for list in parts where list.list == "lart" || list.list == "lar2" {
      for chunk in chunks(list) where chunk.code == "art1" || chunk.code == "art2" {
        guard chunk.end - chunk.start >= 8 else { continue }
        let first = chunk.start + max(8, number(chunk.start, 4))
        for index in 0..<min(number(chunk.start + 4, 4), max(0, (chunk.end - first) / 12)) {
          connect(first + 12 * index, &made)
        }
      }
    }
    return made
  }

  private func connect(_ place: Int, _ made: inout [Int: Int]) {
    let (source, control, target) = (number(place, 2), number(place + 2, 2), number(place + 4, 2))
    let raw = signed(place + 8)
    let scale = Int((Double(raw) / 65_536).rounded())
    guard control == 0 else { return }
    switch (source, target) {
    case (0, 0x1): made[48, default: 0] += max(0, -scale)
    case (0, 0x20A): made[37] = min(max(960 - scale * 960 / 1000, 0), 1440)
    case (0, 0x30E): made[29] = min(max(1000 - scale, 0), 1000)
    case (0, _):
      // The least number means no time.
      if let generator = Self.plain[target] { made[generator] = max(scale, -12_000) }
    case (3, 0x3): made[56] = scale / 128
    case (3, 0x207): follow(40, 36, scale, &made)
    case (3, 0x20C): follow(39, 35, scale, &made)
    case (3, 0x30B): follow(32, 28, scale, &made)
    case (3, 0x310): follow(31, 27, scale, &made)
    default:
      if let generator = Self.moving[[source, target]] { made[generator] = scale }
    }
  }

  /// A time that follows the key: DLS counts from key 0, a SoundFont from 60, the other way round.
  private func follow(_ generator: Int, _ time: Int, _ scale: Int, _ made: inout [Int: Int]) {
    made[generator] = -scale / 128
    made[time] = (made[time] ?? -12_000) + scale * 60 / 128
  }
}
