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

/// A run that a command line asks for.
struct FileRun {
  /// The chain; nil for none.
  var chain: ChainRequest?
  var inputs: [String]
  var output: OutputArguments
  var place: PlaceArguments
  var run: RunArguments
  var work: WorkArguments
  var variants: Int?
  var seed: UInt64?
  /// Whether packets are copied where nothing asks for another sound.
  var copiesPackets = false
  var printing: PrintArguments

  /// Refuses options that exclude each other in a run that is begun.
  func check() throws {
    try output.check()
    try place.check(output)
    if inputs.isEmpty, run.fromFile == nil {
      throw ValidationError(
        "Missing expected argument '<file-or-folder> ...': name files or folders, or --from-file.")
    }
    if inputs.contains("") { throw ValidationError("The name of an input is empty.") }
    if run.fromFile?.isEmpty == true {
      throw ValidationError("The name of the list of inputs is empty.")
    }
    if place.raw != nil, let folder = inputs.first(where: Self.isFolder) {
      throw ValidationError(
        "--raw takes files by their names, not the folder '\(folder)': name them, or --from-file.")
    }
  }

  /// Refuses options that a resumed run does not accept.
  func checkResume() throws {
    try folderRun.checkResume(
      "files", inputs,
      [
        ("--output", output.output != nil), ("--output-file", place.outputFile != nil),
        ("--in-place", place.inPlace), ("--backup", place.backup), ("--raw", place.raw != nil),
      ])
  }

  private var folderRun: FolderRun {
    FolderRun(
      run: run, work: work, variants: variants, seed: seed, printing: printing)
  }

  /// Whether a path is that of a folder that is there.
  static func isFolder(_ path: String) -> Bool {
    FileIdentity.of(path)?.kind == .folder
  }

  /// Processes the files, and prints the outcome.
  func go() throws {
    Interruption.install()
    let printer = printing.printer
    if run.resume == nil, place.outputFile != nil || inputs.contains("-") {
      let host = AuricleInstallation()
      let request = try singleFileRequest()
      if run.dryRun {
        let entry = try host.dryRun(request, control: printer.control)
        return StandardStreams.writeMessage(
          "\(entry.input) → \(entry.showsOutput ?? entry.output)")
      }
      printer.printsResults = place.outputFile != "-"
      return try printer.end(host.run(request, control: printer.control))
    }
    try folderRun.go(printer, request: runRequest, resumed: resumeRequest)
  }

  private func results() throws(AuricleError) -> ResultRequest {
    var results = try output.request()
    results.copiesPackets = copiesPackets
    return results
  }

  private func runRequest() throws -> RunRequest {
    var request = RunRequest(
      chain: chain ?? .units([]), inputs: inputs,
      destination: output.output.map { .folder($0) } ?? .inPlace)
    request.results = try results()
    request.rawInput = place.raw?.format
    return request
  }

  private func resumeRequest(_ folder: String) throws -> ResumeRequest {
    var request = ResumeRequest(folder: folder)
    request.chain = chain
    request.results = try results()
    return request
  }

  /// The request for one file; refuses options for a folder of results.
  private func singleFileRequest() throws -> SingleFileRequest {
    func refuse(_ text: String) -> AuricleError { AuricleError(.usage, text) }
    if run.fromFile != nil {
      throw refuse("--output-file and '-' take no list: use --output")
    }
    if let variants, variants > 1, place.outputFile != nil {
      throw refuse("--output-file takes one result, not \(variants): use --output")
    }
    if run.report != nil || work.pictures {
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
      chain: chain ?? .units([]),
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
