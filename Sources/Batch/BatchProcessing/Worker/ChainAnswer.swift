// What a process that compares chains tells its supervisor.
// SPDX-License-Identifier: Apache-2.0

/// What a worker tells of the chains it compares.
enum ChainAnswer {
  /// What the first chain made of the test signal, how long that was, and what it made of the opening.
  case first(checksum: UInt64, blocks: Int, opening: UInt64)
  /// Whether a new chain sounds the same; what it left in static memory; how many seconds of work it takes to make one, 0 where
  /// resetting is not worth it; and how many to find out whether a chain that was reset would do.
  case opened(isSame: Bool, memory: ChainMemory, making: Double, looking: Double)
  /// Whether a chain that was reset sounds the same.
  case reset(isClean: Bool)
  /// A chain of another format does not sound as the first of a process does.
  case disturbed
  /// A chain could not be made, or gave an error.
  case failed

  var members: [(String, JSONValue?)] {
    switch self {
    case .first(let checksum, let blocks, let opening):
      [
        ("xxh64", .string(Hexadecimal.text(checksum))), ("blocks", JSONValue(blocks)),
        ("opening", .string(Hexadecimal.text(opening))),
      ]
    case .opened(let isSame, let memory, let making, let looking):
      [
        ("same", .boolean(isSame)), ("memory", .string(memory.rawValue)),
        ("making", JSONValue(making)), ("looking", JSONValue(looking)),
      ]
    case .reset(let isClean): [("clean", .boolean(isClean))]
    case .disturbed: [("disturbed", true)]
    case .failed: [("failed", true)]
    }
  }

  init?(json: JSONValue) {
    if let checksum = json["xxh64"]?.text.flatMap(Hexadecimal.number),
      let blocks = json["blocks"]?.integer, (1...1 << 24).contains(blocks),
      let opening = json["opening"]?.text.flatMap(Hexadecimal.number)
    {
      self = .first(checksum: checksum, blocks: blocks, opening: opening)
    } else if let isSame = json["same"]?.boolean {
      self = .opened(
        isSame: isSame, memory: json["memory"]?.text.flatMap(ChainMemory.init) ?? .changing,
        making: json["making"]?.number ?? 0, looking: json["looking"]?.number ?? 0)
    } else if let isClean = json["clean"]?.boolean {
      self = .reset(isClean: isClean)
    } else if json["disturbed"]?.boolean == true {
      self = .disturbed
    } else if json["failed"]?.boolean == true {
      self = .failed
    } else {
      return nil
    }
  }
}
