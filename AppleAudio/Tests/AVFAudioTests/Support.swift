// Helpers of the tests of AVFAudio: sounds that are the same in every run, files, offline engines.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

/// A folder that goes with the test.
final class Folder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "auricle-\(UUID().uuidString)")
  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }
  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// Samples of 16 bits as floats, the same in every run.
func noise(_ count: Int, _ seed: UInt64 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(Int16(truncatingIfNeeded: state >> 40)) / 32768
  }
}

/// A sine.
func sine(_ count: Int, _ frequency: Double, _ rate: Double) -> [Float] {
  (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
}

/// A format that every test has.
func standard(_ rate: Double = 44_100, _ channels: UInt32 = 1) -> AVAudioFormat {
  AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels)!
}

/// A buffer of samples, the same in all channels.
func buffer(_ samples: [Float], _ format: AVAudioFormat = standard()) -> AVAudioPCMBuffer {
  let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count))!
  buffer.frameLength = AVAudioFrameCount(samples.count)
  for channel in 0..<Int(format.channelCount) {
    for (index, sample) in samples.enumerated() {
      buffer.floatChannelData![channel][index] = sample
    }
  }
  return buffer
}

extension AVAudioPCMBuffer {
  func samples(_ channel: Int = 0) -> [Float] {
    Array(UnsafeBufferPointer(start: floatChannelData![channel], count: Int(frameLength)))
  }
}

/// A file of 16 bits.
func writeFile(_ url: URL, _ samples: [Float], _ rate: Double = 44_100, channels: Int = 1) throws {
  let settings: [String: Any] = [
    AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
    AVLinearPCMBitDepthKey: 16,
  ]
  let file = try AVAudioFile(forWriting: url, settings: settings)
  try file.write(from: buffer(samples, standard(rate, UInt32(channels))))
}

/// An engine that is rendered by hand.
final class Offline {
  let engine = AVAudioEngine()
  let format: AVAudioFormat
  init(_ format: AVAudioFormat = standard(), maximum: AVAudioFrameCount = 512) throws {
    self.format = format
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximum)
  }
  /// Renders frames in blocks.
  func render(_ frames: Int, channel: Int = 0) throws -> [Float] {
    let block = AVAudioPCMBuffer(
      pcmFormat: engine.manualRenderingFormat,
      frameCapacity: engine.manualRenderingMaximumFrameCount)!
    var result: [Float] = []
    while result.count < frames {
      let count = min(frames - result.count, Int(block.frameCapacity))
      let status = try engine.renderOffline(AVAudioFrameCount(count), to: block)
      #expect(status == .success)
      result += block.samples(channel)
    }
    return result
  }
}

/// Pieces behind each other.
func join(_ pieces: [[Float]]) -> [Float] { pieces.flatMap { $0 } }
/// Zeros.
func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
/// Samples from a place.
func part(_ samples: [Float], _ start: Int, _ count: Int) -> [Float] {
  Array(samples[start..<start + count])
}
/// A factor on the first samples.
func times(_ factor: Float, _ samples: [Float], _ count: Int) -> [Float] {
  samples.prefix(count).map { factor * $0 }
}

/// Has MIDI meet in a folder of this process, which goes with it.
func useRuntimeFolder() throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "auricle-midi-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  setenv("XDG_RUNTIME_DIR", folder.path, 1)
  atexit {
    try? FileManager.default.removeItem(
      at: FileManager.default.temporaryDirectory.appendingPathComponent("auricle-midi-\(getpid())"))
  }
}

/// Whether the device is a file, which AURICLE_DEVICE has to name before the process starts: the
/// library reads it once.
let hasFileDevice =
  ProcessInfo.processInfo.environment["AURICLE_DEVICE"]?.hasPrefix("file:") ?? false

/// Suites that share the device of the process, one test after the other: an input that ends is the device's end, also
/// for engines that only play.
@Suite(.serialized) enum SharedDevice {}
