// Which record of a result counts, where files of a watched folder were done again under its name.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem

/// The newest record of each result; a few bytes a result, on the disk where they are many.
public struct NewestResults {
  private let places = HashTable64()

  /// Nothing yet.
  public init() {}

  /// Takes note of the results of a file; files come in the order of their plan.
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
