// The account of a run: file by file, in the order of the plan, in little memory.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AudioTypes
import BatchProcessing
import Foundation

/// How `auricle report` prints.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case table
  case json
  case csv
  case html

  /// The kind of report that a name of a file tells; nil for another.
  init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "html", "htm": self = .html
    case "json": self = .json
    case "csv": self = .csv
    case "txt": self = .table
    default: return nil
    }
  }
}

/// Writes reports.
enum RunReport {
  /// Refuses a file that no report can be written to; the output folder may not be there yet.
  static func checkPlace(_ path: String, output: String?) throws(AuricleError) {
    let file = URL(fileURLWithPath: path).standardizedFileURL
    let folder = file.deletingLastPathComponent().path
    try checkKind(path)
    if let output {
      let root = URL(fileURLWithPath: output).standardizedFileURL.path
      if folder == root || folder.hasPrefix(root + "/") {
        // What is missing of it is made at the end.
        return try checkFolders(folder, of: path)
      }
    }
    guard unsafe access(folder, W_OK) == 0 else {
      throw systemError(errno, "write the report", path)
    }
  }

  /// Refuses what a report would take the place of and is no file.
  private static func checkKind(_ path: String) throws(AuricleError) {
    let refusal = "cannot write the report \(path): it "
    guard !DescriptorLink.isOne(path) else {
      throw AuricleError(
        .usage,
        refusal + "leads to an open file of a process, as /dev/stdout does; name a file, or print "
          + "it with auricle report when the run has ended")
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw AuricleError(.usage, refusal + "is a folder")
    default: throw AuricleError(.usage, refusal + "is no regular file (a pipe or a device)")
    }
  }

  /// Refuses a folder that cannot be made, because a part of its path is a file.
  private static func checkFolders(_ folder: String, of path: String) throws(AuricleError) {
    var folder = folder
    var status = stat()
    while unsafe stat(folder, &status) != 0 {
      let parent = (folder as NSString).deletingLastPathComponent
      guard parent != folder else { return }
      folder = parent
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { return }
    throw AuricleError(
      .usage,
      "cannot write the report \(path): \(folder) is a file, so nothing can be written into it")
  }

  /// Makes the folder of a report where it lies in the output folder.
  private static func makeFolder(of path: String, in root: String) throws(AuricleError) {
    let folder = FolderMaker.realPath((path as NSString).deletingLastPathComponent)
    let root = FolderMaker.realPath(root)
    guard folder.hasPrefix(root == "/" ? root : root + "/") else { return }
    try FolderMaker.make(folder)
  }

  /// Refuses a report that would take the place of a file that the run reads: one of its inputs, their
  /// list, its preset. What the plan finds beside these it refuses itself.
  static func checkReplacing(_ path: String, _ read: [String?]) throws(AuricleError) {
    guard let report = identity(path) else { return }
    for case .some(let file) in read where identity(file) == report {
      throw AuricleError(
        .usage,
        "the report \(path) would replace \(file), which the run reads: give --report another name")
    }
  }

  /// What makes a file the same one under two names; nil when there is none.
  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  /// Writes the report of a run into a file, whose name tells the kind: wholly, or not at all.
  ///
  /// - Parameter root: The output folder as results are named from here.
  static func write(
    _ folder: RunFolder, _ manifest: RunManifest, _ state: RunState, root: String, to path: String
  ) throws {
    try makeFolder(of: path, in: root)
    let file = try AtomicFile(path: path, overwrite: true)
    var failure: Int32 = 0
    var block = ""
    func flush() {
      if failure == 0 { failure = writeWhole(block, to: file.descriptor) }
      block = ""
    }
    let overview = RunOverview(manifest: manifest, state: state, output: folder.output)
    try write(folder, overview, as: ReportFormat(path: path) ?? .json, root: root) { text in
      block += text
      if block.utf8.count > 1 << 18 { flush() }
    }
    flush()
    if failure != 0 {
      file.cancel()
      throw systemError(failure, "write the report", path)
    }
    try file.commit()
  }

  /// Writes a text to its end: 0 or an errno number.
  private static func writeWhole(_ text: String, to descriptor: Int32) -> Int32 {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      bytes = bytes.dropFirst(count)
    }
    return 0
  }

