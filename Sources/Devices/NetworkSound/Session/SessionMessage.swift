// What both ends say before sound flows: who is there, which format, and that both know the password.
// SPDX-License-Identifier: Apache-2.0

/// The direction of sound, as the caller sees it.
package enum SessionRole: UInt8, Sendable {
  /// The caller sends.
  case sends = 1
  /// The caller receives.
  case receives = 2
}

/// Why a caller is refused.
package enum SessionRefusal: UInt8, Sendable {
  /// The password is missing or another.
  case password = 1
  /// There are as many as there may be.
  case full = 2
  /// Both ends send, or both receive.
  case role = 3
  /// The format cannot be decoded here.
  case format = 4
  /// Its address was not invited.
  case uninvited = 5
}

/// A message of the session layer. Its first byte, `a`, is that of no RTP packet.
package enum SessionMessage: Sendable, Equatable {
  /// A caller's first word.
  case hello(role: SessionRole, nonce: [UInt8])
  /// The listener's reply, which is shorter: it proves that the caller has its address.
  case challenge(nonce: [UInt8], listener: [UInt8], cookie: [UInt8])
  /// A caller's proofs, and where it sends, its format.
  case answer(Answer)
  /// The listener's consent and its proof, and where it sends, its format.
  case consent(nonce: [UInt8], source: UInt32, proof: [UInt8], format: SoundFormat?)
  /// A refusal.
  case refusal(nonce: [UInt8], SessionRefusal)

  /// A caller's proofs.
  package struct Answer: Sendable, Equatable {
    /// The direction of sound.
    package var role: SessionRole
    /// The random numbers of both ends.
    package var nonce: [UInt8]
    package var listener: [UInt8]
    /// The bytes that the listener gave it.
    package var cookie: [UInt8]
    /// The number of the caller in RTP.
    package var source: UInt32
    /// The proof that it knows the password.
    package var proof: [UInt8]
    /// The format that it sends; nil where it receives.
    package var format: SoundFormat?

    /// Gathers them.
    package init(
      role: SessionRole, nonce: [UInt8], listener: [UInt8], cookie: [UInt8], source: UInt32,
      proof: [UInt8], format: SoundFormat?
    ) {
      self.role = role
      self.nonce = nonce
      self.listener = listener
      self.cookie = cookie
      self.source = source
      self.proof = proof
      self.format = format
    }
  }

  /// Bytes of a random number, of a cookie and of a proof.
  package static let nonceSize = 16
  package static let proofSize = 32
  /// Bytes of the messages of a caller. A reply is never longer than what it replies to.
  package static let helloSize = 256
  package static let answerSize = 1024

  private static let word = Array("aurs".utf8)
  private static let version: UInt8 = 1

  /// Whether bytes are to be read as a message.
  package static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: word) }

  /// Reads a message; nil for one that is cut short, of another version, or shorter than a caller's has to be.
  package init?(_ bytes: [UInt8]) {
    guard Self.isOne(bytes), bytes.count <= Self.answerSize else { return nil }
    var reader = DatagramReader(bytes.dropFirst(Self.word.count))
    guard reader.number(UInt8.self) == Self.version, let code = reader.number(UInt8.self),
      let length = reader.number(UInt16.self), let body = reader.read(Int(length)),
      let nonce = body.count >= Self.nonceSize ? Array(body.prefix(Self.nonceSize)) : nil
    else { return nil }
    var rest = DatagramReader(body.dropFirst(Self.nonceSize))
    switch code {
    case 1:
      guard bytes.count >= Self.helloSize, let role = rest.number(UInt8.self),
        let role = SessionRole(rawValue: role)
      else { return nil }
      self = .hello(role: role, nonce: nonce)
    case 2:
      guard let listener = rest.read(Self.nonceSize), let cookie = rest.read(Self.nonceSize)
      else { return nil }
      self = .challenge(nonce: nonce, listener: Array(listener), cookie: Array(cookie))
    case 3:
      guard bytes.count >= Self.answerSize, let answer = Self.answer(nonce, &rest) else {
        return nil
      }
      self = .answer(answer)
    case 4:
      guard let source = rest.number(UInt32.self), let proof = rest.read(Self.proofSize)
      else { return nil }
      let format = SoundFormat(&rest)
      guard format != nil || rest.left == 0 else { return nil }
      self = .consent(nonce: nonce, source: source, proof: Array(proof), format: format)
    case 5:
      guard let number = rest.number(UInt8.self), let reason = SessionRefusal(rawValue: number)
      else { return nil }
      self = .refusal(nonce: nonce, reason)
    default: return nil
    }
  }

  private static func answer(_ nonce: [UInt8], _ rest: inout DatagramReader) -> Answer? {
    guard let number = rest.number(UInt8.self), let role = SessionRole(rawValue: number),
      let listener = rest.read(nonceSize), let cookie = rest.read(nonceSize),
      let source = rest.number(UInt32.self), let proof = rest.read(proofSize)
    else { return nil }
    let format = SoundFormat(&rest)
    guard (format != nil) == (role == .sends) else { return nil }
    return Answer(
      role: role, nonce: nonce, listener: Array(listener), cookie: Array(cookie), source: source,
      proof: Array(proof), format: format)
  }

  /// The message as it is sent.
  package var bytes: [UInt8] {
    var body: [UInt8]
    let code: UInt8
    var size = 0
    switch self {
    case .hello(let role, let nonce):
      (code, body, size) = (1, nonce + [role.rawValue], Self.helloSize)
    case .challenge(let nonce, let listener, let cookie):
      (code, body) = (2, nonce + listener + cookie)
    case .answer(let answer):
      (code, body, size) = (3, answer.nonce + [answer.role.rawValue], Self.answerSize)
      body += answer.listener + answer.cookie
      body.add(answer.source)
      body += answer.proof + (answer.format?.bytes ?? [])
    case .consent(let nonce, let source, let proof, let format):
      (code, body) = (4, nonce)
      body.add(source)
      body += proof + (format?.bytes ?? [])
    case .refusal(let nonce, let reason): (code, body) = (5, nonce + [reason.rawValue])
    }
    var bytes = Self.word + [Self.version, code]
    bytes.add(UInt16(body.count))
    bytes += body
    while bytes.count < size { bytes.append(0) }
    return bytes
  }
}
