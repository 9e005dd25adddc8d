// Guard words behind a slice: a changed one shows that a unit wrote beyond its output.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The guard of a slice of a channel, in its buffer or, where it fills that, behind it.
package enum BufferGuard {
  /// Bytes of it, for which every buffer has room behind it.
  static let size = 64
  private static let word: UInt32 = 0x7F5A_A5C3
  /// The status of a unit that wrote there: 'past'.
  package static var status: OSStatus { @_noLocks get { 0x7061_7374 } }

  /// Where the guard of a slice begins: at its end, on whole words.
  @_noLocks @inline(__always)
  static func place(_ byteCount: Int) -> Int { (byteCount &+ 3) & ~3 }

  /// Sets the guard.
  @_noLocks @inline(__always)
  static func set(_ end: UnsafeMutableRawPointer) { unsafe fill(end, word) }

  /// Removes it: a unit that leaves a longer slice as it is renders silence there, not these words.
  /// Context: render.
  @_noLocks @inline(__always)
  static func clear(_ end: UnsafeMutableRawPointer) { unsafe fill(end, 0) }

  @_noLocks
  private static func fill(_ end: UnsafeMutableRawPointer, _ value: UInt32) {
    let words = unsafe end.assumingMemoryBound(to: UInt32.self)
    var index = 0
    while index < 16 {
      unsafe words[index] = value
      index &+= 1
    }
  }

  /// Whether it is as it was set. Context: render.
  @_noLocks @inline(__always)
  static func isWhole(_ end: UnsafeRawPointer) -> Bool {
    let words = unsafe end.assumingMemoryBound(to: UInt32.self)
    var difference: UInt32 = 0
    var index = 0
    while index < 16 {
      unsafe difference |= words[index] ^ word
      index &+= 1
    }
    return difference == 0
  }
}
