// Finds plug-ins whose binaries probably cannot be opened, without opening any.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import Glibc
import HostSystem
internal import LV2Bundles

/// Reads binaries and the libraries they need.
///
/// It knows less than the loader: a suspect must be probed, the others are most likely sound.
struct LV2BinaryCheck {
  private var files: [String: LV2BinaryFile?] = [:]
  /// Binaries with missing libraries.
  private var incomplete: [String: Bool] = [:]
  private let folders: [String]

  init() {
    let triples = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    let named = unsafe getenv("LD_LIBRARY_PATH").map { unsafe String(cString: $0) } ?? ""
    folders =
      named.split(separator: ":").map(String.init)
      + triples.flatMap { ["/lib/\($0)", "/usr/lib/\($0)"] }
      + ["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"]
  }

  /// Whether a plug-in's binary seems to lack a library, a function, or the plug-in itself.
  mutating func suspects(_ path: String, uri: String) -> Bool {
    if let known = incomplete[path], known { return true }
    guard let binary = file(path) else { return true }
    // Some build their URIs from a common part and a name.
    guard binary.contains(uri) || binary.contains(LV2Text.tail(ofURI: uri)) else { return true }
    if incomplete[path] == nil { incomplete[path] = lacksSomething(binary) }
    return incomplete[path] ?? false
  }

  private mutating func lacksSomething(_ binary: LV2BinaryFile) -> Bool {
    var missing = binary.undefined
    var queue = [binary]
    var seen: Set<String> = []
    while !missing.isEmpty, !queue.isEmpty {
      let next = queue.removeFirst()
      for name in next.wanted where seen.insert(name).inserted {
        guard let library = library(name, for: next, or: binary) else { return true }
        missing = missing.filter { !library.defined.contains($0) }
        queue.append(library)
      }
    }
    return !missing.isEmpty
  }

  private mutating func file(_ path: String) -> LV2BinaryFile? {
    if let known = files[path] { return known }
    let made = LV2BinaryFile(path)
    files[path] = made
    return made
  }

  private mutating func library(
    _ name: String, for asking: LV2BinaryFile, or first: LV2BinaryFile
  ) -> LV2BinaryFile? {
    if name.contains("/") { return file(name) }
    for folder in asking.searchFolders + first.searchFolders + folders {
      let path = folder + "/" + name
      if files[path] == nil, unsafe access(path, R_OK) != 0 { continue }
      if let found = file(path) { return found }
    }
    return nil
  }
}

extension LV2Catalog {
  /// URIs of the plug-ins in use that probably cannot be opened: their binaries lack a library, a function or
  /// the plug-in itself.
  ///
  /// It is a guess from the files; opening such a plug-in in a child process shows whether it is right.
  ///
  /// Context: control.
  public func suspiciousUnits() -> Set<String>? {
    var check = LV2BinaryCheck()
    var found: Set<String> = []
    for (number, bundle) in index.bundles.enumerated() {
      let uris = Set(chosen.filter { $0.bundle == number }.map(\.uri))
      guard !uris.isEmpty else { continue }
      for plugin in index.details(of: bundle, cacheFolder: cacheFolder).plugins
      where uris.contains(plugin.description.uri) {
        let binary = plugin.description.binaryPath
        // Missing binaries and unsupported features are reported elsewhere.
        guard PathStamp(of: binary).exists,
          (try? LV2Instance.check(plugin.description)) != nil
        else { continue }
        if check.suspects(binary, uri: plugin.description.uri) {
          found.insert(plugin.description.uri)
        }
      }
    }
    return found
  }
}
