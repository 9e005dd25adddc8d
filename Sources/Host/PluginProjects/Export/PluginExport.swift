// Writes units as plug-ins of other formats: the adapter, the units with their libraries, and the data that hosts read.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// A bundle of exported units.
package struct PluginExport: Sendable {
  private let units: [ExportedUnit]
  private let chains: [ExportedStages]
  private let name: String
  private let program: String
  private let adapters: String
  private let libraryFolders: [String]

  /// The list of contents, which the adapter reads.
  private static let contents = "auricle-export.txt"
  /// The folder of binaries, with that of their resources beside it, as in a component.
  private static let binaries = "Contents/Linux"

  /// - Parameters:
  ///   - units: The units that the bundle holds.
  ///   - chains: The chains that it holds.
  ///   - name: The name of the bundle, without an extension; nil for that of its only unit.
  /// - Throws: `.usage` for a name that is none, `.unavailable` when the adapters are not installed.
  ///
  /// Context: control.
  package init(
    _ units: [ExportedUnit], chains: [ExportedStages] = [], name: String?
  ) throws(AuricleError) {
    let titles = units.map(\.title) + chains.map(\.title)
    guard let first = titles.first, name != nil || titles.count == 1 else {
      throw AuricleError(
        .usage,
        titles.isEmpty
          ? "nothing is named to be exported: name a unit, or a chain with --preset"
          : "several units need a name for their bundle: add --name NAME")
    }
    let name = name ?? Self.fileName(of: first)
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), !name.hasPrefix("-") else {
      throw AuricleError(
        .usage,
        "'\(name)' is no name of a bundle: it has no folder, and begins with a letter or digit")
    }
    let places = try SDKPlaces()
    program = places.program
    libraryFolders = places.libraries
    let folder = Path.folder(of: program)
    let candidates = [folder + "/Adapters", Path.folder(of: folder) + "/lib/auricle/Adapters"]
    guard let adapters = candidates.first(where: { FileIdentity.of($0)?.kind == .folder }) else {
      throw AuricleError(
        .unavailable,
        "the adapters are not beside \(program): run make build, or install Auricle again")
    }
    self.adapters = adapters
    self.units = units
    self.chains = chains
    self.name = name
  }

  /// Writes the bundle in a format; an existing one is replaced, file by file.
  ///
  /// - Parameter output: The folder in which the bundle is made.
  /// - Returns: The path that a host finds it by.
  /// - Throws: `.badData` with the reason why a unit cannot be exported, `.inputOutput` when it cannot be written.
  ///
  /// Context: control. The units are opened in a separate process.
  package func write(_ format: ExportFormat, to output: String) throws(AuricleError) -> String {
    let folder = Path.joining(output, format.folder(named: name))
    let adapter = "\(adapters)/\(format.adapter).so"
    guard FileIdentity.of(adapter)?.kind == .file else {
      throw AuricleError(
        .unavailable,
        "there is no adapter for \(format.rawValue): \(adapter) is missing; build it with make build"
      )
    }
    var libraries = ExportLibraries(adapters: adapters, folders: libraryFolders)
    var text = "auricle-export 1\n"
    var lines = ""
    for unit in units {
      let binary = try libraries.add(unit.binary)
      lines += unit.lines(binary: "\(Self.binaries)/\(binary)")
    }
    for (index, chain) in chains.enumerated() {
      var binaries: [String] = []
      for stage in chain.stages {
        binaries.append("\(Self.binaries)/\(try libraries.add(stage.unit.binary))")
      }
      lines += chain.lines(number: index + 1, binaries: binaries)
    }
    text += "base \(Self.binaries)/\(libraries.base)\n" + lines
    try FolderMaker.make("\(folder)/\(Self.binaries)")
    for (file, bytes) in libraries.files.sorted(by: { $0.key < $1.key }) {
      try TextFile.write(bytes, to: "\(folder)/\(Self.binaries)/\(file)", isExecutable: true)
    }
    for (index, chain) in chains.enumerated() {
      for (stage, content) in chain.stages.enumerated() {
        let file = chain.stateFile(number: index + 1, stage: stage)
        try TextFile.write(content.state, to: "\(folder)/\(file)")
      }
    }
    for unit in units + chains.flatMap({ $0.stages.map(\.unit) }) {
      try copyResources(of: unit, to: "\(folder)/Contents/Resources")
    }
    try TextFile.write(text, to: "\(folder)/\(Self.contents)")
    let bytes = try TextFile.bytes(of: adapter, limit: 1 << 30)
    for (name, text) in try describe(bytes, in: folder) {
      try TextFile.write(text, to: "\(folder)/\(name)")
    }
    // Hosts find the bundle when its units are known to be sound.
    let file = "\(folder)/\(format.file(named: name))"
    try TextFile.write(bytes, to: file, isExecutable: true)
    return format == .vst3 ? Path.joining(output, "\(name).vst3") : format == .clap ? file : folder
  }

  /// The files that an adapter writes, from a copy of it under a name that no host opens.
  private func describe(
    _ adapter: [UInt8], in folder: String
  ) throws(AuricleError) -> [(name: String, bytes: [UInt8])] {
    let trial = "\(folder)/auricle-trial.so"
    try TextFile.write(adapter, to: trial, isExecutable: true)
    defer { unsafe unlink(trial) }
    return try ExportDescription.ask(program, about: trial)
  }

  private func copyResources(of unit: ExportedUnit, to target: String) throws(AuricleError) {
    guard let source = unit.resources else { return }
    var folders = [""]
    while let folder = folders.popLast() {
      try FolderMaker.make(target + folder)
      for name in FolderListing.names(in: source + folder).sorted() {
        let path = "\(folder)/\(name)"
        switch FileIdentity.of(source + path)?.kind {
        case .folder: folders.append(path)
        case .file:
          try TextFile.write(
            try TextFile.bytes(of: source + path, limit: 1 << 30), to: target + path)
        default: break
        }
      }
    }
  }

  /// A title as the name of a file: letters and digits, with hyphens between.
  private static func fileName(of title: String) -> String {
    let words = title.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.isEmpty ? "unit" : words.joined(separator: "-")
  }
}
