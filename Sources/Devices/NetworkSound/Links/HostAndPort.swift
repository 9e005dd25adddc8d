// Where the other end is, as people write it: an address or a name, with or without a port.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// A host with a port.
package struct HostAndPort: Sendable, Equatable {
  /// The port where none is named: that of Core Audio's sending unit.
  package static let usualPort: UInt16 = 52_800

  /// The name or address.
  package var host: String
  /// The port.
  package var port: UInt16

  /// Names a host.
  package init(host: String, port: UInt16 = Self.usualPort) {
    self.host = host
    self.port = port
  }

  /// Reads `host`, `host:port`, `[address]:port`, or an address of version 6 alone.
  ///
  /// - Throws: `.usage` for a port that is none, and for an empty host.
  package init(_ text: String) throws(AuricleError) {
    var (host, rest) = (Substring(text), Substring(""))
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { throw Self.wrong(text) }
    } else if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      rest = text[colon...]
    }
    guard !host.isEmpty, !host.contains(where: { ",\n\0".contains($0) }) else {
      throw Self.wrong(text)
    }
    self.init(host: String(host))
    if !rest.isEmpty {
      guard let port = UInt16(rest.dropFirst()), port > 0 else { throw Self.wrong(text) }
      self.port = port
    }
  }

  private static func wrong(_ text: String) -> AuricleError {
    AuricleError(
      .usage,
      "'\(text)' is no host on the network: write a name or an address, with a port from 1 to 65535, "
        + "as 192.168.1.2:\(usualPort) or [fe80::1]:\(usualPort)")
  }

  /// The address on the network; a name that nobody knows is looked for among the announced senders.
  ///
  /// - Throws: `.unavailable` where there is none.
  ///
  /// Context: control; it may take seconds.
  package func address() throws(AuricleError) -> PeerAddress {
    do throws(AuricleError) {
      return try PeerAddress.find(host, port: port)
    } catch {
      let senders = AnnouncedSender.all()
      if let found = senders.first(where: { $0.name.lowercased() == host.lowercased() }) {
        return try PeerAddress.find(found.address, port: found.port)
      }
      guard !senders.isEmpty else { throw error }
      throw AuricleError(
        .unavailable,
        "\(error.message), or by the name of a sender that Avahi announces: "
          + senders.map(\.name).joined(separator: ", "))
    }
  }
}
