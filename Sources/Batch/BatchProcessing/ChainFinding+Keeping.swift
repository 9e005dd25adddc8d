// Findings of a run for the next one with the same chain, as bytes.
// SPDX-License-Identifier: Apache-2.0

extension ChainFinding {
  /// Whether a worker would see that it does not hold: chains leave static memory as it was, or as the
  /// first use of a process left it, and workers look at that between files.
  ///
  /// Context: any.
  public var isEvident: Bool {
    reopensCleanly && !isRandom && habit != .process && memory != .changing
  }

  /// Findings about a chain, with a text that says which it is.
  ///
  /// Context: any.
  public static func encode(_ findings: [ChainFinding], of chain: String) -> [UInt8] {
    let json = JSONValue.members([
      ("of", .string(chain)), ("findings", .array(findings.map { .members($0.members) })),
    ])
    return Array(json.compactText.utf8)
  }

  /// Reads findings back; none where they are about another chain.
  ///
  /// Context: any.
  public static func decode(_ bytes: [UInt8], of chain: String) -> [ChainFinding] {
    guard let json = JSONValue(bytes), json["of"]?.text == chain else { return [] }
    return (json["findings"]?.elements ?? []).compactMap(ChainFinding.init(json:))
  }
}
