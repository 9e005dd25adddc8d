// Noise in a chain: a mixer of the signal and a file, whose level is known once both have been measured.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
public import AudioTypes
import Glibc

/// A place in a chain where noise is added.
struct NoiseMixer {
  /// Adds the noise.
  let unit: InternalUnit
  /// Plays it.
  let feed: SideFeed
  let noise: ChainGraph.Noise
  let channelCount: Int

  /// Begins or ends measuring. While it is measured, the noise is silent.
  func measure(_ isMeasuring: Bool) {
    unsafe unit.state.pointee.isMeasuring = isMeasuring
    guard isMeasuring else { return }
    setGain(0)
    unsafe unit.state.pointee.signalPower = 0
    unsafe unit.state.pointee.noisePower = 0
  }

  /// Sets the gain of the noise by the measurement; returns the reason where there is none.
  func settle() -> String? {
    let (signal, noise) = unsafe (unit.state.pointee.signalPower, unit.state.pointee.noisePower)
    guard signal > 0 else {
      return "\(self.noise.label): the sound is silent there, so no noise was added"
    }
    guard noise > 0 else {
      return "\(self.noise.label): \(self.noise.path) is silent, so no noise was added"
    }
    setGain(Float(sqrt(signal / noise) * pow(10, -self.noise.ratioDecibels / 20)))
    return nil
  }

  private func setGain(_ gain: Float) {
    for channel in 0..<channelCount { unit.setGain(gain, input: 1, channel: channel) }
  }
}

extension UnitChain {
  /// Whether the levels of signals have to be measured before the chain sounds as it should: noise is so
  /// much softer than they are.
  public var needsSignalLevels: Bool { !noises.isEmpty }

  /// Begins to measure: slices rendered from now on are the sound without noise.
  ///
  /// Context: control.
  public func beginMeasuringSignals() { for noise in noises { noise.measure(true) } }

  /// Ends it, sets the levels of noise, and starts anew.
  ///
  /// - Throws: The failure of a unit that could not be reset.
  ///
  /// Context: control.
  public func endMeasuringSignals() throws(AuricleError) {
    for noise in noises {
      noise.measure(false)
      if let note = noise.settle() { notes.append(note) }
    }
    try reset()
  }

  /// Ends the noise: the sound that it is added to is over.
  ///
  /// Context: control.
  public func endNoise() { for noise in noises { noise.feed.end() } }
}

extension UnitChainBuilder {
  /// A mixer, and a player of the noise's file.
  mutating func addNoise(
    _ index: Int, _ noise: ChainGraph.Noise, _ source: Int
  ) throws(AuricleError) {
    let width = chain.channelCount
    do throws(AuricleError) {
      guard let openFile else {
        throw AuricleError(.software, "its noise is a file, which cannot be opened here")
      }
      let (file, note) = try openFile(noise.path, chain.sampleRate, width)
      if let note { chain.notes.append("\(noise.label): \(note)") }
      let mixer = try add(.noise, InternalUnitCodes.mixer, noise.label, [width, width], [width])
      let name = noise.path.split(separator: "/").last.map(String.init) ?? noise.path
      let player = try add(.source, InternalUnitCodes.player, name, [], [width])
      let start = noise.start * Double(file.frameCount ?? 0)
      let feed = SideFeed(
        file, path: noise.path, loops: true, start: Int(start), unit: player.unit,
        channelCount: width, maximumFrames: chain.maximumFrames)
      chain.feeds.append(feed)
      chain.noises.append(
        NoiseMixer(unit: mixer.unit, feed: feed, noise: noise, channelCount: width))
      chain.noises[chain.noises.count - 1].measure(true)
      nodes[index] = mixer.node
      connect(origins[source], to: mixer.node)
      try graph.connect(player.node, to: mixer.node, input: 1)
      try addOutlets(index, mixer.node, noise.label) { _ in width }
    } catch { throw error.naming(noise.label) }
  }
}
