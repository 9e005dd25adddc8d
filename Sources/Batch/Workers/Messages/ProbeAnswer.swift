// The report of a process that compares chains to its supervisor.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
package import RunLedgers

/// The stages of a probe; each runs in a separate process.
package enum ProbeStage: String, Sendable {
  /// Compares new chains with the first chain of a fresh process.
  case compare
  /// They differed: renders the probe signal with the first chain of another process, to find out whether the
  /// chain is random.
  case confirm
}

/// The result of a probe.
package enum ProbeAnswer: Sendable {
  /// Checksums of the first chain's rendering of the probe signal, and of its first part.
  case first(checksum: UInt64, prefix: UInt64)
  /// New chains sound like the first; `memory` names their changes of static memory.
  case same(memory: StaticMemory)
  /// A new chain, of this format or another, does not sound like the first of a process.
  case differs
  /// A chain could not be made, or failed.
  case failed
}

extension ProbeAnswer {
  private enum Name: String {
    case first, same, differs, failed
  }

  var json: JSONValue {
    let name: Name
    var values: [(MessageKey, JSONValue?)] = []
    switch self {
    case .first(let checksum, let prefix):
      name = .first
      values = [
        (.checksum, .string(Hexadecimal.text(checksum))),
        (.prefix, .string(Hexadecimal.text(prefix))),
      ]
    case .same(let memory):
      name = .same
      values = [(.memory, .string(memory.rawValue))]
    case .differs: name = .differs
    case .failed: name = .failed
    }
    return .message(values + [(.finding, .string(name.rawValue))])
  }

  init(json: JSONValue) throws(MalformedMessage) {
    self =
      switch try json.need(.finding, { $0.text.flatMap(Name.init) }) {
      case .first:
        .first(
          checksum: try json.need(.checksum) { $0.text.flatMap(Hexadecimal.number) },
          prefix: try json.need(.prefix) { $0.text.flatMap(Hexadecimal.number) })
      case .same: .same(memory: try json.need(.memory) { $0.text.flatMap(StaticMemory.init) })
      case .differs: .differs
      case .failed: .failed
      }
  }
}
