// States as streams of bytes.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc

/// The bytes behind a stream. A reference, because a plug-in's callbacks move through them.
private final class CLAPBytes {
  /// A state of more bytes is refused.
  static let most = 1 << 28
  var bytes: [UInt8]
  var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func of(_ context: UnsafeMutableRawPointer?) -> CLAPBytes? {
    unsafe context.map { unsafe Unmanaged<CLAPBytes>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension CLAPObject {
  /// The plug-in's state; nil when it has none, or could not save it. Call it inside `PlugInLifeCycle.perform`.
  func saveState() -> [UInt8]? {
    guard let table = unsafe table("clap.state", AuricleCLAPState.self),
      let save = unsafe table.pointee.save
    else { return nil }
    let store = CLAPBytes([])
    var stream = unsafe AuricleCLAPWriteStream(
      context: Unmanaged.passUnretained(store).toOpaque(),
      write: { stream, source, count in
        guard let store = unsafe CLAPBytes.of(stream?.pointee.context), let source = unsafe source,
          count <= UInt64(CLAPBytes.most - store.bytes.count)
        else { return -1 }
        unsafe store.bytes.append(
          contentsOf: UnsafeRawBufferPointer(start: source, count: Int(count)))
        return Int64(count)
      })
    let isSaved = unsafe save(plugin, &stream)
    extendLifetime(store)
    return isSaved ? store.bytes : nil
  }

  /// Restores a state; false when the plug-in refused it. Call it inside `PlugInLifeCycle.perform`.
  func restoreState(_ bytes: [UInt8]) -> Bool {
    guard let table = unsafe table("clap.state", AuricleCLAPState.self),
      let load = unsafe table.pointee.load
    else { return false }
    let store = CLAPBytes(bytes)
    var stream = unsafe AuricleCLAPReadStream(
      context: Unmanaged.passUnretained(store).toOpaque(),
      read: { stream, target, count in
        guard let store = unsafe CLAPBytes.of(stream?.pointee.context), let target = unsafe target
        else { return -1 }
        let length = min(Int(clamping: count), store.bytes.count - store.offset)
        guard length > 0 else { return 0 }
        unsafe store.bytes.withUnsafeBytes {
          guard let start = $0.baseAddress else { return }
          unsafe target.copyMemory(from: start + store.offset, byteCount: length)
        }
        store.offset += length
        return Int64(length)
      })
    let isRestored = unsafe load(plugin, &stream)
    extendLifetime(store)
    return isRestored
  }

  /// The values of parameters by their identifiers. Call it inside `PlugInLifeCycle.perform`.
  func values(of parameters: [CLAPParameter]) -> [UInt32: Double] {
    guard let table = unsafe table("clap.params", AuricleCLAPParameters.self),
      let get = unsafe table.pointee.get_value
    else { return [:] }
    var values: [UInt32: Double] = [:]
    for parameter in parameters {
      var value = 0.0
      if unsafe get(plugin, parameter.id, &value), value.isFinite { values[parameter.id] = value }
    }
    return values
  }
}
