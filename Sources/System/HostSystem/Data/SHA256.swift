// SHA-256, for sums that other programs check.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// SHA-256.
package enum SHA256 {
  /// The 32 bytes of the sum.
  package static func sum(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeBytes { unsafe AuricleSHA256($0.baseAddress, $0.count, &digest) }
    return digest
  }
}
