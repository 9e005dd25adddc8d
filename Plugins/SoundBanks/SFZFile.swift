// Reads an SFZ file in its plain subset: sounds with their keys, velocities, loops, tuning, levels and envelopes.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The SFZ files of a sampler.
enum SFZFile {
  /// Bytes of a file that are read at most.
  private static let mostBytes = 1 << 24

  private typealias Opcodes = [String: String]

  /// Reads a file and its sounds.
  ///
  /// - Parameter room: The most samples that its regions may have together.
  /// - Throws: A sentence: not there, no regions, a sound that cannot be read, or too much sound.
  ///
  /// Context: control.
  static func read(_ path: String, room: Int) throws(UnitRefusal) -> [SampleZone] {
    guard let bytes = FileBytes.read(path, most: mostBytes) else {
      throw UnitRefusal(
        status: OSStatus(kAudio_FileNotFoundError), reason: "there is no SFZ file \(path)")
    }
    func refusal(_ why: String) -> UnitRefusal {
      UnitRefusal(status: kAudioUnitErr_InvalidFile, reason: "\(path) \(why)")
    }
    // Some editors begin a text with a mark of its encoding.
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let regions = try regions(String(decoding: bytes[start...], as: UTF8.self)) { refusal($0) }
    guard !regions.isEmpty else { throw refusal("has no <region>: give an SFZ file") }
    guard regions.count <= SamplerModel.mostFiles else {
      throw refusal("has more than \(SamplerModel.mostFiles) regions")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var sounds: [String: SampleZone] = [:]
    var zones: [SampleZone] = []
    var left = room
    for region in regions {
      guard let name = region["sample"] else { throw refusal("has a <region> without a sample") }
      let file = folder + (region["default_path"] ?? "") + name.map { $0 == "\\" ? "/" : $0 }
      let sound =
        if let known = sounds[file] { known } else { try WaveFile.read(file, room: left) }
      sounds[file] = sound
      left -= sound.sampleCount
      guard left >= 0 else { throw SamplerModel.tooMuch }
      zones.append(zone(sound, region))
    }
    return zones
  }

  /// The opcodes of each region, with those of what it stands in.
  private static func regions(
    _ text: String, _ refusal: (String) -> UnitRefusal
  ) throws(UnitRefusal) -> [Opcodes] {
    var found: [Opcodes] = []
    /// What is in force: of <control>, <global>, <master>, <group>, <region>.
    var levels = [Opcodes](repeating: [:], count: 5)
    var level: Int?
    func end() {
      guard level == 4 else { return }
      found.append(levels.reduce(into: [:]) { $0.merge($1) { $1 } })
    }
    for line in text.split(whereSeparator: \.isNewline) {
      var rest = Substring(line.split(separator: "//", omittingEmptySubsequences: false)[0])
      if rest.drop(while: \.isWhitespace).hasPrefix("#") {
        throw refusal("uses \(rest.prefix { !$0.isWhitespace }): only plain SFZ files are read")
      }
      while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
        rest = rest[start...]
        if rest.first == "<" {
          guard let close = rest.firstIndex(of: ">") else { break }
          end()
          let name = String(rest[rest.index(after: rest.startIndex)..<close])
          level = ["control", "global", "master", "group", "region"].firstIndex(of: name)
          if let level { for deeper in level..<5 { levels[deeper] = [:] } }
          rest = rest[rest.index(after: close)...]
          continue
        }
        guard let sign = rest.firstIndex(of: "=") else { break }
        let key = rest[..<sign].lowercased()
        let value = value(rest[rest.index(after: sign)...])
        if let level { set(key, value.text, in: &levels[level]) }
        rest = value.rest
      }
    }
    end()
    return found
  }

  /// Opcodes that had other names in older files.
  private static let olderNames = [
    "loopmode": "loop_mode", "loopstart": "loop_start", "loopend": "loop_end",
  ]

  /// Sets an opcode. A key is the lowest, the highest and that of the pitch, where these are not given beside it.
  private static func set(_ name: String, _ value: String, in opcodes: inout Opcodes) {
    guard name == "key" else { return opcodes[olderNames[name] ?? name] = value }
    for part in ["lokey", "hikey", "pitch_keycenter"] where opcodes[part] == nil {
      opcodes[part] = value
    }
  }

  /// A value goes on, spaces included, until the next `name=` or a header.
  private static func value(_ text: Substring) -> (text: String, rest: Substring) {
    var end = text.endIndex
    if let header = text.firstIndex(of: "<") { end = header }
    if let sign = text[..<end].firstIndex(of: "="),
      let space = text[..<sign].lastIndex(where: \.isWhitespace)
    {
      end = space
    }
    let value = text[..<end]
    let last = value.lastIndex { !$0.isWhitespace }
    return (last.map { String(value[...$0]) } ?? "", text[end...])
  }

  private static func zone(_ sound: SampleZone, _ opcodes: Opcodes) -> SampleZone {
    var zone = sound
    func number(_ name: String) -> Double? {
      opcodes[name].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
    /// A whole number, brought to where an `Int` holds it.
    func whole(_ name: String) -> Int? {
      number(name).map { Int(min(max($0, -1e15), 1e15)) }
    }
    func key(_ name: String) -> Int? {
      guard let text = opcodes[name] else { return nil }
      // C4 is 60 here.
      let found = Int(text) ?? SampleZone.noteKey(text).map { $0 - 12 }
      return found.flatMap { (0...127).contains($0) ? $0 : nil }
    }
    let root = key("pitch_keycenter") ?? sound.root ?? 60
    let tuning = 100 * (number("transpose") ?? 0) + (number("tune") ?? 0)
    // A bank has room for the cents of less than two keys: whole keys move the root.
    zone.root = min(max(root - Int(min(max(tuning / 100, -127), 127).rounded()), 0), 127)
    zone.cents = sound.cents + Int(min(max(tuning, -1e6), 1e6)) - 100 * (root - (zone.root ?? root))
    let (low, high) = (key("lokey") ?? 0, key("hikey") ?? 127)
    zone.keys = min(low, high)...max(low, high)
    let (soft, hard) = (
      min(max(whole("lovel") ?? 0, 0), 127), min(max(whole("hivel") ?? 127, 0), 127)
    )
    zone.velocities = min(soft, hard)...max(soft, hard)
    // A bank has room for 1310 dB.
    zone.decibels = min(max(number("volume") ?? 0, -1000), 60)
    zone.pan = min(max((number("pan") ?? 0) / 100, -1), 1)
    let count = sound.channels.first?.count ?? 0
    switch opcodes["loop_mode"] {
    case "no_loop": zone.loop = nil
    case "one_shot":
      zone.loop = nil
      zone.soundsToItsEnd = true
    case "loop_continuous", "loop_sustain":
      zone.loopsWhileHeld = opcodes["loop_mode"] == "loop_sustain"
      let start = min(max(whole("loop_start") ?? sound.loop?.lowerBound ?? 0, 0), count)
      let last = whole("loop_end") ?? (sound.loop?.upperBound ?? count) - 1
      let end = min(max(last + 1, 0), count)
      zone.loop = end - start >= 8 ? start..<end : nil
    default: break
    }
    zone.envelope = SampleZone.Envelope(
      attack: number("ampeg_attack") ?? 0, decay: number("ampeg_decay") ?? 0,
      sustain: min(max((number("ampeg_sustain") ?? 100) / 100, 0), 1),
      release: number("ampeg_release") ?? 0)
    return zone
  }
}
