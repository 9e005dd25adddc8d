// Messages between a plug-in and its window, which is in another process.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
public import CAudioToolbox
internal import LV2Bundles
internal import RealtimeSupport

/// The property by which a window exchanges messages with its plug-in.
///
/// Its value, in the global scope, is one message: the number of its port, the number of its type, then the body of the
/// atom. Set, it goes to an input port; read, it is the next message of an output port, empty for none. It has no
/// address, so that it passes between processes.
public enum LV2UnitMessage {
  /// The property.
  public static let id: AudioUnitPropertyID = 64035
  /// The URI of the number that is the element, as UTF-8. Set, the plug-in's process knows the URI.
  public static let uriID: AudioUnitPropertyID = 64036
  /// The bytes in front of the body: the port and the type.
  public static let headerSize = 8
}

/// The numbers of URIs, which are those of every process.
public enum LV2Numbers {
  /// The number of a URI, at least 1.
  ///
  /// Context: control.
  public static func number(of uri: String) -> UInt32 { URIDMap.shared.number(uri) }
}

/// The message that is read next.
///
/// @unchecked Sendable because control alone uses it.
final class LV2WindowMessage: @unchecked Sendable {
  /// The port, the type and the body; empty for none.
  private var bytes: [UInt8] = []

  /// The bytes of the next message of an instance, which stays the next one; 0 for none.
  func size(of instance: LV2Instance) -> UInt32 {
    if bytes.isEmpty { bytes = Self.next(of: instance) }
    return UInt32(bytes.count)
  }

  /// Removes the next message of an instance; empty for none.
  func remove(of instance: LV2Instance) -> [UInt8] {
    _ = size(of: instance)
    defer { bytes = [] }
    return bytes
  }

  private static func next(of instance: LV2Instance) -> [UInt8] {
    instance.watch()
    let ring = instance.rings.windowMessages
    var header: (port: UInt32, type: UInt32, count: UInt32) = (0, 0, 0)
    guard ring.availableToRead >= 12, unsafe ring.read(into: &header, count: 12) else { return [] }
    let count = Int(header.count)
    var bytes = [UInt8](repeating: 0, count: LV2UnitMessage.headerSize + count)
    unsafe bytes.withUnsafeMutableBytes { memory in
      unsafe memory.storeBytes(of: header.port, as: UInt32.self)
      unsafe memory.storeBytes(of: header.type, toByteOffset: 4, as: UInt32.self)
      guard count > 0, let start = memory.baseAddress else { return }
      // The bytes follow the header.
      while unsafe !ring.read(into: start + LV2UnitMessage.headerSize, count: count) {}
    }
    return bytes
  }
}

extension LV2UnitCore {
  /// The properties for windows, where the plug-in has event ports.
  var messageProperties: [PropertyDefinition] {
    guard plugin.description.ports.contains(where: { $0.kind == .atom }) else { return [] }
    return [messageProperty, uriProperty]
  }

  private var messageProperty: PropertyDefinition {
    var property = unsafe PropertyDefinition(
      id: LV2UnitMessage.id, size: 0,
      read: { _, _, data in
        let bytes = self.instance.map { self.windowMessage.remove(of: $0) } ?? []
        unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
        return 0
      },
      write: { _, _, data, count in
        let body = Int(count) - LV2UnitMessage.headerSize
        guard body >= 0, let data = unsafe data, let instance = self.instance else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let port = unsafe data.loadUnaligned(as: UInt32.self)
        let type = unsafe data.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let bytes = unsafe UnsafeRawBufferPointer(
          start: data + LV2UnitMessage.headerSize, count: body)
        return unsafe instance.send(Array(bytes), type: type, port: port)
          ? 0 : kAudioUnitErr_CannotDoInCurrentContext
      })
    property.currentSize = { _, _ in
      self.instance.map { self.windowMessage.size(of: $0) } ?? 0
    }
    return property
  }

  private var uriProperty: PropertyDefinition {
    let uri: @Sendable (UInt32) -> [UInt8] = { number in
      unsafe URIDMap.shared.text(number).map { unsafe Array(String(cString: $0).utf8) } ?? []
    }
    var property = unsafe PropertyDefinition(
      id: LV2UnitMessage.uriID, size: 0,
      read: { _, number, data in
        let bytes = uri(number)
        unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
        return 0
      },
      write: { _, _, data, count in
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(count))
        _ = unsafe URIDMap.shared.number(String(decoding: bytes, as: UTF8.self))
        return 0
      })
    property.elementIsNumber = true
    property.currentSize = { _, number in UInt32(uri(number).count) }
    return property
  }
}
