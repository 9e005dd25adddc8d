// Who may ask: the token, the host and the origin of a request.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The gate in front of all routes: a page of another site, another name for this machine, and another user do not pass.
struct Gate: Sendable {
  /// The token, 32 hexadecimal digits.
  let token: String
  /// The port of the server.
  let port: UInt16

  /// A token of 128 random bits.
  static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let text = String(UInt64.random(in: 0...UInt64.max, using: &random), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }

  /// The name of the cookie: programs on other ports of this machine have others.
  var cookieName: String { "auricle-studio-\(port)" }

  /// The header that gives a browser the token.
  var cookie: String { "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict" }

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  /// Checks a request.
  ///
  /// - Parameter isUpgrade: Whether it asks for a WebSocket.
  /// - Throws: `.forbidden` with the reason.
  func check(_ question: Question, isUpgrade: Bool) throws(StudioFault) {
    let headers = question.headers
    guard let host = headers["host"], hosts.contains(host.lowercased()) else {
      throw StudioFault(
        .forbidden,
        "the studio answers under 127.0.0.1 and localhost alone: use the printed address")
    }
    if let origin = headers["origin"], origin.lowercased() != "http://\(host.lowercased())" {
      throw StudioFault(.forbidden, "a page of another origin may not use the studio")
    }
    if !isUpgrade, let site = headers["sec-fetch-site"], site != "same-origin", site != "none" {
      // A link from another page may show the page; it may not ask for anything else.
      guard question.method == "GET", question.parts.isEmpty else {
        throw StudioFault(.forbidden, "a page of another site may not use the studio")
      }
    }
    if let bearer = headers["authorization"], bearer.hasPrefix("Bearer ") {
      guard isToken(String(bearer.dropFirst(7))) else { throw Self.wrongToken }
      return
    }
    if question.parts.isEmpty, let supplied = question.query["token"] {
      guard isToken(supplied), question.method == "GET", !isUpgrade else { throw Self.wrongToken }
      return
    }
    guard let supplied = cookieToken(headers["cookie"]), isToken(supplied) else {
      throw Self.wrongToken
    }
    guard question.method == "GET" && !isUpgrade || headers["origin"] != nil else {
      throw StudioFault(.forbidden, "a request that changes something names its origin")
    }
  }

  private static let wrongToken = StudioFault(
    .forbidden, "the token is missing or wrong: open the address that auricle studio printed")

  private func cookieToken(_ header: String?) -> String? {
    for part in (header ?? "").split(separator: ";") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0] == cookieName { return String(pair[1]) }
    }
    return nil
  }

  /// Compares in a time that does not depend on where the difference is.
  private func isToken(_ text: String) -> Bool {
    let (supplied, own) = (Array(text.utf8), Array(token.utf8))
    guard supplied.count == own.count else { return false }
    return zip(supplied, own).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
