// The host's musical time while it renders: beat, tempo, bar, transport.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The song position and tempo at the start of a cycle.
public struct BeatAndTempo: Sendable, BitwiseCopyable {
  /// Beats since the start of the song, with fractions.
  public var beat: Double
  /// Beats a minute.
  public var tempo: Double

  @_noLocks init(beat: Double, tempo: Double) {
    self.beat = beat
    self.tempo = tempo
  }
}

/// The position in the bar at the start of a cycle.
public struct MusicalTimeLocation: Sendable, BitwiseCopyable {
  /// Frames from the start of the cycle to the next beat.
  public var framesToNextBeat: UInt32
  /// Upper number of the time signature.
  public var signatureNumerator: Float
  /// Lower number of the time signature.
  public var signatureDenominator: UInt32
  /// Beat at which the current bar began.
  public var barDownBeat: Double

  @_noLocks init() {
    framesToNextBeat = 0
    signatureNumerator = 4
    signatureDenominator = 4
    barDownBeat = 0
  }
}

/// The state of the host's transport.
public struct TransportState: Sendable, BitwiseCopyable {
  /// Whether it is playing.
  public var isPlaying: Bool
  /// Whether it is recording; nil from a host with the older callback only.
  public var isRecording: Bool?
  /// Whether any of this changed since the previous cycle.
  public var hasChanged: Bool
  /// Frame of the song at the start of the cycle.
  public var sampleInTimeLine: Double
  /// Whether a part of the song is looped.
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
  /// Beat and tempo at the start of the cycle; nil if the host provides none.
  ///
  /// The slice begins `cycleOffset` frames later. The corresponding Core Audio function is
  /// `HostCallback_GetBeatAndTempo`.
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

  /// Bar and time signature at the start of the cycle; nil if the host provides none.
  ///
  /// The corresponding Core Audio function is `HostCallback_GetMusicalTimeLocation`.
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
