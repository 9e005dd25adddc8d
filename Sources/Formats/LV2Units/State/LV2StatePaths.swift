// Maps and confines the paths in a plug-in's state.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import Glibc
internal import HostSystem
internal import LV2Bundles
internal import RealtimeSupport

/// Maps the paths of one instance's state, and refuses paths that lead out of its folder.
///
/// Context: control, inside `PlugInLifeCycle.perform`; plug-ins call it through the features below.
@safe final class LV2StatePaths {
  /// The current meaning of paths.
  enum Mode {
    /// The running instance: files it makes are in a separate folder, others stay in their places.
    case live
    /// Reading a state on disk: the plug-in gets no paths outside of these folders.
    case reading([String])
    /// Writing a state to a folder: the files it needs are copied there.
    case writing(String)
  }

  /// The current mode.
  var mode = Mode.live
  /// The folder of the instance's own files; created when first needed, removed with this object.
  private(set) var ownFolder: String?
  /// The own folder when the state was saved: paths in it are mapped to `ownFolder`.
  var formerFolder: String?
  /// Paths that were refused or could not be copied, for a message.
  private(set) var problems: [String] = []
  private var copies: [String: String] = [:]

  deinit {
    if let ownFolder { LV2Files.remove(ownFolder) }
  }

  /// Runs a body in a mode and restores the previous one.
  func during<Value>(_ mode: Mode, _ body: () -> Value) -> Value {
    let before = self.mode
    self.mode = mode
    problems = []
    copies = [:]
    defer { self.mode = before }
    return body()
  }

  /// The folder of the instance's own files, created if needed.
  func folder() -> String? {
    if let ownFolder { return ownFolder }
    ownFolder = LV2Files.makeTemporaryFolder()
    return ownFolder
  }

  /// A path in its stored form.
  func abstract(_ path: String) -> String? {
    guard case .writing(let folder) = mode else { return path }
    if let inside = LV2Files.path(path, below: folder) { return inside }
    if let known = copies[path] { return known }
    guard let name = LV2Files.copy(path, into: folder) else {
      problems.append(path)
      return path
    }
    copies[path] = name
    return name
  }

  /// The real path of a stored one; nil for one that leads elsewhere.
  func absolute(_ path: String) -> String? {
    switch mode {
    case .live:
      if path.hasPrefix("/") {
        guard let former = formerFolder, let rest = LV2Files.suffix(of: path, below: former),
          let own = folder()
        else { return path }
        return LV2Files.join(own, rest)
      }
      return folder().flatMap { LV2Files.join($0, path) }
    case .writing(let folder):
      return path.hasPrefix("/") ? path : LV2Files.join(folder, path)
    case .reading(let folders):
      let found =
        path.hasPrefix("/")
        ? (folders.contains { LV2Files.path(path, below: $0) != nil } ? path : nil)
        : folders.first.flatMap { LV2Files.join($0, path) }
      if found == nil { problems.append(path) }
      return found
    }
  }

  /// The path of a new file; creates its folders.
  func make(_ path: String) -> String? {
    let base: String? = if case .writing(let folder) = mode { folder } else { folder() }
    guard !path.hasPrefix("/"), let base, let made = LV2Files.join(base, path) else { return nil }
    LV2Files.makeFolders(above: made, below: base)
    return made
  }
}

/// A path function of the state extension.
typealias LV2PathFunction =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?

/// The plug-in's callbacks; the handle is an `LV2StatePaths`.
enum LV2Paths {
  private static func map(
    _ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?,
    _ body: (LV2StatePaths, String) -> String?
  ) -> UnsafeMutablePointer<CChar>? {
    guard let handle = unsafe handle, let path = unsafe path else { return nil }
    let paths = unsafe Unmanaged<LV2StatePaths>.fromOpaque(handle).takeUnretainedValue()
    let text = unsafe body(paths, FileNameText.text(cString: path))
    return unsafe text?.withFileName { unsafe strdup($0) }
  }

  static let abstract: LV2PathFunction = { unsafe LV2Paths.map($0, $1) { $0.abstract($1) } }
  static let absolute: LV2PathFunction = { unsafe LV2Paths.map($0, $1) { $0.absolute($1) } }
  static let make: LV2PathFunction = { unsafe LV2Paths.map($0, $1) { $0.make($1) } }

  /// Frees a returned path.
  static let free: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?) -> Void =
    { _, path in unsafe Glibc.free(path) }
}
