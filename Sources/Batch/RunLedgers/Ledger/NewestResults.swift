// Finds the record that counts for a result, when a watched folder produced it several times.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem

/// The newest record of each result; a few bytes a result, on the disk where they are many.
public struct NewestResults {
  private let places = HashTable64()

  /// Nothing yet.
  public init() {}

  /// Adds the results of a file; call it in the order of the plan.
  ///
  /// - Throws: When there is no room for a temporary file.
  public func add(_ record: FileRecord) throws(AuricleError) {
    for (path, _) in record.storedFiles {
      try places.set(HashTable64.hash(path), record.index)
    }
  }

  /// Whether no later file has the result at a path.
  public func isNewest(_ record: FileRecord, at path: String) throws(AuricleError) -> Bool {
    try places.value(of: HashTable64.hash(path)) == record.index
  }
}
