// Commands to live sound without quotation marks or without a stage, completed by the names of the chain.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets

extension ResolvedChain {
  /// The words of a command with a stage, and with each name as one word; nil where no names fit.
  ///
  /// Names may have several words without quotation marks. A parameter that one stage alone has needs no stage.
  ///
  /// - Throws: `.usage` for a parameter of several stages.
  func completed(_ words: [String]) throws(AuricleError) -> [String]? {
    guard let verb = words.first else { return nil }
    let lead = verb == "map" ? 2 : 1
    guard words.count > lead else { return nil }
    let (head, rest) = (Array(words[..<lead]), words[lead...])
    if verb == "bypass" {
      let name = rest.dropLast().joined(separator: " ")
      return (try? liveStage(name)) == nil ? nil : head + [name] + rest.suffix(1)
    }
    for end in rest.indices.dropFirst() {
      let name = rest[..<end].joined(separator: " ")
      guard let stage = try? liveStage(name),
        let found = try Self.parted(rest[end...], of: verb, { has($0, stage) ? name : nil })
      else { continue }
      return head + found
    }
    let found = try Self.parted(rest, of: verb) { (name) throws(AuricleError) in
      // A number is a stage, or a parameter's behind one.
      try Int(name) == nil ? owner(of: name) : nil
    }
    return found.map { head + $0 }
  }

  /// Finds the longest name at the beginning of words behind which the verb's values remain.
  ///
  /// - Parameter stage: The stage of a parameter; nil for a name that is none.
  private static func parted(
    _ words: ArraySlice<String>, of verb: String,
    _ stage: (String) throws(AuricleError) -> String?
  ) throws(AuricleError) -> [String]? {
    for end in (words.startIndex + 1..<words.endIndex + 1).reversed() {
      let name = words[..<end].joined(separator: " ")
      guard let values = values(words[end...], of: verb), let stage = try stage(name) else {
        continue
      }
      return [stage, name] + values
    }
    return nil
  }

  /// The values of a verb as single words; nil for a number of words that it does not have.
  private static func values(_ words: ArraySlice<String>, of verb: String) -> [String]? {
    switch (verb, words.count) {
    case ("get", 0), ("learn", 0), ("map", 0), ("map", 2): Array(words)
    case ("set", 1...): [words.joined(separator: " ")]
    case ("ramp", 2...): [words.dropLast().joined(separator: " ")] + words.suffix(1)
    default: nil
    }
  }

  private func has(_ name: String, _ stage: Int) -> Bool {
    (try? Located(name).readableParameter(among: stages[stage].allParameters)) != nil
  }

  /// The number of the stage that has a parameter; nil where none has.
  ///
  /// - Throws: `.usage` where several have.
  private func owner(of parameter: String) throws(AuricleError) -> String? {
    let found = stages.indices.filter { has(parameter, $0) }
    guard found.count > 1 else { return found.first.map { "\($0 + 1)" } }
    let labels = found.map { "\($0 + 1) \(stages[$0].label)" }.joined(separator: ", ")
    throw AuricleError(.usage, "several stages have '\(parameter)': name one of \(labels)")
  }
}
