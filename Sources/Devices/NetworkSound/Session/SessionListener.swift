// The end that is called: it keeps nothing about a caller until that has shown its address and the password.
// SPDX-License-Identifier: Apache-2.0

/// The replies of the end that listens.
struct SessionListener: Sendable {
  private let cookieKey = PasswordKey.random(32)
  private let password: PasswordKey
  /// The direction that a caller must have.
  private let callers: SessionRole

  init(_ password: PasswordKey, callers: SessionRole) {
    self.password = password
    self.callers = callers
  }

  /// Nanoseconds for which a cookie is good, at least.
  private static let slot: UInt64 = 10_000_000_000

  /// Replies to a caller's first word.
  func reply(
    _ role: SessionRole, _ nonce: [UInt8], from address: PeerAddress, now: UInt64
  ) -> SessionMessage {
    guard role == callers else { return .refusal(nonce: nonce, .role) }
    let (listener, cookie) = secrets(nonce, address, now / Self.slot)
    return .challenge(nonce: nonce, listener: listener, cookie: cookie)
  }

  /// Both numbers follow from a key, the caller's address and the time: nothing is remembered.
  private func secrets(
    _ nonce: [UInt8], _ address: PeerAddress, _ slot: UInt64
  ) -> ([UInt8], [UInt8]) {
    var place = address.bytes + nonce
    place.add(slot)
    let size = SessionMessage.nonceSize
    let listener = Array(PasswordKey.code([1] + place, key: cookieKey).prefix(size))
    return (listener, Array(PasswordKey.code([2] + place, key: cookieKey).prefix(size)))
  }

  /// Checks an answer: nil for one that is silently dropped, as its cookie is wrong or old.
  func check(
    _ answer: SessionMessage.Answer, from address: PeerAddress, now: UInt64
  ) -> SessionRefusal?? {
    let slot = now / Self.slot
    let isKnown = [slot, slot > 0 ? slot - 1 : slot].contains { slot in
      let (listener, cookie) = secrets(answer.nonce, address, slot)
      return PasswordKey.isSame(listener, answer.listener)
        && PasswordKey.isSame(cookie, answer.cookie)
    }
    guard isKnown else { return nil }
    guard answer.role == callers else { return .some(.role) }
    let proof = SessionProofs.caller(
      password, answer.nonce, answer.listener, answer.source, answer.role, answer.format)
    return .some(PasswordKey.isSame(proof, answer.proof) ? nil : .password)
  }

  /// The consent to an answer that was checked.
  func consent(
    _ answer: SessionMessage.Answer, source: UInt32, format: SoundFormat?
  ) -> SessionMessage {
    .consent(
      nonce: answer.nonce, source: source,
      proof: SessionProofs.listener(password, answer.nonce, answer.listener, source, format),
      format: format)
  }
}

/// The proofs that both ends make.
enum SessionProofs {
  private static func number(_ source: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(source)
    return bytes
  }

  /// The caller's.
  static func caller(
    _ key: PasswordKey, _ nonce: [UInt8], _ listener: [UInt8], _ source: UInt32,
    _ role: SessionRole, _ format: SoundFormat?
  ) -> [UInt8] {
    key.proof([1, role.rawValue], nonce, listener, number(source), format?.bytes ?? [])
  }

  /// The listener's.
  static func listener(
    _ key: PasswordKey, _ nonce: [UInt8], _ listener: [UInt8], _ source: UInt32,
    _ format: SoundFormat?
  ) -> [UInt8] {
    key.proof([2], nonce, listener, number(source), format?.bytes ?? [])
  }
}
