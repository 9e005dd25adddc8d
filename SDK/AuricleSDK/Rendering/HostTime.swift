// The host's musical time while it renders: beat, tempo, bar, transport.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The song position and tempo at the start of a cycle.
///
/// A delay whose time follows the host's tempo, half a beat:
///
/// ```swift
/// let tempo = slice.beatAndTempo()?.tempo ?? 120
/// let seconds = 0.5 * 60 / max(tempo, 1)
/// tap.setDelay(Int(seconds * sampleRate))
/// ```
public struct BeatAndTempo: Sendable, BitwiseCopyable {
  /// Beats (quarter notes) since the start of the song, with fractions; negative in a count-in.
  public var beat: Double
  /// Beats a minute.
  public var tempo: Double

  @_noLocks init(beat: Double, tempo: Double) {
    self.beat = beat
    self.tempo = tempo
  }
}

/// The position in the bar at the start of a cycle.
///
/// ```swift
/// if let beat = slice.beatAndTempo(), let bar = slice.musicalTimeLocation() {
///   let beatInBar = beat.beat - bar.barDownBeat
///   isFirstBeat = beatInBar < 1
/// }
/// ```
public struct MusicalTimeLocation: Sendable, BitwiseCopyable {
  /// Frames from the start of the cycle to the next beat; 0 on a beat.
  public var framesToNextBeat: UInt32
  /// Upper number of the time signature, such as 3 in 3/4.
  public var signatureNumerator: Float
  /// Lower number of the time signature, such as 4 in 3/4.
  public var signatureDenominator: UInt32
  /// Beat at which the current bar began, in the count of `BeatAndTempo.beat`.
  public var barDownBeat: Double

  @_noLocks init() {
    framesToNextBeat = 0
    signatureNumerator = 4
    signatureDenominator = 4
    barDownBeat = 0
  }
}

/// The state of the host's transport.
///
/// A unit that starts anew with the song:
///
/// ```swift
/// if let transport = slice.transportState(), transport.hasChanged, transport.isPlaying {
///   phase = 0
/// }
/// ```
public struct TransportState: Sendable, BitwiseCopyable {
  /// Whether the song is playing.
  public var isPlaying: Bool
  /// Whether the host is recording; nil from a host with the older callback only.
  public var isRecording: Bool?
  /// Whether any of this changed since the previous cycle, for example by a jump of the position.
  public var hasChanged: Bool
  /// Frame of the song at the start of the cycle, in frames of the unit's sample rate.
  public var sampleInTimeLine: Double
  /// Whether a part of the song is looped, from `cycleStartBeat` to `cycleEndBeat`.
  public var isCycling: Bool
  /// Beat at which that part starts.
  public var cycleStartBeat: Double
  /// Beat at which it ends.
  public var cycleEndBeat: Double

  @_noLocks init() {
    isPlaying = false
    isRecording = nil
    hasChanged = false
    sampleInTimeLine = 0
    isCycling = false
    cycleStartBeat = 0
    cycleEndBeat = 0
  }
}

extension RenderSlice {
  /// Returns beat and tempo at the start of the cycle; nil if the host provides none.
  ///
  /// The slice begins `cycleOffset` frames later. Call it once a slice: it calls the host. The corresponding
  /// Core Audio function is `HostCallback_GetBeatAndTempo`.
  ///
  /// - Returns: The values of the host, unchecked; a tempo may be 0.
  @_noLocks public func beatAndTempo() -> BeatAndTempo? {
    guard let host = unsafe host, let procedure = unsafe host.pointee.beatAndTempoProc else {
      return nil
    }
    var beat = 0.0
    var tempo = 0.0
    // Door out of checked code: the host's callback.
    let status = unsafe _unsafePerformance {
      unsafe procedure(host.pointee.hostUserData, &beat, &tempo)
    }
    return status == 0 ? BeatAndTempo(beat: beat, tempo: tempo) : nil
  }

  /// Returns bar and time signature at the start of the cycle; nil if the host provides none.
  ///
  /// Call it once a slice: it calls the host. The corresponding Core Audio function is
  /// `HostCallback_GetMusicalTimeLocation`.
  @_noLocks public func musicalTimeLocation() -> MusicalTimeLocation? {
    guard let host = unsafe host, let procedure = unsafe host.pointee.musicalTimeLocationProc else {
      return nil
    }
    var location = MusicalTimeLocation()
    // Door out of checked code: the host's callback.
    let status = unsafe _unsafePerformance {
      unsafe procedure(
        host.pointee.hostUserData, &location.framesToNextBeat, &location.signatureNumerator,
        &location.signatureDenominator, &location.barDownBeat)
    }
    return status == 0 ? location : nil
  }

  /// Returns the transport at the start of the cycle; nil if the host provides none.
  ///
  /// The corresponding Core Audio functions are `HostCallback_GetTransportState2`, and if the host lacks
  /// that, `HostCallback_GetTransportState`.
  @_noLocks public func transportState() -> TransportState? {
    guard let host = unsafe host else { return nil }
    var state = TransportState()
    let data = unsafe host.pointee.hostUserData
    if let procedure = unsafe host.pointee.transportStateProc2 {
      var isRecording = false
      // Door out of checked code: the host's callback.
      let status = unsafe _unsafePerformance {
        unsafe procedure(
          data, &state.isPlaying, &isRecording, &state.hasChanged, &state.sampleInTimeLine,
          &state.isCycling, &state.cycleStartBeat, &state.cycleEndBeat)
      }
      state.isRecording = isRecording
      if status == 0 { return state }
    }
    guard let procedure = unsafe host.pointee.transportStateProc else { return nil }
    state = TransportState()
    // Door out of checked code: the host's callback.
    let status = unsafe _unsafePerformance {
      unsafe procedure(
        data, &state.isPlaying, &state.hasChanged, &state.sampleInTimeLine, &state.isCycling,
        &state.cycleStartBeat, &state.cycleEndBeat)
    }
    return status == 0 ? state : nil
  }
}
