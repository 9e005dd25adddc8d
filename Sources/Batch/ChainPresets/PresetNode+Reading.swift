// The bounded walk from Yams' nodes to a preset's tree: depth, number, keys, duplicates.
// SPDX-License-Identifier: Apache-2.0

import Yams

extension PresetNode {
  /// The deepest nesting a preset may have.
  static let maximumDepth = 32
  /// The most values a preset may hold.
  static let maximumCount = 50_000

  /// Reads a text into a tree.
  ///
  /// - Returns: The tree if there is one, and its mistakes so far.
  static func read(_ source: PresetSource) -> (root: PresetNode?, diagnostics: [PresetDiagnostic]) {
    switch compose(source) {
    case .refused(let diagnostics): return (nil, diagnostics)
    case .empty:
      let start = SourcePosition(line: 1, column: 1)
      return (nil, [PresetDiagnostic("the preset is empty", at: start, in: source)])
    case .tree(let node, let renamed):
      var walk = NodeWalk(source: source, renamed: renamed)
      let root = walk.convert(node, depth: 1)
      // An incomplete tree is not read: keys would seem to be missing.
      return (walk.isStopped ? nil : root, walk.diagnostics)
    }
  }
}

private struct NodeWalk {
  let source: PresetSource
  let renamed: [SourcePosition: Unicode.Scalar]
  var diagnostics: [PresetDiagnostic] = []
  var count = 0
  var isStopped = false

  init(source: PresetSource, renamed: [SourcePosition: Unicode.Scalar]) {
    self.source = source
    self.renamed = renamed
  }

  mutating func convert(_ node: Node, depth: Int) -> PresetNode {
    let mark = node.mark.map { SourcePosition(line: $0.line, column: $0.column) }
    let position = mark ?? SourcePosition(line: 1, column: 1)
    let nothing = PresetNode(content: .scalar(text: "", isPlain: true), position: position)
    guard !isStopped else { return nothing }
    count += 1
    if count > PresetNode.maximumCount {
      stop("the preset holds more than \(PresetNode.maximumCount) values", at: position)
      return nothing
    }
    if depth > PresetNode.maximumDepth {
      stop("the text is nested too deep; a preset has at most 32 levels", at: position)
      return nothing
    }
    switch node {
    case .scalar(let scalar):
      let text = restoring(scalar.string, at: position)
      let isPlain = scalar.style == .plain
      return PresetNode(content: .scalar(text: text, isPlain: isPlain), position: position)
    case .sequence(let sequence):
      let items = sequence.map { convert($0, depth: depth + 1) }
      return PresetNode(content: .sequence(items), position: position)
    case .mapping(let mapping):
      return PresetNode(content: convert(mapping, depth: depth), position: position)
    case .alias:
      stop("aliases (*) are not allowed in a preset", at: position)
      return nothing
    }
  }

  private mutating func convert(_ mapping: Node.Mapping, depth: Int) -> PresetNode.Content {
    var pairs: [(key: Located<String>, value: PresetNode)] = []
    var places: [String: SourcePosition] = [:]
    for (keyNode, valueNode) in mapping {
      guard !isStopped else { break }
      let key = convert(keyNode, depth: depth + 1)
      let value = convert(valueNode, depth: depth + 1)
      guard case .scalar(let name, let isPlain) = key.content else {
        add("a key must be text, not \(key.kindName)", at: key.position)
        continue
      }
      if name == "<<", isPlain {
        add("merge keys (<<) are not allowed in a preset", at: key.position)
        continue
      }
      if let first = places[name] {
        let line = first.line == key.position.line ? "in this line" : "at line \(first.line)"
        add("the key \(quoted(name)) is given twice; the first is \(line)", at: key.position)
        continue
      }
      places[name] = key.position
      pairs.append((Located(name, at: key.position), value))
    }
    return .mapping(pairs)
  }

  /// Restores the name of a duplicate key.
  private func restoring(_ text: String, at position: SourcePosition) -> String {
    guard let original = renamed[position] else { return text }
    var view = String.UnicodeScalarView()
    view.append(original)
    view.append(contentsOf: text.unicodeScalars.dropFirst())
    return String(view)
  }

  private mutating func stop(_ message: String, at position: SourcePosition) {
    add(message, at: position)
    isStopped = true
  }

  private mutating func add(_ message: String, at position: SourcePosition) {
    guard diagnostics.count < PresetErrors.maximumCount else { return }
    diagnostics.append(PresetDiagnostic(message, at: position, in: source))
  }
}
