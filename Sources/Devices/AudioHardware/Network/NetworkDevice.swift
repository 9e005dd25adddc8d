// The name of a device on the network: `net:` with a host, or with the address at which it listens.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
package import NetworkSound

/// Another machine in place of a card.
package struct NetworkDevice: Sendable, Equatable {
  /// The other end, which is called; nil for a device that listens.
  package var host: HostAndPort?
  /// The address at which it listens: this computer's own unless another is named.
  package var listens = HostAndPort(host: "127.0.0.1")
  /// The computer that may send, where it listens; nil for this one.
  package var sender: String?
  /// Whether RTP goes without the session layer, as ffmpeg and GStreamer send and receive it.
  package var isPlain = false
  /// The encoding; nil for 16 bits of plain RTP, and for floats.
  package var format: String?
  /// Frames a second (Hz); nil for the requested rate.
  package var sampleRate: Double?
  /// Channels; nil for the requested number.
  package var channelCount: Int?
  /// The file with the password; empty for none.
  package var passwordFile = ""
  /// The file with the description of a stream: written for an output, read for an input; empty for none.
  package var descriptionFile = ""
  /// The name that is announced; nil for none.
  package var announcedName: String?
  /// Milliseconds for the jitter of the network.
  package var latency = 60.0

  /// The words of a name, for messages.
  private static let pattern =
    "net:[HOST[:PORT]][,listen=ADDRESS[:PORT]][,from=HOST][,format=WORD][,rate=HZ][,channels=N]"
    + "[,latency=MS][,password-file=FILE][,name=NAME][,plain][,sdp=FILE]"

  /// Reads a name, which begins with `net:`.
  ///
  /// - Throws: `.usage` for a word that means nothing.
  package init(_ text: String) throws(AuricleError) {
    let parts = text.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false)
    if let first = parts.first, !first.isEmpty { host = try HostAndPort(String(first)) }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if part == "plain" {
        isPlain = true
        continue
      }
      guard pair.count == 2, !pair[1].isEmpty else { throw Self.wrong(String(part), text) }
      guard try set(String(pair[0]), String(pair[1])) else { throw Self.wrong(String(part), text) }
    }
    if let format { _ = try SoundFormat.encoding(format) }
  }

  /// Sets an option; false for one that means nothing.
  private mutating func set(_ key: String, _ value: String) throws(AuricleError) -> Bool {
    switch key {
    case "listen": listens = try HostAndPort(value)
    case "from": sender = value
    case "format": format = value
    case "rate":
      guard let rate = Double(value), (4000...384_000).contains(rate), rate == rate.rounded() else {
        return false
      }
      sampleRate = rate
    case "channels":
      guard let count = Int(value), (1...64).contains(count) else { return false }
      channelCount = count
    case "latency":
      guard let number = Double(value), (1...2000).contains(number) else { return false }
      latency = number
    case "password-file": passwordFile = value
    case "sdp": descriptionFile = value
    case "name": announcedName = value
    default: return false
    }
    return true
  }

  private static func wrong(_ part: String, _ text: String) -> AuricleError {
    AuricleError(.usage, "'\(part)' in the device '\(text)' means nothing: \(pattern)")
  }

  /// The name without its file of a password.
  package var address: String {
    host.map { "net:\($0.host):\($0.port)" } ?? "net:,listen=\(listens.host):\(listens.port)"
  }

  // MARK: Ends

  /// Opens the sending end.
  ///
  /// - Throws: As `SenderLink`, and for files that cannot be written or read.
  ///
  /// Context: control.
  func sender(sampleRate: Double, channelCount: Int) throws(AuricleError) -> SenderLink {
    let (encoding, kilobits) = try SoundFormat.encoding(format ?? (isPlain ? "s16" : "float"))
    var setup = SenderLink.Setup(
      SoundFormat(
        encoding, sampleRate: Int(sampleRate), channelCount: channelCount,
        bitRate: kilobits * 1000 * channelCount))
    setup.password = try PasswordFile.password(passwordFile)
    if let host {
      let address = try host.address()
      if isPlain { setup.plain = [address] } else { setup.peer = address }
    } else {
      guard !isPlain else {
        throw AuricleError(
          .usage, "a plain output goes to a host: net:HOST:PORT,plain, as net:127.0.0.1:5004,plain")
      }
      setup.bound = try listens.address()
      setup.announcedName = announcedName
    }
    let link = try SenderLink(setup)
    if isPlain, !descriptionFile.isEmpty, let host {
      let description = SoundDescription(
        host: host.host, port: host.port, kind: SoundFormat.dynamicKind, format: link.format)
      do throws(AuricleError) {
        try Self.write(description.text, descriptionFile)
      } catch {
        link.end()
        throw error
      }
    }
    return link
  }

  /// Opens the receiving end.
  ///
  /// - Throws: As `ReceiverLink`, and for files that cannot be read.
  ///
  /// Context: control.
  func receiver(_ feed: SoundFeed) throws(AuricleError) -> ReceiverLink {
    var setup = ReceiverLink.Setup()
    setup.latency = latency / 1000
    setup.password = try PasswordFile.password(passwordFile)
    if let host {
      guard !isPlain else {
        throw AuricleError(
          .usage,
          "a plain input listens: net:,listen=ADDRESS:PORT,plain,from=\(host.host)")
      }
      setup.peer = try host.address()
    } else {
      setup.bound = try listens.address()
      if let sender { setup.invited = [try PeerAddress.find(sender, port: 0)] }
    }
    if isPlain { try setPlain(&setup, feed) }
    return try ReceiverLink(setup, feed)
  }

  private func setPlain(
    _ setup: inout ReceiverLink.Setup, _ feed: SoundFeed
  ) throws(AuricleError) {
    guard descriptionFile.isEmpty else {
      let description = try SoundDescription(reading: descriptionFile)
      (setup.plain, setup.plainKind) = (description.format, description.kind)
      setup.bound = try HostAndPort(host: listens.host, port: description.port).address()
      return
    }
    let (encoding, _) = try SoundFormat.encoding(format ?? "s16")
    setup.plain = SoundFormat(
      encoding, sampleRate: Int(sampleRate ?? feed.sampleRate),
      channelCount: channelCount ?? feed.channelCount)
  }

  private static func write(_ text: String, _ path: String) throws(AuricleError) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    let bytes = Array(text.utf8)
    var count = -1
    if descriptor >= 0 {
      var present = [UInt8](repeating: 0, count: 3)
      let held = unsafe read(descriptor, &present, 3)
      // A description replaces a description, and nothing else.
      if held == 0 || present == Array("v=0".utf8), ftruncate(descriptor, 0) == 0 {
        count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
      }
      close(descriptor)
    }
    guard count == bytes.count else {
      throw AuricleError(
        .inputOutput,
        "the description \(path) cannot be written: name a new file, or an SDP file, in a folder of "
          + "yours")
    }
  }
}
