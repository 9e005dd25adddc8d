// The signal path into a file: stages in series, each of which may output any number of frames.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes

/// One pointer for each channel.
package typealias ChannelRows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>

/// Receives frames; it may change them, but restores the pointers before it returns.
typealias FrameSink = (ChannelRows, Int) throws(AuricleError) -> Void

/// A stage of a signal path.
protocol SignalStage: AnyObject {
  /// Processes frames and passes the output to the next stage.
  func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError)
  /// Passes buffered frames on after the last frame.
  func finish(_ next: FrameSink) throws(AuricleError)
}

/// Stages in series.
final class SignalPath {
  private let stages: [any SignalStage]

  package init(_ stages: [any SignalStage]) { self.stages = stages }

  /// Sends frames through all stages.
  package func push(_ rows: ChannelRows, _ count: Int, _ end: FrameSink) throws(AuricleError) {
    try unsafe push(rows, count, from: 0, end)
  }

  /// Flushes all stages.
  package func finish(_ end: FrameSink) throws(AuricleError) {
    for place in stages.indices {
      try unsafe stages[place].finish { (rows, count) throws(AuricleError) in
        try unsafe push(rows, count, from: place + 1, end)
      }
    }
  }

  private func push(
    _ rows: ChannelRows, _ count: Int, from place: Int, _ end: FrameSink
  ) throws(AuricleError) {
    guard place < stages.count else { return try unsafe end(rows, count) }
    try unsafe stages[place].push(rows, count) { (rows, count) throws(AuricleError) in
      try unsafe push(rows, count, from: place + 1, end)
    }
  }
}

/// Copies and mixes channels, so that later stages may change the frames.
final class MixStage: SignalStage {
  private let mix: ChannelMix
  private let buffer: PlanarBuffer

  package init(_ mix: ChannelMix) {
    self.mix = mix
    buffer = PlanarBuffer(channelCount: mix.outputCount, frameCapacity: 4096)
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
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

  package func finish(_ next: FrameSink) throws(AuricleError) {}
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

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
    let cursor = unsafe input.cursor
    for channel in 0..<input.channelCount { unsafe cursor[channel] = rows[channel] }
    var left = count
    while left > 0 {
      let (used, supplied) = try unsafe converter.convert(
        cursor, frameCount: left, into: buffer.rows, capacity: buffer.frameCapacity)
      if supplied > 0 { try unsafe next(buffer.rows, supplied) }
      if used == 0, supplied == 0 {
        throw AuricleError(.software, "the sample rate cannot be converted further")
      }
      for channel in 0..<input.channelCount { unsafe cursor[channel] += used }
      left -= used
    }
  }

  package func finish(_ next: FrameSink) throws(AuricleError) {
    while true {
      let supplied = try unsafe converter.finish(into: buffer.rows, capacity: buffer.frameCapacity)
      if supplied == 0 { return }
      try unsafe next(buffer.rows, supplied)
    }
  }
}

/// Applies a gain.
final class GainStage: SignalStage {
  private let gain: Float
  private let channelCount: Int

  package init(gain: Float, channelCount: Int) {
    self.gain = gain
    self.channelCount = channelCount
  }

  package func push(_ rows: ChannelRows, _ count: Int, _ next: FrameSink) throws(AuricleError) {
    for channel in 0..<channelCount {
      let row = unsafe rows[channel]
      for index in 0..<count { unsafe row[index] *= gain }
    }
    try unsafe next(rows, count)
  }

  package func finish(_ next: FrameSink) throws(AuricleError) {}
}
