// Programs in C that schedule sound: slices of memory and regions of files, checked to the frame.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension CProgramTests {
  @Test(
    "Players play slices and regions at their frames, and say when they are done",
    arguments: [
      ("ScheduledSlices", "slices"), ("FileRegions", "regions"), ("RegionOrder", "orders"),
    ])
  func players(name: String, what: String) throws {
    let folder = try TemporaryFolder()
    try assemble("Players", in: folder)
    let program = folder(name)
    try compile(
      "Players/" + name, to: program, with: "gcc",
      [
        "-D_DEFAULT_SOURCE", "-Wno-unused-function", "-Wl,-rpath," + Places.builtProducts,
        "-Wl,-rpath," + (try runtimeLibraries()),
      ])
    let result = try runProcess(program, [folder.path], environment: environment(folder))
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardOutput == "\(what) play at their frames\n")
  }
}
