// The smoothing of a compressor's reduction: attack and release.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A reduction in decibels that rises with the attack time and falls with the release time: time
/// constants, after one of which 63 % is done. Context: render.
struct CompressionFollower: Sendable {
  /// The reduction now, dB.
  private(set) var value: Float = 0
  /// The part of the way that is done in a frame.
  private(set) var attack: Float = 1
  private(set) var release: Float = 1
  private let sampleRate: Double
  private var attackTime: Float = -1
  private var releaseTime: Float = -1

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// Forgets the past.
  @_noLocks mutating func reset() { value = 0 }

  /// Sets times in seconds.
  @_noLocks mutating func setTimes(attack newAttack: Float, release newRelease: Float) {
    if newAttack != attackTime {
      attackTime = newAttack
      attack = Float(FollowerRate.rate(seconds: Double(newAttack), sampleRate: sampleRate))
    }
    if newRelease != releaseTime {
      releaseTime = newRelease
      release = Float(FollowerRate.rate(seconds: Double(newRelease), sampleRate: sampleRate))
    }
  }

  /// Replaces the wanted reductions by the smoothed ones.
  @_noLocks mutating func follow(
    _ reductions: UnsafeMutablePointer<Float>, _ count: Int, endsInterval: Bool
  ) {
    var value = value
    let (attack, release) = (self.attack, self.release)
    let (attackKeeps, releaseKeeps) = (1 - attack, 1 - release)
    // The rate is the attack's while the reduction rises, else the release's. The faster one goes
    // further: the larger result is the right one where the attack is the shorter time, both ways.
    if attack >= release {
      for index in 0..<count {
        let wanted = unsafe reductions[index]
        let up = value * attackKeeps + wanted * attack
        let down = value * releaseKeeps + wanted * release
        value = up > down ? up : down
        unsafe reductions[index] = value
      }
    } else {
      for index in 0..<count {
        let wanted = unsafe reductions[index]
        let up = value * attackKeeps + wanted * attack
        let down = value * releaseKeeps + wanted * release
        value = up < down ? up : down
        unsafe reductions[index] = value
      }
    }
    self.value = Self.settled(value, endsInterval)
  }

  /// The same where nothing is to be compressed.
  @_noLocks mutating func fall(
    _ reductions: UnsafeMutablePointer<Float>, _ count: Int, endsInterval: Bool
  ) {
    var value = value
    let keeps = 1 - release
    for index in 0..<count {
      value *= keeps
      unsafe reductions[index] = value
    }
    self.value = Self.settled(value, endsInterval)
  }

  /// An inaudible reduction is zero, so that the gain comes back to exactly 1.
  @_noLocks static func settled(_ reduction: Float, _ endsInterval: Bool) -> Float {
    reduction < 1e-6 && endsInterval ? 0 : reduction
  }
}
