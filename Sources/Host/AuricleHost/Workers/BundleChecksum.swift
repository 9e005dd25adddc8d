// A checksum over the files that a bundle runs from.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Foundation
import HostSystem

/// The files that a bundle runs from.
enum BundleChecksum {
  /// XXH64 over the names and contents of the files in a bundle, up to 256 MiB; 0 if there are none, or one
  /// cannot be read.
  static func of(_ bundle: String) -> UInt64 {
    guard !bundle.isEmpty, let names = FileManager.default.enumerator(atPath: bundle) else {
      return 0
    }
    let files = names.compactMap { $0 as? String }.prefix(2000).sorted()
    var sums: [UInt8] = []
    var left: UInt64 = 256 << 20
    for name in files where isCode(name) {
      let descriptor = unsafe open(bundle + "/" + name, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        UInt64(status.st_size) <= left
      else { continue }
      var hash: UInt64 = 0
      var count: UInt64 = 0
      // Unknown, not a different checksum: it may be readable next time.
      guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return 0 }
      left -= count
      sums += name.utf8
      unsafe withUnsafeBytes(of: hash.littleEndian) { unsafe sums.append(contentsOf: $0) }
    }
    guard !sums.isEmpty else { return 0 }
    return unsafe sums.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
  }

  /// Whether a file is a binary or a description, not sound or a picture.
  private static func isCode(_ name: String) -> Bool {
    let ending = (name as NSString).pathExtension.lowercased()
    return ["so", "ttl", "plist", ""].contains(ending)
  }
}
