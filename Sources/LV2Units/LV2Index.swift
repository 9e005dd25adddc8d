// The cached list of bundles: what is stored is used as far as the disk still agrees with it.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import Glibc

/// All bundles of a search path, read from the cache where it is fresh and from disk where not.
struct LV2Index: Sendable {
  /// One record a bundle, in search order.
  let bundles: [LV2BundleRecord]
  /// Folders of bundles that were not known before.
  private(set) var added: Set<String> = []
  /// Folders of bundles that were read anew because something in them was changed.
  private(set) var changed: Set<String> = []
  /// What was known and is gone.
  private(set) var removed: [LV2BundleRecord] = []

  /// Brings the index of `path` up to date.
  ///
  /// - Parameters:
  ///   - cacheFolder: where indexes are kept; nil for none. It is made when it is missing; that it
  ///     cannot be read or written is no error.
  ///   - reader: reads the bundles that must be read; nil to do so in this process.
  ///   - isForced: reads all bundles, whatever is stored.
  init(
    path: LV2SearchPath, cacheFolder: String?, reader: LV2BundleReader? = nil,
    isForced: Bool = false
  ) {
    let file = cacheFolder.map { $0 + "/" + LV2Index.fileName(path) }
    let content = file.flatMap { CacheFile.contents(of: $0, kind: LV2IndexFile.kind) }
    let stored = content.flatMap(LV2IndexFile.decode) ?? []
    var known: [String: Int] = [:]
    for (index, bundle) in stored.enumerated() { known[bundle.path] = index }

    let paths = path.bundles()
    let stale = paths.filter { path in
      guard let index = known[path] else { return true }
      return isForced || !stored[index].stamps.allSatisfy(\.isCurrent)
    }
    let results = LV2Index.read(stale, with: reader)
    var fresh: [String: LV2BundleRecord] = [:]
    for (path, result) in zip(stale, results) {
      fresh[path] = result.record
      if let index = known[path] {
        if stored[index].stamps != result.record.stamps { changed.insert(path) }
      } else {
        added.insert(path)
      }
      guard let cacheFolder else { continue }
      CacheFile.store(
        LV2IndexFile.encode(result.details), at: LV2Index.detailsFile(path, in: cacheFolder),
        kind: LV2IndexFile.detailsKind)
    }
    bundles = paths.compactMap { path in fresh[path] ?? known[path].map { stored[$0] } }
    let present = Set(paths)
    removed = stored.filter { !present.contains($0.path) }
    guard let cacheFolder, let file, !stale.isEmpty || !removed.isEmpty || content == nil else {
      return
    }
    for bundle in removed { unsafe unlink(LV2Index.detailsFile(bundle.path, in: cacheFolder)) }
    CacheFile.store(LV2IndexFile.encode(bundles), at: file, kind: LV2IndexFile.kind)
  }

  /// The full description of the plug-ins of a bundle that is in this index.
  func details(of bundle: LV2BundleRecord, cacheFolder: String?) -> LV2BundleDetails {
    if let cacheFolder,
      let content = CacheFile.contents(
        of: LV2Index.detailsFile(bundle.path, in: cacheFolder), kind: LV2IndexFile.detailsKind),
      let details = LV2IndexFile.decodeDetails(content), details.path == bundle.path,
      details.stamps == bundle.stamps
    {
      return details
    }
    let details = LV2BundleScan.scan(bundle.path).details
    if let cacheFolder, details.stamps == bundle.stamps {
      CacheFile.store(
        LV2IndexFile.encode(details), at: LV2Index.detailsFile(bundle.path, in: cacheFolder),
        kind: LV2IndexFile.detailsKind)
    }
    return details
  }

  private static func read(
    _ paths: [String], with reader: LV2BundleReader?
  ) -> [LV2ScanResult] {
    guard let reader, !paths.isEmpty else { return paths.map { LV2BundleScan.scan($0) } }
    let outcomes = reader(paths)
    return paths.enumerated().map { index, path in
      guard outcomes.indices.contains(index) else { return LV2BundleScan.scan(path) }
      switch outcomes[index] {
      case .read(let bytes):
        if let result = LV2IndexFile.decodeResult(bytes), result.record.path == path {
          return result
        }
        return LV2Index.failure(path, "the process that read it gave no sense")
      case .failed(let reason): return LV2Index.failure(path, reason)
      case .notTried: return LV2BundleScan.scan(path)
      }
    }
  }

  /// A bundle that could not be read; remembered until one of its data files changes.
  private static func failure(_ path: String, _ reason: String) -> LV2ScanResult {
    var record = LV2BundleRecord(path: path)
    record.stamps = [LV2FileStamp(of: path)]
    for name in LV2SearchPath.names(in: path) where name.hasSuffix(".ttl") || name.contains(".so") {
      record.stamps.append(LV2FileStamp(of: path + "/" + name))
    }
    record.problems = [reason]
    return LV2ScanResult(
      record: record, details: LV2BundleDetails(path: path, stamps: record.stamps))
  }

  /// Each search path has its own file, so that callers with different ones do not fight over it.
  private static func fileName(_ path: LV2SearchPath) -> String {
    "lv2-index-\(CacheFile.name(for: path.folders.joined(separator: ":"))).bin"
  }

  private static func detailsFile(_ bundle: String, in folder: String) -> String {
    "\(folder)/lv2/\(CacheFile.name(for: bundle)).bin"
  }
}
