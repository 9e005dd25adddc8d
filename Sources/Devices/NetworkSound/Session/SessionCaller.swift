// The end that calls: it asks until it is answered, and believes an answer that proves the password.
// SPDX-License-Identifier: Apache-2.0

/// A call, from its first word to the consent.
struct SessionCaller: Sendable {
  /// The progress of a call.
  enum Stage: Sendable, Equatable {
    /// It asks, or has answered the challenge.
    case calling
    /// Sound may flow; the other end has this number.
    case joined(source: UInt32)
  }

  private let password: PasswordKey
  private let role: SessionRole
  private let source: UInt32
  private let format: SoundFormat?
  private(set) var stage = Stage.calling
  /// The last refusal; nil for none.
  private(set) var refusal: SessionRefusal?
  private var nonce = PasswordKey.random(SessionMessage.nonceSize)
  private var challenge: (listener: [UInt8], cookie: [UInt8])?
  private var asked: UInt64?
  private var tries = 0

  init(_ password: PasswordKey, role: SessionRole, source: UInt32, format: SoundFormat?) {
    self.password = password
    self.role = role
    self.source = source
    self.format = format
  }

  private static let pause: UInt64 = 500_000_000
  /// Answers before it asks anew: the other end may have begun again.
  private static let mostAnswers = 4

  /// The number of the other end; nil before it has consented.
  var peer: UInt32? { if case .joined(let source) = stage { source } else { nil } }

  /// Begins anew, as when the other end is gone.
  mutating func reset() {
    stage = .calling
    nonce = PasswordKey.random(SessionMessage.nonceSize)
    challenge = nil
    tries = 0
  }

  /// When a message is due; nil for one that has been answered.
  var dueTime: UInt64? { stage == .calling ? asked.map { $0 + Self.pause } ?? 0 : nil }

  /// The message that is due; nil for none.
  mutating func due(_ now: UInt64) -> SessionMessage? {
    guard stage == .calling, asked.map({ now >= $0 + Self.pause }) ?? true else { return nil }
    asked = now
    if challenge != nil, tries < Self.mostAnswers {
      tries += 1
      return answer
    }
    reset()
    return .hello(role: role, nonce: nonce)
  }

  private var answer: SessionMessage? {
    guard let challenge else { return nil }
    return .answer(
      SessionMessage.Answer(
        role: role, nonce: nonce, listener: challenge.listener, cookie: challenge.cookie,
        source: source,
        proof: SessionProofs.caller(
          password, nonce, challenge.listener, source, role, format), format: format))
  }

  /// Receives a message of the other end; returns a reply, and the format where the other end sends.
  mutating func receive(
    _ message: SessionMessage, now: UInt64
  ) -> (reply: SessionMessage?, joined: SoundFormat??) {
    switch message {
    case .challenge(nonce, let listener, let cookie) where stage == .calling && challenge == nil:
      challenge = (listener, cookie)
      asked = now
      tries = 1
      return (answer, nil)
    case .consent(nonce, let source, let proof, let format) where stage == .calling:
      guard let challenge else { return (nil, nil) }
      let wanted = SessionProofs.listener(password, nonce, challenge.listener, source, format)
      guard PasswordKey.isSame(wanted, proof), (format != nil) == (role == .receives) else {
        refusal = .password
        return (nil, nil)
      }
      refusal = nil
      stage = .joined(source: source)
      return (nil, .some(format))
    case .refusal(nonce, let reason) where stage == .calling:
      refusal = reason
      // It asks again after the pause: the other end may have changed its mind.
      reset()
      asked = now
      return (nil, nil)
    default: return (nil, nil)
    }
  }
}
