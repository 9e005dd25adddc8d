// The levels that sounds had when they were recorded: they show that nothing else changed.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Levels of sounds by name, compared with those in a file; rounding and the last bits of a sound make no difference.
public struct RecordedLevels {
  private let path: String
  private var found: [String: [Double]] = [:]
  /// Levels below this one (dBFS) are silence.
  private static let floor = -80.0
  /// The greatest difference that is rounding (dB).
  private static let tolerance = 0.1

  /// Makes an empty list.
  ///
  /// - Parameter path: The file of the package that holds the recorded levels.
  public init(path: String) { self.path = Places.inPackage(path) }

  /// A signal for all of them: noise, a tone, a beat and silence, half a second of each.
  public static func signal(sampleRate: Double) -> [Float] {
    let count = Int(sampleRate / 2)
    let noise = TestSignal.noise(seed: 43, amplitude: 0.25, frameCount: count)
    let tone = TestSignal.sine(
      frequency: 440, amplitude: 0.4, sampleRate: sampleRate, frameCount: count)
    let beat = TestSignal.noise(seed: 44, amplitude: 0.9, frameCount: count).enumerated().map {
      $0.element * Float(exp(-12 * Double($0.offset) / sampleRate))
    }
    return noise + tone + beat + TestSignal.silence(frameCount: count)
  }

  /// Adds a sound: the levels of eight parts of each channel, of the whole and of its treble (dBFS).
  public mutating func add(_ name: String, _ channels: [[Float]]) {
    var levels: [Double] = []
    for channel in channels {
      let treble = zip(channel, channel.dropFirst()).map { $1 - $0 }
      for samples in [channel, treble] {
        let length = max(1, samples.count / 8)
        for part in 0..<8 {
          let piece = Array(samples.dropFirst(part * length).prefix(length))
          levels.append(max(decibels(rootMeanSquare(piece)), Self.floor))
        }
      }
    }
    found[name] = levels
  }

  /// Compares all sounds with the recorded ones, or records them with AURICLE_UPDATE_SNAPSHOTS=1.
  ///
  /// - Returns: A sentence for each sound that differs, is new or is missing.
  public func differences() throws -> [String] {
    if ProcessInfo.processInfo.environment["AURICLE_UPDATE_SNAPSHOTS"] == "1" { try record() }
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    var recorded: [String: [Double]] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      recorded[String(parts[0])] = parts.last?.split(separator: " ").compactMap { Double($0) }
    }
    return Set(recorded.keys).union(found.keys).sorted().compactMap { name in
      guard let levels = found[name] else { return "\(name) is recorded, and missing now" }
      guard let old = recorded[name], old.count == levels.count else {
        return "\(name) is not recorded: do so with AURICLE_UPDATE_SNAPSHOTS=1"
      }
      let largest = zip(old, levels).map { abs($0 - $1) }.max() ?? 0
      guard largest > Self.tolerance else { return nil }
      return
        "\(name) sounds different by \(largest) dB: list that in docs/sound-changes.md, and record it with "
        + "AURICLE_UPDATE_SNAPSHOTS=1"
    }
  }

  private func record() throws {
    let lines = found.sorted { $0.key < $1.key }.map { name, levels in
      "\(name): " + levels.map { String(format: "%.2f", $0) }.joined(separator: " ") + "\n"
    }
    try FileManager.default.createDirectory(
      at: URL(fileURLWithPath: path).deletingLastPathComponent(),
      withIntermediateDirectories: true)
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
  }
}
