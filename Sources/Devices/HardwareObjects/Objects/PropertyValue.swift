// Values of properties of audio objects, and why there is none.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
package import CAudioToolbox

/// The value of a property: bytes as C has them, or an object that is made when it is returned.
package enum PropertyValue: Sendable, Equatable {
  /// The bytes of a value, or of several in a row.
  case bytes([UInt8])
  /// A text.
  case text(String)
  /// Several texts.
  case texts([String])
  /// The composition of an aggregate device.
  case aggregate(AggregateDescription)
}

/// The reason why an object does not answer: a code of Core Audio.
package struct HardwareError: Error, Equatable {
  /// The code.
  package var status: OSStatus
  /// Makes one of a code.
  package init(_ status: OSStatus) { self.status = status }
  /// There is no such property here.
  package static var unknownProperty: HardwareError { .init(kAudioHardwareUnknownPropertyError) }
  /// The value has the wrong size.
  package static var badSize: HardwareError { .init(kAudioHardwareBadPropertySizeError) }
  /// There is no such object.
  package static var badObject: HardwareError { .init(kAudioHardwareBadObjectError) }
  /// It is no device.
  package static var badDevice: HardwareError { .init(kAudioHardwareBadDeviceError) }
  /// It cannot be set, or not here.
  package static var unsupported: HardwareError { .init(kAudioHardwareUnsupportedOperationError) }
  /// It makes no sense.
  package static var illegal: HardwareError { .init(kAudioHardwareIllegalOperationError) }
}

extension PropertyValue {
  /// One plain value.
  package static func value<Value: BitwiseCopyable>(_ value: Value) -> PropertyValue {
    values([value])
  }

  /// Several plain values.
  package static func values<Value: BitwiseCopyable>(_ values: [Value]) -> PropertyValue {
    unsafe .bytes(values.withUnsafeBytes { unsafe Array($0) })
  }

  /// A C string.
  static func cString(_ text: String) -> PropertyValue { .bytes(Array(text.utf8) + [0]) }

  /// A buffer list with a buffer a stream and no memory.
  static func bufferList(_ channelCounts: [Int]) -> PropertyValue {
    var bytes = [UInt8](repeating: 0, count: 8 + max(0, channelCounts.count) * 16)
    unsafe bytes.withUnsafeMutableBytes { raw in
      unsafe raw.storeBytes(of: UInt32(channelCounts.count), as: UInt32.self)
      for (index, count) in channelCounts.enumerated() {
        unsafe raw.storeBytes(of: UInt32(count), toByteOffset: 8 + index * 16, as: UInt32.self)
      }
    }
    return .bytes(bytes)
  }

  /// The plain value of so many bytes; nil for too few.
  package func loaded<Value: BitwiseCopyable>(as type: Value.Type) -> Value? {
    guard case .bytes(let bytes) = self, bytes.count >= MemoryLayout<Value>.size else { return nil }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Value.self) }
  }
}
