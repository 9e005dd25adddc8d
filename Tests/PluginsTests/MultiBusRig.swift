// A unit of many buses as a host has it: a callback on each input, any output rendered.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport

/// The input of one bus, with the number and sizes of the pulls.
final class BusFeed {
  var channels: [[Float]] = []
  var isSilent = false
  var status: OSStatus = 0
  var pulls: [(time: Double, frames: Int)] = []
}

private let busCallback: AURenderCallback = { refCon, flags, timeStamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let timeStamp = unsafe timeStamp, let list = unsafe list else {
    return kAudio_ParamError
  }
  let feed = unsafe Unmanaged<BusFeed>.fromOpaque(refCon).takeUnretainedValue()
  let start = unsafe Int(timeStamp.pointee.mSampleTime)
  feed.pulls.append((Double(start), Int(frameCount)))
  for index in 0..<(unsafe list.bufferCount) {
    guard let data = unsafe list.samples(index) else { return kAudio_ParamError }
    let channel = index < feed.channels.count ? feed.channels[index] : []
    for frame in 0..<Int(frameCount) {
      let place = start + frame
      unsafe data[frame] = channel.indices.contains(place) ? channel[place] : 0
    }
  }
  if feed.isSilent { unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence }
  return feed.status
}

/// One initialised unit with a feed an input bus.
final class MultiBusRig {
  let unit: AudioUnit
  let feeds: [BusFeed]
  let outputChannels: [Int]
  var position = 0.0
  /// The render flags of the latest slice.
  var flags: AudioUnitRenderActionFlags = 0

  /// Opens, sets up and initialises a unit; element counts are set where they differ.
  init(
    _ name: String, inputs: [Int], outputs: [Int], sampleRate: Double = 48_000,
    inputRate: Double? = nil, maximumFrames: Int = 4096,
    prepare: ((AudioUnit) throws -> Void)? = nil
  ) throws {
    unit = try Shipped.open(name: name)
    feeds = inputs.map { _ in BusFeed() }
    outputChannels = outputs
    for (scope, counts) in [(kAudioUnitScope_Input, inputs), (kAudioUnitScope_Output, outputs)] {
      if unit.busCount(scope: scope) != counts.count {
        try unit.setProperty(kAudioUnitProperty_ElementCount, scope: scope, UInt32(counts.count))
      }
      for (bus, channels) in counts.enumerated() {
        let rate = scope == kAudioUnitScope_Input ? inputRate ?? sampleRate : sampleRate
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: rate, channelCount: channels), scope: scope,
          element: UInt32(bus))
      }
    }
    try unit.setMaximumFramesPerSlice(maximumFrames)
    for (bus, feed) in feeds.enumerated() {
      unsafe try unit.setInputCallback(
        element: UInt32(bus), busCallback, refCon: Unmanaged.passUnretained(feed).toOpaque())
    }
    try prepare?(unit)
    try unit.initialize()
  }

  /// Renders one slice of an output bus; the stream goes on unless `isSameTime`.
  func slice(_ frameCount: Int, bus: Int = 0, isSameTime: Bool = false) throws -> [[Float]] {
    let buffers = AudioBuffers(channelCount: outputChannels[bus], frameCapacity: frameCount)
    if !isSameTime { position += lastCount }
    lastCount = Double(frameCount)
    var time = AudioTimeStamp(sampleTime: position)
    flags = 0
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, outputElement: UInt32(bus), frameCount: UInt32(frameCount),
      buffers: buffers.list)
    guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
    return (0..<outputChannels[bus]).map { channel in
      unsafe Array(UnsafeBufferPointer(start: buffers.channel(channel), count: frameCount))
    }
  }
  private var lastCount = 0.0

  /// Renders frames of bus 0 in slices used in turn.
  func render(
    _ frameCount: Int, slices: [Int] = [1024], before: ((Int) throws -> Void)? = nil
  ) throws -> [[Float]] {
    var output = Array(repeating: [Float](), count: outputChannels[0])
    var done = 0, turn = 0
    while done < frameCount {
      let count = min(slices[turn % slices.count], frameCount - done)
      try before?(done)
      let part = try slice(count)
      for channel in output.indices { output[channel] += part[channel] }
      done += count
      turn += 1
    }
    return output
  }
}
