// The account of a run that a supervisor writes into.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

/// A ledger that is being written.
public final class RunJournal {
  let writer: LedgerWriter

  /// Begins a ledger file.
  ///
  /// - Throws: When it cannot be created.
  init(path: String) throws(AuricleError) {
    writer = try LedgerWriter(path: path)
  }
}
