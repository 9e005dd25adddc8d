// What a process that compares chains tells its supervisor.
// SPDX-License-Identifier: Apache-2.0

/// What a worker tells of the chains it compares.
enum ChainAnswer {
  /// What the first chain made of the test signal, and how long that was.
  case first(checksum: UInt64, blocks: Int)
  /// Whether a new chain sounds the same; how many seconds of work it takes to make one, 0 where
  /// resetting is not worth it; and how many to find out whether a chain that was reset would do.
  case opened(isSame: Bool, making: Double, looking: Double)
  /// Whether a chain that was reset sounds the same.
  case reset(isClean: Bool)
  /// A chain could not be made, or gave an error.
  case failed

  var members: [(String, JSONValue?)] {
    switch self {
    case .first(let checksum, let blocks):
      [("xxh64", .string(Hexadecimal.text(checksum))), ("blocks", JSONValue(blocks))]
    case .opened(let isSame, let making, let looking):
      [
        ("same", .boolean(isSame)), ("making", JSONValue(making)), ("looking", JSONValue(looking)),
      ]
    case .reset(let isClean): [("clean", .boolean(isClean))]
    case .failed: [("failed", true)]
    }
  }

  init?(json: JSONValue) {
    if let checksum = json["xxh64"]?.text.flatMap(Hexadecimal.number),
      let blocks = json["blocks"]?.integer, (1...1 << 24).contains(blocks)
    {
      self = .first(checksum: checksum, blocks: blocks)
    } else if let isSame = json["same"]?.boolean {
      self = .opened(
        isSame: isSame, making: json["making"]?.number ?? 0, looking: json["looking"]?.number ?? 0)
    } else if let isClean = json["clean"]?.boolean {
      self = .reset(isClean: isClean)
    } else if json["failed"]?.boolean == true {
      self = .failed
    } else {
      return nil
    }
  }
}
