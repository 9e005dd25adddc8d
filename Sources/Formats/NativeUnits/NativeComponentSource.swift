// Finds `.component` bundles in folders and makes the declared components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem

/// The components of the `.component` bundles in some folders.
///
/// An absent folder holds nothing. Of bundles of the same name in several folders, the first one with
/// a component is used, so a user's copy replaces a shipped one.
public struct NativeComponentSource: AudioComponentSource {
  private let folders: [(path: String, origin: ComponentOrigin)]

  /// Searches these folders, in this order; not folders inside of them.
  ///
  /// Context: control.
  public init(folders: [(path: String, origin: ComponentOrigin)]) { self.folders = folders }

  /// Reads the `Info.plist` of every bundle; opens no binary.
  ///
  /// A broken bundle, or a broken entry of a good one, becomes a problem and costs only itself.
  ///
  /// Context: control.
  public func discover() -> ComponentDiscovery {
    var discovery = ComponentDiscovery()
    // A set would search for the hash function of its elements, which costs more than comparing a few of
    // them.
    var visited: [FileIdentity] = []
    for folder in folders {
      guard let identity = FileIdentity(path: folder.path), !visited.contains(identity) else {
        continue
      }
      visited.append(identity)
      let listing = bundleNames(in: folder.path)
      if let problem = listing.problem { discovery.problems.append(problem) }
      for name in listing.names {
        let path = folder.path + "/" + name
        // A bundle may be linked into a second folder.
        if let identity = FileIdentity(path: path) {
          if visited.contains(identity) { continue }
          visited.append(identity)
        }
        let bundle = NativeBundle(path: path, ships: folder.origin == .builtIn)
        discovery.problems += bundle.problems
        discovery.components += bundle.entries.map { component($0, of: bundle, folder.origin) }
      }
    }
    return discovery
  }

  private func component(
    _ entry: NativeBundleEntry, of bundle: NativeBundle, _ origin: ComponentOrigin
  ) -> AudioComponent {
    // The entries of a bundle share the library, and with it the one time it is opened.
    let library = bundle.library
    let factory = entry.factoryFunction
    return unsafe AudioComponent(
      description: entry.description, name: entry.name, version: entry.version, origin: origin,
      location: .path(bundle.path), tags: entry.tags, summary: entry.summary
    ) { (description) throws(AuricleError) in
      unsafe try library.makePlugIn(factory: factory, description)
    }
  }

  /// The names that end in `.component`, in the order of their bytes.
  private func bundleNames(in folder: String) -> (names: [String], problem: ComponentProblem?) {
    guard let all = Self.names(in: folder) else {
      let reason = unsafe String(cString: strerror(errno))
      return ([], ComponentProblem(path: folder, message: "The folder cannot be read: \(reason)."))
    }
    let names = all.filter { $0.hasSuffix(".component") && !$0.hasPrefix(".") }
    return (names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, nil)
  }

  /// The names in a folder; nil with `errno` when it cannot be read.
  static func names(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { characters in
        unsafe String(cString: UnsafeRawPointer(characters).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// The identity of a file or folder under any path.
struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64

  /// Nil if there is nothing at the path.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
