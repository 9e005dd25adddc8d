// `auricle scan-bundles`, hidden: reads LV2 bundles in a process of its own, for another one.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import Glibc
import LV2Units

/// Reads folders from standard input, one at a time, and answers each with what its bundle holds.
///
/// A question is a path and a newline. An answer is a length (UInt32, little-endian) and so many bytes. What a
/// bundle brings down is this process and nothing else.
struct ScanBundlesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan-bundles", abstract: "Read LV2 bundles for another process.",
    shouldDisplay: false)

  func run() throws {
    // A crash leaves no core file, and no bundle may eat the machine's memory.
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)

    while let path = readLine() {
      // Should the other process die meanwhile, this one does not go on for ever.
      alarm(300)
      let answer = LV2BundleScanner.scan(path)
      var bytes = (0..<4).map { UInt8(truncatingIfNeeded: answer.count >> (8 * $0)) }
      bytes += answer
      guard StandardStreams.writeResult(bytes) else { break }
    }
  }
}
