// The URID map: one for the whole process, so that all instances agree.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import LV2Bundles
internal import Synchronization

/// The URID map of the process. Numbers and texts stay valid for ever.
///
/// A URI has the same number in every process, so that messages may cross from one to another: a hash of its text.
/// Of two URIs with one hash, the later one has the next number; that is rarer than one in 4,000 for 1,000 URIs.
///
/// Context: any; plug-ins may call it from any thread. Mapping a new URI allocates.
@safe final class URIDMap: Sendable {
  /// The one map.
  static let shared = URIDMap()

  private struct Entries: ~Copyable {
    var numbers: [String: UInt32] = [:]
    var texts: [UInt32: UInt] = [:]
  }

  /// The least number of a URI that is not the type of MIDI events.
  private static let leastHash: UInt32 = 0x1_0000

  private let entries = Mutex(Entries())

  private init() {}

  /// The number of a URI, at least 1; 0 without memory.
  func number(_ uri: String) -> UInt32 {
    entries.withLock { entries in
      if let known = entries.numbers[uri] { return known }
      // Texts are never freed, because plug-ins keep pointers to them.
      guard let text = unsafe strdup(uri) else { return 0 }
      var number = Self.hash(uri)
      while entries.texts[number] != nil { number = max(number &+ 1, Self.leastHash) }
      entries.texts[number] = UInt(bitPattern: text)
      entries.numbers[uri] = number
      return number
    }
  }

  /// The number of a URI where no other has it: FNV-1a of its bytes, above those of 16 bits.
  private static func hash(_ uri: String) -> UInt32 {
    // The older event extension has 16 bits for a type.
    if uri == LV2Names.midiEvent { return 1 }
    var hash: UInt32 = 0x811C_9DC5
    for byte in uri.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    // Some plug-ins keep numbers as signed ones.
    return max(hash & 0x7FFF_FFFF, leastHash)
  }

  /// The URI of a number; nil for an unknown number.
  func text(_ number: UInt32) -> UnsafePointer<CChar>? {
    let address = entries.withLock { $0.texts[number] ?? 0 }
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
