// One round of `auricle plugin dev`: build, validate at a low level, run a sound through the unit.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import PropertyLists

/// The steps after each change of a file of a project.
package struct DevelopmentRound: Sendable {
  /// The folder of the project.
  private let folder: String
  /// The program that validates and renders.
  private let program: String
  /// The sound; nil for one that is made.
  private let sample: String?
  /// The level of the validator.
  private let level: Int

  /// A round in a folder with a Makefile.
  ///
  /// - Throws: `.noInput` when there is none.
  ///
  /// Context: control.
  package init(
    in folder: String, program: String, sample: String?, level: Int
  ) throws(AuricleError) {
    guard FileIdentity.of(folder + "/Makefile")?.kind == .file else {
      throw AuricleError(
        .noInput, "there is no Makefile in \(folder): run this in a folder of auricle plugin new")
    }
    self.folder = folder
    self.program = program
    self.sample = sample
    self.level = level
  }

  /// The result of a step.
  package enum Step: Sendable, Equatable {
    /// The build failed.
    case buildFailed
    /// The bundle that was built, and its unit.
    case built(bundle: String, unit: String)
    /// The validator found failures.
    case invalid
    /// It found none.
    case valid
    /// The sound, and the result.
    case played(input: String, output: String)
    /// The unit has no input to play a sound into.
    case notPlayed(type: String)
    /// The sound could not be rendered.
    case renderingFailed
  }

  /// Does all steps until one fails; the tools' output goes to standard error.
  ///
  /// - Parameter report: Called after each step.
  /// - Returns: Whether none failed.
  /// - Throws: `.badData` when the built file is no component; `.inputOutput` when no sound can be made.
  ///
  /// Context: control; returns when all is done.
  package func run(_ report: (Step) -> Void) throws(AuricleError) -> Bool {
    guard start("/usr/bin/env", ["make", "-s", "-C", folder]) == 0 else {
      report(.buildFailed)
      return false
    }
    let (bundle, unit) = try builtUnit()
    report(.built(bundle: bundle, unit: unit))
    let isValid = start(program, ["validate", "--path", bundle, "--level", "\(level)"]) == 0
    report(isValid ? .valid : .invalid)
    let type = String(unit.prefix(4))
    guard ["aufx", "aumf", "aufc", "aupn", "auol"].contains(type) else {
      report(.notPlayed(type: type))
      return isValid
    }
    let input: String
    if let sample { input = sample } else { input = try madeSample() }
    let output = folder + "/build/dev.wav"
    unsafe setenv("AURICLE_COMPONENT_PATH", folder + "/build", 1)
    let status = start(
      program,
      [
        "process", "--unit", unit, "--output-file", output, "--overwrite", "--format", "json",
        input,
      ])
    report(status == 0 ? .played(input: input, output: output) : .renderingFailed)
    return isValid && status == 0
  }

  /// Runs a program with this one's standard error as both of its outputs; its exit code.
  private func start(_ path: String, _ arguments: [String]) -> Int32 {
    var launch = ProcessLaunch(path, arguments)
    let isQuiet = arguments.contains("json")
    launch.files = [(STDERR_FILENO, STDERR_FILENO)]
    if !isQuiet { launch.files.append((STDERR_FILENO, STDOUT_FILENO)) }
    let (process, error) = launch.start()
    guard error == 0 else { return -1 }
    var status: Int32 = 0
    retrying { unsafe waitpid(process, &status, 0) }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }

  /// The component that the build made, and its first unit.
  private func builtUnit() throws(AuricleError) -> (bundle: String, unit: String) {
    let build = folder + "/build"
    let names = FolderListing.names(in: build).filter { $0.hasSuffix(".component") }.sorted()
    guard let name = names.first else {
      throw AuricleError(.badData, "make built no component in \(build)")
    }
    let bundle = build + "/" + name
    let list = try? PropertyListReader().read(contentsOf: bundle + "/Contents/Info.plist")
    let codes = ["type", "subtype", "manufacturer"].compactMap {
      list?["AudioComponents"]?.arrayValue?.first?[$0]?.stringValue
    }
    guard codes.count == 3 else {
      throw AuricleError(.badData, "\(bundle) declares no unit in Contents/Info.plist")
    }
    return (bundle, codes.joined(separator: ":"))
  }

  private func madeSample() throws(AuricleError) -> String {
    let path = folder + "/build/sample.wav"
    if FileIdentity.of(path) == nil { try SampleSound.write(to: path) }
    return path
  }
}
