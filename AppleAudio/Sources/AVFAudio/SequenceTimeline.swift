// A sequence that plays by the frames of an engine.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A player of C that an engine's cycles step, with the nodes of its tracks.
final class SequenceTimeline: Sendable {
  private let music: SequenceMusic
  var player: MusicPlayer { music.player }
  /// The nodes exist for as long as the player sends events to their units.
  private let nodes: [AVAudioUnit]

  init(_ music: SequenceMusic, _ nodes: [AVAudioUnit]) {
    self.music = music
    self.nodes = nodes
  }
  /// Returns when the callback has been called for the user events that were played.
  func deliverUserEvents() { music.userEvents.deliverAll() }
}

extension EngineCycle {
  /// Begins a cycle of sequences. Render thread.
  func beginSequences(_ time: UnsafePointer<AudioTimeStamp>, _ frames: Int) {
    rate = manual?.format.sampleRate ?? output?.inputFormats[0].sampleRate ?? 0
    cycleFrames = frames
    for timeline in timelines {
      AuricleMusicPlayerStep(
        timeline.player, nil, time.pointee.mSampleTime, UInt32(frames), rate,
        time.pointee.mHostTime)
    }
  }
  /// Sends the events of a unit's next frames to it. Render thread.
  ///
  /// A unit at another rate is ahead by what a converter wants: its events have the time of its frames.
  func playSequences(
    _ unit: AudioUnit, at unitRate: Double, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int
  ) {
    guard !timelines.isEmpty, let stamp, rate > 0 else { return }
    var (start, count, unitRate) = (
      time.pointee.mSampleTime, frames, isReadApart ? rate : unitRate
    )
    if stretches > 0 {
      // Frames for an effect that changes time say nothing about it: the cycle does.
      start = (stamp.mSampleTime * unitRate / rate).rounded(.down)
      let end = ((stamp.mSampleTime + Double(cycleFrames)) * unitRate / rate).rounded(.down)
      count = Int(end - start)
    }
    for timeline in timelines {
      AuricleMusicPlayerStep(timeline.player, unit, start, UInt32(count), unitRate, stamp.mHostTime)
    }
  }
}
