// Whether PipeWire's server runs, asked of its socket: its plug-in of alsa-lib may wait for ever where it does not.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// PipeWire's server.
enum PipeWireServer {
  /// Whether a server listens at a socket where PipeWire's library searches one of these names.
  ///
  /// - Parameter names: Names of the server in PCMs; without any, its usual name. Context: control.
  static func runs(_ names: [String]) -> Bool {
    let remote = value("PIPEWIRE_REMOTE").map { [$0] } ?? []
    let folders =
      ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR", "USERPROFILE"].compactMap(value)
      + ["/run/pipewire"]
    return (names + remote + ["pipewire-0"]).contains { name in
      name.hasPrefix("/") ? listens(name) : folders.contains { listens("\($0)/\(name)") }
    }
  }

  private static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a socket accepts a connection.
  private static func listens(_ path: String) -> Bool {
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { return false }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let made = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else { return true }
    defer { close(made) }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // A full queue is one on which a process listens.
    return status == 0 || errno == EAGAIN
  }
}
