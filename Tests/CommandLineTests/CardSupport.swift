// Shared by the tests on simulated cards: noise, its bytes in a card's format, and the program's reports of overruns.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport

/// A folder and cards for one test.
final class CardBench {
  let box: Sandbox
  let cards: SimulatedCards
  /// Two channels of noise of 16 bits, in `in.wav`: frames as they are sent.
  let sent: [[Int32]]

  init(frameCount: Int = 24_000) throws {
    box = try Sandbox()
    cards = try SimulatedCards()
    let rows = [1, 2].map {
      // Nowhere silent, so that every frame differs from silence.
      TestSignal.noise(seed: $0, amplitude: 0.25, frameCount: frameCount)
        .map { Float(Int($0 * 32_000) | 1) / 32_768 }
    }
    try Sound(rows).write(to: box("in.wav"), encoding: .pcm16)
    sent = Self.frames(try Sound(path: box("in.wav")))
  }

  /// Frames of a sound, in steps of 16 bits.
  static func frames(_ sound: Sound) -> [[Int32]] {
    (0..<sound.frameCount).map { frame in
      sound.channels.map { Int32(($0[frame] * 32_768).rounded()) }
    }
  }

  var environment: [String: String?] { box.environment.merging(cards.environment) { $1 } }

  func run(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(arguments, environment: environment, in: box.folder.path)
  }

  func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(Places.auricle, arguments, environment: environment, in: box.folder.path)
  }

  func start(program: String, _ arguments: String...) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: environment, in: box.folder.path)
  }

  /// Finds the noise in the output of a card with two channels in a format.
  func delivered(_ card: String, _ format: String = "S16_LE", repeated: Int = 0) -> Arrival {
    let kind = SampleKind(format)
    let bytes = Array(cards.delivered(card))
    let values = stride(from: 0, to: bytes.count - kind.width + 1, by: kind.width).map {
      kind.value(bytes[$0..<($0 + kind.width)])
    }
    let frames = stride(from: 0, to: values.count - 1, by: 2).map { [values[$0], values[$0 + 1]] }
    return Arrival(frames, of: sent, silence: [0, 0], repeated: repeated)
  }

  /// Finds the noise in a recorded file.
  func recorded(_ name: String) throws -> Arrival {
    Arrival(Self.frames(try Sound(path: box(name))), of: sent, silence: [0, 0])
  }
}

/// The storage format of a card's samples.
struct SampleKind {
  let width: Int
  private let isBig: Bool
  private let isFloat: Bool
  /// Bits of the number, from the lowest.
  private let bitCount: Int

  /// Reads ALSA's name of a format.
  init(_ name: String) {
    isBig = name.hasSuffix("BE")
    isFloat = name.hasPrefix("FLOAT")
    bitCount = name.hasPrefix("S16") ? 16 : name.hasPrefix("S24") ? 24 : 32
    width = name.hasPrefix("S24_3") ? 3 : name.hasPrefix("S24") ? 4 : bitCount / 8
  }

  /// Returns the sample in steps of 16 bits; a sample that fits no step is no noise of the tests.
  func value(_ bytes: ArraySlice<UInt8>) -> Int32 {
    let word = (isBig ? Array(bytes) : bytes.reversed()).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if isFloat { return Int32(Float(bitPattern: word) * 32_768) }
    // The number at the top of the word, regardless of bits above it.
    let number = Int32(bitPattern: word << UInt32(32 - bitCount))
    return number & 0xFFFF == 0 ? number >> 16 : .max
  }
}

extension ProcessResult {
  /// The number of overruns that the program reported.
  var overrunCount: Int {
    guard let range = standardError.range(of: "sound ran out ") else { return 0 }
    return Int(standardError[range.upperBound...].prefix { $0.isNumber }) ?? 0
  }
}
