// A line to a control socket, and the answer.
// SPDX-License-Identifier: Apache-2.0

import Glibc

enum ControlLine {
  /// Connects; -1 where nobody listens.
  static func connect(_ path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: Array(path.utf8))
    }
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    if isConnected { return descriptor }
    close(descriptor)
    return -1
  }

  /// Sends a line; nil where nobody answers.
  static func ask(_ line: String, _ path: String) -> String? {
    let descriptor = connect(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = Array((line + "\n").utf8)
    unsafe _ = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(descriptor, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
    return byte == 0x0A ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
