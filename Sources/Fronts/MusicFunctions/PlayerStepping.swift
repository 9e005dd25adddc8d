// The functions of players whose clock is a program's render cycle.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc
import MusicSequences
import Synchronization

extension Player {
  /// Starts to play as a program steps it.
  func startStepping(sampleRate: Double, playsEndpoints: Bool) -> OSStatus {
    transport.withLock { transport -> OSStatus in
      guard !isPlaying else { return noErr }
      guard transport.sequence != 0 else { return kAudioToolboxErr_NoSequence }
      leaveGraph(&transport)
      (transport.isStepped, transport.playsEndpoints) = (true, playsEndpoints)
      guard let score = Score(transport) else { return kAudioToolboxErr_NoSequence }
      begin(score, &transport, sampleRate: sampleRate)
      return noErr
    }
  }

  /// Plays the frames of a cycle, or of a unit in it. Context: the thread that plays.
  func step(
    _ unit: UInt, _ sampleTime: Double, _ frames: Int, _ sampleRate: Double, at hostTime: UInt64
  ) {
    guard unit == 0 else {
      inside(0) {
        unsafe lanes.pointee.step(
          unit, sampleTime, frames, sampleRate, core.pointee, sink(hostTime, frames: frames))
      }
      return
    }
    inside(frames) {
      playLate(frames, at: hostTime)
      unsafe lanes.pointee.begin(sampleTime, &core.pointee)
      play(frames, at: hostTime)
    }
  }
}

/// Has a track play into a unit that the program renders; null for none.
///
/// Context: control.
@c(AuricleMusicTrackSetDestUnit)
public func auricleMusicTrackSetDestUnit(
  _ track: MusicTrack?, _ unit: AudioUnitHandle?
) -> OSStatus {
  let address = UInt(bitPattern: unit)
  return unsafe withTrack(track) { (_, track) throws(MusicFailure) in
    track.destination = address == 0 ? .none : .unit(address)
  }
}

/// Starts a player that plays as it is stepped.
///
/// - Returns: -10854 without a sequence; -50 for a rate not above 0.
///
/// Context: control.
@c(AuricleMusicPlayerStartStepping)
public func auricleMusicPlayerStartStepping(
  _ player: MusicPlayer?, _ sampleRate: Float64, _ playsEndpoints: Bool
) -> OSStatus {
  guard let found = unsafe MusicFunctions.player(player), sampleRate > 0, sampleRate.isFinite else {
    return kAudio_ParamError
  }
  return found.startStepping(sampleRate: sampleRate, playsEndpoints: playsEndpoints)
}

/// Plays the frames of a cycle, or of a unit in it.
///
/// Context: render.
@c(AuricleMusicPlayerStep)
public func auricleMusicPlayerStep(
  _ player: MusicPlayer?, _ unit: AudioUnitHandle?, _ sampleTime: Float64, _ frames: UInt32,
  _ sampleRate: Float64, _ hostTime: UInt64
) {
  guard let player = unsafe player, sampleRate > 0 else { return }
  unsafe Unmanaged<Player>.fromOpaque(UnsafeRawPointer(player))._withUnsafeGuaranteedRef {
    $0.step(
      UInt(bitPattern: unit), sampleTime, Int(frames), sampleRate,
      at: hostTime == 0 ? mach_absolute_time() : hostTime)
  }
}
