// The folders that are searched for `.component` bundles.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import Glibc
import HostSystem

extension NativeComponentSource {
  /// The folders of `$AURICLE_COMPONENT_PATH`, the user's, the machine's, and the one that ships.
  ///
  /// - Parameter shipped: The folder that ships with the program, if there is one. It comes last, so
  ///   that everything else can replace it.
  ///
  /// Context: control.
  public static func standardFolders(
    shipped: String?
  ) -> [(path: String, origin: ComponentOrigin)] {
    var environment: [String: String] = [:]
    for name in ["AURICLE_COMPONENT_PATH", "HOME"] {
      environment[name] = unsafe getenv(name).map { unsafe FileNameText.text(cString: $0) }
    }
    return standardFolders(
      shipped: shipped, environment: environment, accountHome: homeOfAccount())
  }

  /// As above, from passed variables.
  ///
  /// - Parameters:
  ///   - shipped: The folder that ships with the program, if there is one.
  ///   - environment: `AURICLE_COMPONENT_PATH` (folders with colons between) and `HOME` count.
  ///   - accountHome: The home folder to use when `HOME` is unset, empty or not absolute.
  ///
  /// Context: any.
  public static func standardFolders(
    shipped: String?, environment: [String: String], accountHome: @autoclosure () -> String?
  ) -> [(path: String, origin: ComponentOrigin)] {
    let own = environment["AURICLE_COMPONENT_PATH"] ?? ""
    var paths = own.split(separator: ":").map(String.init)
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? accountHome()
    if let home { paths.append(home + "/.local/lib/auricle/Components") }
    paths += ["/usr/local/lib/auricle/Components", "/usr/lib/auricle/Components"]
    var folders = paths.map { (path: $0, origin: ComponentOrigin.native) }
    if let shipped {
      // An installed program ships into one of the standard folders: the bundles there are built in.
      let identity = FileIdentity(path: shipped)
      folders.removeAll { folder in
        folder.path == shipped || identity != nil && FileIdentity(path: folder.path) == identity
      }
      folders.append((path: shipped, origin: .builtIn))
    }
    return folders
  }

  /// The home folder the account database has for this user.
  private static func homeOfAccount() -> String? {
    var record = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: 16 << 10)
    guard unsafe getpwuid_r(getuid(), &record, &text, text.count, &found) == 0,
      unsafe found != nil, let home = unsafe record.pw_dir
    else { return nil }
    let path = unsafe String(cString: home)
    return path.hasPrefix("/") ? path : nil
  }
}
