// Makes the folder of a new program in Swift on Core Audio's modules, of the templates of its kind.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import HostSystem

/// The templates of one kind of program: a manifest that all share, and a source.
package struct ProgramProject: Sendable {
  private let description: ProjectDescription
  private let kind: String
  private let places: SDKPlaces

  /// Finds the templates of a kind.
  ///
  /// - Throws: `.usage` when the name cannot be one of sources, or there are no templates of the
  ///   kind, with those there are.
  ///
  /// Context: control.
  package init(_ name: String, kind: String, _ places: SDKPlaces) throws(AuricleError) {
    let kinds = FolderListing.names(in: places.programs).filter {
      FileIdentity.of(places.programs + "/" + $0)?.kind == .folder
    }.sorted()
    guard kinds.contains(kind) else {
      throw AuricleError(
        .usage,
        "there is no program of kind '\(kind)': the kinds are " + kinds.joined(separator: ", "))
    }
    description = try ProjectDescription(
      title: name, language: "swift", type: "aufx", subtype: "prog", manufacturer: "Demo")
    self.kind = kind
    self.places = places
  }

  /// The name of the folder that is made where no other is named.
  package var folderName: String { description.folderName }

  /// Writes the project.
  ///
  /// - Parameter folder: Where; nil for a folder of the program's name in the working folder.
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
    let values = [
      "TITLE": description.title, "IDENTIFIER": description.identifier,
      "PROGRAMSDK": places.programPackage, "GUIDES": places.guides, "KIND": kind,
    ]
    try FolderMaker.make(folder)
    var written: [String] = []
    for source in [places.programs, places.programs + "/" + kind] {
      for name in FolderListing.names(in: source).sorted() where name.hasSuffix(".in") {
        let text = TemplateText.filled(try TextFile.read(source + "/" + name), values)
        let path = Path.joining(folder, fileName(String(name.dropLast(".in".count))))
        try FolderMaker.make(Path.folder(of: path))
        try TextFile.write(text, to: path)
        written.append(path)
      }
    }
    return written
  }

  private func fileName(_ name: String) -> String {
    switch name {
    case "gitignore": ".gitignore"
    case "main.swift": "Sources/" + description.identifier + "/main.swift"
    default: name
    }
  }
}
