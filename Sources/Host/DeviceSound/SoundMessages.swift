// Messages between a process that renders sound and its parent, and samples as bytes.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import FileRendering
import Foundation
import Glibc
import ResultSettings

/// A place of a file that is played.
struct SoundPlace: Codable {
  /// Seconds from the beginning of the file.
  let seconds: Double
  /// Whether the chain is bypassed.
  let isBypassed: Bool

  init(seconds: Double, isBypassed: Bool) {
    self.seconds = seconds
    self.isBypassed = isBypassed
  }

  /// Reads a place; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(SoundPlace.self, from: Data(bytes)) else {
      return nil
    }
    self = found
  }

  var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}

/// The form of the sound that a process sends.
struct SoundHeader: Codable {
  var sampleRate = 0.0
  var channelCount = 0
  /// Seconds of the whole file; nil where that is not known.
  var seconds: Double?
  /// Seconds of the file at which the sound begins.
  var startSeconds = 0.0
  /// Frames by which a chain that is fed is late.
  var latencyFrames = 0

  init(latencyFrames: Int) { self.latencyFrames = latencyFrames }

  init(of file: PlayedFile) {
    sampleRate = file.sampleRate
    channelCount = file.channelCount
    seconds = file.seconds
    startSeconds = file.startSeconds
  }

  /// Reads a header; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(SoundHeader.self, from: Data(bytes)),
      found.sampleRate.isFinite, (0...1024).contains(found.channelCount),
      (0...(1 << 30)).contains(found.latencyFrames), found.startSeconds.isFinite
    else { return nil }
    self = found
  }

  var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}

/// The settings of a file that is played.
struct PlayedFileSettings {
  /// The settings of the whole file.
  private(set) var whole = JobSettings()

  /// Those of a preset; nil for no chain.
  init(_ preset: ChainPreset?) {
    whole.tail = preset?.output.tail ?? .none
    whole.inputLoudness = preset?.inputLoudness
    if let preset { whole.latency = preset.output.latency }
  }

  /// The settings from a place on.
  func job(at place: SoundPlace) -> JobSettings {
    var made = place.isBypassed ? PlayedFileSettings(nil).whole : whole
    made.start = place.seconds > 0 ? TimePosition(seconds: place.seconds) : nil
    return made
  }
}

/// Samples of channels, one behind the other, as bytes.
enum PlanarBytes {
  /// The most frames of a frame of bytes of a file.
  static let mostFrames = 8192

  /// The bytes of rows, from a frame on.
  static func bytes(
    of rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int,
    from first: Int = 0, frameCount: Int
  ) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: channelCount * frameCount * 4) { buffer, count in
      count = channelCount * frameCount * 4
      guard count > 0, let start = buffer.baseAddress else { return }
      for channel in 0..<channelCount {
        unsafe memcpy(start + channel * frameCount * 4, rows[channel] + first, frameCount * 4)
      }
    }
  }

  /// Puts bytes into rows that are large enough; returns the frames.
  static func read(_ bytes: [UInt8], into rows: PlanarBuffer, channelCount: Int) -> Int {
    let frameCount = min(bytes.count / (4 * max(1, channelCount)), rows.frameCapacity)
    guard frameCount > 0 else { return 0 }
    unsafe bytes.withUnsafeBytes { raw in
      guard let start = raw.baseAddress else { return }
      for channel in 0..<channelCount {
        unsafe memcpy(rows.rows[channel], start + channel * frameCount * 4, frameCount * 4)
      }
    }
    return frameCount
  }
}
