// Files as older programs name them: by a reference of the library that the program is linked with.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The path behind an `FSRef`.
enum FileReference {
  /// The path of a reference.
  ///
  /// - Throws: A sentence for a reference of nothing.
  ///
  /// Context: control.
  static func path(_ reference: [UInt8]) throws(UnitRefusal) -> String {
    typealias MakePath =
      @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<UInt8>?, UInt32) -> OSStatus
    var path = [UInt8](repeating: 0, count: 4097)
    // A program that has a reference has libAudioToolbox, which made it.
    let status = unsafe dlsym(nil, "FSRefMakePath").map { address in
      let makePath = unsafe unsafeBitCast(address, to: MakePath.self)
      return unsafe reference.withUnsafeBytes { bytes in
        unsafe makePath(bytes.baseAddress, &path, UInt32(path.count))
      }
    }
    guard status == 0 else {
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidPropertyValue, reason: "the FSRef of the bank names no file")
    }
    return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
  }
}
