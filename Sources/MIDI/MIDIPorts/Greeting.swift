// The first message of a process when it connects to another.
// SPDX-License-Identifier: Apache-2.0

/// The purpose of a connection.
enum Greeting: Equatable {
  /// To notice the end of the process.
  case watch
  /// To send to a destination, by its key.
  case send(String)
  /// To receive from a source, by its key.
  case receive(String)

  private static let mark = Array("AuM1".utf8)

  var bytes: [UInt8] {
    switch self {
    case .watch: Self.mark + [UInt8(ascii: "w")]
    case .send(let key): Self.mark + [UInt8(ascii: "s")] + key.utf8
    case .receive(let key): Self.mark + [UInt8(ascii: "r")] + key.utf8
    }
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.mark), bytes.count >= 5 else { return nil }
    let key = String(decoding: bytes.dropFirst(5), as: UTF8.self)
    switch bytes[4] {
    case UInt8(ascii: "w"): self = .watch
    case UInt8(ascii: "s"): self = .send(key)
    case UInt8(ascii: "r"): self = .receive(key)
    default: return nil
    }
  }
}
