// Properties of MIDI objects, and how they are written down.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// The value of a property.
package enum PropertyValue: Sendable, Equatable {
  /// A number.
  case integer(Int32)
  /// A text.
  case text(String)
  /// Bytes.
  case data([UInt8])
  /// A dictionary, as a property list in bytes.
  case dictionary([UInt8])

  /// The form in a file.
  package var json: JSONValue {
    switch self {
    case .integer(let value): .integer(Int64(value))
    case .text(let value): .string(value)
    case .data(let bytes): .members([("data", .string(Self.hexadecimal(bytes)))])
    case .dictionary(let bytes): .members([("dictionary", .string(Self.hexadecimal(bytes)))])
    }
  }

  /// Reads the form in a file; nil for anything else.
  package init?(json: JSONValue) {
    if let number = json.integer, let value = Int32(exactly: number) {
      self = .integer(value)
    } else if let text = json.text {
      self = .text(text)
    } else if let bytes = json["data"]?.text.flatMap(Self.bytes) {
      self = .data(bytes)
    } else if let bytes = json["dictionary"]?.text.flatMap(Self.bytes) {
      self = .dictionary(bytes)
    } else {
      return nil
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

/// Names of properties that mean something here.
package enum PropertyName {
  package static let name = "name"
  package static let displayName = "displayName"
  package static let uniqueID = "uniqueID"
  package static let offline = "offline"
  package static let isPrivate = "private"
  package static let protocolID = "protocol"
  package static let scheduleAhead = "scheduleAheadMuSec"
  package static let maxSysExSpeed = "maxSysExSpeed"
  /// The address of the port of the sequencer that an endpoint is.
  package static let sequencerPort = "alsaSequencerPort"
}
