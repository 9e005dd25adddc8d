// The address of a port on the network, of either version of IP.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// An address with its port, as the system calls have it.
package struct PeerAddress: Hashable, Sendable {
  /// The bytes of a `sockaddr_in` or `sockaddr_in6`.
  package let bytes: [UInt8]

  /// Names an address by its bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether it is of version 6.
  package var isVersion6: Bool { bytes.count >= 28 }

  /// The address without its port: the computer.
  package var host: [UInt8] {
    isVersion6 ? Array(bytes[8..<24]) : Array(bytes.dropFirst(4).prefix(4))
  }

  /// The port.
  package var port: UInt16 {
    bytes.count >= 4 ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : 0
  }

  /// The same computer's other port.
  package func withPort(_ port: UInt16) -> PeerAddress {
    var changed = bytes
    if changed.count >= 4 { (changed[2], changed[3]) = (UInt8(port >> 8), UInt8(port & 0xFF)) }
    return PeerAddress(changed)
  }

  /// Whether it is of this computer.
  package var isLoopback: Bool {
    isVersion6
      ? host == [UInt8](repeating: 0, count: 15) + [1] || host.starts(with: Self.mapped + [127])
      : host.first == 127
  }

  /// Whether both are of one computer, also where one address has the other's inside.
  package func isHost(of other: PeerAddress) -> Bool { plainHost == other.plainHost }

  private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
  private var plainHost: [UInt8] {
    isVersion6 && host.starts(with: Self.mapped) ? Array(host.suffix(4)) : host
  }

  /// The address for people, as `192.168.1.2:52800`.
  package var text: String {
    let port = port
    guard isVersion6 else { return host.map { "\($0)" }.joined(separator: ".") + ":\(port)" }
    let words = stride(from: 0, to: 16, by: 2).map {
      String(UInt16(host[$0]) << 8 | UInt16(host[$0 + 1]), radix: 16)
    }
    return "[\(words.joined(separator: ":"))]:\(port)"
  }

  /// Finds the address of a host by its name or number.
  ///
  /// - Throws: `.unavailable` for a name that nobody knows.
  ///
  /// Context: control; a name may take seconds.
  package static func find(_ host: String, port: UInt16) throws(AuricleError) -> PeerAddress {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &found)
    defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
    guard status == 0, let address = unsafe found?.pointee.ai_addr else {
      throw AuricleError(
        .unavailable,
        "the host \(host) is not found (\(unsafe String(cString: gai_strerror(status)))): "
          + "name it by its address, as 192.168.1.2")
    }
    let size = unsafe Int(found?.pointee.ai_addrlen ?? 0)
    return unsafe PeerAddress(Array(UnsafeRawBufferPointer(start: address, count: size)))
  }
}
