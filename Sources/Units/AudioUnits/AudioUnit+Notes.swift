// Notes for a unit: MIDI messages at a frame of the next slice.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import CAudioToolbox

extension AudioUnit {
  /// Whether the unit accepts MIDI messages.
  ///
  /// Context: any.
  public var acceptsMIDI: Bool { unsafe methods.midiEvent != nil }

  /// Sends a channel message, which applies from a frame of the next slice.
  ///
  /// - Throws: The unit's error, and that of a unit without MIDI.
  ///
  /// Context: control or render, between two slices. The corresponding Core Audio function is
  /// `MusicDeviceMIDIEvent`.
  public func sendMIDI(
    status: UInt8, _ first: UInt8, _ second: UInt8, atFrame frame: Int
  ) throws(AuricleError) {
    let found =
      unsafe methods.midiEvent.map {
        unsafe $0(plugIn, UInt32(status), UInt32(first), UInt32(second), UInt32(frame))
      } ?? kAudio_UnimplementedError
    try check(found, "cannot take a MIDI message")
  }

  /// Sends a SysEx message, with its first and last byte, which applies from the start of the next slice.
  ///
  /// - Throws: The unit's error, and that of a unit without such messages.
  ///
  /// Context: as `sendMIDI`. The corresponding Core Audio function is `MusicDeviceSysEx`.
  public func sendSystemExclusive(_ bytes: [UInt8]) throws(AuricleError) {
    let found = unsafe bytes.withUnsafeBufferPointer { buffer -> OSStatus in
      guard let start = buffer.baseAddress, let send = unsafe methods.systemExclusive else {
        return kAudio_UnimplementedError
      }
      return unsafe send(plugIn, start, UInt32(buffer.count))
    }
    try check(found, "cannot take a SysEx message")
  }
}
