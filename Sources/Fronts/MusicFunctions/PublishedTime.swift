// The place of a player, published by the thread that plays.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A beat, and a moment of the host's clock with the time of a sequence's clock then.
final class PublishedTime: Sendable {
  private let beatBits = Atomic<UInt64>(0)
  /// Odd while the two below are written.
  private let version = Atomic<UInt64>(0)
  private let hostTime = Atomic<UInt64>(0)
  private let secondsBits = Atomic<UInt64>(0)

  /// Forgets the clock: nothing was played yet from a beat on.
  func begin(beat: Double) {
    beatBits.store(beat.bitPattern, ordering: .releasing)
    write(0, 0)
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

  /// The times of the last slice's start; nil before the first.
  var clock: (hostTime: UInt64, seconds: Double)? {
    while true {
      let before = version.load(ordering: .sequentiallyConsistent)
      let host = hostTime.load(ordering: .sequentiallyConsistent)
      let seconds = Double(bitPattern: secondsBits.load(ordering: .sequentiallyConsistent))
      guard version.load(ordering: .sequentiallyConsistent) == before, before % 2 == 0 else {
        continue
      }
      return host == 0 ? nil : (host, seconds)
    }
  }
}
