// The cached list of bundles: what is stored is used as far as the disk still agrees with it.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// All bundles of a search path, read from the cache where it is fresh and from disk where not.
struct LV2Index: Sendable {
  /// One record a bundle, in search order.
  let bundles: [LV2BundleRecord]

  /// Brings the index of `path` up to date.
  ///
  /// - Parameter cacheFolder: where indexes are kept; nil for none. It is made when it is missing;
  ///   that it cannot be read or written is no error.
  init(path: LV2SearchPath, cacheFolder: String?) {
    let file = cacheFolder.map { $0 + "/" + LV2Index.fileName(path) }
    let stored = file.flatMap(LV2Index.bytes(of:)).flatMap(LV2IndexFile.decode) ?? []
    var known: [String: Int] = [:]
    for (index, bundle) in stored.enumerated() { known[bundle.path] = index }

    var isChanged = false
    bundles = path.bundles().map { path in
      if let index = known[path], stored[index].stamps.allSatisfy(\.isCurrent) {
        return stored[index]
      }
      isChanged = true
      return LV2BundleScan.scan(path)
    }
    if isChanged || bundles.count != stored.count, let file, let cacheFolder {
      LV2Index.store(LV2IndexFile.encode(bundles), at: file, in: cacheFolder)
    }
  }

  /// Each search path has its own file, so that callers with different ones do not fight over it.
  private static func fileName(_ path: LV2SearchPath) -> String {
    var hash = StableHash()
    for byte in path.folders.joined(separator: ":").utf8 { hash.combine(byte) }
    return "lv2-index-" + String(hash.finalized, radix: 16) + ".bin"
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), (1..<(256 << 20)).contains(status.st_size)
    else { return nil }
    let size = Int(status.st_size)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let start = buffer.baseAddress {
        let got = unsafe read(descriptor, start + count, size - count)
        if got <= 0 { break }
        count += got
      }
    }
  }

  /// Writes a file beside its place and renames it: readers see the old one or the new one whole.
  private static func store(_ bytes: [UInt8], at path: String, in folder: String) {
    makeFolders(folder)
    let temporary = path + ".\(getpid()).\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    var written = 0
    unsafe bytes.withUnsafeBytes { raw in
      while written < raw.count, let start = raw.baseAddress {
        let count = unsafe write(descriptor, start + written, raw.count - written)
        if count <= 0 { break }
        written += count
      }
    }
    let isClosed = close(descriptor) == 0
    if unsafe !isClosed || written != bytes.count || rename(temporary, path) != 0 {
      unsafe unlink(temporary)
    }
  }

  private static func makeFolders(_ path: String) {
    var partial = ""
    for part in path.split(separator: "/") {
      partial += "/" + part
      unsafe mkdir(partial, 0o700)
    }
  }

  /// $XDG_CACHE_HOME/auricle, else ~/.cache/auricle.
  static func standardCacheFolder() -> String? {
    if let folder = environment("XDG_CACHE_HOME"), folder.hasPrefix("/") {
      return folder + "/auricle"
    }
    return environment("HOME").map { $0 + "/.cache/auricle" }
  }
}
