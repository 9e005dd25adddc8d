// The depth of a source as formats without loss say it.
// SPDX-License-Identifier: Apache-2.0

/// Flags of Apple Lossless and FLAC.
package enum LosslessDepth {
  /// The source's depth as Apple's lossless formats say it.
  package static func flags(_ bits: UInt32) -> UInt32 {
    switch bits {
    case 16: 1
    case 20: 2
    case 24: 3
    case 32: 4
    default: 0
    }
  }
}
