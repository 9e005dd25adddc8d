// The sequence of an engine, which a player of C plays.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AVAudioEngine {
  /// The instrument that was attached first.
  var firstInstrument: AVAudioUnitMIDIInstrument? {
    attachedNodes.compactMap { $0 as? AVAudioUnitMIDIInstrument }.min { $0.place < $1.place }
  }

  /// A sequence whose tracks without a destination sound through the first instrument of the engine, or through a
  /// sampler that is made for it. The tracks are those that it has when it is set, and at each start of the engine.
  public var musicSequence: MusicSequence? {
    get {
      control.lock()
      defer { control.unlock() }
      return sequenceFeed?.sequence
    }
    set {
      control.lock()
      defer { control.unlock() }
      sequenceFeed = nil
      guard let newValue, let feed = SequencerFeed(instrumentForSequence()) else { return }
      sequenceFeed = EngineSequence(newValue, feed)
    }
  }
  private func instrumentForSequence() -> AVAudioUnitMIDIInstrument {
    if let firstInstrument { return firstInstrument }
    let sampler = AVAudioUnitSampler()
    attach(sampler)
    connect(sampler, to: mainMixerNode, format: nil)
    return sampler
  }
}

/// A sequence of an engine, and the way of its events to an instrument.
final class EngineSequence {
  let sequence: MusicSequence
  private let feed: SequencerFeed

  init(_ sequence: MusicSequence, _ feed: SequencerFeed) {
    self.sequence = sequence
    self.feed = feed
    connectTracks()
  }
  deinit { feed.dispose() }
  /// Connects the tracks that have no destination.
  func connectTracks() {
    var count: UInt32 = 0
    MusicSequenceGetTrackCount(sequence, &count)
    for index in 0..<count {
      var track: MusicTrack?
      guard MusicSequenceGetIndTrack(sequence, index, &track) == noErr, let track else { continue }
      var (endpoint, node): (MIDIEndpointRef, AUNode) = (0, 0)
      let hasEndpoint = MusicTrackGetDestMIDIEndpoint(track, &endpoint) == noErr && endpoint != 0
      let hasNode = MusicTrackGetDestNode(track, &node) == noErr && node != 0
      if !hasEndpoint, !hasNode { MusicTrackSetDestMIDIEndpoint(track, feed.endpoint) }
    }
  }
}
