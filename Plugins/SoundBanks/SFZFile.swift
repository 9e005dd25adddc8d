// Reads an SFZ file: sounds with their keys and velocities, and the conditions that choose among them.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The SFZ files of a sampler.
enum SFZFile {
  /// Regions with their sounds, and the opcodes that are left out.
  struct Contents {
    var zones: [SampleZone] = []
    /// For each zone, the controllers that must lie in a range.
    var conditions: [[ControllerCondition]] = []
    /// Values of controllers at the start, by their numbers.
    var controllers: [Int: Int] = [:]
    /// A line for each reason why a region is left out, and one for opcodes that change nothing.
    var notes: [String] = []
  }

  /// Reads a file and its sounds.
  ///
  /// - Parameter room: The most samples that its regions may have together.
  /// - Throws: A sentence: not there, no regions, a sound that cannot be read, or too much sound.
  ///
  /// Context: control.
  static func read(_ path: String, room: Int) throws(UnitRefusal) -> Contents {
    let text = try SFZText(path)
    func refusal(_ why: String) -> UnitRefusal {
      UnitRefusal(status: kAudioUnitErr_InvalidFile, reason: "\(path) \(why)")
    }
    guard !text.regions.isEmpty else { throw refusal("has no <region>: give an SFZ file") }
    guard text.regions.count <= SamplerModel.mostFiles else {
      throw refusal("has more than \(SamplerModel.mostFiles) regions")
    }
    var made = Contents()
    for (name, value) in text.control where name.hasPrefix("set_cc") {
      guard let number = Int(name.dropFirst(6)), let value = Double(value) else { continue }
      made.controllers[number] = Int(min(max(value, 0), 127))
    }
    var sounds: [String: SampleZone] = [:]
    var omitted: [String: Int] = [:]
    var ignored: Set<String> = []
    var left = room
    for opcodes in text.regions {
      let region = SFZRegion(opcodes)
      if let reason = region.omission {
        omitted[reason, default: 0] += 1
        continue
      }
      let name = region.sample
      let file = text.folder + SFZText.plainPath(region.path + name)
      let sound =
        if let known = sounds[file] { known } else if name == "*sine" { SampleZone.sine } else {
          try WaveFile.read(file, room: left)
        }
      if sounds[file] == nil { left -= sound.sampleCount }
      sounds[file] = sound
      guard left >= 0 else { throw SamplerModel.tooMuch }
      guard let zone = region.zone(sound) else { continue }
      made.zones.append(zone)
      made.conditions.append(region.conditions)
      ignored.formUnion(region.ignored)
    }
    made.notes = omitted.sorted { $0.key < $1.key }.map { reason, count in
      "\(count) of \(text.regions.count) regions \(count == 1 ? "is" : "are") left out: \(reason)"
    }
    if !ignored.isEmpty {
      let names = ignored.sorted()
      made.notes.append(
        "these opcodes are not known, and change nothing: "
          + names.prefix(12).joined(separator: ", ")
          + (names.count > 12 ? " and \(names.count - 12) more" : ""))
    }
    guard !made.zones.isEmpty else {
      throw refusal("has no region that can be played: \(made.notes.joined(separator: "; "))")
    }
    return made
  }
}
