// A sound that keys play: its samples, its root, its keys and velocities, its loop.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// One sound of a sampler's instrument.
struct SampleZone {
  var name = ""
  var sound: SoundData
  /// The key at which it sounds unchanged; nil if unknown.
  var root: Int?
  /// Hundredths of a semitone by which it is raised.
  var cents = 0.0
  /// The keys that play it; nil: those nearest to its root.
  var keys: ClosedRange<Int>?
  var velocities = 0...127
  /// The frames that repeat while it sounds; nil for none.
  var loop: Range<Int>?
  /// The settings of its region.
  var settings = RegionSettings()

  /// Samples of all channels.
  var sampleCount: Int { sound.channelCount * sound.frameCount }

  /// Sets the root and keys of every zone: those without a root a key each from 60 on, one alone all keys around 60.
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
    let sound = unsafe SoundData(
      sampleRate: 44_100, channelCount: 1, frameCount: 4400
    ) { _, samples in
      for frame in 0..<4400 {
        unsafe samples[frame] = Float(RealtimeMath.sin(2 * Double.pi * Double(frame) / 100) / 2)
      }
    }
    var zone = SampleZone(name: "Sine", sound: sound)
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

  /// The key of a note.
  ///
  /// - Parameter middleOctave: The octave of key 60: 3, or 4 in SFZ files.
  static func noteKey(_ text: some StringProtocol, middleOctave: Int = 3) -> Int? {
    var rest = Substring(text)
    guard let letter = rest.popFirst(),
      let step = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11][letter.lowercased()]
    else { return nil }
    var key = step
    if rest.first == "#" || rest.first == "b" { key += rest.removeFirst() == "#" ? 1 : -1 }
    guard let octave = Int(rest), (-3...12).contains(octave) else { return nil }
    key += 60 + 12 * (octave - middleOctave)
    return (0...127).contains(key) ? key : nil
  }
}
