// Checks the places of results: free, inside the output folder, and used by one file only.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import CHostSystem
import Glibc
import HostSystem
package import ResultSettings

extension Planner {
  /// The paths of an input's results; at least one.
  package func outputs(
    of path: String, dir: String, variant: Int?, segment: SoundSegment? = nil
  ) throws(AuricleError) -> [String] {
    if request.backupSuffix != nil {
      guard segment == nil else {
        throw AuricleError(
          .usage,
          "a part of \(path) cannot take the place of the whole: write to a folder (--output)")
      }
      try checkKind(of: path)
      return [path]
    }
    switch request.destination {
    case .file(let path): return [path]
    case .folder:
      let renders =
        request.renders.isEmpty
        ? [PlannedRender(name: "", fileExtension: request.fileExtension)] : request.renders
      var paths: [String] = []
      for render in renders {
        paths.append(
          try request.template.path(
            for: OutputTemplate.Source(
              dir: dir, input: path, fileExtension: render.fileExtension, preset: request.preset,
              render: render.name, variant: variant, segment: segment)))
      }
      return paths
    }
  }

  /// A result that replaces its input keeps its name, which must fit the file type.
  private func checkKind(of path: String) throws(AuricleError) {
    guard let kind = request.fileExtension.flatMap({ AudioContainer(named: $0) }),
      let named = AudioContainer(path: path), named.fileExtension != kind.fileExtension
    else { return }
    throw AuricleError(
      .usage,
      "the result of \(path) is to be \(kind.name), and in its place it would be called "
        + "\(Path.lastComponent(path)): leave the container out, or write to a folder (--output)")
  }

  /// The key of a result; on disks that fold case, all spellings have the same key.
  private func key(_ output: String) -> UInt64 {
    foldsNames ? FolderNaming.key(output) : HashTable64.hash(output)
  }

  /// The path of a result relative to the working folder.
  private func shown(_ output: String) -> String {
    if case .folder(let folder) = request.destination, request.backupSuffix == nil {
      return Path.joining(folder, output)
    }
    return output
  }

  /// Checks that the places of results are free and inside the output folder.
  package mutating func place(_ entry: inout PlanEntry) throws(AuricleError) {
    var outputs = entry.outputs
    var there: [Int] = []
    for index in outputs.indices {
      if request.existing == .rename { outputs[index] = try freeName(outputs[index]) }
      let isFree = isFolderFree(of: outputs[index])
      let key = self.key(outputs[index])
      if let other = try self.outputs.insert(key, entry.index) {
        clash(entry.index, shown(outputs[index]), with: other)
        continue
      }
      if let other = try outputFolders.value(of: key) {
        clash(entry.index, shown(outputs[index]), with: other, isFolder: true)
        continue
      }
      try noteFolders(of: outputs[index], entry.index)
      if !isFree, try isThere(shown(outputs[index]), entry.input) { there.append(index) }
    }
    entry.output = outputs[0]
    entry.others = Array(outputs.dropFirst())
    guard !there.isEmpty else { return }
    switch request.existing {
    case .skip:
      guard there.count == outputs.count else {
        // Missing results are made; existing ones are kept.
        entry.kept = there
        return
      }
      entry.isSkipped = true
      totals.skippedCount += 1
    case .error, .overwrite, .rename: totals.replacedCount += 1
    }
  }

  /// Whether a result that exists is one of the inputs.
  ///
  /// - Throws: `.usage` then, when it would be replaced.
  public func checkReplacing(_ entry: PlanEntry, shown: String) throws(AuricleError) {
    guard request.existing == .overwrite || request.existing == .error,
      request.backupSuffix == nil, entry.error == nil, let found = FileIdentity.of(shown),
      try isInput(Self.key(shown, found.identity, found.linkCount))
    else { return }
    throw AuricleError(
      .usage,
      "the result of \(entry.input) would replace the input \(shown): choose \(otherPlace)")
  }

  private mutating func clash(
    _ index: Int, _ output: String, with other: Int, isFolder: Bool = false
  ) {
    clashCount += 1
    if clashes.count < 3 { clashes.append((index, output, other, isFolder)) }
  }

  /// Records the folders of a result below the output folder: none may be a result itself.
  private mutating func noteFolders(of output: String, _ index: Int) throws(AuricleError) {
    guard case .folder = request.destination, request.backupSuffix == nil else { return }
    var folder = Path.folder(of: output)
    guard !Path.isSame(folder, notedFolder) else { return }
    notedFolder = folder
    while folder != ".", folder != "/" {
      let key = self.key(folder)
      // Its parents are recorded already.
      if try outputFolders.insert(key, index) != nil { return }
      if let other = try outputs.value(of: key) {
        clash(index, shown(folder), with: other, isFolder: true)
      }
      folder = Path.folder(of: folder)
    }
  }

  /// Refuses a report at the place of an input.
  mutating func checkReport() throws(AuricleError) {
    guard let report = request.report, let found = FileIdentity.of(report), found.kind != .folder,
      try isInput(Self.key(report, found.identity, found.linkCount))
    else { return }
    refuse("the report \(report) would replace an input of that name: give --report another name")
  }

