// The place of a player, published by the thread that plays.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// A beat, and a moment of the host's clock with the time of a sequence's clock then.
final class PublishedTime: Sendable {
  private let beatBits = Atomic<UInt64>(0)
  /// Odd while the two below are written.
  private let version = Atomic<UInt64>(0)
  private let hostTime = Atomic<UInt64>(0)
  private let secondsBits = Atomic<UInt64>(0)

  /// Expects to play from a beat on, at a time of a sequence's clock: from now, until a slice says otherwise.
  func begin(beat: Double, seconds: Double) {
    publish(beat, mach_absolute_time(), seconds)
  }

  /// Publishes the beat at a slice's end, and the times of its start. Context: render.
  func publish(_ beat: Double, _ host: UInt64, _ seconds: Double) {
    beatBits.store(beat.bitPattern, ordering: .releasing)
    write(host, seconds)
  }

  private func write(_ host: UInt64, _ seconds: Double) {
    version.add(1, ordering: .sequentiallyConsistent)
    hostTime.store(host, ordering: .sequentiallyConsistent)
    secondsBits.store(seconds.bitPattern, ordering: .sequentiallyConsistent)
    version.add(1, ordering: .sequentiallyConsistent)
  }

  /// The beat at the end of the last slice.
  var beat: Double { Double(bitPattern: beatBits.load(ordering: .acquiring)) }

  /// The times of the last slice's start, or of the beginning.
  var clock: (hostTime: UInt64, seconds: Double) {
    while true {
      let before = version.load(ordering: .sequentiallyConsistent)
      let host = hostTime.load(ordering: .sequentiallyConsistent)
      let seconds = Double(bitPattern: secondsBits.load(ordering: .sequentiallyConsistent))
      guard version.load(ordering: .sequentiallyConsistent) == before, before % 2 == 0 else {
        continue
      }
      return (host, seconds)
    }
  }
}
