// The help of commands with many options: the important ones, and the others on demand.
// SPDX-License-Identifier: Apache-2.0

/// Help texts without the options that few need; `--help-all` shows them.
enum ShortHelp {
  /// The option that shows all.
  static let option = "--help-all"

  /// The options that the help of a command shows.
  private static let shown = [
    "process": [
      "--preset", "--unit", "--set", "--output", "--output-file", "--overwrite", "--container",
      "--loudness", "--true-peak", "--jobs", "--report", "--resume",
    ],
    "convert": [
      "--output", "--overwrite", "--container", "--encoding", "--bit-rate", "--strategy",
      "--quality", "--sample-rate", "--channels", "--track", "--jobs", "--list-formats",
    ],
  ]

  /// Writes `--help-all` as the parser's `--help`.
  static func forParser(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end].map { $0 == option ? "--help" : $0 } + words[end...]
  }

  /// Shortens the help of a command line's command; returns all others as they are.
  static func text(_ text: String, for words: [String]) -> String {
    let command = words.first == "help" ? words.dropFirst().first : words.first
    guard !words.contains(option), let command, let kept = shown[command],
      let usage = text.firstRange(of: "\nUSAGE:")
    else { return text }
    let always = kept + ["--help", "--version"]
    var lines: [Substring] = []
    var isKept = true
    var hiddenCount = 0
    for line in text[usage.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false) {
      // An option begins at the third column; its text goes on further to the right.
      if line.hasPrefix("  -") {
        let names = line.split { " ,/<".contains($0) }
        isKept = names.contains { always.contains(String($0)) }
        if !isKept { hiddenCount += 1 }
      } else if !line.hasPrefix("   ") {
        isKept = true
      }
      // A title without an option below it.
      if line.isEmpty, lines.last?.hasSuffix(":") == true { lines.removeLast() }
      if isKept, !(line.isEmpty && lines.last?.isEmpty == true) { lines.append(line) }
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let rest = "\n\n\(hiddenCount) more options: auricle \(command) \(option)"
    return text[..<usage.lowerBound] + lines.joined(separator: "\n") + rest
  }
}
