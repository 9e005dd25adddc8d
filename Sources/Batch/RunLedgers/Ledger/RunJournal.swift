// The ledger that a supervisor writes.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import HostSystem

/// A ledger being written.
public final class RunJournal {
  package let writer: LedgerWriter

  /// Begins a ledger file.
  ///
  /// - Throws: When it cannot be created.
  package init(path: String) throws(AuricleError) {
    writer = try LedgerWriter(path: path)
  }
}
