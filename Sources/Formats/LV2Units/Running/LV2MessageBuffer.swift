// A queue of messages in reused memory.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LV2Bundles

/// A queue of messages whose memory keeps its size between uses.
@safe struct LV2MessageBuffer {
  /// One message: its offset in the buffer, and its body, aligned to 8 bytes.
  @safe struct Message {
    var offset: Int
    var size: UInt32
    var body: UnsafeRawPointer
  }

  private static let limit = 64 << 20
  private var memory: UnsafeMutableRawPointer?
  private var used = 0
  private var capacity = 0

  init() {}

  var isEmpty: Bool { @_noLocks get { used == 0 } }

  mutating func append(_ size: UInt32, _ body: UnsafeRawPointer?) -> Bool {
    let needed = 8 + (Int(size) + 7) & ~7
    if used + needed > capacity {
      let wanted = max(4096, max(capacity * 2, used + needed))
      guard wanted <= LV2MessageBuffer.limit, let grown = unsafe realloc(memory, wanted) else {
        return false
      }
      unsafe memory = grown
      capacity = wanted
    }
    guard let memory = unsafe memory else { return false }
    unsafe (memory + used).storeBytes(of: size, as: UInt32.self)
    if size > 0, let body = unsafe body {
      unsafe (memory + used + 8).copyMemory(from: body, byteCount: Int(size))
    }
    used += needed
    return true
  }

  var first: Message? { message(at: 0) }

  func next(after message: Message) -> Message? {
    self.message(at: message.offset + 8 + (Int(message.size) + 7) & ~7)
  }

  private func message(at offset: Int) -> Message? {
    guard offset < used, let memory = unsafe memory else { return nil }
    let size = unsafe (memory + offset).load(as: UInt32.self)
    return unsafe Message(offset: offset, size: size, body: UnsafeRawPointer(memory + offset + 8))
  }

  mutating func removeAll() { used = 0 }

  mutating func free() {
    unsafe Glibc.free(memory)
    unsafe memory = nil
    used = 0
    capacity = 0
  }
}
