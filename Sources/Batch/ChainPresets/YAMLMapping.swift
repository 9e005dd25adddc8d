// Texts in YAML that are one mapping of names to values, such as a configuration file.
// SPDX-License-Identifier: Apache-2.0

/// A list of names and values, with their positions.
public enum YAMLMapping {
  /// Reads a text; one without anything is an empty list.
  ///
  /// - Throws: All mistakes at once: no YAML, no mapping, a value that is no text or number, a name twice.
  ///
  /// Context: control.
  public static func read(
    _ source: PresetSource
  ) throws(PresetErrors) -> [(key: Located<String>, value: Located<String>)] {
    if case .empty = compose(source) { return [] }
    let (root, diagnostics) = PresetNode.read(source)
    guard diagnostics.isEmpty, let root else { throw PresetErrors(diagnostics) }
    guard case .mapping(let pairs) = root.content else {
      throw PresetErrors([
        PresetDiagnostic(
          "the file is a mapping of names to values, not \(root.kindName)", at: root.position,
          in: source)
      ])
    }
    var faults: [PresetDiagnostic] = []
    var found: [(key: Located<String>, value: Located<String>)] = []
    for (key, node) in pairs {
      if case .scalar(let text, _) = node.content {
        found.append((key, Located(text, at: node.position)))
      } else {
        faults.append(
          PresetDiagnostic(
            "\(quoted(key.value)) takes one value, not \(node.kindName)", at: node.position,
            in: source))
      }
    }
    guard faults.isEmpty else { throw PresetErrors(faults) }
    return found
  }
}
