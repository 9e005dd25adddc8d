// `auricle midi network`: a session of RTP-MIDI with other computers.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import CommandOutput
import Glibc
import MIDINetwork
import RunReports

/// Runs a session.
struct MIDINetworkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "network",
    abstract: "Run a MIDI session with other computers, until it is stopped.",
    discussion: """
      The session is a MIDI source with the messages of the other computers, and a destination \
      that sends to all of them. It uses RTP-MIDI with Apple's session protocol, over UDP and \
      IPv4, on two adjacent ports; lost messages are recovered. Where Avahi runs (Debian: \
      avahi-utils), the session is announced.

      Exit codes: 69 a host is not found, 75 a port is in use.

      EXAMPLES:
        auricle midi network
        auricle midi network --name Stage --invite studio.local --port 5006
      """)

  @Option(
    help: ArgumentHelp(
      "The name of the session. Default: the name of this computer.", valueName: "name")
  )
  var name: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The first of the two ports; 0 for any free ones. Default: 5004.", valueName: "number"),
    transform: NumberRange.whole(0...65_534))
  var port: UInt16 = 5004

  @Option(
    help: ArgumentHelp(
      "A host to invite (default port: 5004), or an announced session. Repeat for more.",
      valueName: "host[:port]"))
  var invite: [String] = []

  @Flag(help: "Refuse invitations.") var closed = false

  func validate() throws {
    if name?.isEmpty == true { throw ValidationError("The name of the session is empty.") }
    for host in invite { _ = try Self.place(host) }
  }

  private static func place(_ text: String) throws -> (host: String, port: UInt16) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let port = parts.count == 2 ? UInt16(parts[1]) : 5004
    guard (1...2).contains(parts.count), !parts[0].isEmpty, let port, port > 0 else {
      throw ValidationError("--invite takes a host, or host:port, not '\(text)'.")
    }
    return (parts[0], port)
  }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, 255) == 0 else { return "auricle" }
    return String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func run() throws {
    Interruption.install()
    let service = try NetworkService(
      name: name ?? Self.hostName, port: port, acceptsAnyone: !closed)
    StandardStreams.writeMessage(
      "auricle: the session is at ports \(service.port) and \(Int(service.port) + 1)")
    for host in invite {
      let (name, port) = try Self.place(host)
      try service.invite(name, port: port)
    }
    service.run(shouldStop: { Interruption.isRequested }) {
      StandardStreams.writeMessage("auricle: \(TerminalText.plain($0))")
    }
  }
}
