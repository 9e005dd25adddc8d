// The way of frames into a file: stages one after the other, each free in how many it gives at once.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes

/// One pointer a channel.
package typealias ChannelRows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

/// Takes frames; it may change them, and the pointers are as they were when it returns.
typealias FrameTaker = (ChannelRows, Int) throws(AuricleError) -> Void

/// A part of the way.
protocol SignalStage: AnyObject {
  /// Takes frames, and hands on what comes out of them.
  func push(_ rows: ChannelRows, _ count: Int, _ next: FrameTaker) throws(AuricleError)
  /// Hands on what is still inside after the last frame.
  func finish(_ next: FrameTaker) throws(AuricleError)
}

/// Stages in a row.
final class SignalPath {
  private let stages: [any SignalStage]

  package init(_ stages: [any SignalStage]) { self.stages = stages }

  /// Sends frames through.
  package func push(_ rows: ChannelRows, _ count: Int, _ end: FrameTaker) throws(AuricleError) {
    try unsafe push(rows, count, from: 0, end)
  }

  /// Sends what is still inside through.
  package func finish(_ end: FrameTaker) throws(AuricleError) {
    for place in stages.indices {
      try unsafe stages[place].finish { (rows, count) throws(AuricleError) in
        try unsafe push(rows, count, from: place + 1, end)
      }
    }
  }

  private func push(
    _ rows: ChannelRows, _ count: Int, from place: Int, _ end: FrameTaker
  ) throws(AuricleError) {
    guard place < stages.count else { return try unsafe end(rows, count) }
    try unsafe stages[place].push(rows, count) { (rows, count) throws(AuricleError) in
      try unsafe push(rows, count, from: place + 1, end)
    }
  }
}

/// Copies frames, mixing channels: what comes after may change what it gets.
final class MixStage: SignalStage {
  private let mix: ChannelMix
  private let buffer: PlanarBuffer

  package init(_ mix: ChannelMix) {
    self.mix = mix
    buffer = PlanarBuffer(channelCount: mix.outputCount, frameCapacity: 4096)
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameTaker) throws(AuricleError) {
    var done = 0
    while done < count {
      let part = min(buffer.frameCapacity, count - done)
      for (output, inputs) in mix.outputs.enumerated() {
        let target = unsafe buffer.rows[output]
        guard let first = inputs.first else {
          unsafe target.update(repeating: 0, count: part)
          continue
        }
        let source = unsafe rows[first.input] + done
        if first.gain == 1 {
          unsafe target.update(from: source, count: part)
        } else {
          for index in 0..<part { unsafe target[index] = source[index] * first.gain }
        }
        for input in inputs.dropFirst() {
          let source = unsafe rows[input.input] + done
          for index in 0..<part { unsafe target[index] += source[index] * input.gain }
        }
      }
      try unsafe next(buffer.rows, part)
      done += part
    }
  }

  package func finish(_ next: FrameTaker) throws(AuricleError) {}
}

/// Changes the sample rate.
final class RateStage: SignalStage {
  private let converter: SampleRateConverter
  private let input: PlanarBuffer
  private let buffer: PlanarBuffer

  package init(
    from inputRate: Double, to outputRate: Double, channelCount: Int,
    quality: SampleRateConverter.Quality
  ) throws(AuricleError) {
    converter = try SampleRateConverter(
      from: inputRate, to: outputRate, channelCount: channelCount, quality: quality)
    // Only its list of pointers is used.
    input = PlanarBuffer(channelCount: channelCount, frameCapacity: 1)
    buffer = PlanarBuffer(channelCount: channelCount, frameCapacity: 4096)
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameTaker) throws(AuricleError) {
    let cursor = unsafe input.cursor
    for channel in 0..<input.channelCount { unsafe cursor[channel] = rows[channel] }
    var left = count
    while left > 0 {
      let (taken, given) = try unsafe converter.convert(
        cursor, frameCount: left, into: buffer.rows, capacity: buffer.frameCapacity)
      if given > 0 { try unsafe next(buffer.rows, given) }
      if taken == 0, given == 0 {
        throw AuricleError(.software, "the change of sample rate does not go on")
      }
      for channel in 0..<input.channelCount { unsafe cursor[channel] += taken }
      left -= taken
    }
  }

  package func finish(_ next: FrameTaker) throws(AuricleError) {
    while true {
      let given = try unsafe converter.finish(into: buffer.rows, capacity: buffer.frameCapacity)
      if given == 0 { return }
      try unsafe next(buffer.rows, given)
    }
  }
}

/// Makes everything louder or softer by one factor.
final class GainStage: SignalStage {
  private let gain: Float
  private let channelCount: Int

  package init(gain: Float, channelCount: Int) {
    self.gain = gain
    self.channelCount = channelCount
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameTaker) throws(AuricleError) {
    for channel in 0..<channelCount {
      let row = unsafe rows[channel]
      for index in 0..<count { unsafe row[index] *= gain }
    }
    try unsafe next(rows, count)
  }

  package func finish(_ next: FrameTaker) throws(AuricleError) {}
}
