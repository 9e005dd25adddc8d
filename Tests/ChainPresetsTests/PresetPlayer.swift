// Playing signals through presets of units that ship.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import ChainPresets
import NativeUnits
import TestSupport
import Testing
import UnitChains

enum PresetPlayer {
  static let registry = Result<AudioComponentRegistry, any Error> {
    let folder = try ShippedComponents.folder()
    return AudioComponentRegistry(
      sources: [NativeComponentSource(folders: [(path: folder, origin: .builtIn)])])
  }

  /// The chain of a preset's text.
  static func chain(_ units: String) throws -> ResolvedChain {
    try ResolvedChain(
      ChainPreset(text: "auricle: 1\nname: x\nunits:\n\(units)\n"), in: registry.get())
  }

  /// Renders a signal through a chain, stereo, and cuts the latency off in front.
  static func render(
    _ resolved: ResolvedChain, _ signal: [Float], extraFrames: Int = 0, slice: Int = 512,
    openFile: SideFileOpener? = nil
  ) throws -> [Float] {
    let rate = 44100.0
    let chain = try UnitChain(
      resolved.chainGraph(sampleRate: rate), sampleRate: rate, channelCount: 2,
      maximumFrames: slice, openFile: openFile)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: slice)
    let channels = unsafe (0..<2).map { unsafe buffers.channel($0) }
    var output: [Float] = []
    let latency = 4096
    let total = signal.count + extraFrames + latency
    var frame = 0
    while frame < total {
      for channel in 0..<2 {
        let samples = unsafe buffers.channel(channel)
        for index in 0..<slice {
          let place = frame + index
          unsafe samples[index] = place < signal.count ? signal[place] : 0
        }
      }
      try unsafe chain.render(input: channels, output: channels, frameCount: slice)
      let samples = unsafe buffers.channel(0)
      for index in 0..<slice { unsafe output.append(samples[index]) }
      frame += slice
    }
    let shift = chain.latencyFrames
    #expect(shift <= latency)
    return Array(output[shift..<(shift + signal.count + extraFrames)])
  }
}
