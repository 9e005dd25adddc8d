// Delivery of packets to the functions and blocks of C programs.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import MIDIMessages
import MIDIPorts
import MacSystem

/// Calls of a connection's packets, with the connection's context.
typealias Delivery = @Sendable (MIDIEvents, UInt) -> Void

enum Deliveries {
  /// To a function; to nobody for null, as programs do that want a port alone.
  static func function(
    _ readProc: MIDIReadProc?, _ refCon: UnsafeMutableRawPointer?
  ) -> Delivery {
    guard let readProc = unsafe readProc else { return { _, _ in } }
    let context = unsafe ForeignPointer(refCon)
    return { events, connection in
      guard case .bytes(let packets) = events else { return }
      unsafe PacketMemory.withList(packets) {
        unsafe readProc($0, context.pointer, UnsafeMutableRawPointer(bitPattern: connection))
      }
    }
  }

  /// Delivers to a block that receives lists of bytes.
  static func readBlock(_ supplied: UnsafeRawPointer?) throws(MIDIError) -> Delivery {
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<MIDIPacketList>?, UnsafeMutableRawPointer?
      ) -> Void
    guard let block = unsafe Block(supplied) else { throw .argument }
    return { events, connection in
      guard case .bytes(let packets) = events else { return }
      unsafe PacketMemory.withList(packets) {
        unsafe block.function(as: Function.self)(
          block.pointer, $0, UnsafeMutableRawPointer(bitPattern: connection))
      }
    }
  }

  /// Delivers to a block that receives lists of universal packets.
  static func receiveBlock(_ supplied: UnsafeRawPointer?) throws(MIDIError) -> Delivery {
    typealias Function =
      @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<MIDIEventList>?, UnsafeMutableRawPointer?
      ) -> Void
    guard let block = unsafe Block(supplied) else { throw .argument }
    return { events, connection in
      guard case .words(let form, let packets) = events else { return }
      unsafe PacketMemory.withList(form, packets) {
        unsafe block.function(as: Function.self)(
          block.pointer, $0, UnsafeMutableRawPointer(bitPattern: connection))
      }
    }
  }
}
