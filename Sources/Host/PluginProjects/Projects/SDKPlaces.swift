// Where the parts of the SDK are that a plug-in is built with, in an installation or in the source tree.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// The files that a plug-in is built with.
package struct SDKPlaces: Sendable {
  /// The program.
  package let program: String
  /// The folder of the C headers.
  package let headers: String
  /// The folder of `AuricleUnit.c` and `UnitCheck.c`.
  package let helper: String
  /// The folder of the Swift package.
  package let swiftPackage: String
  /// The folder of the Swift package of Core Audio's modules for programs.
  package let programPackage: String
  /// The folder with a folder of templates for each kind of program in Swift.
  package let programs: String
  /// The folder with a folder of templates for each language.
  package let templates: String
  /// The folder of the guides.
  package let guides: String
  /// The folders of `libAudioToolbox.so` and `libFoundation.so`, without doubles.
  package let libraries: [String]

  /// The places beside the program that this process runs.
  ///
  /// - Throws: `.unavailable` when they are not there: the program was copied away from its installation.
  ///
  /// Context: control.
  package init() throws(AuricleError) {
    guard let program = FileIdentity.realPath("/proc/self/exe") else {
      throw AuricleError(.unavailable, "/proc is not there, so the SDK cannot be found: mount it")
    }
    self.program = program
    let folder = Path.folder(of: program)
    let prefix = Path.folder(of: folder)
    if FileIdentity.of(prefix + "/share/auricle/templates")?.kind == .folder {
      headers = prefix + "/include/auricle"
      helper = prefix + "/share/auricle/c"
      swiftPackage = prefix + "/share/auricle/AuricleSDK"
      programPackage = prefix + "/share/auricle/AppleAudio"
      programs = prefix + "/share/auricle/programs"
      templates = prefix + "/share/auricle/templates"
      guides = prefix + "/share/doc/auricle/guides"
      libraries = Self.libraries(beside: prefix + "/lib/auricle")
      return
    }
    var root = folder
    while root.utf8.count > 1, FileIdentity.of(root + "/SDK/Templates")?.kind != .folder {
      root = Path.folder(of: root)
    }
    guard root.utf8.count > 1 else {
      throw AuricleError(
        .unavailable,
        "the templates are not beside \(program): install Auricle with make install, and run "
          + "the program that it put into PREFIX/bin")
    }
    headers = root + "/SDK/include"
    helper = root + "/SDK/CUnit"
    swiftPackage = root + "/SDK"
    programPackage = root + "/AppleAudio"
    programs = root + "/SDK/Programs"
    templates = root + "/SDK/Templates"
    guides = root + "/docs/guides"
    libraries = Self.libraries(beside: folder + "/Exports")
  }

  /// A folder, and that of the Foundation which this process runs with, if it is another.
  private static func libraries(beside folder: String) -> [String] {
    guard let foundation = foundationFolder, foundation != folder else { return [folder] }
    return [folder, foundation]
  }

  /// The folder of the loaded `libFoundation.so`.
  private static var foundationFolder: String? {
    guard let maps = unsafe fopen("/proc/self/maps", "re") else { return nil }
    defer { unsafe fclose(maps) }
    var line = [CChar](repeating: 0, count: 8192)
    while unsafe fgets(&line, Int32(line.count), maps) != nil {
      let bytes = line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.hasSuffix("/libFoundation.so"), let start = text.firstIndex(of: "/") else {
        continue
      }
      return Path.folder(of: String(text[start...]))
    }
    return nil
  }

  /// The linker's options for finding the libraries, now and when the plug-in is loaded.
  package var linkerFlags: String {
    (libraries.flatMap { ["-L\($0)", "-Wl,-rpath,\($0)"] } + ["-lFoundation"])
      .joined(separator: " ")
  }
}
