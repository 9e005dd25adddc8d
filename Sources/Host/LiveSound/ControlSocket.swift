// The control socket: clients on this machine send lines, and get one answer for each.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// A socket of the file system that its owner alone may use.
///
/// Context: one control thread.
final class ControlSocket {
  private struct Client {
    let descriptor: Int32
    var received: [UInt8] = []
    var unsent: [UInt8] = []
    /// The number of lines of all clients before its last one; the client with the lowest is idle longest.
    var lastLine: Int
  }

  private let listener: Int32
  /// The socket in the file system, which goes with this one.
  private let made: MadeFile
  /// Lines and connections so far.
  private var lineCount = 0
  private var clients: [Client] = []
  /// The most clients at once, and bytes of a line or of answers that nobody reads.
  private static let (mostClients, longestLine, mostUnsent) = (16, 4096, 1 << 20)

  /// Makes the socket.
  ///
  /// A socket that a dead process of this user left is replaced; anything else under the name stays.
  ///
  /// - Throws: `.usage` for a path that is too long, `.temporary` where another program answers there,
  ///   `.noPermission`, `.inputOutput` also where something else has the name.
  init(path: String) throws(AuricleError) {
    let bytes = Array(path.utf8)
    var address = sockaddr_un()
    guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw AuricleError(
        .usage, "the path of a control socket has 1 to 107 bytes, not \(bytes.count): \(path)")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let type =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      | Int32(SOCK_NONBLOCK.rawValue)
    listener = socket(AF_UNIX, type, 0)
    guard listener >= 0 else { throw systemError(errno, "make", path) }
    var status = unsafe Self.call(listener, address, bind)
    if status == EADDRINUSE {
      guard let old = MadeFile(path, .socket) else {
        close(listener)
        throw AuricleError(
          .inputOutput,
          "\(path) is there already, and no control socket of yours: name another path with --control"
        )
      }
      guard Self.isAbandoned(address), old.remove() else {
        close(listener)
        throw AuricleError(
          .temporary, "\(path) is there already, and in use: name another path with --control")
      }
      status = unsafe Self.call(listener, address, bind)
    }
    guard status == 0, let made = MadeFile(path, .socket) else {
      close(listener)
      throw systemError(status == 0 ? ENOENT : status, "make", path)
    }
    guard listen(listener, Int32(Self.mostClients)) == 0 else {
      let number = errno
      close(listener)
      made.remove()
      throw systemError(number, "make", path)
    }
    self.made = made
  }

  deinit {
    for client in clients { close(client.descriptor) }
    close(listener)
    made.remove()
  }

  /// Calls a function with an address; the socket that it makes is for this user alone.
  private static func call(
    _ descriptor: Int32, _ address: sockaddr_un,
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = address
    let mask = umask(0o177)
    defer { umask(mask) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
  }

  /// Whether a path is a socket at which nobody listens.
  private static func isAbandoned(_ address: sockaddr_un) -> Bool {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let trial = socket(AF_UNIX, type, 0)
    defer { close(trial) }
    return unsafe trial >= 0 && call(trial, address, connect) == ECONNREFUSED
  }

  /// The descriptors of the listener and the clients, with the events that `serve` handles.
  var entries: [pollfd] {
    [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
      + clients.map { client in
        let events = client.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
        return pollfd(fd: client.descriptor, events: Int16(events), revents: 0)
      }
  }

  /// Reads the lines that are there, and has each answered.
  func serve(answer: (String) -> String) {
    var entries = entries
    guard unsafe poll(&entries, nfds_t(entries.count), 0) > 0 else { return }
    for index in clients.indices.reversed() where entries[index + 1].revents != 0 {
      if !talk(index, answer) {
        close(clients[index].descriptor)
        clients.remove(at: index)
      }
    }
    if entries[0].revents & Int16(POLLIN) != 0 { accept() }
  }

  private func accept() {
    let made = Glibc.accept(listener, nil, nil)
    guard made >= 0 else { return }
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    _ = fcntl(made, F_SETFL, O_NONBLOCK)
    // The one that is idle longest is closed: idle clients lock nobody out.
    if clients.count >= Self.mostClients,
      let idle = clients.indices.min(by: { clients[$0].lastLine < clients[$1].lastLine })
    {
      close(clients[idle].descriptor)
      clients.remove(at: idle)
    }
    lineCount += 1
    clients.append(Client(descriptor: made, lastLine: lineCount))
  }

  /// Reads and answers; false when the client is gone, or sends no valid line.
  private func talk(_ index: Int, _ answer: (String) -> String) -> Bool {
    var block = [UInt8](repeating: 0, count: 4096)
    let descriptor = clients[index].descriptor
    let count = unsafe recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT))
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return false }
    if count > 0 { clients[index].received += block[0..<count] }
    while let end = clients[index].received.firstIndex(of: 0x0A) {
      let line = String(decoding: clients[index].received[..<end], as: UTF8.self)
      clients[index].received.removeSubrange(...end)
      lineCount += 1
      clients[index].lastLine = lineCount
      clients[index].unsent += Array((answer(line) + "\n").utf8)
    }
    guard clients[index].received.count <= Self.longestLine else { return false }
    return send(index)
  }

  private func send(_ index: Int) -> Bool {
    guard !clients[index].unsent.isEmpty else { return true }
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    let count = unsafe Glibc.send(
      clients[index].descriptor, clients[index].unsent, clients[index].unsent.count, flags)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    clients[index].unsent.removeFirst(count)
    return clients[index].unsent.count <= Self.mostUnsent
  }
}
