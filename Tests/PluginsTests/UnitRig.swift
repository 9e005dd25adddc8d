// A shipped unit as a host has it: found in its bundle, opened, fed by a callback, rendered.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import NativeUnits
import TestSupport
import Testing

/// The components that ship, found once.
enum Shipped {
  static let registry = Result<AudioComponentRegistry, any Error> {
    let folder = try ShippedComponents.folder()
    return AudioComponentRegistry(sources: [
      NativeComponentSource(folders: [(path: folder, origin: .builtIn)])
    ])
  }

  /// Opens an effect by its subtype.
  static func open(_ subtype: String) throws -> AudioUnit {
    try open(name: triple(subtype))
  }

  /// The triple of an effect with a subtype.
  static func triple(_ subtype: String) -> String {
    let isOwn = ["metr", "nred", "dees", "levl", "humf"].contains(subtype)
    return "aufx:\(subtype):\(isOwn ? "Auri" : "appl")"
  }

  /// Opens a unit by its triple.
  static func open(name: String) throws -> AudioUnit {
    try registry.get().resolve(name).instantiate()
  }
}

/// The source of the input callback.
private final class Feed {
  var channels: [[Float]] = []
}

private let feedCallback: AURenderCallback = { refCon, _, timeStamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let timeStamp = unsafe timeStamp, let list = unsafe list else {
    return kAudio_ParamError
  }
  let feed = unsafe Unmanaged<Feed>.fromOpaque(refCon).takeUnretainedValue()
  let start = unsafe Int(timeStamp.pointee.mSampleTime)
  for index in 0..<(unsafe list.bufferCount) {
    guard let data = unsafe list.samples(index) else { return kAudio_ParamError }
    let channel = index < feed.channels.count ? feed.channels[index] : []
    for frame in 0..<Int(frameCount) {
      unsafe data[frame] = start + frame < channel.count ? channel[start + frame] : 0
    }
  }
  return kAudio_NoError
}

/// One initialised unit with its input and its position in the stream.
final class UnitRig {
  let unit: AudioUnit
  let sampleRate: Double
  let channelCount: Int
  private let feed = Feed()
  private let buffers: AudioBuffers
  private var position = 0

  /// Opens and initialises a unit.
  convenience init(
    _ subtype: String, _ parameters: [AudioUnitParameterID: Float] = [:], channels: Int = 2,
    sampleRate: Double = 48_000, maximumFrames: Int = 4096
  ) throws {
    try self.init(
      Shipped.open(subtype), parameters, channels: channels, sampleRate: sampleRate,
      maximumFrames: maximumFrames)
  }

  /// Initialises a unit.
  init(
    _ unit: AudioUnit, _ parameters: [AudioUnitParameterID: Float] = [:], channels: Int = 2,
    sampleRate: Double = 48_000, maximumFrames: Int = 4096
  ) throws {
    self.unit = unit
    self.sampleRate = sampleRate
    channelCount = channels
    buffers = AudioBuffers(channelCount: channels, frameCapacity: maximumFrames)
    let format = AudioStreamFormat(sampleRate: sampleRate, channelCount: channels)
    try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
    try unit.setStreamFormat(format, scope: kAudioUnitScope_Output)
    try unit.setMaximumFramesPerSlice(maximumFrames)
    for (id, value) in parameters { try unit.setParameter(id, value) }
    unsafe try unit.setInputCallback(
      feedCallback, refCon: Unmanaged.passUnretained(feed).toOpaque())
    try unit.initialize()
  }

  /// Starts the stream again.
  func reset() throws {
    try unit.reset()
    position = 0
  }

  /// Renders all of an input, a channel for each array (a single array goes to all channels).
  ///
  /// - Parameters:
  ///   - slices: Lengths of the slices, used in turn.
  ///   - before: Called before each slice with the index of its first frame.
  func render(
    _ input: [[Float]], slices: [Int] = [1024], before: ((Int) throws -> Void)? = nil
  ) throws -> [[Float]] {
    feed.channels =
      input.count == 1 ? Array(repeating: input[0], count: channelCount) : input
    let length = feed.channels[0].count
    // The feed is read by sample time, which goes on from call to call.
    let start = position
    feed.channels = feed.channels.map { Array(repeating: 0, count: start) + $0 }
    defer { position = start + length }
    return try renderInSlices(
      unit, frames: length, channels: channelCount, slices: slices, from: start, into: buffers
    ) { try before?($0.lowerBound) }
  }

  /// Renders one channel's worth: the first channel of `render`.
  func renderMono(_ input: [Float], slices: [Int] = [1024]) throws -> [Float] {
    try render([input], slices: slices)[0]
  }
}

/// A unit, and settings that make it work hard.
struct ShippedUnit: Sendable, CustomTestStringConvertible {
  let subtype: String
  let parameters: [AudioUnitParameterID: Float]
  var testDescription: String { subtype }

  static let all: [ShippedUnit] = [
    .init(subtype: "lpas", parameters: [0: 1200, 1: 12]),
    .init(subtype: "hpas", parameters: [0: 300, 1: 6]),
    .init(subtype: "pmeq", parameters: [0: 900, 1: 4, 2: 9]),
    .init(subtype: "dcmp", parameters: [0: -30, 1: 6, 2: 3, 3: -45, 6: 4]),
    .init(subtype: "lmtr", parameters: [0: 0.004, 1: 0.02, 2: 9]),
    .init(subtype: "dely", parameters: [0: 40, 1: 0.031, 2: -60, 3: 5000]),
    .init(subtype: "mrev", parameters: [0: 60, 3: 1.2, 13: 0.6]),
    .init(subtype: "sdly", parameters: [0: 333]),
    .init(subtype: "bpas", parameters: [0: 900, 1: 1200]),
    .init(subtype: "lshf", parameters: [0: 150, 1: 9]),
    .init(subtype: "hshf", parameters: [0: 11_000, 1: -12]),
    .init(
      subtype: "nbeq",
      parameters: [0: -3, 1000: 0, 2000: 3, 3000: 5000, 1003: 0, 3003: 300, 4003: 9, 5003: 1]),
    .init(subtype: "greq", parameters: [3: 9, 4: -6, 12: 4, 30: 12]),
    .init(subtype: "ipeq", parameters: [0: 6, 5: -4, 9: 8]),
    .init(subtype: "filt", parameters: [0: 1, 3: 500, 4: 8, 13: 6000, 14: -9]),
    .init(subtype: "rvb2", parameters: [0: 60, 1: 3, 2: 0.005, 4: 1.2, 5: 0.3]),
    .init(subtype: "metr", parameters: [:]),
    .init(
      subtype: "dist",
      parameters: [0: 7, 2: 40, 3: 30, 4: 20, 8: 4, 9: 60, 10: 430, 13: 30, 14: 6, 15: 80]),
    .init(subtype: "rogr", parameters: [0: -40, 1: 20, 2: -20, 3: 20]),
    .init(subtype: "nred", parameters: [0: 30, 1: 3]),
    .init(subtype: "dees", parameters: [0: 3500, 1: -12, 2: 12]),
    .init(subtype: "levl", parameters: [0: -30, 3: 0.5, 4: 20]),
    .init(subtype: "humf", parameters: [0: 60, 1: 20, 2: 4]),
    .init(subtype: "mcmp", parameters: [0: 6, 5: -40, 6: -40, 7: -40, 8: -40, 13: 0.01, 16: 4]),
  ]
}
