// The options for a single file, results in place, and raw inputs, for runs of known inputs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioFiles
import CommandOutput
import Foundation
import HostSystem
import ResultSettings
import RunLedgers
import Workers

/// Options for results outside of a folder, and for inputs without a header.
struct PlaceArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file to write, for one input; - for standard output.", valueName: "file"),
    completion: .anyFile)
  var outputFile: String?

  @Flag(help: "Replace each input by its result; needs --backup.")
  var inPlace = false

  @Flag(help: "With --in-place: keep each original with .bak added to its name.")
  var backup = false

  @Option(
    help: ArgumentHelp(
      "Read inputs as samples without a header: pcm16,44100,2, with ,big for big-endian.",
      valueName: "encoding,Hz,channels"))
  var raw: RawArgument?

  /// Refuses conflicts with the options for a folder, and a missing destination.
  func check(_ output: OutputArguments) throws {
    if inPlace != backup {
      throw ValidationError(
        "--in-place and --backup belong together: nothing is replaced without its original kept.")
    }
    if inPlace {
      guard output.output == nil, outputFile == nil, output.name == nil else {
        throw ValidationError("--in-place takes no --output, --output-file or --name.")
      }
      guard output.existing != .rename else {
        throw ValidationError(
          "--in-place gives results the names of their inputs: leave --on-exists rename out.")
      }
      return
    }
    if output.output == nil, outputFile == nil {
      throw ValidationError("Say where results go: --output FOLDER, or --output-file FILE.")
    }
    if output.output != nil, outputFile != nil {
      throw ValidationError("Give either --output or --output-file, not both.")
    }
    if let folder = output.output, Self.isNameOfFile(folder) {
      throw ValidationError(
        "--output names a folder, and '\(folder)' is the name of a file: give --output-file "
          + "\(folder), or --output \(folder)/ for a folder of that name.")
    }
    if outputFile?.isEmpty == true { throw ValidationError("The name of the output is empty.") }
    if output.name != nil, output.output == nil {
      throw ValidationError("--name names results in a folder: give --output.")
    }
  }
}

extension PlaceArguments {
  /// Whether a path is the name of a sound file: it ends like one, and is no folder, nor written as one.
  static func isNameOfFile(_ path: String) -> Bool {
    AudioContainer(path: path) != nil && !path.hasSuffix("/")
      && FileIdentity.of(path)?.kind != .folder
  }
}

/// The format of samples in a file without a header.
struct RawArgument: ExpressibleByArgument {
  var format: AudioFileFormat

  init?(argument: String) {
    guard let format = AudioFileFormat(rawDescription: argument) else { return nil }
    self.format = format
  }
}
