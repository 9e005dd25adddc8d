// The memory between file and converter: packets and their descriptions.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Bytes and descriptions of packets on their way.
@safe final class TransferBuffer {
  /// Descriptions of the packets in the bytes.
  private(set) var descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
  private var own: UnsafeMutableRawBufferPointer
  private var clients: UnsafeMutableRawPointer?
  /// Bytes that a client wants it to have.
  private(set) var size: Int
  /// The list that a converter writes into.
  let list: UnsafeMutablePointer<AudioBufferList>

  static let usualSize = 64 << 10
  private static let usualPackets = 512

  init() {
    size = Self.usualSize
    unsafe own = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    unsafe descriptions = .allocate(capacity: Self.usualPackets)
    unsafe descriptions.initialize(repeating: AudioStreamPacketDescription())
    unsafe list = .allocate(capacity: 1)
    unsafe list.initialize(to: AudioBufferList())
  }

  deinit {
    unsafe own.deallocate()
    unsafe descriptions.deallocate()
    unsafe list.deallocate()
  }

  /// The memory of the client, or its own as far as it was used.
  var memory: UnsafeMutableRawPointer? { unsafe clients ?? own.baseAddress }

  /// The bytes, which have room for a packet of a size.
  func bytes(holding packetSize: Int) -> UnsafeMutableRawBufferPointer {
    if let clients = unsafe clients, size >= packetSize {
      return unsafe UnsafeMutableRawBufferPointer(start: clients, count: size)
    }
    let wanted = max(size, packetSize)
    if unsafe own.count < wanted {
      unsafe own.deallocate()
      unsafe own = .allocate(byteCount: wanted, alignment: 64)
    }
    return unsafe own
  }

  /// Sets the number of bytes.
  func setSize(_ size: Int) { self.size = size }

  /// Uses memory of the client, which has as many bytes as `size` says; nil for its own again.
  func setMemory(_ memory: UnsafeMutableRawPointer?) { unsafe clients = memory }
}
