// Builds SoundFonts in memory, so that one engine plays banks of other kinds.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc
import Synchronization

/// Presets, each of one instrument, and their samples as a SoundFont.
struct SoundFontBuilder {
  /// A sound for keys and velocities.
  struct Zone {
    var keys: (Int, Int)
    var velocities: (Int, Int)
    /// Amounts by the numbers of generators.
    var generators: [Int: Int]
    /// The number of its sample.
    var sample: Int
  }

  private var presets: [UInt8] = [], presetBags: [UInt8] = [], presetGenerators: [UInt8] = []
  private var instruments: [UInt8] = [], bags: [UInt8] = [], generators: [UInt8] = []
  private var headers: [UInt8] = [], data: [UInt8] = []
  private var count = 0
  private var samples: [[Int]: Int] = [:]
  private var places: [Int: Int] = [:]

  /// Adds a sample, once for each loop; its number.
  ///
  /// - Parameter key: A number that identifies its data.
  mutating func sample(key: Int, _ samples: [Int16], rate: Int, loop: Range<Int>?) -> Int {
    let identity = [key, loop?.lowerBound ?? -1, loop?.upperBound ?? -1]
    if let known = self.samples[identity] { return known }
    let start = places[key] ?? data.count / 2
    if places[key] == nil {
      places[key] = start
      data.reserveCapacity(data.count + 2 * samples.count + 92)
      // 46 frames of nothing part two samples.
      for sample in samples + [Int16](repeating: 0, count: 46) { data += Self.little(sample, 2) }
    }
    let end = start + samples.count
    let low = start + min(loop?.lowerBound ?? 0, samples.count)
    let high = start + min(loop?.upperBound ?? samples.count, samples.count)
    headers += Self.padded("Sample", 20)
    for number in [start, end, low, high, rate] { headers += Self.little(number, 4) }
    headers += [60, 0] + Self.little(0, 2) + Self.little(1, 2)
    let number = self.samples.count
    self.samples[identity] = number
    return number
  }

  /// Adds a preset; bank 128 holds drums.
  mutating func add(name: String, bank: Int, program: Int, zones: [Zone]) {
    guard !zones.isEmpty else { return }
    presets += Self.padded(name, 20) + Self.little(program, 2) + Self.little(bank, 2)
    presets += Self.little(count, 2) + Self.little(0, 12)
    presetBags += Self.little(presetGenerators.count / 4, 2) + Self.little(0, 2)
    presetGenerators += Self.little(41, 2) + Self.little(count, 2)
    instruments += Self.padded(name, 20) + Self.little(bags.count / 4, 2)
    for zone in zones {
      bags += Self.little(generators.count / 4, 2) + Self.little(0, 2)
      generators += Self.little(43, 2) + [UInt8(zone.keys.0), UInt8(zone.keys.1)]
      generators += Self.little(44, 2) + [UInt8(zone.velocities.0), UInt8(zone.velocities.1)]
      for (generator, amount) in zone.generators.sorted(by: { $0.key < $1.key }) where amount != 0 {
        generators += Self.little(generator, 2) + Self.little(min(max(amount, -32_768), 32_767), 2)
      }
      generators += Self.little(53, 2) + Self.little(zone.sample, 2)
    }
    count += 1
  }

  /// The bytes; nil where there is no preset, or more settings than its tables count.
  var bytes: [UInt8]? {
    guard count > 0, bags.count / 4 < 0xFFFF, generators.count / 4 < 0xFFFF,
      samples.count < 0xFFFF
    else { return nil }
    let none = Self.little(0, 2)
    let tables: [(String, [UInt8])] = [
      (
        "phdr",
        presets + Self.padded("EOP", 20) + Self.little(0, 4)
          + Self.little(presetBags.count / 4, 2) + Self.little(0, 12)
      ),
      ("pbag", presetBags + Self.little(presetGenerators.count / 4, 2) + none),
      ("pmod", Self.little(0, 10)), ("pgen", presetGenerators + Self.little(0, 4)),
      ("inst", instruments + Self.padded("EOI", 20) + Self.little(bags.count / 4, 2)),
      ("ibag", bags + Self.little(generators.count / 4, 2) + none),
      ("imod", Self.little(0, 10)), ("igen", generators + Self.little(0, 4)),
      ("shdr", headers + Self.padded("EOS", 20) + Self.little(0, 26)),
    ]
    let info =
      Self.chunk("ifil", Self.little(2, 2) + Self.little(1, 2))
      + Self.chunk("isng", Self.padded("EMU8000", 8)) + Self.chunk("INAM", Self.padded("Bank", 6))
    return Self.chunk(
      "RIFF",
      Array("sfbk".utf8) + Self.chunk("LIST", Array("INFO".utf8) + info)
        + Self.chunk("LIST", Array("sdta".utf8) + Self.chunk("smpl", data))
        + Self.chunk("LIST", Array("pdta".utf8) + tables.flatMap { Self.chunk($0.0, $0.1) }))
  }

  // MARK: A file in memory

  private static let fileCount = Mutex(0)

  /// A file without a name that holds bytes, and a path to it; nil where there is no memory.
  ///
  /// The path is never used twice, since FluidSynth knows samples by it. Context: control.
  static func file(_ whole: [UInt8]) -> (descriptor: Int32, path: String)? {
    let made = memory()
    guard made >= 0 else { return nil }
    let number = fileCount.withLock { count in
      count += 1
      return count
    }
    let file = fcntl(made, F_DUPFD_CLOEXEC, Int32(200 + number % 700))
    close(made)
    guard file >= 0 else { return nil }
    var done = 0
    while done < whole.count {
      let put = unsafe whole.withUnsafeBytes {
        unsafe write(file, $0.baseAddress.map { unsafe $0 + done }, whole.count - done)
      }
      guard put > 0 else {
        close(file)
        return nil
      }
      done += put
    }
    // Further slashes make a new path of a number that comes again.
    return (
      file, "/proc/self/fd" + String(repeating: "/", count: 1 + number / 700 % 60) + "\(file)"
    )
  }

  /// A file in memory, by a function of glibc that Swift does not see; −1 where there is none.
  private static func memory() -> Int32 {
    typealias Create = @convention(c) (UnsafePointer<CChar>?, UInt32) -> Int32
    guard let address = unsafe dlsym(nil, "memfd_create") else { return -1 }
    let closesOnExec: UInt32 = 1
    return unsafe unsafeBitCast(address, to: Create.self)("bank", closesOnExec)
  }

  private static func little(_ number: some BinaryInteger, _ count: Int) -> [UInt8] {
    let bits = UInt64(truncatingIfNeeded: number)
    return (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) : 0 }
  }

  private static func padded(_ text: String, _ count: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(count - 1))
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  private static func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
    Array(id.utf8) + little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
  }
}
