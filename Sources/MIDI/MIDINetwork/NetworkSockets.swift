// The two sockets of a session: control, and data on the port behind it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Two UDP sockets of IPv4. Context: any thread.
final class NetworkSockets: Sendable {
  let control: Int32
  let data: Int32
  /// The port of the control socket.
  let port: UInt16

  /// Opens a port and the one behind it; 0 for any two that are free.
  ///
  /// - Throws: `.temporary` where one is in use.
  init(port wanted: UInt16) throws(AuricleError) {
    for _ in 0..<32 {
      guard let first = Self.open(wanted) else { break }
      let port = Self.port(of: first)
      if port < UInt16.max, let second = Self.open(port + 1) {
        (control, data, self.port) = (first, second, port)
        return
      }
      close(first)
      // With a free choice of ports, another pair may be free.
      guard wanted == 0 else { break }
    }
    throw AuricleError(
      .temporary,
      wanted == 0
        ? "there are no two free ports next to each other"
        : "port \(wanted) or \(Int(wanted) + 1) is taken: choose another with --port")
  }

  deinit {
    close(control)
    close(data)
  }

  private static func open(_ port: UInt16) -> Int32? {
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let made = socket(AF_INET, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(made)
      return nil
    }
    return made
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe _ = getsockname(descriptor, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The address of a host's port.
  ///
  /// - Throws: `.unavailable` for a name that nobody knows.
  static func address(_ host: String, _ port: UInt16) throws(AuricleError) -> PeerAddress {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_INET
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, "\(port)", &hints, &found)
    defer { if let found = unsafe found { unsafe freeaddrinfo(found) } }
    guard status == 0, let address = unsafe found?.pointee.ai_addr else {
      throw AuricleError(
        .unavailable,
        "the host \(host) is not found: \(unsafe String(cString: gai_strerror(status)))")
    }
    let size = unsafe Int(found?.pointee.ai_addrlen ?? 0)
    return unsafe PeerAddress(Array(UnsafeRawBufferPointer(start: address, count: size)))
  }

  /// Sends a datagram; one that cannot be sent is lost, as on any network.
  func send(_ datagram: NetworkSession.Datagram) {
    let descriptor = datagram.port == .control ? control : data
    unsafe datagram.address.bytes.withUnsafeBytes { address in
      guard let start = address.baseAddress else { return }
      unsafe _ = sendto(
        descriptor, datagram.bytes, datagram.bytes.count, Int32(MSG_DONTWAIT),
        start.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
    }
  }

  /// The next datagram of a port, and from where; nil for none.
  func receive(_ port: NetworkPort) -> (bytes: [UInt8], address: PeerAddress)? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = port == .control ? control : data
    let count = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe recvfrom(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT), $0, &size)
      }
    }
    guard count >= 0 else { return nil }
    let from = unsafe withUnsafeBytes(of: &address) {
      unsafe PeerAddress(Array($0.prefix(Int(size))))
    }
    return (Array(bytes.prefix(count)), from)
  }
}
