// The folder that the records of runs are kept in.
// SPDX-License-Identifier: Apache-2.0

/// The folder in an output folder that is not for results.
enum RecordsFolder {
  /// Its name.
  static let name = ".auricle"
}
