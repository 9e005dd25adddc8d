// Files through a chain, or through none: the work of process and convert.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import RunLedgers
import Workers

/// A command that runs audio files, in a folder or alone.
protocol FileRunCommand: FolderRunCommand {
  var inputs: [String] { get }
  var output: OutputArguments { get }
  var place: PlaceArguments { get }
  /// Whether packets are copied where nothing asks for another sound.
  var copiesPackets: Bool { get }

  /// Returns the chain; nil for none.
  func chainRequest() throws -> ChainRequest?
}

extension FileRunCommand {
  /// Refuses options that exclude each other in a run that is begun.
  func checkFiles() throws {
    try output.check()
    try place.check(output)
    if inputs.isEmpty, runOptions.fromFile == nil {
      throw ValidationError(
        "Missing expected argument '<file-or-folder> ...': name files or folders, or --from-file.")
    }
    if inputs.contains("") { throw ValidationError("The name of an input is empty.") }
    if runOptions.fromFile?.isEmpty == true {
      throw ValidationError("The name of the list of inputs is empty.")
    }
    if place.raw != nil, let folder = inputs.first(where: FileIdentity.isFolder) {
      throw ValidationError(
        "--raw takes files by their names, not the folder '\(folder)': name them, or --from-file.")
    }
  }

  /// Refuses options that a resumed run does not accept.
  func checkResumedFiles() throws {
    try checkResume(
      "files", inputs,
      [
        ("--output", output.output != nil), ("--output-file", place.outputFile != nil),
        ("--in-place", place.inPlace), ("--backup", place.backup), ("--raw", place.raw != nil),
      ])
  }

  /// Processes the files, and prints the outcome.
  func runFiles() throws {
    Interruption.install()
    let printer = printing.printer
    printer.inputs = inputs
    if runOptions.resume == nil, place.outputFile != nil || inputs.contains("-") {
      let host = AuricleInstallation()
      let request = try singleFileRequest()
      if runOptions.dryRun {
        let entry = try host.dryRun(request, control: printer.control)
        return StandardStreams.writeMessage(
          "\(entry.input) → \(entry.showsOutput ?? entry.output)")
      }
      printer.printsResults = place.outputFile != "-"
      return try printer.end(host.run(request, control: printer.control))
    }
    try runFolder(printer)
  }

  private func results() throws(AuricleError) -> ResultRequest {
    var results = try output.request()
    results.copiesPackets = copiesPackets
    return results
  }

  func runRequest() throws -> RunRequest {
    var request = RunRequest(
      chain: try chainRequest() ?? .units([]), inputs: inputs,
      destination: output.output.map { .folder($0) } ?? .inPlace)
    request.results = try results()
    request.rawInput = place.raw?.format
    return request
  }

  func resumeRequest(_ folder: String) throws -> ResumeRequest {
    var request = ResumeRequest(folder: folder)
    request.chain = try chainRequest()
    request.results = try results()
    return request
  }

  /// The request for one file; refuses options for a folder of results.
  private func singleFileRequest() throws -> SingleFileRequest {
    func refuse(_ text: String) -> AuricleError { AuricleError(.usage, text) }
    if runOptions.fromFile != nil {
      throw refuse("--output-file and '-' take no list: use --output")
    }
    if let variants, variants > 1, place.outputFile != nil {
      throw refuse("--output-file takes one result, not \(variants): use --output")
    }
    if runOptions.report != nil || work.pictures {
      throw refuse("--report and --pictures need a run in a folder: use --output")
    }
    guard let file = place.outputFile else {
      throw refuse(
        "standard input needs one place to go to: --output-file FILE, or - for standard output")
    }
    guard inputs.count == 1 else {
      throw refuse(
        "--output-file takes exactly one input, and \(inputs.count) are named: use --output")
    }
    if file == "-", printing.format == .json {
      throw refuse("standard output is for the sound: leave --format json out")
    }
    var request = SingleFileRequest(
      chain: try chainRequest() ?? .units([]),
      input: inputs[0] == "-" ? .descriptor(STDIN_FILENO) : .file(inputs[0]),
      output: file == "-" ? .descriptor(StandardStreams.results) : .file(file))
    request.results = try results()
    request.work = work.request
    request.variantCount = variants
    request.seed = seed
    request.rawInput = place.raw?.format
    return request
  }
}

extension FileIdentity {
  /// Whether a folder exists at a path.
  static func isFolder(_ path: String) -> Bool {
    of(path)?.kind == .folder
  }
}
