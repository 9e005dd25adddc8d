// One UDP socket of an end, and the bound on what it reads.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc

/// A UDP socket that does not wait. Context: any thread.
final class SoundSocket: Sendable {
  let descriptor: Int32
  /// The other end's address; nil for a socket that receives from anyone.
  let peer: PeerAddress?

  /// Opens a socket.
  ///
  /// - Parameters:
  ///   - bound: Its address; nil for any port that is free.
  ///   - peer: The only address that it exchanges datagrams with; nil for all.
  /// - Throws: `.temporary` where the address is in use, `.unavailable` where it is none of this computer or the other
  ///   end cannot be reached.
  init(bound: PeerAddress?, peer: PeerAddress?) throws(AuricleError) {
    let isVersion6 = (bound ?? peer)?.isVersion6 ?? false
    let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let made = socket(
      isVersion6 ? AF_INET6 : AF_INET, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else {
      throw AuricleError(
        .unavailable,
        "no socket can be opened: \(Self.reason(errno)); a sandbox may forbid it")
    }
    descriptor = made
    self.peer = peer
    if let bound, unsafe Self.call(bound, { unsafe bind(made, $0, $1) }) != 0 {
      let number = errno
      close(made)
      throw AuricleError(
        number == EADDRINUSE ? .temporary : .unavailable,
        number == EADDRINUSE
          ? "port \(bound.port) is in use: choose another, as \(bound.port &+ 1)"
          : "sound cannot be received at \(bound.text): \(Self.reason(number))")
    }
    if let peer, unsafe Self.call(peer, { unsafe connect(made, $0, $1) }) != 0 {
      let number = errno
      close(made)
      throw AuricleError(.unavailable, "\(peer.text) is not reached: \(Self.reason(number))")
    }
    var size = Self.bufferSize
    for option in [SO_RCVBUF, SO_SNDBUF] {
      unsafe _ = setsockopt(
        made, SOL_SOCKET, option, &size, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  deinit { close(descriptor) }

  /// Bytes that the system keeps of what was not read yet.
  private static let bufferSize: Int32 = 1 << 19

  private static func reason(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }

  private static func call(
    _ address: PeerAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe address.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe body(
        start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  /// The port that it has.
  var port: UInt16 {
    var bytes = [UInt8](repeating: 0, count: 28)
    var size = socklen_t(bytes.count)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe _ = getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &size)
    }
    return PeerAddress(bytes).port
  }

  /// Sends a datagram; one that cannot be sent is lost, as on any network.
  func send(_ datagram: Datagram) {
    guard peer == nil, let address = datagram.address else {
      unsafe _ = Glibc.send(
        descriptor, datagram.bytes, datagram.bytes.count,
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      return
    }
    unsafe _ = Self.call(address) { start, size in
      unsafe sendto(
        descriptor, datagram.bytes, datagram.bytes.count,
        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), start, size)
      return 0
    }
  }

  /// Receives the next datagram, and its address; nil for none.
  func receive(_ buffer: inout [UInt8]) -> (bytes: [UInt8], address: PeerAddress)? {
    var address = [UInt8](repeating: 0, count: 28)
    var size = socklen_t(address.count)
    let count = unsafe address.withUnsafeMutableBytes { place in
      guard let start = place.baseAddress else { return -1 }
      return unsafe recvfrom(
        descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT),
        start.assumingMemoryBound(to: sockaddr.self), &size)
    }
    guard count >= 0 else { return nil }
    return (Array(buffer.prefix(count)), PeerAddress(Array(address.prefix(Int(size)))))
  }
}

/// The datagrams that an end reads in a second, at most: others are left to the system, which drops them.
struct FloodGate {
  /// Datagrams a second.
  static let rate = 20_000.0
  private var tokens = 2000.0
  private var last: UInt64 = 0

  /// Whether one more may be read.
  mutating func opens(_ now: UInt64) -> Bool {
    if last > 0 { tokens = min(2000, tokens + Double(now - min(now, last)) * 1e-9 * Self.rate) }
    last = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
