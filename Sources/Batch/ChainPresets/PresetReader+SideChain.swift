// Reading `sidechain`: one source, or a list of them for several buses.
// SPDX-License-Identifier: Apache-2.0

extension PresetReader {
  /// Reads one side chain or a list of them.
  mutating func sideChains(_ node: PresetNode) -> [SideChainEntry] {
    guard case .sequence(let items) = node.content else {
      return sideChain(node).map { [$0] } ?? []
    }
    if items.isEmpty { add("'sidechain' is empty", at: node.position) }
    var found: [SideChainEntry] = []
    for item in items {
      guard let entry = sideChain(item) else { continue }
      if found.contains(where: { $0.bus == entry.bus }) {
        let bus = entry.bus.map { quoted($0.value) } ?? "1"
        add("the input bus \(bus) is fed twice; give each its own 'bus'", at: item.position)
      }
      found.append(entry)
    }
    return found
  }

  private mutating func sideChain(_ node: PresetNode) -> SideChainEntry? {
    switch node.content {
    case .scalar:
      guard let name = line(node, key: "sidechain") else { return nil }
      return SideChainEntry(Located(Self.source(name), at: node.position))
    case .mapping(let pairs): return sideChain(pairs, at: node.position)
    case .sequence:
      add("'sidechain' is 'input', the name of a stage, or {file: PATH}", at: node.position)
      return nil
    }
  }

  private static func source(_ name: String) -> SideChainEntry.Source {
    name == PresetKeys.inputWord ? .input : .stage(name)
  }

  private mutating func sideChain(
    _ pairs: [(key: Located<String>, value: PresetNode)], at position: SourcePosition
  ) -> SideChainEntry? {
    var entry = SideChainEntry(Located(.input, at: position))
    var sourceCount = 0
    var loopPosition: SourcePosition?
    for (key, value) in pairs {
      switch key.value {
      case "from":
        sourceCount += 1
        if let name = line(value, key: "from") {
          entry.source = Located(Self.source(name), at: value.position)
        }
      case "file":
        sourceCount += 1
        if let path = line(value, key: "file") {
          entry.source = Located(.file(path), at: value.position)
        }
      case "bus": entry.bus = busName(value, key: "bus")
      case "output": entry.output = busName(value, key: "output")
      case "gain":
        entry.gainDecibels =
          decibels(value, key: "gain", within: SideChainEntry.gainRange) ?? 0
      case "loop":
        loopPosition = key.position
        entry.loops = boolean(value, key: "loop") ?? false
      default: unknown(key, among: PresetKeys.sideChain, in: "'sidechain'")
      }
    }
    guard sourceCount == 1 else {
      add(
        sourceCount == 0
          ? "'sidechain' has no source; write {from: input}, {from: NAME} or {file: PATH}"
          : "'sidechain' has two sources; give either 'from' or 'file'", at: position)
      return nil
    }
    if case .file = entry.source.value {
      if let output = entry.output?.position {
        add("'output' is a bus of a stage; a file has none", at: output)
      }
    } else if let loopPosition {
      add("'loop' is for a file", at: loopPosition)
    }
    return entry
  }

  /// A bus by its number or name.
  mutating func busName(_ node: PresetNode, key: String) -> Located<String>? {
    setting(node, key: key).map { Located($0, at: node.position) }
  }
}
