// A sound that keys play: its samples, its root, its keys and velocities, its loop.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// One sound of a sampler's instrument.
struct SampleZone {
  var name = ""
  var sampleRate = 44_100
  /// One or two channels of as many samples of 24 bits.
  var channels: [[Int32]] = []
  /// The key at which it sounds as it is; nil where nothing tells.
  var root: Int?
  /// Hundredths of a semitone by which it is sharp.
  var cents = 0
  /// The keys that play it; nil: those nearest to its root.
  var keys: ClosedRange<Int>?
  var velocities = 0...127
  /// The frames that repeat while it sounds; nil for none.
  var loop: Range<Int>?
  /// Whether they repeat until the key is released, and what is behind them is heard then.
  var loopsWhileHeld = false
  /// Whether it sounds on when the key is released.
  var soundsToItsEnd = false
  var decibels = 0.0
  /// −1 left, 1 right; of a sound of one channel.
  var pan = 0.0
  /// How it begins, falls and ends; nil: at once.
  var envelope: Envelope?

  /// Samples of all channels.
  var sampleCount: Int { channels.reduce(0) { $0 + $1.count } }

  /// Times in seconds; the level that a key holds, linear.
  struct Envelope {
    var attack: Double
    var decay: Double
    var sustain: Double
    var release: Double
  }

  /// Gives every zone its root and keys: those without a root a key each from 60 on, one alone all keys around 60.
  static func laidOut(_ zones: [SampleZone]) -> [SampleZone] {
    var zones = zones
    let isLoose = zones.count > 1
    var next = 60
    for index in zones.indices where zones[index].root == nil {
      zones[index].root = min(next, 127)
      if isLoose, zones[index].keys == nil { zones[index].keys = min(next, 127)...min(next, 127) }
      next += 1
    }
    let roots = Set(zones.filter { $0.keys == nil }.compactMap(\.root)).sorted()
    for index in zones.indices where zones[index].keys == nil {
      guard let root = zones[index].root, let place = roots.firstIndex(of: root) else { continue }
      let low = place == 0 ? 0 : (roots[place - 1] + root) / 2 + 1
      let high = place == roots.count - 1 ? 127 : (root + roots[place + 1]) / 2
      zones[index].keys = low...high
    }
    return zones
  }

  /// A sine for an instrument that is not loaded yet: 441 Hz at key 69.
  static var sine: SampleZone {
    var zone = SampleZone()
    zone.name = "Sine"
    zone.channels = [
      (0..<4400).map {
        Int32((RealtimeMath.sin(2 * Double.pi * Double($0) / 100) * 4_000_000).rounded())
      }
    ]
    zone.root = 69
    zone.keys = 0...127
    zone.loop = 2000..<4000
    return zone
  }

  /// The key that a file's name ends with: `Piano-C3`, `pad_F#2`, `kick 36`; C3 is 60.
  static func key(inName name: String) -> Int? {
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "#" || $0 == "-") }
    for word in words.reversed() {
      let parts = word.split(separator: "-", omittingEmptySubsequences: true)
      guard let last = parts.last else { continue }
      // C-1 is a key below C0.
      let isNegative = parts.count > 1 && Int(last) != nil && parts[parts.count - 2].count <= 2
      if isNegative, let key = noteKey(parts[parts.count - 2] + "-" + last) { return key }
      if let key = noteKey(last) { return key }
      // `kick 36` is a key, `take 02` counts.
      let isCount = last.count < 2 || (last.count == 2 && last.hasPrefix("0"))
      if !isCount, let number = Int(last), (0...127).contains(number) { return number }
    }
    return nil
  }

  /// The key of a note: C3 is 60.
  static func noteKey(_ text: some StringProtocol) -> Int? {
    var rest = Substring(text)
    guard let letter = rest.popFirst(),
      let step = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11][letter.lowercased()]
    else { return nil }
    var key = step
    if rest.first == "#" || rest.first == "b" { key += rest.removeFirst() == "#" ? 1 : -1 }
    guard let octave = Int(rest), (-2...8).contains(octave) else { return nil }
    key += 12 * (octave + 2)
    return (0...127).contains(key) ? key : nil
  }
}
