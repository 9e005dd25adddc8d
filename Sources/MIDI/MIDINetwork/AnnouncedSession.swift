// Sessions that Avahi announces: this computer's to others, and those of others.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// An announced session.
package struct AnnouncedSession: Sendable, Equatable {
  package let name: String
  /// Its address (IPv4), and the port of its control socket.
  package let address: String
  package let port: UInt16

  fileprivate static let service = "_apple-midi._udp"

  /// The sessions of all computers, as Avahi knows them; none where it does not run.
  ///
  /// Context: control; it asks for up to five seconds.
  package static func all() -> [AnnouncedSession] {
    let child = ChildProcess.run(
      "/usr/bin/avahi-browse", ["-prt", service], timeLimit: .seconds(5))
    return sessions(in: String(decoding: child.output, as: UTF8.self))
  }

  /// The sessions in lines of `avahi-browse -pr`: those with an address begin with an equals sign.
  package static func sessions(in text: String) -> [AnnouncedSession] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 9, fields[0] == "=", fields[2] == "IPv4", let port = UInt16(fields[8])
      else { return nil }
      return AnnouncedSession(name: plain(fields[3]), address: fields[7], port: port)
    }
  }

  /// A name without its escapes: three digits of a byte, or a backslash before a sign.
  private static func plain(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      if rest.count >= 3, let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self)) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else if let next = rest.popFirst() {
        bytes.append(next)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Avahi's program that announces a session, for as long as the session is.
struct SessionAnnouncement {
  private let process: pid_t

  /// Announces a session; nil where Avahi's program is not installed. Where its service does not run yet, it is waited for.
  ///
  /// Context: a thread that lives as long as the process: the announcement ends with it, however it ends.
  init?(_ name: String, port: UInt16) {
    let (keeper, program) = ("/usr/bin/setpriv", "/usr/bin/avahi-publish-service")
    guard unsafe access(keeper, X_OK) == 0, unsafe access(program, X_OK) == 0 else { return nil }
    let words = ["-f", "--", name, AnnouncedSession.service, "\(port)"]
    var launch = ProcessLaunch(keeper, ["--pdeathsig", "TERM", program] + words)
    // It ends by a signal, which the thread that starts it may have blocked.
    launch.leadsGroup = true
    let (child, status) = launch.start()
    guard status == 0 else { return nil }
    process = child
  }

  func end() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    unsafe _ = waitpid(process, &status, 0)
  }
}
