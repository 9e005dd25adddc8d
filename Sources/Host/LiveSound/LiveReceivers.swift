// The units of a live chain that receive notes, each with the channels that it is sent.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import SongPlaying

/// Sends MIDI messages to units. The units must outlive it.
///
/// @unchecked Sendable because its memory never changes; control uses it before the render thread does.
@safe final class LiveReceivers: @unchecked Sendable {
  private struct Receiver {
    let notes: NoteProcedure
    let channels: UInt16
  }

  private let list: UnsafeMutableBufferPointer<Receiver>

  /// Selects the units that accept notes: instruments, effects and processors of music.
  ///
  /// - Parameter channels: For each stage its channels, bit 0 for channel 1.
  init(_ units: [[AudioUnit]], channels: [UInt16]) {
    var found: [Receiver] = []
    for (stage, mask) in zip(units, channels) where mask != 0 {
      for unit in stage where unit.playsNotes {
        if let notes = NoteProcedure(unit) { found.append(Receiver(notes: notes, channels: mask)) }
      }
    }
    unsafe list = .allocate(capacity: found.count)
    unsafe _ = list.initialize(fromContentsOf: found)
  }

  deinit { unsafe list.deallocate() }

  /// Whether no unit accepts notes.
  var isEmpty: Bool { unsafe list.isEmpty }

  /// Sends a message: one of a channel, at a frame of the next slice, or a whole SysEx message.
  ///
  /// Context: control before the chain is used; render.
  @_noLocks func send(_ bytes: UnsafePointer<UInt8>, count: Int, atFrame frame: Int) {
    guard count > 0 else { return }
    let status = unsafe bytes[0]
    if status >= 0x80, status < 0xF0 {
      let first = unsafe count > 1 ? bytes[1] : 0
      let second = unsafe count > 2 ? bytes[2] : 0
      let channel: UInt16 = 1 << UInt16(status & 0xF)
      for index in unsafe list.indices where unsafe list[index].channels & channel != 0 {
        _ = unsafe list[index].notes.send(status: status, first, second, atFrame: frame)
      }
    } else if status == 0xF0 {
      for index in unsafe list.indices {
        _ = unsafe list[index].notes.send(systemExclusive: bytes, count: count)
      }
    }
  }
}
