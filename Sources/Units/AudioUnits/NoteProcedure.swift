// Procedures that send notes to a unit on the thread that renders it: no lock, no allocation, no errors thrown.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// A unit's functions for MIDI, with the unit.
@safe public struct NoteProcedure: @unchecked Sendable {
  // @unchecked Sendable because it is pointers that never change; the unit's owner sees to it that it outlives them.
  private let event: MusicDeviceMIDIEventProc
  private let systemExclusive: MusicDeviceSysExProc?
  private let plugIn: UnsafeMutableRawPointer

  /// The procedure of a unit; nil for one without MIDI.
  ///
  /// Context: control.
  public init?(_ unit: AudioUnit) {
    guard let found = unsafe unit.methods.midiEvent else { return nil }
    unsafe event = found
    unsafe systemExclusive = unit.methods.systemExclusive
    unsafe plugIn = UnsafeMutableRawPointer(unit.plugIn)
  }

  /// Sends a channel message, which applies from a frame of the next slice.
  ///
  /// - Returns: 0, or the unit's status.
  ///
  /// Context: control or render, between two slices. The corresponding Core Audio function is `MusicDeviceMIDIEvent`.
  @_noLocks
  public func send(status: UInt8, _ first: UInt8, _ second: UInt8, atFrame frame: Int) -> OSStatus {
    // Door out of checked code: a plug-in's handling of notes, which no compiler can check.
    unsafe _unsafePerformance {
      unsafe event(plugIn, UInt32(status), UInt32(first), UInt32(second), UInt32(frame))
    }
  }

  /// Sends a SysEx message, with its first and last byte, which applies from the start of the next slice.
  ///
  /// - Returns: 0, or the unit's status; -4 for a unit that accepts none.
  ///
  /// Context: as `send(status:_:_:atFrame:)`. The corresponding Core Audio function is `MusicDeviceSysEx`.
  @_noLocks
  public func send(systemExclusive bytes: UnsafePointer<UInt8>, count: Int) -> OSStatus {
    guard let systemExclusive = unsafe systemExclusive else { return kAudio_UnimplementedError }
    return unsafe _unsafePerformance { unsafe systemExclusive(plugIn, bytes, UInt32(count)) }
  }
}
