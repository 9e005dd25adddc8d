// Amounts of inputs of each kind, from which the time of a run is estimated.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// Inputs by kind, in numbers.
public struct InputAmounts: Sendable, Equatable {
  /// Inputs of one kind.
  struct Amount: Sendable, Equatable {
    var fileCount = 0
    /// Seconds of those whose length is known, and their bytes.
    var seconds = 0.0
    var knownByteCount = 0
    /// Bytes of all others.
    var unknownByteCount = 0

    mutating func add(_ byteCount: Int, _ seconds: Double?) {
      fileCount += 1
      if let seconds {
        self.seconds += seconds
        knownByteCount += byteCount
      } else {
        unknownByteCount += byteCount
      }
    }
  }

  private(set) var kinds: [String: Amount] = [:]

  /// The greatest number of separate kinds.
  private static let mostKinds = 64

  /// Nothing.
  public init() {}

  /// The kind of a file: the ending of its name in lower case, empty without a usual one.
  public static func kind(of path: String) -> String {
    let name = path.utf8.suffix(8)
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    let written = name[name.index(after: dot)...]
    if written.allSatisfy(isUsual) { return String(decoding: written, as: UTF8.self) }
    let ending = String(decoding: written, as: UTF8.self).lowercased()
    return ending.utf8.allSatisfy(isUsual) ? ending : ""
  }

  private static func isUsual(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Counts a file: its seconds of sound where its header declares them, else its bytes.
  package mutating func add(_ path: String, byteCount: Int, seconds: Double?) {
    var kind = Self.kind(of: path)
    if kinds.count >= Self.mostKinds, kinds[kind] == nil { kind = "" }
    kinds[kind, default: Amount()].add(byteCount, seconds)
  }

  /// The amounts as JSON.
  package var json: JSONValue? {
    guard !kinds.isEmpty else { return nil }
    return .members(
      kinds.sorted { $0.key < $1.key }.map { kind, amount in
        let numbers = [amount.fileCount, amount.knownByteCount, amount.unknownByteCount]
        return (kind, .array([JSONValue(amount.seconds)] + numbers.map { JSONValue($0) }))
      })
  }

  /// Reads stored amounts; unintelligible ones are left out.
  package init(json: JSONValue?) {
    for member in (json?.members ?? []).prefix(Self.mostKinds) {
      guard let numbers = member.value.elements, numbers.count == 4,
        let seconds = numbers[0].number, seconds.isFinite, seconds >= 0
      else { continue }
      let counts = numbers.dropFirst().map { min(max($0.integer ?? 0, 0), 1 << 60) }
      kinds[member.key] = Amount(
        fileCount: counts[0], seconds: seconds, knownByteCount: counts[1],
        unknownByteCount: counts[2])
    }
  }
}

/// The weights of files: seconds of sound, and a little for every file.
///
/// Where a file's length is not known, its bytes count as in other files of its kind, else as usual for the
/// kind.
public struct InputScale: Sendable {
  private let plan: InputAmounts

  /// The cost of opening, checking and naming a file, in seconds of sound.
  private static let fileWeight = 0.3

  /// The scale for the files of a plan.
  public init(_ plan: InputAmounts) { self.plan = plan }

  /// The weight of a file.
  public func weight(_ path: String, byteCount: Int, seconds: Double?) -> Double {
    let known = seconds ?? Double(byteCount) * secondsPerByte(InputAmounts.kind(of: path))
    return known + Self.fileWeight
  }

  /// The weights of inputs, by kind.
  func weights(_ amounts: InputAmounts) -> [String: Double] {
    amounts.kinds.reduce(into: [:]) { weights, entry in
      let amount = entry.value
      weights[entry.key] =
        amount.seconds + Double(amount.unknownByteCount) * secondsPerByte(entry.key)
        + Double(amount.fileCount) * Self.fileWeight
    }
  }

  private func secondsPerByte(_ kind: String) -> Double {
    if let amount = plan.kinds[kind], amount.knownByteCount > 0 {
      return amount.seconds / Double(amount.knownByteCount)
    }
    switch kind {
    case "mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "mka", "weba", "ac3", "wma":
      return 1 / 16_000
    case "flac", "alac", "ape", "wv": return 1 / 90_000
    case "mp4", "mov", "mkv", "webm", "avi", "m4v": return 1 / 250_000
    default: return 1 / 176_400
    }
  }
}
