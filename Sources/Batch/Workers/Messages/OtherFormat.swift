// A format of the run that was probed earlier; probes of further formats are compared with it.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import RunLedgers

/// A format of the run that was probed earlier.
package struct OtherFormat: Sendable {
  let format: ChainFormat
  /// The checksum of the first part of the probe signal, rendered by the first chain of a fresh process.
  let prefix: UInt64

  init?(_ verdict: ReuseVerdict) {
    guard let prefix = verdict.prefix, !verdict.isRandom, verdict.policy != .process else {
      return nil
    }
    format = verdict.format
    self.prefix = prefix
  }

  var json: JSONValue {
    .members(format.members + [("prefix", .string(Hexadecimal.text(prefix)))])
  }

  init?(json: JSONValue) {
    guard let format = ChainFormat(json: json),
      let prefix = json["prefix"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.format = format
    self.prefix = prefix
  }
}
