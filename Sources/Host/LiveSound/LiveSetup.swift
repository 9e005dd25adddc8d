// The setup of a process that renders live sound, and the frames between it and its parent.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import CHostSystem
import DeviceSound
import Foundation

/// The task of a process that renders live sound.
struct LiveSetup: Codable, Equatable {
  /// The chain, with its rights.
  var task: SoundTask
  /// Channels of the device.
  var inputWidth: Int
  var outputWidth: Int
  /// Whether slices have to be done in time.
  var isRealTime: Bool
  /// Whether there are MIDI sources that play.
  var playsNotes: Bool
  /// The raw value of a `LiveIsolation`, and whether the sound of isolated units comes with the next slice.
  var isolate: String
  var isPipelined: Bool
  /// Whether a unit that is too slow is bypassed.
  var guards: Bool
  /// Parameters that wait for a controller, a stage and a name in turn.
  var lessons: [String]
  /// Lines that bring the chain to a state.
  var lines: [String]

  /// Reads a setup; nil for other bytes.
  static func read(_ bytes: [UInt8]) -> LiveSetup? {
    try? JSONDecoder().decode(LiveSetup.self, from: Data(bytes))
  }

  /// The setup as it is sent.
  var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

  /// The form of slices.
  var form: AuricleSliceForm {
    AuricleSliceForm(
      frameCapacity: UInt32(task.frameCapacity), inputWidth: UInt32(inputWidth),
      outputWidth: UInt32(outputWidth))
  }
}

/// The kinds of frames besides those of `SoundFrame`.
enum LiveFrame {
  /// To the process: a command, a controller that moved, silence or sound.
  static let (line, moved, muted) = (UInt8(ascii: "L"), UInt8(ascii: "M"), UInt8(ascii: "P"))
  /// From the process: the answer to a command, a message, a change, the status.
  static let (answer, said, changed, status) = (
    UInt8(ascii: "A"), UInt8(ascii: "Y"), UInt8(ascii: "C"), UInt8(ascii: "U")
  )
  /// From the process: the controllers that it wants, another preset, the settings of the channels, its render thread.
  static let (mapped, preset, settings, thread) = (
    UInt8(ascii: "K"), UInt8(ascii: "W"), UInt8(ascii: "N"), UInt8(ascii: "I")
  )
}

/// The state of a chain, some times a second.
struct LiveStatus: Codable {
  var isPaused = false
  var isBypassed = false
  var gain = 1.0
  var peaks = [0.0, 0.0]
  /// The part of a slice's time that rendering needed since the last status.
  var load = 0.0
  /// The unit that last exceeded the time of a slice; nil for none.
  var slowUnit: String?
  /// Frames by which the chain delays the sound.
  var latencyFrames = 0

  init() {}

  /// Reads a status; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(LiveStatus.self, from: Data(bytes)),
      found.peaks.count == 2
    else { return nil }
    self = found
  }

  var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}

/// The controllers that a chain wants for itself.
struct LiveMapping: Codable {
  /// Their names.
  var names: [String]
  /// Whether it waits for another.
  var isLearning: Bool

  init(names: [String], isLearning: Bool) {
    self.names = names
    self.isLearning = isLearning
  }

  /// Reads a mapping; nil for other bytes.
  init?(_ bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(LiveMapping.self, from: Data(bytes)) else {
      return nil
    }
    self = found
  }

  var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}
