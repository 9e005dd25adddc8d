// `auricle process`: files through a chain.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import Foundation
import RunLedgers
import Workers

/// Runs files through a chain of units.
struct ProcessCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "process",
    abstract: "Run audio files through a chain of units.",
    discussion: """
      The chain comes from a preset, or from units named one after the other; --set, --unit-preset \
      and --mix belong to the --unit before them. Without either, results are only what their options \
      say, such as --loudness or --container. Folders are searched for audio files, and their \
      tree is mirrored below the output folder. Nothing that exists is replaced unless you say so.

      Files are decoded, rendered and encoded in processes of their own, without the right to write \
      anything else. A unit that crashes, hangs or gives values that are not numbers costs the file it did so with: \
      that file is tried once more, then set aside. Every file is accounted for in a ledger in the \
      output folder, so that a run that was cut off goes on where it ended (--resume); see also \
      auricle status, report and verify.

      Results keep the container, encoding, sample rate and channels of their input. They are \
      aligned with it: delays of units are cut off in front. After the end of the input a result \
      goes on as long as there is sound (--tail auto).

      EXAMPLES:
        auricle process --preset podcast-voice --output out/ talk1.wav talks/
        auricle process --preset ./mine.yaml --output out/ --container flac *.wav
        auricle process --loudness -16 --output out/ talks/
        auricle process --unit aufx:hpas:appl --set "cutoff frequency=80 Hz" \\
          --unit http://calf.sourceforge.net/plugins/Compressor \\
          --set threshold=0.1 --mix "50 %" --output-file loud.wav in.flac
        auricle process --preset hall-large --tail 4 --output-file wet.wav dry.wav
        auricle process --preset broadcast --output out/ --jobs 8 \\
          --report report.html archive/
        auricle process --resume out/
        auricle process --preset telephone --output out/ --dry-run --from-file list
        cat in.wav | auricle process --preset telephone --output-file - - > out.wav
      """)

  @OptionGroup(title: "Chain") var chain: ChainArguments
  @OptionGroup(title: "Results") var output: OutputArguments

  @OptionGroup(title: "Results") var place: PlaceArguments
  @OptionGroup(title: "Run") var runOptions: RunArguments
  @OptionGroup(title: "Run") var work: WorkArguments

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "Print results as text, or every event as a JSON line.", valueName: "text|json")
  )
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "Audio files, and folders to search for them; - for standard input.",
      valueName: "file-or-folder"),
    completion: .anyFile)
  var inputs: [String] = []

  func check() throws {
    try runOptions.check()
    try work.check()
    if runOptions.resume != nil {
      return try checkResume()
    }
    try chain.check(
      changesFiles: output.changesFiles || place.outputFile != nil || place.raw != nil)
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
    if place.raw != nil, let folder = inputs.first(where: Self.isFolder) {
      throw ValidationError(
        "--raw takes files by their names, not the folder '\(folder)': name them, or --from-file.")
    }
  }

  /// Refuses options that a resumed run does not accept.
  private func checkResume() throws {
    if runOptions.resume?.isEmpty == true {
      throw ValidationError("The name of the folder to resume is empty.")
    }
    let given: [(String, Bool)] = [
      (inputs.first.map { "'\($0)'" } ?? "", !inputs.isEmpty), ("--output", output.output != nil),
      ("--output-file", place.outputFile != nil), ("--in-place", place.inPlace),
      ("--backup", place.backup), ("--raw", place.raw != nil), ("--new-run", work.newRun),
      ("--from-file", runOptions.fromFile != nil), ("--dry-run", runOptions.dryRun),
    ]
    guard let first = given.first(where: \.1)?.0 else { return try chain.checkWords() }
    throw ValidationError(
      "--resume goes on with the files and places that the run was begun with: leave \(first) out.")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  func run() throws {
    Interruption.install()
    let printer = RunPrinter(format: format, isQuiet: quiet)
    let host = AuricleInstallation()
    if let folder = runOptions.resume {
      return try printer.end(host.resume(resumeRequest(folder), control: printer.control))
    }
    if place.outputFile != nil || inputs.contains("-") {
      let request = try singleFileRequest()
      if runOptions.dryRun {
        let entry = try host.dryRun(request, control: printer.control)
        return StandardStreams.writeMessage(
          "\(entry.input) → \(entry.showsOutput ?? entry.output)")
      }
      printer.printsResults = place.outputFile != "-"
      return try printer.end(host.run(request, control: printer.control))
    }
    let request = try runRequest()
    if runOptions.dryRun {
      let result = try host.dryRun(request, control: printer.control)
      return try DryRunText(format: format, isQuiet: quiet, report: request.report).write(result)
    }
    try printer.end(host.run(request, control: printer.control))
  }

  private func runRequest() throws -> RunRequest {
    var request = RunRequest(
      chain: try chain.request() ?? .units([]), inputs: inputs,
      destination: output.output.map { .folder($0) } ?? .inPlace)
    request.list = runOptions.fromFile
    request.results = try output.request()
    request.work = work.request
    request.variantCount = runOptions.variants
    request.seed = runOptions.seed
    request.report = runOptions.report
    request.rawInput = place.raw?.format
    return request
  }

  private func resumeRequest(_ folder: String) throws -> ResumeRequest {
    var request = ResumeRequest(folder: folder)
    request.chain = try chain.request()
    request.results = try output.request()
    request.work = work.request
    request.variantCount = runOptions.variants
    request.seed = runOptions.seed
    request.report = runOptions.report
    return request
  }

  /// The request for one file; refuses options for a folder of results.
  private func singleFileRequest() throws -> SingleFileRequest {
    func refuse(_ text: String) -> AuricleError { AuricleError(.usage, text) }
    if runOptions.fromFile != nil {
      throw refuse("--output-file and '-' take no list: use --output")
    }
    if let variants = runOptions.variants, variants > 1, place.outputFile != nil {
      throw refuse("--output-file takes one result, not \(variants): use --output")
    }
    if runOptions.report != nil || work.pictures {
      throw refuse("--report and --pictures tell of a run in a folder: use --output")
    }
    guard let file = place.outputFile else {
      throw refuse(
        "standard input needs one place to go to: --output-file FILE, or - for standard output")
    }
    guard inputs.count == 1 else {
      throw refuse(
        "--output-file takes exactly one input, and \(inputs.count) are named: use --output")
    }
    if file == "-", format == .json {
      throw refuse("standard output is for the sound: leave --format json out")
    }
    var request = SingleFileRequest(
      chain: try chain.request() ?? .units([]),
      input: inputs[0] == "-" ? .descriptor(STDIN_FILENO) : .file(inputs[0]),
      output: file == "-" ? .descriptor(StandardStreams.results) : .file(file))
    request.results = try output.request()
    request.work = work.request
    request.variantCount = runOptions.variants
    request.seed = runOptions.seed
    request.rawInput = place.raw?.format
    return request
  }
}
