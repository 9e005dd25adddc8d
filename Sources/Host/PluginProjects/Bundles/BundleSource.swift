// Where the property list of a bundle comes from: a file, a resource source, or the units themselves.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import HostSystem
import PropertyLists

/// The known facts of the units of a binary.
package struct BundleSource: Sendable {
  private let plist: String?
  private let components: [[String: PropertyListValue]]
  private let declared: [String: PropertyListValue]
  private let definitions: [String: String]

  /// Reads all sources.
  ///
  /// - Parameters:
  ///   - plist: An Info.plist, which may have build variables.
  ///   - resource: A resource source, whose units replace the list's AudioComponents.
  ///   - binary: The binary, which is asked where there is neither.
  ///   - program: The program that asks it.
  ///   - definitions: Values of build variables.
  /// - Throws: `.noInput` or `.badData` with the fault.
  ///
  /// Context: control.
  package init(
    plist: String?, resource: String?, binary: String, program: String,
    definitions: [String: String]
  ) throws(AuricleError) {
    self.plist = plist
    self.definitions = definitions
    components = if let resource { try ResourceSource(path: resource).components } else { [] }
    declared =
      if plist == nil, resource == nil {
        try DeclaredEntries.ask(program, about: binary)
      } else {
        [:]
      }
  }

  /// The property list of a bundle of a name.
  ///
  /// - Throws: `.noInput` or `.badData` with the fault.
  ///
  /// Context: control.
  func propertyList(product: String) throws(AuricleError) -> InfoPropertyList {
    var entries: [String: PropertyListValue] = [
      "CFBundleExecutable": .string(product), "CFBundleName": .string(product),
      "CFBundleIdentifier": .string(
        definitions["PRODUCT_BUNDLE_IDENTIFIER"] ?? "com.example.\(product)"),
      "CFBundlePackageType": .string("BNDL"), "CFBundleInfoDictionaryVersion": .string("6.0"),
    ]
    entries.merge(declared) { $1 }
    if let plist {
      do throws(PropertyListError) {
        let read = try PropertyListReader().read(contentsOf: plist)
        guard let values = read.dictionaryValue else {
          throw PropertyListError(.malformed, "it is \(read.kindName), not a dictionary")
        }
        entries = values
      } catch {
        throw AuricleError(.noInput, "\(plist) is not usable: \(error)")
      }
    }
    if !components.isEmpty {
      entries["AudioComponents"] = .array(components.map(PropertyListValue.dictionary))
    }
    let variables = XcodeVariables(product: product, executable: product, definitions: definitions)
    return try InfoPropertyList(
      .dictionary(entries), variables: variables, name: plist ?? "the list of \(product)")
  }
}
