// Zones as a SoundFont, in memory, so that one engine plays sound files and banks.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc
import Synchronization

/// Makes banks of one preset.
enum ZoneBank {
  /// A zone of a SoundFont's instrument: one channel of a sound.
  private struct Part {
    var zone: SampleZone
    var samples: [Int32]
    /// −500 left, 500 right.
    var pan: Int
  }

  /// The bytes of a SoundFont with one preset, bank 0, program 0.
  ///
  /// - Throws: A sentence where the zones have more settings than its tables count.
  static func bytes(_ zones: [SampleZone]) throws(UnitRefusal) -> [UInt8] {
    try checkRoom(zones)
    let parts = zones.flatMap { zone in
      zone.channels.count == 1
        ? [Part(zone: zone, samples: zone.channels[0], pan: Int((500 * zone.pan).rounded()))]
        : zip(zone.channels, [-500, 500]).map { Part(zone: zone, samples: $0, pan: $1) }
    }
    var (high, low): ([UInt8], [UInt8]) = ([], [])
    var headers: [UInt8] = [], bags: [UInt8] = [], generators: [UInt8] = []
    var start = 0
    for (index, part) in parts.enumerated() {
      // 46 frames of nothing part two samples.
      for sample in part.samples + [Int32](repeating: 0, count: 46) {
        high.append(UInt8(truncatingIfNeeded: sample >> 8))
        high.append(UInt8(truncatingIfNeeded: sample >> 16))
        low.append(UInt8(truncatingIfNeeded: sample))
      }
      let (zone, end) = (part.zone, start + part.samples.count)
      let loop = zone.loop ?? 0..<part.samples.count
      headers +=
        padded("Sample", 20) + little(start, 4) + little(end, 4)
        + little(start + loop.lowerBound, 4)
        + little(start + loop.upperBound, 4) + little(zone.sampleRate, 4)
      headers += [UInt8(zone.root ?? 60), UInt8(bitPattern: Int8(clamping: -zone.cents))]
      headers += little(0, 2) + little(1, 2)
      bags += little(generators.count / 4, 2) + little(0, 2)
      let keys = zone.keys ?? 0...127
      generators += little(43, 2) + [UInt8(keys.lowerBound), UInt8(keys.upperBound)]
      generators +=
        little(44, 2) + [UInt8(zone.velocities.lowerBound), UInt8(zone.velocities.upperBound)]
      generators += little(17, 2) + little(part.pan, 2)
      generators += shape(zone)
      generators += little(54, 2) + little(zone.loop == nil ? 0 : zone.loopsWhileHeld ? 3 : 1, 2)
      generators += little(53, 2) + little(index, 2)
      start = end + 46
    }
    bags += little(generators.count / 4, 2) + little(0, 2)
    let preset =
      padded("Instrument", 20) + little(0, 18) + padded("EOP", 20) + little(0, 4) + little(1, 2)
      + little(0, 12)
    let presetBags = little(0, 4) + little(1, 2) + little(0, 2)
    let presetGenerators = little(41, 2) + little(0, 6)
    let instrument =
      padded("Instrument", 20) + little(0, 2) + padded("EOI", 20) + little(parts.count, 2)
    let tables: [(String, [UInt8])] = [
      ("phdr", preset), ("pbag", presetBags), ("pmod", little(0, 10)), ("pgen", presetGenerators),
      ("inst", instrument), ("ibag", bags), ("imod", little(0, 10)),
      ("igen", generators + little(0, 4)), ("shdr", headers + padded("EOS", 20) + little(0, 26)),
    ]
    let info =
      chunk("ifil", little(2, 2) + little(4, 2)) + chunk("isng", padded("EMU8000", 8))
      + chunk("INAM", padded("Instrument", 12))
    return chunk(
      "RIFF",
      Array("sfbk".utf8) + chunk("LIST", Array("INFO".utf8) + info)
        + chunk("LIST", Array("sdta".utf8) + chunk("smpl", high) + chunk("sm24", low))
        + chunk("LIST", Array("pdta".utf8) + tables.flatMap { chunk($0.0, $0.1) }))
  }

  /// Refuses what has more settings than 16 bits count.
  private static func checkRoom(_ zones: [SampleZone]) throws(UnitRefusal) {
    let count = zones.reduce(0) { $0 + $1.channels.count * (5 + shape($1).count / 4) }
    guard count > 0xFFFF else { return }
    throw UnitRefusal(
      status: kAudioUnitErr_InvalidFile,
      reason:
        "the sounds have \(count) settings, and an instrument holds 65535: give fewer of them, or "
        + "fewer with levels and envelopes")
  }

  /// The generators of a zone's level and envelope, in tenths of decibels and in timecents.
  private static func shape(_ zone: SampleZone) -> [UInt8] {
    func timecents(_ seconds: Double) -> Int {
      seconds <= 0.001
        ? -12_000 : Int((1200 * RealtimeMath.log2(min(seconds, 100))).rounded())
    }
    var made: [(generator: Int, amount: Int)] = []
    // FluidSynth takes four tenths of what a file asks for.
    if zone.decibels < 0 { made.append((48, Int((-25 * zone.decibels).rounded()))) }
    if let envelope = zone.envelope {
      // FluidSynth's envelope has 96 dB from its top to silence, and a time is that of the whole way.
      let fall = envelope.sustain > 0 ? -20 * RealtimeMath.log10(envelope.sustain) / 96 : 1
      let part = min(max(fall, 0.001), 1)
      // The longest release is hardly one.
      let release = zone.soundsToItsEnd ? 100 : envelope.release
      made += [
        (34, timecents(envelope.attack)), (36, timecents(envelope.decay / part)),
        (37, Int((1000 * min(fall, 1)).rounded())), (38, timecents(release)),
      ]
    }
    return made.flatMap { little($0.generator, 2) + little($0.amount, 2) }
  }

  private static let count = Mutex(0)

  /// A file without a name that holds a bank, and a path to it; nil where there is no memory.
  ///
  /// - Throws: As `bytes`.
  ///
  /// The path is never given twice, since FluidSynth knows samples by it. Context: control.
  static func file(
    _ zones: [SampleZone]
  ) throws(UnitRefusal) -> (descriptor: Int32, path: String)? {
    let whole = try bytes(zones)
    let made = memory()
    guard made >= 0 else { return nil }
    let number = count.withLock { count in
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
    // Slashes make a path of its own of a number that comes again.
    return (
      file, "/proc/self/fd" + String(repeating: "/", count: 1 + number / 700 % 60) + "\(file)"
    )
  }

  /// A file in memory, by a function of glibc that Swift does not see; −1 where there is none.
  private static func memory() -> Int32 {
    typealias Create = @convention(c) (UnsafePointer<CChar>?, UInt32) -> Int32
    guard let address = unsafe dlsym(nil, "memfd_create") else { return -1 }
    let closesOnExec: UInt32 = 1
    return unsafe unsafeBitCast(address, to: Create.self)("sampler", closesOnExec)
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
