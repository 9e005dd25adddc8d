// Signs of life of a process that reads many plug-ins.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Foundation
import Glibc
import HostSystem
import TestSupport
import Testing
import WatchedProcesses

@Suite struct ScanSignTests {
  @Test("A parent sees that its child reads plug-ins, however many there are")
  func signs() throws {
    let folder = try TemporaryFolder("auricle-signs")
    for index in 0..<24 {
      try folder.write(
        """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix doap: <http://usefulinc.com/ns/doap#> .
        <urn:test:\(index)> a lv2:Plugin ; lv2:binary <plugin.so> ; doap:name "Test \(index)" .
        """, to: "lv2/\(index).lv2/manifest.ttl")
    }
    let shared = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    try #require(shared >= 0)
    defer { close(shared) }
    let mapped = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    let memory = try unsafe #require(mapped)
    defer { unsafe munmap(memory, AuricleHeartbeatSize()) }
    var launch = ProcessLaunch(Places.auricle, ["run-apart", "list"])
    launch.files = [(shared, WatchedProcess.heartbeatDescriptor)]
    let variables = ["CLAP_PATH", "VST3_PATH", "LADSPA_PATH"].map { "\($0)=/nowhere" }
    unsafe launch.environment =
      (variables + ["LV2_PATH=\(folder("lv2"))", "XDG_CACHE_HOME=\(folder("cache"))"]).map {
        unsafe strdup($0)
      } + [nil]
    defer { unsafe launch.environment?.forEach { unsafe free($0) } }
    let (process, error) = launch.start()
    try #require(error == 0)
    var status: Int32 = 0
    #expect(retrying { unsafe waitpid(process, &status, 0) } == process && status == 0)
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    // One for each of their answers, of which two may come at once from a reader.
    #expect(reading.progress >= 6, "\(reading.progress) signs")
  }
}