  /// Whether a file exists at a result's place that is replaced or kept.
  private mutating func isThere(_ path: String, _ input: String) throws(AuricleError) -> Bool {
    if let suffix = request.backupSuffix {
      let backup = path + suffix
      guard FileIdentity.exists(backup), !Self.isKeptTwice(path, backup) else { return false }
      // An input with a backup was done before.
      if request.existing == .skip { return true }
      refuse(
        "\(backup) is there already, so the original of \(path) cannot be kept: move it away, or "
          + "leave files out that have one with --on-exists skip")
      return false
    }
    guard FileIdentity.exists(path) else { return false }
    guard !DescriptorLink.isOne(path) else {
      refuse(
        "\(path) leads to an open file of a process, as /dev/stdout does"
          + whatToDo(input, "name a file to write, or - for standard output (--output-file -)"))
      return false
    }
    switch FileIdentity.of(path)?.kind {
    case .folder:
      refuse("\(path) is a folder" + whatToDo(input, "name it with --output, or name a file"))
      return false
    // Results are renamed into place: a device or a pipe would be replaced, not written to.
    case .other:
      refuse(
        "\(path) is no regular file (a pipe or a device)"
          + whatToDo(input, "name a file to write"))
      return false
    case .file, nil: break
    }
    if request.existing == .error {
      existingCount += 1
      if existing.isEmpty { existing.append(path) }
    }
    return true
  }

  /// The advice when a result cannot replace an existing file: its name was chosen, or derived from the input's.
  private func whatToDo(_ input: String, _ named: String) -> String {
    guard case .folder = request.destination else { return ": " + named }
    return ", where the result of \(input) is to be: move it away"
      + (request.acceptsSongs ? "" : ", or give --on-exists rename")
  }

  /// Whether an original has both names, as left by a run that was cut off between the two: then it is not
  /// done yet, and its backup is no obstacle.
  private static func isKeptTwice(_ path: String, _ backup: String) -> Bool {
    guard !FileIdentity.isLink(backup), let original = FileIdentity.of(path),
      let kept = FileIdentity.of(backup), kept.kind == .file
    else { return false }
    return original.identity == kept.identity || original.stamp == kept.stamp
  }

  /// The first of `name.wav`, `name (2).wav`, … that neither exists nor is planned.
  private func freeName(_ output: String) throws(AuricleError) -> String {
    var number = 1
    var name = output
    while try outputs.value(of: key(name)) != nil || FileIdentity.exists(shown(name)) {
      number += 1
      let own = Path.extensionAsWritten(of: output)
      let stem = Path.withoutExtension(output)
      name = Self.numbered(stem, number, own)
    }
    return name
  }

  /// `stem (2).wav`, with the stem truncated if the name would be too long.
  private static func numbered(_ stem: String, _ number: Int, _ ending: String) -> String {
    let tail = " (\(number))" + (ending.isEmpty ? "" : "." + ending)
    let room = max(Int(NAME_MAX) - tail.utf8.count, 1)
    var stem = stem
    var length = Path.lastComponent(stem).utf8.count
    while length > room, let last = stem.popLast() { length -= String(last).utf8.count }
    return stem + tail
  }

  /// Whether nothing can be where a result is to be, because its folder is not there yet; refuses links
  /// below the output folder that lead out of it.
  private mutating func isFolderFree(of output: String) -> Bool {
    guard case .folder = request.destination, request.backupSuffix == nil else { return false }
    if isVacant { return true }
    let folder = output.utf8.contains(UInt8(ascii: "/")) ? Path.folder(of: output) : ""
    guard let root, !folder.isEmpty else { return false }
    if let checkedFolder, Path.isSame(checkedFolder.path, folder) { return checkedFolder.isMissing }
    let isMissing = isMissing(folder, below: root)
    checkedFolder = (folder, isMissing)
    return isMissing
  }

  /// Whether a folder of results is missing; refuses an existing one that is not the output folder's own.
  private mutating func isMissing(_ folder: String, below root: OpenFolder) -> Bool {
    var path = ""
    for part in Path.components(folder) {
      path = Path.joining(path, part)
      let descriptor = unsafe path.withFileName {
        unsafe AuricleOpenBeneath(root.descriptor, $0, O_RDONLY | O_DIRECTORY, 0)
      }
      if descriptor >= 0 {
        close(descriptor)
        continue
      }
      let number = errno
      if number == EXDEV || number == ELOOP {
        refuse("\(shown(path)) leads out of the output folder through a link: remove the link")
      } else if number == ENOTDIR {
        refuse("\(shown(path)) is a file, so nothing can be written into it")
      }
      return number == ENOENT
    }
    return false
  }

  /// Opens the output folder if it exists, and finds out whether it folds case.
  package mutating func open(_ folder: String) {
    let descriptor = unsafe HostSystem.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      root = OpenFolder(descriptor: descriptor, path: folder)
      isVacant = FolderListing.isEmpty(folder, besides: RecordsFolder.name)
    } else {
      isVacant = errno == ENOENT
    }
    foldsNames = FolderNaming.folds(folder)
  }
}
