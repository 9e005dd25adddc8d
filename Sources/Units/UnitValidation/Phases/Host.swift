// The host's information for a unit while it renders: its song's time, and the functions to ask for it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Checks that the host's functions are accepted, and called while the unit renders only.
  func checkHostCallbacks() throws(AuricleError) {
    let id = kAudioUnitProperty_HostCallbacks
    guard (try? unit.propertyInfo(id))?.isWritable == true else { return }
    let player = ValidationPlayer(unit)
    let host = ValidationHost()
    defer { withExtendedLifetime(host) {} }
    try player.begin()
    do throws(AuricleError) {
      try unsafe unit.setHostCallbacks(host.callbacks)
      host.isRendering = true
      let status = player.slice(512).status
      host.isRendering = false
      expect(
        status == 0, .hostCallbacks, "with the host's functions it gives the error \(status)",
        [.count("status", Int(status))])
      try? unit.reset()
      _ = try? unit.parameters()
      try unsafe unit.setHostCallbacks(nil)
    } catch {
      return fault(
        .hostCallbacks, "HostCallbacks cannot be set, or not taken away: \(error.message)")
    }
    expect(
      !host.wasCalledOutside, .hostTime,
      "it asks for the host's time although it does not render")
    host.isRendering = false
    let before = host.wasCalledOutside
    _ = player.slice(512)
    expect(
      before || !host.wasCalledOutside, .hostTime,
      "it calls the host's functions after they were taken away")
  }
}
