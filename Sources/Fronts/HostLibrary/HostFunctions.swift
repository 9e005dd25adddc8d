// The functions of AuricleHost.h on installed units, and a file through a preset.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
public import CAudioToolbox
import ChainPresets
import Foundation
import Glibc
import HostSystem

/// The sentence about the last failure on this thread. Context: control.
@c @implementation
public func AuricleHostCopyErrorText() -> UnsafeMutablePointer<CChar>! {
  unsafe strdup(LastFailure.text)
}

/// Frees a text of this library's. Context: control.
@c @implementation
public func AuricleHostFreeText(_ text: UnsafeMutablePointer<CChar>?) { unsafe free(text) }

/// The version, which lives as long as the process.
@safe private struct VersionText: @unchecked Sendable {
  let text: UnsafePointer<CChar>? = unsafe UnsafePointer(strdup(AuricleVersion.text))
}

private let version = VersionText()

/// The version. Context: any.
@c @implementation
public func AuricleHostGetVersion() -> UnsafePointer<CChar>! { unsafe version.text }

/// Installed units as JSON.
///
/// - Returns: 64 for a malformed pattern, -50 for no place, 69 without the program.
///
/// Context: control.
@c @implementation
public func AuricleHostCopyUnits(
  _ pattern: UnsafePointer<CChar>?, _ search: UnsafePointer<CChar>?,
  _ outJSON: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  LastFailure.status {
    let found = try unsafe AuricleInstallation(host: LibraryInstallation.host()).components(
      matching: BorderText.optional(pattern, "the pattern"),
      search: BorderText.optional(search, "the search"))
    try unsafe BorderText.pass(found.components, to: outJSON)
  }
}

/// Everything about a unit as JSON.
///
/// - Returns: 69 where there is no such unit, or it cannot be described; -50.
///
/// Context: control; a unit that has to be opened is opened in a child process.
@c @implementation
public func AuricleHostCopyUnitDescription(
  _ unit: UnsafePointer<CChar>?, _ outJSON: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  LastFailure.status {
    let name = try unsafe BorderText.required(unit, "the unit")
    let (report, problem) = try AuricleInstallation(host: LibraryInstallation.host())
      .describe(name)
    if let problem { throw AuricleError(.unavailable, "\(report.component.name) \(problem)") }
    try unsafe BorderText.pass(report, to: outJSON)
  }
}

/// The names of presets as JSON. Context: control.
@c @implementation
public func AuricleHostCopyPresetNames(
  _ outJSON: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  LastFailure.status {
    let names = try LibraryInstallation.host().presets.entries().map(\.name)
    try unsafe BorderText.pass(names, to: outJSON)
  }
}

/// Runs a file through a preset, in processes of the program.
///
/// - Returns: The program's exit code for the file: 65, 66, 69, 70, 74 …; -50.
///
/// Context: control; returns when the file is done.
@c @implementation
public func AuricleHostProcessFile(
  _ preset: UnsafePointer<CChar>?, _ input: UnsafePointer<CChar>?,
  _ output: UnsafePointer<CChar>?
) -> OSStatus {
  LastFailure.status {
    let arguments = try unsafe [
      "process", "--preset", BorderText.required(preset, "the preset"), "--output-file",
      BorderText.required(output, "the output"), "--format", "json", "--",
      BorderText.required(input, "the input"),
    ]
    let program = try LibraryInstallation.host().executable
    let result = ChildProcess.run(program, arguments, timeLimit: .seconds(86_400))
    guard case .exited(let code) = result.end else {
      throw AuricleError(.software, "\(program) did not end by itself (\(result.end))")
    }
    guard code != 0 else { return }
    for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
      guard let record = JSONValue(text: String(line)), let text = record["error"]?.text else {
        continue
      }
      let named = record["code"]?.integer.map { Int32($0) } ?? code
      throw AuricleError(AuricleError.Category(rawValue: named) ?? .software, text)
    }
    throw AuricleError(
      AuricleError.Category(rawValue: code) ?? .software,
      "\(program) \(arguments.joined(separator: " ")) ended with code \(code): run it to see why")
  }
}
