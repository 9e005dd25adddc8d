// Inputs: units that are connected to them, and memory that a unit works on in place.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// An input that is connected pulls the other unit until it is disconnected.
  ///
  /// The unit is initialised, for slices of 512, and hears `source`, which it does again afterwards.
  mutating func checkConnections(_ source: ValidationSource, from time: Int) {
    guard isFed, let format = try? unit.streamFormat(scope: kAudioUnitScope_Input) else { return }
    let other = ValidationSource()
    other.most = 512
    let otherUnit = try? ValidationSourceUnit.open(other, format)
    // One that is not let go when it should be is not to be pulled when it is gone.
    defer { withExtendedLifetime(otherUnit) {} }
    guard let otherUnit else { return }
    do throws(AuricleError) {
      try unit.connectInput(to: otherUnit)
      let (status, isFinite) = render(512, at: time)
      expect(status == 0, "connections", "with its input connected it gives the error \(status)")
      expect(isFinite, "connections", "with its input connected it gives no finite numbers")
      expect(other.wasPulled, "connections", "it does not pull the unit its input is connected to")
      if let defect = other.consumeDefect() { fault("connections", "when connected, \(defect)") }
      if isEffect {
        other.status = -7532
        let told = render(512, at: time + 512).status
        expect(
          told == -7532, "connections",
          "the unit it is connected to failed with -7532, and the caller was told \(told)")
      }
      try unit.disconnectInput()
    } catch {
      fault("connections", "its input cannot be connected, or not disconnected: \(error.message)")
    }
    _ = other.consumeDefect()
    _ = render(512, at: time + 1024)
    expect(!other.wasPulled, "connections", "it pulls a unit that is not connected any more")
    feed(source)
    do throws(AuricleError) {
      try unit.reset()
    } catch {
      fault("life", "it cannot be reset between two slices: \(error.message)")
    }
    let status = render(512, at: time + 1536).status
    expect(status == 0, "connections", "with a callback again it gives the error \(status)")
  }

  /// A unit that works in place gives the memory back that its input came in.
  ///
  /// The unit is initialised, for slices of 512, and hears `source`.
  mutating func checkPlace(_ source: ValidationSource, at time: Int) {
    let claim = try? unit.property(kAudioUnitProperty_InPlaceProcessing, as: UInt32.self)
    guard isEffect, let claim, claim != 0,
      let input = try? unit.streamFormat(scope: kAudioUnitScope_Input),
      let output = try? unit.streamFormat(scope: kAudioUnitScope_Output), input == output
    else { return }
    let buffers = AudioBuffers(channelCount: output.channelCount, frameCapacity: 512)
    for channel in 0..<output.channelCount {
      unsafe buffers.list.buffer(channel).pointee.mData = nil
    }
    let status = render(into: buffers, 512, at: time)
    expect(status == 0, "place", "without memory of the caller it gives the error \(status)")
    guard status == 0, output.channelCount > 0 else { return }
    let made = unsafe UInt(bitPattern: buffers.list.buffer(0).pointee.mData)
    expect(
      made == source.lastPlace, "place",
      "it says that it works in place, and its output lies elsewhere than its input")
  }
}
