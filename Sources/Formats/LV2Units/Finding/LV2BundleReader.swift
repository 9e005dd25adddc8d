// Reading bundles in processes apart: what passes between them.
// SPDX-License-Identifier: Apache-2.0

/// Reads the bundles in the folders given, and answers in their order.
///
/// Context: control; it may take long.
public typealias LV2BundleReader = @Sendable ([String]) -> [LV2BundleOutcome]

/// What became of reading one bundle.
public enum LV2BundleOutcome: Sendable {
  /// What `LV2BundleScanner.scan` returned in the process that read it.
  case read([UInt8])
  /// A sentence: reading it crashed or took too long. It is remembered until the bundle changes.
  case failed(String)
  /// No process could be started: the bundle is read in this one.
  case notTried
}

/// The work of a process that reads bundles for another one.
public enum LV2BundleScanner {
  /// Reads the data files of the bundle in the folder `path`; opens no binary but that of a dynamic
  /// manifest, where the bundle has one.
  ///
  /// - Returns: Bytes for `LV2BundleOutcome.read`.
  ///
  /// Context: control.
  public static func scan(_ path: String) -> [UInt8] {
    LV2IndexFile.encode(LV2BundleScan.scan(path, runsDynamicManifests: true))
  }
}
