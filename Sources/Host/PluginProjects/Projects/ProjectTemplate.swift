// Makes the folder of a new plug-in of the templates of its language.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// The templates of one language: files that end in `.in`, for every type of unit and, in a folder of its
/// name, for one.
package struct ProjectTemplate: Sendable {
  private let description: ProjectDescription
  private let places: SDKPlaces

  /// Finds the templates of a description.
  ///
  /// - Throws: `.usage` when there is none for the language or the type, with those there are.
  ///
  /// Context: control.
  package init(_ description: ProjectDescription, _ places: SDKPlaces) throws(AuricleError) {
    self.places = places
    let languages = Self.folders(in: places.templates)
    guard languages.contains(description.language) else {
      throw AuricleError(
        .usage,
        "there are no templates in '\(description.language)': the languages are "
          + languages.joined(separator: ", "))
    }
    let types = Self.folders(in: places.templates + "/" + description.language)
    guard types.contains(description.type.description) else {
      throw AuricleError(
        .usage,
        "there is no template of type '\(description.type)' in \(description.language): "
          + (types.count == 1 ? "the type is " : "the types are ") + types.joined(separator: ", "))
    }
    let folder = places.templates + "/" + description.language + "/" + description.type.description
    var words: Set<String> = []
    for name in FolderListing.names(in: folder) where name.hasPrefix("Unit.") {
      let text = try TextFile.read(folder + "/" + name)
      words.formUnion(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
    self.description = description.avoiding(words)
  }

  private static func folders(in path: String) -> [String] {
    FolderListing.names(in: path).filter {
      FileIdentity.of(path + "/" + $0)?.kind == .folder
    }.sorted()
  }

  /// Writes the project.
  ///
  /// - Parameter folder: Where; nil for a folder of the plug-in's name in the working folder.
  /// - Returns: The files, relative to the working folder.
  /// - Throws: `.inputOutput` when the folder has something in it, or cannot be written.
  ///
  /// Context: control.
  package func write(to folder: String?) throws(AuricleError) -> [String] {
    let folder = Path.trimmed(folder ?? description.folderName)
    if FileIdentity.of(folder) != nil, !FolderListing.names(in: folder).isEmpty {
      throw AuricleError(
        .inputOutput, "\(folder) is there already: name another folder with --output")
    }
    let language = places.templates + "/" + description.language
    var files: [(name: String, text: String)] = []
    for source in [language, language + "/" + description.type.description] {
      for name in FolderListing.names(in: source).sorted() where name.hasSuffix(".in") {
        files.append((name, try TextFile.read(source + "/" + name)))
      }
    }
    let source = files.map { fileName($0.name) }.first {
      $0.hasPrefix(description.identifier + ".")
    }
    try FolderMaker.make(folder)
    var written: [String] = []
    for (name, text) in files {
      let path = Path.joining(folder, fileName(name))
      try TextFile.write(filled(text, source: source ?? ""), to: path)
      written.append(path)
    }
    return written
  }

  /// `Unit.c.in` becomes `WarmTremolo.c`, `gitignore.in` becomes `.gitignore`.
  private func fileName(_ template: String) -> String {
    let name = String(template.dropLast(".in".count))
    if name == "gitignore" { return ".gitignore" }
    guard name.hasPrefix("Unit.") else { return name }
    return description.identifier + name.dropFirst("Unit".count)
  }

  private func filled(_ text: String, source: String) -> String {
    let values = [
      "TITLE": description.title, "IDENTIFIER": description.identifier, "SOURCE": source,
      "TYPE": description.type.description, "SUBTYPE": description.subtype.description,
      "MANUFACTURER": description.manufacturer.description,
      "MAKER": description.manufacturer.description, "AURICLE": places.program,
      "HEADERS": places.headers, "HELPER": places.helper, "SDK": places.swiftPackage,
      "GUIDES": places.guides, "LIBRARIES": places.linkerFlags, "PROGRAMSDK": places.programPackage,
    ]
    return TemplateText.filled(text, values)
  }
}
