// Nets of test units and their inputs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import TestSupport
import TestUnits
import UnitChains

/// A file of a side chain that is made of numbers.
final class ListedFile: SideFile {
  private let samples: [Float]
  private let channelCount: Int
  private var place = 0

  init(_ samples: [Float], channelCount: Int) {
    self.samples = samples
    self.channelCount = channelCount
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int {
    let count = min(frameCount, samples.count - place)
    for channel in 0..<channelCount {
      for frame in 0..<count { unsafe channels[channel][frame] = samples[place + frame] }
    }
    place += count
    return count
  }

  func rewind() throws(AuricleError) { place = 0 }
}

/// Stages of test units.
enum Stages {
  static func gain(_ value: Float, _ label: String = "gain") -> ChainStage {
    ChainStage(
      label: label, makeUnit: { () throws(AuricleError) in try TestUnits.gain() },
      configure: { unit throws(AuricleError) in try unit.setParameter(0, value) })
  }

  static func lookAhead(mix: Float = 1) -> ChainStage {
    ChainStage(label: "look-ahead", mix: mix, makeUnit: TestUnits.lookAhead)
  }

  static func shape(_ inputs: Int, _ outputs: Int) -> ChainStage {
    ChainStage(label: "shape") { () throws(AuricleError) in try TestUnits.shape(inputs, outputs) }
  }

  /// Makes a stage that outputs its side chain, and nothing else.
  static func key(mix: Float = 1) -> ChainStage {
    ChainStage(label: "key", mix: mix, makeUnit: TestUnits.keyed)
  }
}

/// Plays signals, a channel each, through a chain in slices of a size.
func play(_ chain: UnitChain, _ signals: [[Float]], slice: Int? = nil) throws -> [[Float]] {
  let total = signals[0].count
  let most = slice ?? chain.maximumFrames
  let input = AudioBuffers(channelCount: signals.count, frameCapacity: most)
  let output = AudioBuffers(channelCount: signals.count, frameCapacity: most)
  var result = [[Float]](repeating: [], count: signals.count)
  var done = 0
  while done < total {
    let count = min(most, total - done)
    for channel in signals.indices {
      for frame in 0..<count {
        unsafe input.channel(channel)[frame] = signals[channel][done + frame]
      }
    }
    let ins = unsafe signals.indices.map { unsafe input.channel($0) }
    let outs = unsafe signals.indices.map { unsafe output.channel($0) }
    try unsafe chain.render(input: ins, output: outs, frameCount: count)
    for channel in signals.indices {
      unsafe result[channel] += unsafe UnsafeBufferPointer(start: outs[channel], count: count)
    }
    done += count
  }
  return result
}

/// A signal so many frames later, of the same length.
func delayed(_ signal: [Float], by frames: Int) -> [Float] {
  [Float](repeating: 0, count: frames) + signal.dropLast(frames)
}
