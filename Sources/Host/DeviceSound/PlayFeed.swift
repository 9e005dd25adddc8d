// From a rendered file to the queue of a device: the device's rate, its channels, interleaved.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioHardware
import AudioTypes
import FileRendering
import Glibc

/// Renders a file into a queue. Context: one control thread.
final class PlayFeed {
  private let file: PlayedSource
  private let queue: SoundQueue
  private let mix: ChannelMix
  private let converter: SampleRateConverter?
  private let converted: PlanarBuffer
  private var samples: [Float] = []
  private var isOver = false
  /// Called when the queue is full, before it is waited for.
  var onFull: () throws(AuricleError) -> Void = {}

  private static let sliceFrames = 1024

  init(_ file: PlayedSource, _ queue: SoundQueue, sampleRate: Double) throws(AuricleError) {
    self.file = file
    self.queue = queue
    mix = ChannelMix(from: file.channelCount, to: queue.channelCount)
    converter =
      sampleRate == file.sampleRate
      ? nil
      : try SampleRateConverter(
        from: file.sampleRate, to: sampleRate, channelCount: file.channelCount)
    converted = PlanarBuffer(channelCount: file.channelCount, frameCapacity: Self.sliceFrames)
  }

  /// Renders a slice and puts it into the queue, for which it waits; false when all is done.
  func step(isStopped: () -> Bool) throws -> Bool {
    guard !isOver else { return false }
    let more = try unsafe file.step { rows, count in
      if let converter {
        try unsafe convert(rows, count, converter, isStopped)
      } else {
        try unsafe put(rows, 0, count, isStopped)
      }
    }
    guard !more else { return true }
    isOver = true
    while let converter {
      let count = try unsafe converter.finish(into: converted.rows, capacity: Self.sliceFrames)
      guard count > 0 else { break }
      try unsafe put(converted.rows, 0, count, isStopped)
    }
    return false
  }

  private func convert(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int,
    _ converter: SampleRateConverter, _ isStopped: () -> Bool
  ) throws(AuricleError) {
    var done = 0
    while done < count {
      let (used, supplied) = try unsafe converter.convert(
        rows, frameCount: count - done, into: converted.rows, capacity: Self.sliceFrames)
      for channel in 0..<file.channelCount { unsafe rows[channel] += used }
      done += used
      try unsafe put(converted.rows, 0, supplied, isStopped)
      if used == 0, supplied == 0 { break }
    }
  }

  /// Mixes frames to the device's channels and waits until the queue has accepted them.
  private func put(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ first: Int, _ count: Int,
    _ isStopped: () -> Bool
  ) throws(AuricleError) {
    var done = first
    while done < count {
      let step = min(Self.sliceFrames, count - done)
      let width = queue.channelCount
      if samples.count < step * width { samples = Array(repeating: 0, count: step * width) }
      for (channel, parts) in mix.outputs.enumerated() {
        for frame in 0..<step {
          var sum: Float = 0
          for part in parts { sum += unsafe rows[part.input][done + frame] * part.gain }
          samples[frame * width + channel] = sum
        }
      }
      while !isStopped() {
        if unsafe queue.put(samples, frameCount: step) { break }
        try onFull()
        queue.waitForDevice(milliseconds: 5)
      }
      if isStopped() { return }
      done += step
    }
  }
}
