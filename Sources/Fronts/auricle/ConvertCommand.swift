// `auricle convert`: files into other kinds of files.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import AuricleHost
import CommandOutput
import SoundFileReports

/// Writes files as other kinds of files.
struct ConvertCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    _superCommandName: AuricleCommand.name,
    abstract: "Convert sound files to other formats.",
    discussion: """
      The last argument is the result: a file, whose extension selects the format, or a folder for \
      any number of files and folders. All other options are those of auricle process, and runs \
      are recorded in the same way.

      If input and result have the same encoding and no option changes the sound, packets are \
      copied without encoding them again: AAC goes from m4a to a bare stream without loss.

      EXAMPLES:
        auricle convert in.wav out.m4a --bit-rate 192k
        auricle convert in.flac out.mp3 --strategy vbr --quality high
        auricle convert talks/ out/ --container opus --bit-rate 32k --channels mono
        auricle convert *.wav flac/ --container flac --quality max --jobs 4
        auricle convert song.m4a song.aac
        auricle convert --list-formats
      """)

  @OptionGroup(title: "Results") var output: OutputArguments
  @OptionGroup(title: "Results") var place: PlaceArguments
  @OptionGroup(title: "Run") var runOptions: RunArguments
  @OptionGroup(title: "Run") var work: WorkArguments

  @Flag(help: "List the encodings that each container can be written with.")
  var listFormats = false

  @OptionGroup var printing: PrintArguments

  @Argument(
    help: ArgumentHelp(
      "Audio files, folders to search for them, and where results go; - for standard streams.",
      valueName: "file-or-folder"),
    completion: .anyFile)
  var names: [String] = []

  func check() throws {
    if listFormats {
      guard names.isEmpty else {
        throw ValidationError("--list-formats lists all there is: leave '\(names[0])' out.")
      }
      return
    }
    try runOptions.check()
    try work.check()
    let files = try files()
    if runOptions.resume != nil { return try files.checkResume() }
    try files.check()
    guard files.place.outputFile != nil || files.place.raw != nil || output.changesFiles else {
      throw ValidationError(
        "Name the format of results: --container flac, --encoding pcm16 or --sample-rate 48k."
      )
    }
  }

  func run() throws {
    if listFormats {
      let types = SoundFileTypes.writable()
      switch printing.format {
      case .text: StandardStreams.writeResult(SoundFileTypesText.text(types))
      case .json: try JSONResult.write(types)
      }
      return
    }
    try files().go()
  }

  /// The run, with the last name as its place where no option names one.
  private func files() throws -> FileRun {
    var (output, place, inputs) = (output, place, names)
    let isNamed = output.output != nil || place.outputFile != nil || place.inPlace
    if !isNamed, runOptions.resume == nil {
      guard let last = inputs.last, inputs.count > 1 || runOptions.fromFile != nil else {
        throw ValidationError(
          "Name the input and the result: auricle convert IN OUT, or files and a folder."
        )
      }
      inputs.removeLast()
      if last.hasSuffix("/") || FileRun.isFolder(last) {
        output.output = last
      } else if inputs.count == 1, runOptions.fromFile == nil, !FileRun.isFolder(inputs[0]) {
        place.outputFile = last
      } else {
        throw ValidationError(
          "Several files go into a folder, and '\(last)' is none: write '\(last)/' to have it made."
        )
      }
    }
    return FileRun(
      inputs: inputs, output: output, place: place, run: runOptions, work: work,
      copiesPackets: true, printing: printing)
  }
}
