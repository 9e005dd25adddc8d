// The cached list of files with plug-ins; changed files are read in processes apart.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
import HostSystem

/// All files of a search path, from the cache where it is fresh.
package struct PlugInFileIndex: Sendable {
  /// One record for each file, in search order.
  package let files: [PlugInFileRecord]

  /// Updates the index.
  ///
  /// - Parameters:
  ///   - format: The format of the files.
  ///   - request: Where they are, and how they are read. Without a reader they are read here if this process may
  ///     run their code, otherwise the cache alone is used.
  ///
  /// Context: control; it may last long.
  package init(_ format: some PlugInFileFormat, _ request: CatalogRequest) {
    let folders = format.folders(request.searchPath)
    let paths = format.files(in: folders)
    let folder = request.cacheFolder ?? CacheFile.standardFolder
    let file = folder.flatMap { folder -> String? in
      let name = CacheFile.name(for: folders.folders.joined(separator: ":"))
      return folder.isEmpty ? nil : "\(folder)/\(format.origin.rawValue)-index-\(name).bin"
    }
    let common = format.commonFiles.map { PathStamp(of: $0) }
    let stored = file.flatMap { CacheFile.contents(of: $0, kind: format.cacheKind) }
      .flatMap { Self.decode($0, common: common) }
    var known: [String: PlugInFileRecord] = [:]
    for record in request.isForced ? [] : stored ?? [] where record.stamps.allSatisfy(\.isCurrent) {
      known[record.path] = record
    }
    let stale = paths.filter { known[$0] == nil }
    for record in Self.read(stale, format, request) { known[record.path] = record }
    files = paths.compactMap { known[$0] }
    guard let file, !stale.isEmpty || stored?.count != files.count else { return }
    CacheFile.store(Self.encode(files, common: common), at: file, kind: format.cacheKind)
  }

  private static func read(
    _ paths: [String], _ format: some PlugInFileFormat, _ request: CatalogRequest
  ) -> [PlugInFileRecord] {
    guard !paths.isEmpty else { return [] }
    guard let reader = request.reader else {
      return request.runsCode ? paths.map { readHere($0, format) } : []
    }
    // The largest are read first.
    let sizes = paths.map { PathStamp(of: $0).size }
    let order = paths.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    let outcomes = reader.readBundles(order.map { paths[$0] }, format: format.origin.rawValue)
    return zip(order, outcomes).map { place, outcome in
      let path = paths[place]
      switch outcome {
      case .read(let bytes):
        guard let record = PlugInFileRecord(bytes), record.path == path else {
          return PlugInFileRecord(
            path: path, problem: "the process that read it returned no description")
        }
        return record
      case .failed(let reason): return PlugInFileRecord(path: path, problem: reason)
      // Readers are asked by lines.
      case .notTried where path.utf8.contains(0x0a):
        return PlugInFileRecord(path: path, problem: "its path has an end of line: rename it")
      case .notTried:
        var record = PlugInFileRecord(
          path: path, problem: "no process could be started to read it: try again later")
        record.stamps.append(Self.neverCurrent)
        return record
      }
    }
  }

  /// Reads a file in this process.
  ///
  /// Context: control, in a process that may be lost.
  package static func readHere(
    _ path: String, _ format: some PlugInFileFormat
  ) -> PlugInFileRecord {
    var record = format.read(path)
    if record.plugIns.isEmpty {
      // Some list the contents of their folder: another file there may make plug-ins.
      record.stamps.append(PathStamp(of: ParentPath.of(path)))
    }
    return record
  }

  /// A stamp that no file has.
  private static let neverCurrent = PathStamp(
    path: "/", device: 0, inode: 0, size: -1, seconds: 0, nanoseconds: 0)

  private static func encode(_ files: [PlugInFileRecord], common: [PathStamp]) -> [UInt8] {
    var (files, common) = (files, common)
    var coder = ByteCoder()
    coder.list(&common, of: PathStamp.blank) { $0.stamp(&$1) }
    coder.list(&files, of: PlugInFileRecord(path: "")) { $0.file(&$1) }
    return Array(coder.bytes)
  }

  private static func decode(_ bytes: [UInt8], common: [PathStamp]) -> [PlugInFileRecord]? {
    var known: [PathStamp] = []
    var files: [PlugInFileRecord] = []
    var coder = ByteCoder(bytes[...])
    coder.list(&known, of: PathStamp.blank) { $0.stamp(&$1) }
    guard known == common else { return nil }
    coder.list(&files, of: PlugInFileRecord(path: "")) { $0.file(&$1) }
    return coder.isComplete ? files : nil
  }
}

/// The folder that a path is in.
enum ParentPath {
  static func of(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
