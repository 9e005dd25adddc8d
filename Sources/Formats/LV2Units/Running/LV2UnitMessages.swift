// Messages between a plug-in and its window, which is in another process.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
public import CAudioToolbox
internal import LV2Bundles
internal import RealtimeSupport

/// A message of an event port: an atom without its header.
///
/// It is the value of the property `id`, in the global scope. Set, it goes to an input port; read, it is the next
/// message of an output port, whose bytes hold until the next is read.
public struct LV2UnitMessage: BitwiseCopyable {
  /// The property.
  public static let id: AudioUnitPropertyID = 64035

  /// The number of the port; the greatest number for no message.
  public var port = UInt32.max
  /// The type of the atom, as `LV2Numbers` has it.
  public var type: UInt32 = 0
  /// The number of bytes.
  public var count: UInt32 = 0
  /// The address of the bytes.
  public var bytes: UInt = 0

  /// No message.
  ///
  /// Context: any.
  public init() {}
}

/// The numbers of URIs in this process.
public enum LV2Numbers {
  /// The number of a URI, at least 1.
  ///
  /// Context: control.
  public static func number(of uri: String) -> UInt32 { URIDMap.shared.number(uri) }

  /// The URI of a number; nil for a number of none.
  ///
  /// Context: control.
  public static func uri(of number: UInt32) -> String? {
    unsafe URIDMap.shared.text(number).map { unsafe String(cString: $0) }
  }
}

/// The memory of the message that was read last.
@safe final class LV2WindowMessage {
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit { unsafe memory?.deallocate() }

  /// Reads the next message of an instance.
  func next(of instance: LV2Instance) -> LV2UnitMessage {
    instance.watch()
    let ring = instance.rings.windowMessages
    var message = LV2UnitMessage()
    var header: (UInt32, UInt32, UInt32) = (0, 0, 0)
    guard ring.availableToRead >= 12, unsafe ring.read(into: &header, count: 12) else {
      return message
    }
    let size = Int(header.2)
    if size > capacity {
      unsafe memory?.deallocate()
      unsafe memory = .allocate(byteCount: size, alignment: 8)
      capacity = size
    }
    guard let memory = unsafe memory else { return message }
    // The bytes follow the header.
    while unsafe !ring.read(into: memory, count: size) {}
    (message.port, message.type, message.count) = header
    message.bytes = UInt(bitPattern: memory)
    return message
  }
}

extension LV2UnitCore {
  /// The property for windows, where the plug-in has event ports.
  var messageProperties: [PropertyDefinition] {
    guard plugin.description.ports.contains(where: { $0.kind == .atom }) else { return [] }
    let size = UInt32(MemoryLayout<LV2UnitMessage>.size)
    return unsafe [
      PropertyDefinition(
        id: LV2UnitMessage.id, size: size,
        read: { _, _, data in
          let message =
            self.instance.map { self.windowMessage.next(of: $0) } ?? LV2UnitMessage()
          unsafe data.storeBytes(of: message, as: LV2UnitMessage.self)
          return 0
        },
        write: { _, _, data, count in
          guard count == size, let data = unsafe data, let instance = self.instance else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          let message = unsafe data.load(as: LV2UnitMessage.self)
          let bytes = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: message.bytes), count: Int(message.count))
          return unsafe instance.send(Array(bytes), type: message.type, port: message.port)
            ? 0 : kAudioUnitErr_CannotDoInCurrentContext
        })
    ]
  }
}