  /// Hands a report over, piece by piece; results are named below `root`, or else below the output
  /// folder as it was named.
  static func write(
    _ folder: RunFolder, _ overview: RunOverview, as format: ReportFormat, root: String? = nil,
    shouldStop: @escaping () -> Bool = { false }, to write: (String) -> Void
  ) throws {
    let files = ReportedFiles(
      folder: folder, manifest: overview.manifest, root: root ?? overview.output,
      shouldStop: shouldStop)
    switch format {
    case .json: try json(overview, files, write)
    case .csv:
      write(CSVReport.head)
      try files.forEach { write(CSVReport.line($0)) }
    case .table: try table(overview, files, write)
    case .html: try HTMLReport(folder: folder, overview: overview).write(files, to: write)
    }
  }

  private static func json(
    _ overview: RunOverview, _ files: ReportedFiles, _ write: (String) -> Void
  ) throws {
    let head = overview.json.indentedText
    write(String(head.dropLast(2)) + ",\n  \"records\": [")
    var isFirst = true
    try files.forEach { file in
      let value: JSONValue =
        file.record?.json
        ?? .members([
          ("status", "pending"), ("index", JSONValue(file.entry.index)),
          ("variant", file.entry.variant.map { JSONValue($0) }),
          ("input", .members([("path", .string(file.entry.input))])),
          (
            "output",
            file.entry.output.isEmpty ? nil : .members([("path", .string(file.entry.output))])
          ),
        ])
      write((isFirst ? "\n    " : ",\n    ") + value.compactText)
      isFirst = false
    }
    write("\n  ]\n}\n")
  }

  private static func table(
    _ overview: RunOverview, _ files: ReportedFiles, _ write: (String) -> Void
  ) throws {
    write(overview.text + "\n")
    // Columns of a fixed width: a million lines cannot be measured first.
    write("status          length  peak before → after  result, or input and why not\n")
    try files.forEach { file in
      var text = file.status.padding(toLength: 12, withPad: " ", startingAt: 0)
      if let result = file.record?.result {
        let peak =
          "\(Figures.level(result.before.peakDecibels)) → "
          + "\(Figures.level(result.after.peakDecibels)) dBFS"
        text += Figures.duration(result.outputDuration).leftPadded(10) + "  "
        text += peak.leftPadded(20) + "  " + TerminalText.plain(file.record?.output ?? "")
      } else {
        let input = TerminalText.plain(file.entry.input)
        let message = TerminalText.plain(file.record?.error?.message ?? "")
        text += message.contains(input) ? message : message.isEmpty ? input : "\(input): \(message)"
        if let variant = file.entry.variant { text += " (variant \(variant))" }
      }
      write(text + "\n")
    }
  }
}

/// The files of a run for a report.
struct ReportedFiles {
  let folder: RunFolder
  let manifest: RunManifest
  /// The output folder, where it is now.
  let root: String
  /// Asked before every file.
  let shouldStop: () -> Bool

  /// Hands over every file of the run, in the order of its plan, with its results where they are now.
  func forEach(_ body: (ReportedFile) throws(AuricleError) -> Void) throws(AuricleError) {
    let fileCount = manifest.totals.fileCount
    try RunRecords(folder, fileCount: fileCount).forEach { (file) throws(AuricleError) in
      if shouldStop() {
        throw AuricleError(
          .interrupted,
          "interrupted after \(file.entry.index) of \(fileCount) files: the report is not whole; "
            + "give the command again")
      }
      var file = file
      file.record = file.record.map { manifest.located($0, as: file.entry, in: root) }
      file.entry = manifest.located(file.entry, in: root)
      try body(file)
    }
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  fileprivate func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
