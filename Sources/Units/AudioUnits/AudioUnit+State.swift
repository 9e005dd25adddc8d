// Initialize, uninitialize, reset: the states of a unit between Open and Close.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox
import PlugInGuard
import RealtimeSupport

extension AudioUnit {
  /// Makes the unit ready to render in its present formats; does nothing if it is ready.
  ///
  /// - Throws: `.unavailable` with the unit's own reason where it has one; the cause is
  ///   `.binaryCannotLoad` where it reports that.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioUnitInitialize`.
  public func initialize() throws(AuricleError) {
    guard !isInitialized else { return }
    describeParametersOnce()
    let status = Heartbeat.during(.initialize, unit: workNumber) {
      let status = unsafe methods.initialize.map { unsafe $0(plugIn) } ?? missing
      if status == 0 {
        Heartbeat.forgive(unit: workNumber)
      } else {
        Heartbeat.blame(unit: workNumber)
      }
      return status
    }
    guard status == 0 else {
      let code = AudioStatus(rawValue: status)
      if let reason = failureReason {
        throw AuricleError(
          .unavailable, status: status, "\(name): the unit cannot be initialized: \(reason)",
          cause: status == OSStatus(kAuricleErr_BinaryCannotLoad) ? .binaryCannotLoad : nil)
      }
      throw failure(code, "the unit cannot be initialized")
    }
    markInitialized(true)
  }

  /// Reads the parameters of a unit that plays notes, once: some units find the gate and pitch of
  /// a note among them only when they are asked.
  private func describeParametersOnce() {
    let playing = [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect]
    guard !areParametersDescribed, playing.contains(description.componentType) else { return }
    areParametersDescribed = true
    _ = try? parameters()
  }

  /// Frees the memory of `initialize`; does nothing if the unit is not initialized.
  ///
  /// Context: control, while no thread renders. The corresponding Core Audio function is
  /// `AudioUnitUninitialize`.
  public func uninitialize() throws(AuricleError) {
    guard isInitialized else { return }
    let status = Heartbeat.during(.close, unit: workNumber) {
      unsafe methods.uninitialize.map { unsafe $0(plugIn) } ?? missing
    }
    markInitialized(false)
    try check(status, "the unit cannot be uninitialized")
  }

  /// Clears the history of the unit: delay lines, tails, filter states.
  ///
  /// Context: control, while no thread renders. The corresponding Core Audio function is
  /// `AudioUnitReset`.
  public func reset(
    scope: AudioUnitScope = kAudioUnitScope_Global, element: AudioUnitElement = 0
  ) throws(AuricleError) {
    let status = Heartbeat.during(.reset, unit: workNumber) {
      unsafe methods.reset.map { unsafe $0(plugIn, scope, element) } ?? missing
    }
    try check(status, "the unit cannot be reset")
  }

  /// The reason why the latest `initialize` failed, in the unit's own words; nil for none.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_FailureReason`.
  public var failureReason: String? {
    let text = try? stringProperty(AudioUnitPropertyID(kAuricleProperty_FailureReason))
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Lines about the parts that the unit left out at loading; empty if there are none.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_LoadNotes`.
  package var loadNotes: [String] {
    let text = try? stringProperty(AudioUnitPropertyID(kAuricleProperty_LoadNotes))
    return text?.split(separator: "\n").map(String.init) ?? []
  }
}

extension AudioUnit {
  /// The result of a call through a selector that the unit does not answer.
  var missing: OSStatus { AudioStatus.unimplemented.rawValue }

  func failure(_ status: AudioStatus, _ what: String) -> AuricleError {
    AuricleError(.software, status: status.rawValue, "\(name): \(what): \(status).")
  }

  func check(_ status: OSStatus, _ what: @autoclosure () -> String) throws(AuricleError) {
    if status != 0 { throw failure(AudioStatus(rawValue: status), what()) }
  }
}
