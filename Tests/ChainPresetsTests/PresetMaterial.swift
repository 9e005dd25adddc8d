// Synthetic speech, music, drums, bass and hum that the words of presets are measured with.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Five seconds of stereo at 44.1 kHz, the same in every run, at −23 LUFS.
enum PresetMaterial {
  static let sampleRate = 44_100.0
  static let frameCount = 5 * 44_100
  /// Seconds of `speech` without a word.
  static let pause = 2.6..<3.5
  /// Beginnings of the vowels of `speech`, which last 0.2 s; sibilants follow every second one.
  static let vowels = (0..<16).filter { !(8..<12).contains($0) }.map { Double($0) * 0.3 }
  /// Frequency and level in dB of the notes of `bass`, one a second.
  static let notes: [(frequency: Double, decibels: Double)] = [
    (41.2, 0), (55, -6), (49, -18), (82.4, -12), (61.7, -15),
  ]
  /// The mains frequency of `hum`.
  static let mains = 50.2

  /// A signal by its name; empty for a name that there is none of.
  static func named(_ name: String) -> [[Double]] {
    switch name {
    case "speech": finishedSpeech
    case "music": finishedMusic
    case "drums": finishedDrums
    case "bass": finishedBass
    case "hum": finishedHum
    case "hot": finishedMaster
    default: []
    }
  }

  private static let finishedSpeech = scaled(speechInARoom, to: -23)
  private static let finishedMusic = scaled(music, to: -23)
  private static let finishedDrums = scaled(both(drums), to: -23)
  private static let finishedBass = scaled(both(bass), to: -23)
  private static let finishedHum = scaled(both(hum), to: -23)
  private static let finishedMaster = hot

  /// The signal with a gain that brings it to a loudness.
  static func scaled(_ channels: [[Double]], to loudness: Double) -> [[Double]] {
    let gain = pow(10, (loudness - PresetFigures.loudness(channels)) / 20)
    return channels.map { $0.map { $0 * gain } }
  }

  private static func both(_ signal: [Double]) -> [[Double]] { [signal, signal] }

  private static func noise(seed: UInt64) -> [Double] {
    TestSignal.noise(seed: seed, amplitude: 1, frameCount: frameCount).map(Double.init)
  }

  /// Calls a closure with each frame of a piece, and its time in the piece.
  private static func each(
    from start: Double, lasting seconds: Double, _ body: (_ frame: Int, _ time: Double) -> Void
  ) {
    let first = Int((start * sampleRate).rounded(.up))
    let end = min(Int((start + seconds) * sampleRate), frameCount)
    for frame in max(first, 0)..<max(end, first) { body(frame, Double(frame) / sampleRate - start) }
  }

  private static var speechInARoom: [[Double]] {
    let room = noise(seed: 3)
    let voice = scaled(both(speech), to: -20)
    return voice.map { zip($0, room).map { $0 + 0.00173 * $1 } }
  }

  private static var speech: [Double] {
    var signal = [Double](repeating: 0, count: frameCount)
    let once = PresetFigures.highPass(noise(seed: 1), 5000)
    let hiss = PresetFigures.highPass(once, 5000)
    for (index, start) in vowels.enumerated() {
      each(from: start, lasting: 0.2) { frame, time in
        var sum = 0.0
        for harmonic in 1..<30 {
          let frequency = (110 + Double(index * 7 % 12) * 5) * Double(harmonic)
          func formant(_ center: Double, _ width: Double) -> Double {
            1 / (1 + pow((frequency - center) / width, 2))
          }
          let gain = formant(600, 250) + 0.4 * formant(1300, 300) + 0.1 * formant(2600, 400)
          sum += gain * sin(2 * Double.pi * frequency * time + Double(harmonic * harmonic))
        }
        signal[frame] += 0.25 * sqrt(max(0, sin(Double.pi * time / 0.2))) * sum
      }
      guard index % 2 == 0 else { continue }
      each(from: start + 0.2, lasting: 0.09) { frame, time in
        signal[frame] += 0.6 * sqrt(max(0, sin(Double.pi * time / 0.09))) * hiss[frame]
      }
    }
    return signal
  }

  private static var music: [[Double]] {
    var (left, right) = (
      [Double](repeating: 0, count: frameCount), [Double](repeating: 0, count: frameCount)
    )
    let tones = [220, 277.2, 329.6, 440, 329.6, 277.2, 246.9, 311.1, 370, 440]
    for (index, tone) in tones.enumerated() {
      let side = index % 2 == 0 ? 0.6 : 1
      each(from: 0.5 * Double(index), lasting: 1) { frame, time in
        var sum = 0.0
        for harmonic in 1..<25 where tone * Double(harmonic) < 16_000 {
          sum +=
            sin(2 * Double.pi * tone * Double(harmonic) * time) / pow(Double(harmonic), 1.3)
        }
        let envelope = min(1, time / 0.01) * exp(-2 * time)
        let low = sin(2 * Double.pi * tone / 4 * time)
        left[frame] += envelope * (sum * side + low)
        right[frame] += envelope * (sum * (1.6 - side) + low)
      }
    }
    return [left, right]
  }

  private static var drums: [Double] {
    var signal = [Double](repeating: 0, count: frameCount)
    let snare = noise(seed: 2)
    let once = PresetFigures.highPass(snare, 7000)
    let cymbal = PresetFigures.highPass(once, 7000)
    for index in 0..<10 {
      let start = 0.5 * Double(index)
      each(from: start, lasting: 0.4) { frame, time in
        if index % 2 == 0 {
          signal[frame] += sin(2 * Double.pi * 55 * time) * exp(-10 * time)
        } else {
          let body = 0.5 * snare[frame] + 0.6 * sin(2 * Double.pi * 190 * time)
          signal[frame] += body * exp(-18 * time)
        }
      }
      for offset in [0, 0.25] {
        each(from: start + offset, lasting: 0.1) { frame, time in
          signal[frame] += 0.5 * cymbal[frame] * exp(-50 * time)
        }
      }
    }
    return signal
  }

  private static var bass: [Double] {
    var signal = [Double](repeating: 0, count: frameCount)
    for (index, note) in notes.enumerated() {
      each(from: Double(index), lasting: 0.95) { frame, time in
        var sum = 0.0
        for harmonic in 1..<6 {
          sum +=
            sin(2 * Double.pi * note.frequency * Double(harmonic) * time)
            / pow(Double(harmonic), 1.6)
        }
        signal[frame] +=
          0.5 * pow(10, note.decibels / 20) * min(1, time / 0.01) * exp(-time) * sum
      }
    }
    return signal
  }

  private static var hum: [Double] {
    (0..<frameCount).map { frame in
      var sum = 0.0
      for harmonic in 1...10 {
        let phase = 2 * Double.pi * mains * Double(harmonic * frame) / sampleRate
        sum += pow(10, -Double(harmonic) / 20) * sin(phase + Double(harmonic))
      }
      return sum
    }
  }

  /// A master of −4 LUFS or so, as loud as any.
  private static var hot: [[Double]] {
    let beat = drums
    return music.map { channel in
      zip(channel, beat).map { 0.999 * tanh(4 * ($0 + 2 * $1)) }
    }
  }
}
