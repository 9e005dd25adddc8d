// Inputs: units that are connected to them, and memory that a unit works on in place.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// An input that is connected pulls the other unit until it is disconnected.
  func checkConnections() throws(AuricleError) {
    guard isFed else { return }
    let player = ValidationPlayer(unit)
    // In real time a unit may pull ahead on a separate thread, and report an error a slice later.
    try player.begin(isCompared: true)
    guard player.slice(512).status == 0,
      let format = try? unit.streamFormat(scope: kAudioUnitScope_Input)
    else { return }
    // Whether a unit pulls at all may depend on its settings, or on notes.
    let pulls = player.source.wasPulled
    let other = ValidationSource()
    let otherUnit = try ValidationSourceUnit.open(other, format)
    // One that is not let go when it should be is not to be pulled when it is gone.
    defer { withExtendedLifetime(otherUnit) {} }
    do throws(AuricleError) {
      try unit.connectInput(to: otherUnit)
    } catch {
      return fault(.connected, "its input cannot be connected: \(error.message)")
    }
    let (status, defect) = player.slice(512)
    expect(
      status == 0, .connected, "with its input connected it gives the error \(status)",
      [.count("status", Int(status))])
    note(defect, .connected, "with its input connected it")
    expect(
      other.wasPulled || !pulls, .connected, "it does not pull the unit its input is connected to")
    if isEffect, other.wasPulled {
      other.status = -7532
      let reported = player.slice(512).status
      expect(
        reported == -7532, .connectedError,
        "the unit it is connected to failed with -7532, and the caller received \(reported)",
        [.count("status", Int(reported))])
    }
    do throws(AuricleError) {
      try unit.disconnectInput()
    } catch {
      return fault(.disconnected, "its input cannot be disconnected: \(error.message)")
    }
    _ = other.consumeDefect()
    _ = player.slice(512)
    expect(!other.wasPulled, .disconnected, "it pulls a unit that is not connected any more")
    try checkGoingOn(player)
  }

  /// After all that, the unit goes on with its source.
  private func checkGoingOn(_ player: ValidationPlayer) throws(AuricleError) {
    player.feed()
    do throws(AuricleError) {
      try player.reset()
    } catch {
      fault(.reset, "it cannot be reset between two slices: \(error.message)")
    }
    let status = player.slice(512).status
    expect(
      status == 0, .disconnected, "with a callback again it gives the error \(status)",
      [.count("status", Int(status))])
  }

  /// A unit that works in place returns the memory that its input came in.
  func checkPlace() throws(AuricleError) {
    let claim = try? unit.property(kAudioUnitProperty_InPlaceProcessing, as: UInt32.self)
    guard isEffect, let claim, claim != 0 else { return }
    let player = ValidationPlayer(unit)
    try player.begin()
    guard let input = try? unit.streamFormat(scope: kAudioUnitScope_Input),
      let output = try? unit.streamFormat(scope: kAudioUnitScope_Output), input == output,
      unit.busCount(scope: kAudioUnitScope_Input) == 1, player.channelCount > 0
    else { return }
    let (status, _) = player.slice(512, hasMemory: false)
    guard status == 0, player.source.wasPulled else { return }
    expect(
      player.place == player.source.lastPlace, .inPlace,
      "it declares that it works in place, and its output has other buffers than its input")
  }
}
