// Whether a worker may do more than one file.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
package import RunLedgers

/// The permission of a worker after its first file, from its supervisor.
package struct ReusePermission: Sendable, Equatable {
  /// The formats that new chains may be made for.
  package var formats: Set<ChainFormat> = []
  /// Whether they may be made for every format.
  package var isForAll = false
  /// The known changes of static memory by chains; the worker compares it.
  package var memory = StaticMemory.changing

  /// Whether a new chain may be made for a format.
  package func allows(_ format: ChainFormat) -> Bool { isForAll || formats.contains(format) }
}

extension ReusePermission {
  var json: JSONValue {
    .message([
      (.formats, .array(formats.map { .members($0.members) })), (.all, .boolean(isForAll)),
      (.memory, .string(memory.rawValue)),
    ])
  }

  init?(json: JSONValue) {
    guard let formats = json[.formats]?.elements, let isForAll = json[.all]?.boolean,
      let memory = json[.memory]?.text.flatMap(StaticMemory.init)
    else { return nil }
    self.init(
      formats: Set(formats.compactMap(ChainFormat.init(json:))), isForAll: isForAll, memory: memory)
  }
}
