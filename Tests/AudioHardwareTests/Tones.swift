// Tones at the far end of a port and at a client, and how clean they are.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CAudioToolbox
import Foundation

/// A far end that records a tone of 1 kHz on its first channel and of 10 kHz on its second, and keeps the playback.
final class ToneEnd: PortEnd {
  static let frequencies = [1000.0, 10_000.0]
  private let first: Int
  private var supplied = 0
  private var used = 0
  private var channelCount = 0
  /// The frames played from a start frame on, by channels.
  private(set) var kept: [[Float]] = [[], []]

  init(keepingFrom first: Int) { self.first = first }

  /// The format of a tone.
  var format: PCMFormat? { .native }

  static func sample(_ channel: Int, _ frame: Double) -> Float {
    Float(0.5 * sin(2 * Double.pi * frequencies[channel] * frame / 48_000))
  }

  func begin(_ configuration: PCMConfiguration) { channelCount = configuration.channelCount }

  func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int {
    let samples = unsafe bytes.assumingMemoryBound(to: Float.self)
    for frame in 0..<frameCount {
      for channel in 0..<min(2, channelCount) {
        // The tones repeat every 48 frames.
        unsafe samples[frame * channelCount + channel] =
          Self.table[channel][(supplied + frame) % 48]
      }
    }
    supplied += frameCount
    return frameCount
  }

  func consume(_ bytes: UnsafeRawPointer, frameCount: Int, time: UInt64) -> Int32 {
    let samples = unsafe bytes.assumingMemoryBound(to: Float.self)
    for frame in 0..<frameCount where used + frame >= first {
      for channel in 0..<min(2, channelCount) {
        unsafe kept[channel].append(samples[frame * channelCount + channel])
      }
    }
    used += frameCount
    return 0
  }

  private static let table = (0..<2).map { channel in
    (0..<48).map { sample(channel, Double($0)) }
  }
}

/// A far end that records the numbers of its frames, times a whole number.
final class CountingEnd: PortEnd {
  private var supplied = 0
  private let scale: Float
  private var channelCount = 0
  init(scale: Float = 1) { self.scale = scale }
  var format: PCMFormat? { .native }
  func begin(_ configuration: PCMConfiguration) { channelCount = configuration.channelCount }
  func produce(_ bytes: UnsafeMutableRawPointer, frameCount: Int, time: UInt64) -> Int {
    let samples = unsafe bytes.assumingMemoryBound(to: Float.self)
    for index in 0..<(frameCount * channelCount) {
      unsafe samples[index] =
        Float(supplied + index / channelCount + 1) * scale * CountingClient.unit
    }
    supplied += frameCount
    return frameCount
  }
}

/// A client that plays the tones, and keeps the first two channels of its recording.
final class ToneClient {
  private let first: Int
  private let plays: Bool
  private(set) var frames = 0
  private(set) var kept: [[Float]] = [[], []]

  init(keepingFrom first: Int, plays: Bool) {
    self.first = first
    self.plays = plays
  }

  private func run(
    _ input: UnsafePointer<AudioBufferList>?, _ output: UnsafeMutablePointer<AudioBufferList>?
  ) {
    if let buffer = unsafe input?.pointee.mBuffers, let data = unsafe buffer.mData, first < .max {
      let width = unsafe Int(buffer.mNumberChannels)
      let samples = unsafe data.assumingMemoryBound(to: Float.self)
      let count = unsafe Int(buffer.mDataByteSize) / 4 / max(1, width)
      for frame in 0..<count where frames + frame >= first {
        for channel in 0..<min(2, width) {
          unsafe kept[channel].append(samples[frame * width + channel])
        }
      }
      if unsafe output?.pointee.mBuffers.mData == nil { frames += count }
    }
    guard let buffer = unsafe output?.pointee.mBuffers, let data = unsafe buffer.mData else {
      return
    }
    let width = unsafe Int(buffer.mNumberChannels)
    let samples = unsafe data.assumingMemoryBound(to: Float.self)
    let count = unsafe Int(buffer.mDataByteSize) / 4 / max(1, width)
    if plays {
      for frame in 0..<count {
        for channel in 0..<min(2, width) {
          unsafe samples[frame * width + channel] =
            ToneEnd.sample(channel, Double(frames + frame))
        }
      }
    }
    frames += count
  }

  /// The registration; this must outlive the device.
  var client: IOClient {
    unsafe IOClient(
      { _, _, input, _, output, _, context in
        guard let context = unsafe context else { return 0 }
        unsafe Unmanaged<ToneClient>.fromOpaque(context).takeUnretainedValue().run(input, output)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque(), number: 1)
  }
}

/// A tone in noise: the residue of each second beside the best tone of one frequency.
enum ToneFit {
  /// The worst second in decibels below the tone, and how far (frames) the tone strays from a steady one in all.
  static func worst(_ samples: [Float], near frequency: Double) -> (
    decibels: Double, wander: Double
  ) {
    var worst = -Double.infinity
    var phases: [Double] = []
    var omega = 2 * Double.pi * frequency / 48_000
    // The frequency of the whole, from the phases of two seconds.
    for apart in [4800, 48_000, 480_000] where samples.count > apart + 4800 {
      let one = fit(samples[0..<4800], omega)
      let other = fit(samples[apart..<(apart + 4800)], omega)
      let turn = remainder(other.phase - one.phase - omega * Double(apart), 2 * Double.pi)
      omega += turn / Double(apart)
    }
    for second in 0..<(samples.count / 48_000) {
      let part = samples[(second * 48_000)..<((second + 1) * 48_000)]
      var own = omega
      for _ in 0..<2 {
        let one = fit(part.prefix(24_000), own)
        let other = fit(part.suffix(24_000), own)
        own += remainder(other.phase - one.phase - own * 24_000, 2 * Double.pi) / 24_000
      }
      let found = fit(part, own)
      var rest = 0.0
      for (index, sample) in part.enumerated() {
        let difference =
          Double(sample) - found.amplitude * cos(own * Double(index) + found.phase)
        rest += difference * difference
      }
      let tone = found.amplitude * found.amplitude / 2 * Double(part.count)
      worst = max(worst, 10 * log10(rest / tone))
      let start = remainder(
        found.phase - omega * Double(second * 48_000) - (phases.first ?? 0), 2 * Double.pi)
      phases.append(phases.isEmpty ? found.phase : start + (phases.first ?? 0))
    }
    let stray = phases.map { ($0 - (phases.first ?? 0)) / omega }
    return (worst, (stray.max() ?? 0) - (stray.min() ?? 0))
  }

  private static func fit(
    _ samples: ArraySlice<Float>, _ omega: Double
  ) -> (amplitude: Double, phase: Double) {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let window = 0.5 - 0.5 * cos(2 * Double.pi * (Double(index) + 0.5) / Double(samples.count))
      real += Double(sample) * window * cos(omega * Double(index))
      imaginary -= Double(sample) * window * sin(omega * Double(index))
    }
    let scale = 4 / Double(samples.count)
    return (hypot(real, imaginary) * scale, atan2(imaginary, real))
  }
}
