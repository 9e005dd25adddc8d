// The constants that the C headers declare, read from their text: the table must know every one of them.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// One constant of a header.
struct HeaderConstant: Sendable, Hashable {
  var name: String
  /// Its value: a number as its bits, a text as it is.
  var value: Int64
  var text: String?

  /// Headers of no concern to a unit: formats, converters, codecs, sound files, queues, ports: they have their own
  /// tests.
  private static let elsewhere =
    [
      "AudioFormat", "AudioConverter", "AudioFile", "CAFFile", "AudioCodec", "ExtendedAudioFile",
      "AudioQueue", "AudioHardwareService", "AudioServices", "AudioSession",
      "MusicPlayer", "CoreAudioClock",
    ].map { "AudioToolbox/" + $0 } + [
      "CoreMIDI/MIDIMessages", "CoreMIDI/MIDIServices", "CoreMIDI/MIDIThruConnection",
      "Auricle/AuricleSpeech",
    ]

  /// Every constant that is written as a number or a text, sorted by name.
  static let all: [HeaderConstant] = {
    let folder = Places.inPackage("SDK/include")
    let files = (FileManager.default.subpaths(atPath: folder) ?? []).filter {
      $0.hasSuffix(".h")
        && ["AudioToolbox/", "CoreAudioTypes/", "CoreMIDI/", "Auricle/"].contains(
          where: $0.hasPrefix)
        && !elsewhere.contains(where: $0.hasPrefix)
    }
    var found: [String: HeaderConstant] = [:]
    for file in files.sorted() {
      guard let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8) else {
        continue
      }
      for line in text.split(separator: "\n") {
        guard let constant = read(line) else { continue }
        found[constant.name] = constant
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }()

  /// The constants of a family, by a part of their names.
  static func family(_ belongs: (String) -> Bool) -> [HeaderConstant] {
    all.filter { belongs($0.name) }
  }

  /// A constant by its name.
  static func named(_ name: String) -> HeaderConstant? { all.first { $0.name == name } }

  /// `kName = number,` or `#define kName "text"`.
  private static func read(_ line: Substring) -> HeaderConstant? {
    if let match = line.wholeMatch(of: /\s*(k\w+)\s*=\s*(-?)(0x)?([0-9A-Fa-f]+)u?\s*,.*/) {
      guard let number = Int64(match.4, radix: match.3 == nil ? 10 : 16) else { return nil }
      return HeaderConstant(
        name: String(match.1), value: match.2.isEmpty ? number : -number, text: nil)
    }
    if let match = line.wholeMatch(of: /#define\s+(k\w+)\s+"([^"]*)".*/) {
      return HeaderConstant(name: String(match.1), value: 0, text: String(match.2))
    }
    return nil
  }
}
