// The URID map: one for the whole process, so that all instances agree.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import LV2Bundles
internal import Synchronization

/// The URID map of the process. Numbers and texts stay valid for ever.
///
/// Context: any; plug-ins may call it from any thread. Mapping a new URI allocates.
@safe final class URIDMap: Sendable {
  /// The one map.
  static let shared = URIDMap()

  private struct Entries: ~Copyable {
    var numbers: [String: UInt32] = [:]
    var texts: [UInt] = []
  }

  private let entries = Mutex(Entries())

  private init() {}

  /// The number of a URI, at least 1.
  func number(_ uri: String) -> UInt32 {
    entries.withLock { entries in
      if let known = entries.numbers[uri] { return known }
      // Texts are never freed, because plug-ins keep pointers to them.
      guard let text = unsafe strdup(uri) else { return 0 }
      entries.texts.append(UInt(bitPattern: text))
      let number = UInt32(entries.texts.count)
      entries.numbers[uri] = number
      return number
    }
  }

  /// The URI of a number; nil for an unknown number.
  func text(_ number: UInt32) -> UnsafePointer<CChar>? {
    let address = entries.withLock { entries -> UInt in
      guard number > 0, number <= entries.texts.count else { return 0 }
      return entries.texts[Int(number) - 1]
    }
    return unsafe UnsafePointer(bitPattern: address)
  }

  /// The C form, for lilv and plug-ins; never freed.
  @safe static let cMap: LV2Forever<LV2_URID_Map> = unsafe LV2Forever(
    LV2_URID_Map(
      handle: nil,
      map: { _, uri in
        guard let uri = unsafe uri else { return 0 }
        return unsafe URIDMap.shared.number(String(cString: uri))
      }))

  /// The C form of unmapping; never freed.
  @safe static let cUnmap: LV2Forever<LV2_URID_Unmap> = unsafe LV2Forever(
    LV2_URID_Unmap(handle: nil, unmap: { _, number in unsafe URIDMap.shared.text(number) }))
}

/// A C value at a fixed address that is never freed or written again.
///
/// @unchecked Sendable because the value does not change after init.
@safe struct LV2Forever<Value>: @unchecked Sendable {
  /// The address of the value.
  let pointer: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: value)
  }
}
