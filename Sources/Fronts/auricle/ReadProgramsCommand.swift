// `auricle read-programs`, hidden: opens an LV2 plug-in for its programs, for another process.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import Glibc
import LV2Units

/// Writes what `LV2Catalog` can read of the programs of one plug-in.
///
/// A plug-in that crashes takes this process along and nothing else.
struct ReadProgramsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-programs", abstract: "Read the programs of a plug-in for another process.",
    shouldDisplay: false)

  @Argument(help: "The plug-in's URI.")
  var uri: String

  func run() throws {
    // Nothing outlives the parent's patience, and a crash leaves no core file.
    alarm(150)
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    guard let programs = Host().lv2Catalog().readPrograms(of: uri),
      StandardStreams.writeResult(programs)
    else { throw ExitCode(AuricleError.Category.unavailable.rawValue) }
  }
}
