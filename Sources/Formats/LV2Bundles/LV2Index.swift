// The cached list of bundles; stored records are used while the disk still agrees with them.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
internal import ForeignPlugIns
internal import Glibc
import HostSystem

/// All bundles of a search path, read from the cache where it is fresh and from disk where not.
package struct LV2Index: Sendable {
  /// One record for each bundle, in search order.
  package let bundles: [LV2BundleRecord]

  /// Updates the index of `path`.
  ///
  /// - Parameters:
  ///   - cacheFolder: The folder of indexes; nil for none. It is created when missing; failures to read or
  ///     write it are ignored.
  ///   - reader: Reads bundles in child processes; nil to read them in this one.
  ///   - isForced: Whether to ignore stored data.
  package init(
    path: LV2SearchPath, cacheFolder: String?, reader: (any IsolatedReader)? = nil,
    isForced: Bool = false
  ) {
    let file = cacheFolder.map { $0 + "/" + LV2Index.fileName(path) }
    let content = file.flatMap { CacheFile.contents(of: $0, kind: LV2IndexFile.kind) }
    let stored = content.flatMap(LV2IndexFile.decode) ?? []
    var known: [String: Int] = [:]
    for (index, bundle) in stored.enumerated() { known[bundle.path] = index }

    let paths = path.bundles()
    var fresh: [String: LV2BundleRecord] = [:]
    for path in paths where !isForced {
      // Bundles read for another search path need not be read again.
      let record =
        known[path].map { stored[$0] } ?? LV2Index.kept(path, in: cacheFolder)?.record
      if let record, record.stamps.allSatisfy(\.isCurrent) { fresh[path] = record }
    }
    let stale = paths.filter { fresh[$0] == nil }
    for (path, result) in zip(stale, LV2Index.read(stale, with: reader)) {
      fresh[path] = result.record
      LV2Index.keep(result, path, in: cacheFolder)
    }
    bundles = paths.compactMap { fresh[$0] }
    let present = Set(paths)
    let removed = stored.filter { !present.contains($0.path) }
    guard let cacheFolder, let file,
      !stale.isEmpty || !removed.isEmpty || bundles.count != stored.count
    else { return }
    for bundle in removed { unsafe unlink(LV2Index.detailsFile(bundle.path, in: cacheFolder)) }
    CacheFile.store(LV2IndexFile.encode(bundles), at: file, kind: LV2IndexFile.kind)
  }

  /// The full description of the plug-ins of a bundle that is in this index.
  ///
  /// - Parameter wanted: The URI of the requested plug-in: others may be missing.
  package func details(
    of bundle: LV2BundleRecord, plugin wanted: String? = nil, cacheFolder: String?
  ) -> LV2BundleDetails {
    if let kept = LV2Index.kept(bundle.path, in: cacheFolder),
      kept.record.stamps == bundle.stamps,
      let details = LV2IndexFile.decodeDetails(kept.details, of: wanted),
      details.path == bundle.path
    {
      return details
    }
    let result = LV2BundleScan.scan(bundle.path)
    if result.record.stamps == bundle.stamps {
      LV2Index.keep(
        (result.record, LV2IndexFile.encode(result.details)[...]), bundle.path, in: cacheFolder)
    }
    return result.details
  }

  /// The cached details of a bundle; nil when missing or damaged.
  private static func kept(_ path: String, in cacheFolder: String?) -> Reading? {
    guard let cacheFolder,
      let content = CacheFile.contents(
        of: detailsFile(path, in: cacheFolder), kind: LV2IndexFile.detailsKind),
      let result = LV2IndexFile.decodeResult(content), result.record.path == path
    else { return nil }
    return result
  }

  private static func keep(_ result: Reading, _ path: String, in cacheFolder: String?) {
    guard let cacheFolder else { return }
    CacheFile.store(
      LV2IndexFile.join(result.record, result.details),
      at: detailsFile(path, in: cacheFolder), kind: LV2IndexFile.detailsKind)
    if result.record.hasCode, let details = LV2IndexFile.decodeDetails(result.details) {
      _ = LV2DynamicManifest.substitute(for: details, cacheFolder: cacheFolder)
    }
  }

  /// The current record of a bundle, and its encoded details.
  private typealias Reading = (record: LV2BundleRecord, details: ArraySlice<UInt8>)

  private static func read(_ paths: [String], with reader: (any IsolatedReader)?) -> [Reading] {
    guard let reader, !paths.isEmpty else { return paths.map(readHere) }
    // The largest bundles are read first.
    let sizes = paths.map { LV2FileStamp(of: $0 + "/manifest.ttl").size }
    let order = paths.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    let outcomes = reader.readBundles(
      order.map { paths[$0] }, format: LV2Names.format)
    var outcomeOfPath: [String: BundleOutcome] = [:]
    for (place, outcome) in zip(order, outcomes) { outcomeOfPath[paths[place]] = outcome }
    return paths.map { path in
      switch outcomeOfPath[path] {
      case .read(let bytes):
        if let result = LV2IndexFile.decodeResult(bytes), result.record.path == path {
          return result
        }
        return failure(path, "the process that read it returned no valid answer")
      case .failed(let reason): return failure(path, reason)
      case .notTried, nil: return readHere(path)
      }
    }
  }

  private static func readHere(_ path: String) -> Reading {
    let result = LV2BundleScan.scan(path)
    return (result.record, LV2IndexFile.encode(result.details)[...])
  }

  /// A bundle that could not be read; cached until one of its files changes.
  private static func failure(_ path: String, _ reason: String) -> Reading {
    var record = LV2BundleRecord(path: path)
    record.stamps = [LV2FileStamp(of: path)]
    for name in SearchFolders.names(in: path) where name.hasSuffix(".ttl") || name.contains(".so") {
      record.stamps.append(LV2FileStamp(of: path + "/" + name))
    }
    record.problems = [reason]
    let details = LV2BundleDetails(path: path, stamps: record.stamps)
    return (record, LV2IndexFile.encode(details)[...])
  }

  /// Each search path has its own file, so that callers with different ones do not overwrite each other's.
  private static func fileName(_ path: LV2SearchPath) -> String {
    "lv2-index-\(CacheFile.name(for: path.folders.joined(separator: ":"))).bin"
  }

  private static func detailsFile(_ bundle: String, in folder: String) -> String {
    "\(folder)/lv2/\(CacheFile.name(for: bundle)).bin"
  }
}
