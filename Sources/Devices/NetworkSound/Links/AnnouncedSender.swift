// Senders that Avahi announces: this computer's to others, and those of others.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// A sender that somebody announces.
package struct AnnouncedSender: Sendable, Equatable {
  /// The name for people.
  package let name: String
  /// The address, and the port.
  package let address: String
  package let port: UInt16

  /// The kind of service. Core Audio's own, `_apple-ausend._tcp`, is of another protocol.
  package static let service = "_auricle-sound._udp"

  /// The senders of all computers, as Avahi knows them; none where it does not run.
  ///
  /// Context: control; it asks for up to five seconds.
  package static func all() -> [AnnouncedSender] {
    guard unsafe access(browser, X_OK) == 0 else { return [] }
    let child = ChildProcess.run(browser, ["-prt", service], timeLimit: .seconds(5))
    return senders(in: String(decoding: child.output, as: UTF8.self))
  }

  private static let browser = "/usr/bin/avahi-browse"

  /// The senders in lines of `avahi-browse -pr`: those with an address begin with an equals sign.
  package static func senders(in text: String) -> [AnnouncedSender] {
    text.split(separator: "\n").prefix(1024).compactMap { line in
      let fields = line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 9, fields[0] == "=", let port = UInt16(fields[8]), port > 0 else {
        return nil
      }
      return AnnouncedSender(name: plain(fields[3]), address: fields[7], port: port)
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

/// Avahi's program that announces a sender, for as long as the sender is.
struct SenderAnnouncement {
  private let process: pid_t

  /// Announces a sender; nil where Avahi's program is not installed. Where its service does not run yet, it is waited for.
  ///
  /// Context: the network thread: the announcement ends with it, however it ends.
  init?(_ name: String, port: UInt16) {
    let (keeper, program) = ("/usr/bin/setpriv", "/usr/bin/avahi-publish-service")
    guard unsafe access(keeper, X_OK) == 0, unsafe access(program, X_OK) == 0 else { return nil }
    let words = ["-f", "--", name, AnnouncedSender.service, "\(port)"]
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
