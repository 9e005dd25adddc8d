// The memory of an atom port.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv

/// The buffer of one atom port: an empty sequence in, free room out, written anew before each run.
@safe struct LV2AtomBuffer {
  /// Bytes a port gets that asks for no size.
  static let standardSize = 8192

  /// Where the port is connected.
  let memory: UnsafeMutableRawPointer
  private let capacity: Int
  private let isInput: Bool
  private let sequenceType: UInt32
  private let chunkType: UInt32

  /// Allocates a buffer; `free` gives it back.
  init(isInput: Bool, minimumSize: Int) {
    capacity = max(LV2AtomBuffer.standardSize, (minimumSize + 7) & ~7) + 64
    unsafe memory = .allocate(byteCount: capacity, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    self.isInput = isInput
    sequenceType = URIDMap.shared.number(LV2Names.atom + "Sequence")
    chunkType = URIDMap.shared.number(LV2Names.atom + "Chunk")
    prepare()
  }

  /// Makes the buffer what the specification wants it to be before a run.
  @_noLocks func prepare() {
    // LV2_Atom: size, type. LV2_Atom_Sequence_Body: unit (0 is frames), padding.
    let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
    if isInput {
      unsafe words[0] = 8
      unsafe words[1] = sequenceType
    } else {
      unsafe words[0] = UInt32(capacity - 8)
      unsafe words[1] = chunkType
    }
    unsafe words[2] = 0
    unsafe words[3] = 0
  }

  /// Gives the memory back.
  func free() { unsafe memory.deallocate() }
}
