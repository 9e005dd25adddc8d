// The ends of child processes as events, on kernels without handles of processes.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Testing
import WatchedProcesses

@Suite struct ProcessEndTests {
  private func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return retrying { unsafe poll(&entry, 1, milliseconds) } == 1
  }

  @Test("the descriptor is readable from the end of the process on, which is left for waitpid")
  func end() throws {
    let (process, error) = ProcessLaunch("/bin/sleep", ["1000"]).start()
    try #require(error == 0)
    let descriptor = ProcessEnd.descriptor(of: process)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(!isReadable(descriptor, within: 0))
    kill(process, SIGKILL)
    #expect(isReadable(descriptor, within: 60_000))
    var status: Int32 = 0
    #expect(unsafe waitpid(process, &status, 0) == process)
    #expect(status & 0x7F == SIGKILL)
    #expect(isReadable(descriptor, within: 0))
  }
}
