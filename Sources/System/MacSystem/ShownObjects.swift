// The objects of the library that can be printed by their addresses.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Descriptions of objects, by the modules that have them.
package enum ShownObjects {
  /// Describes the object of an address in lines; nil for an address that is none of the module's.
  package typealias Describer = @Sendable (UInt) -> String?

  private static let describers = Mutex<[Describer]>([])

  /// Adds a module's describer, for as long as the process runs. Context: any.
  package static func add(_ describer: @escaping Describer) {
    describers.withLock { $0.append(describer) }
  }

  /// The description of an address; nil where no module has an object there. Context: control.
  package static func text(_ address: UInt) -> String? {
    for describer in describers.withLock(\.self) {
      if let text = describer(address) { return text }
    }
    return nil
  }

  /// Whether memory at an address is mapped. Context: any.
  package static func isMapped(_ address: UInt, byteCount: UInt) -> Bool {
    let page = UInt(getpagesize())
    let first = address / page * page
    guard address >= page, address <= UInt.max - byteCount else { return false }
    guard let start = unsafe UnsafeMutableRawPointer(bitPattern: first) else { return false }
    return unsafe msync(start, Int(address + byteCount - first), Int32(MS_ASYNC)) == 0
  }

  /// Whether an object is one of Core Foundation: its class belongs to that library. Context: control.
  package static func isFoundation(_ address: UInt) -> Bool {
    guard isMapped(address, byteCount: 24),
      let object = unsafe UnsafeRawPointer(bitPattern: address)
    else { return false }
    typealias Place = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
    guard let symbol = unsafe dlsym(nil, "dladdr"),
      let type = unsafe UnsafeRawPointer(bitPattern: object.load(as: UInt.self))
    else { return false }
    let find = unsafe unsafeBitCast(symbol, to: Place.self)
    // The name of the library is the first of four words.
    var words = (UInt(0), UInt(0), UInt(0), UInt(0))
    guard unsafe find(type, &words) != 0,
      let name = unsafe UnsafePointer<CChar>(bitPattern: words.0)
    else { return false }
    return unsafe String(cString: name).contains("Foundation")
  }
}
