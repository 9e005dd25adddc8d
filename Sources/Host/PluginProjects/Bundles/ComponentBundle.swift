// Writes a component bundle: Contents/Info.plist and the binary in Contents/Linux.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import PropertyLists

/// A component bundle to be written.
package struct ComponentBundle: Sendable {
  private let path: String
  private let file: [UInt8]
  private let list: InfoPropertyList
  private let executable: String

  /// Reads the parts of the bundle.
  ///
  /// - Parameters:
  ///   - binary: The shared object.
  ///   - source: The known facts of its units.
  ///   - path: The bundle to write, `….component`.
  /// - Throws: `.noInput`, `.badData` or `.usage` with the fault.
  ///
  /// Context: control.
  package init(
    binary: String, source: BundleSource, path: String
  ) throws(AuricleError) {
    let path = Path.trimmed(path)
    let product = Path.lastComponent(Path.withoutExtension(path))
    guard Path.fileExtension(of: path) == "component", !product.isEmpty else {
      throw AuricleError(
        .usage, "\(path) must end in .component: hosts search for folders of that name")
    }
    let file = try TextFile.bytes(of: binary, limit: 1 << 30)
    guard let symbols = ExportedSymbols.names(in: file) else {
      throw AuricleError(
        .badData,
        "\(binary) is no shared object for 64-bit Linux: link the plug-in with -shared")
    }
    list = try source.propertyList(product: product)
    let name = list.executable ?? product
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw AuricleError(.badData, "CFBundleExecutable '\(name)' must be a name without a folder")
    }
    executable = name
    self.path = path
    self.file = file
    for function in list.factoryFunctions where !symbols.contains(function) {
      throw Self.missing(function, in: symbols, of: binary)
    }
  }

  /// The reason that a factory function is not there, as far as it is known.
  private static func missing(
    _ function: String, in symbols: Set<String>, of binary: String
  ) -> AuricleError {
    let entry = function.replacing(/Factory$/, with: "Entry")
    if symbols.contains(entry) {
      return AuricleError(
        .badData,
        "\(binary) exports \(entry), the entry of the Component Manager, and no \(function): compile "
          + "it with -include Auricle/ComponentEntry.h")
    }
    let others = symbols.filter { $0.hasSuffix("Factory") && !$0.hasPrefix("$") }.sorted()
    let known =
      others.isEmpty
      ? "it exports none: -DCA_USE_AUDIO_PLUGIN_ONLY leaves COMPONENT_ENTRY empty, compile without it"
      : "it exports \(others.joined(separator: ", "))"
    return AuricleError(
      .badData,
      "\(binary) does not export the factory function \(function) that its list names; \(known)")
  }

  /// Writes the bundle; an existing one is replaced, file by file.
  ///
  /// - Throws: `.inputOutput` when it cannot be written, or when something else is at its path.
  ///
  /// Context: control.
  package func write() throws(AuricleError) {
    if FileIdentity.of(path)?.kind == .folder, !FolderListing.names(in: path).isEmpty,
      FileIdentity.of(path + "/Contents") == nil
    {
      throw AuricleError(
        .inputOutput, "\(path) is there and is no component: choose another --output")
    }
    let folder = path + "/Contents/Linux"
    try FolderMaker.make(folder)
    try TextFile.write(file, to: folder + "/" + executable, isExecutable: true)
    let text: String
    do throws(PropertyListError) {
      text = try PropertyListWriter.xml(list.value)
    } catch {
      throw AuricleError(.badData, "the Info.plist of \(path) cannot be written: \(error)")
    }
    try TextFile.write(text, to: path + "/Contents/Info.plist")
  }

  /// The units in it, as they are named on the command line.
  package var units: [String] {
    (list.value["AudioComponents"]?.arrayValue ?? []).map { entry in
      ["type", "subtype", "manufacturer"].map { key in
        switch entry[key] {
        case .string(let text): text
        case .integer(let number):
          FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: number)).description
        default: "????"
        }
      }.joined(separator: ":")
    }
  }
}
