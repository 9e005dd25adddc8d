// The libraries that come along with a unit, each under a name of its build, so that two builds fit into one process.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// The files of the folder in which an exported unit and its libraries lie.
struct ExportLibraries {
  /// The name of the base library among them.
  private(set) var base = ""
  private(set) var files: [String: [UInt8]] = [:]
  private let adapters: String
  private let folders: [String]
  private var images: [String: ELFImage] = [:]
  /// The names of binaries by their files: several units may share one.
  private var binaries: [FileIdentity: String] = [:]

  /// - Parameters:
  ///   - adapters: The folder of the adapters.
  ///   - folders: The folders of libraries after the places that a binary names.
  init(adapters: String, folders: [String]) {
    self.adapters = adapters
    self.folders = folders
  }

  /// Adds a binary and its libraries.
  ///
  /// - Returns: Its name in the folder.
  /// - Throws: `.badData` with the reason why it cannot be exported, `.unavailable` when a library is missing.
  mutating func add(_ path: String) throws(AuricleError) -> String {
    let identity = FileIdentity.of(path)?.identity
    if let known = identity.flatMap({ binaries[$0] }) { return known }
    let name = Path.lastComponent(path)
    try add(path, as: name)
    if let identity { binaries[identity] = name }
    return name
  }

  private mutating func add(_ path: String, as name: String) throws(AuricleError) {
    guard var image = ELFImage(try TextFile.bytes(of: path, limit: 1 << 30)) else {
      throw AuricleError(.badData, "\(path) is no shared object for this machine")
    }
    let withoutSwift = try baseImage("BaseWithoutSwift")
    let needed = try runtime(of: image, at: path, without: withoutSwift.offered)
    let isSwift = !needed.isEmpty
    let base = isSwift ? try baseImage("Base") : withoutSwift
    let baseName = Self.name(of: Self.foundation, build: base.bytes)
    files[baseName] = base.bytes
    self.base = baseName
    var names: [String: String] = [:]
    var unneeded: Set<String> = []
    for library in image.needed where !Self.isOfSystem(library) {
      if needed.contains(library) || !Self.isOfRuntime(library) {
        names[library] = try bring(library, from: path, image)
      } else if library == Self.foundation {
        names[library] = baseName
      } else {
        unneeded.insert(library)
      }
    }
    image.change(names: names, leavingOut: unneeded)
    guard files[name] == nil || files[name] == image.bytes else {
      throw AuricleError(
        .badData, "two units have different binaries of the name \(name): export them apart")
    }
    files[name] = image.bytes
  }

  /// The libraries of the run time that a binary cannot do without.
  private mutating func runtime(
    of image: ELFImage, at path: String, without base: Set<String>
  ) throws(AuricleError) -> Set<String> {
    let open = image.wanted.subtracting(base)
    var found: Set<String> = []
    for library in image.needed where Self.isOfRuntime(library) {
      let used = open.intersection(try self.image(library, from: path, image).image.offered)
      guard !used.isEmpty else { continue }
      if library == Self.toolbox {
        let some = used.sorted().prefix(3).joined(separator: ", ")
        throw AuricleError(
          .badData,
          "\(path) cannot be exported: it calls functions of \(library) that need its host's "
            + "components, files or devices, such as \(some)")
      }
      found.insert(library)
    }
    return found
  }

  /// Copies a library and its own libraries; returns the name that it has here.
  private mutating func bring(
    _ library: String, from path: String, _ user: ELFImage
  ) throws(AuricleError) -> String {
    var (place, image) = try self.image(library, from: path, user)
    let name = Self.name(of: library, build: image.bytes)
    guard files[name] == nil else { return name }
    files[name] = []
    var names = [library: name]
    for other in image.needed where !Self.isOfSystem(other) {
      names[other] = try bring(other, from: place, image)
    }
    image.change(names: names, leavingOut: [])
    files[name] = image.bytes
    return name
  }

  private mutating func image(
    _ library: String, from path: String, _ user: ELFImage
  ) throws(AuricleError) -> (path: String, image: ELFImage) {
    let own = user.searchPath.map { $0.replacing("$ORIGIN", with: Path.folder(of: path)) }
    let candidates = (own + folders + Self.systemFolders).map { $0 + "/" + library }
    guard let place = candidates.first(where: { FileIdentity.of($0)?.kind == .file }) else {
      throw AuricleError(
        .unavailable,
        "\(library), which \(path) needs, is not there: install it, or link the unit with -rpath")
    }
    if let known = images[place] { return (place, known) }
    guard let image = ELFImage(try TextFile.bytes(of: place, limit: 1 << 30)) else {
      throw AuricleError(.badData, "\(place) is no shared object for this machine")
    }
    images[place] = image
    return (place, image)
  }

  private mutating func baseImage(_ name: String) throws(AuricleError) -> ELFImage {
    let path = "\(adapters)/\(name).so"
    if let known = images[path] { return known }
    guard FileIdentity.of(path)?.kind == .file,
      let image = ELFImage(try TextFile.bytes(of: path, limit: 1 << 30))
    else {
      throw AuricleError(
        .unavailable, "\(path) is missing or damaged: build or install Auricle again")
    }
    images[path] = image
    return image
  }

  private static let foundation = "libFoundation.so"
  private static let toolbox = "libAudioToolbox.so"

  private static let systemFolders = [
    "/usr/local/lib", "/lib/\(machine)-linux-gnu", "/usr/lib/\(machine)-linux-gnu", "/lib64",
    "/usr/lib64", "/lib", "/usr/lib",
  ]

  /// The machine's name in the folders of its libraries.
  static var machine: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "unknown"
    #endif
  }

  /// Whether every system has a library, or it must be that of the system.
  private static func isOfSystem(_ name: String) -> Bool {
    let stems = [
      "libc", "libm", "libdl", "librt", "libpthread", "libresolv", "libutil", "libstdc++",
      "libgcc_s",
    ]
    return name.hasPrefix("ld-linux") || stems.contains { name.hasPrefix($0 + ".so") }
  }

  /// Whether a library is of the run time of Swift, or of Core Audio's functions.
  private static func isOfRuntime(_ name: String) -> Bool {
    ["libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", toolbox]
      .contains { name.hasPrefix($0) }
  }

  /// The name of a build of a library: as long as that of the library, with letters of its checksum.
  static func name(of library: String, build: [UInt8]) -> String {
    let sum = SHA256.sum(build).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    let stem = library.firstRange(of: ".so").map { library[..<$0.lowerBound] } ?? library[...]
    let rest = library[stem.endIndex...]
    let digits = min(8, max(1, stem.count - 4))
    return String(stem.dropLast(digits)) + String(sum.prefix(digits)) + String(rest)
  }
}
