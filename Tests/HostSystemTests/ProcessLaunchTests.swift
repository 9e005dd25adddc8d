// Programs that are started: their files, their group, and their end with the thread that started them.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Testing

@Suite struct ProcessLaunchTests {
  /// Waits until a descriptor is readable; false after a minute.
  private func waits(for descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 60_000) == 1
  }

  private func end(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    return status
  }

  @Test func aProgramEndsWithTheThreadThatStartedIt() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let numbers = ends
    defer { numbers.forEach { close($0) } }
    let thread = try #require(
      startThread {
        let (process, handle, error) = ProcessLaunch("/bin/sleep", ["1000"]).startWithHandle()
        var sent = [process, handle, error]
        unsafe _ = write(numbers[1], &sent, 12)
      })
    pthread_join(thread, nil)
    var sent: [Int32] = [0, 0, 0]
    try #require(unsafe read(numbers[0], &sent, 12) == 12)
    try #require(sent[2] == 0)
    defer { close(sent[1]) }
    #expect(waits(for: sent[1]))
    #expect(end(of: sent[0]) & 0x7F == SIGKILL)
  }

  @Test(arguments: [false, true])
  func theThreadThatStartsAProgramKeepsItsSignalMask(leadsGroup: Bool) throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let numbers = ends
    defer { numbers.forEach { close($0) } }
    let thread = try #require(
      startThread {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        unsafe sigaddset(&mask, SIGUSR1)
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        var launch = ProcessLaunch("/bin/true", [])
        launch.leadsGroup = leadsGroup
        let (process, _) = launch.start()
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        var sent = [unsafe sigismember(&mask, SIGUSR1), unsafe sigismember(&mask, SIGUSR2), status]
        unsafe _ = write(numbers[1], &sent, 12)
      })
    pthread_join(thread, nil)
    var sent: [Int32] = [-1, -1, -1]
    try #require(unsafe read(numbers[0], &sent, 12) == 12)
    #expect(sent == [1, 0, 0])
  }

  @Test func aProgramHasItsFilesItsGroupAndNoSignalsIgnored() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    var launch = ProcessLaunch(
      "/bin/sh", ["-c", "read -r line < /dev/null; echo $$ $(ps -o pgid= -p $$) ${line:-none} >&7"])
    launch.files = [(ends[1], 7)]
    launch.leadsGroup = true
    let (process, error) = launch.start()
    close(ends[1])
    try #require(error == 0)
    #expect(waits(for: ends[0]))
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = unsafe read(ends[0], &bytes, bytes.count)
    close(ends[0])
    let words = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      .split { $0 == " " || $0 == "\n" }
    #expect(words == ["\(process)", "\(process)", "none"])
    #expect(end(of: process) == 0)
  }

  @Test func aProgramHasNoFileThatALibraryOpenedWithoutCloseOnExec() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let kept = fcntl(ends[0], F_DUPFD, 200)
    try #require(kept >= 200)
    defer { for number in ends + [kept] { close(number) } }
    for name in ["\(kept)", "7"] {
      var launch = ProcessLaunch("/bin/sh", ["-c", "test -e /proc/self/fd/\(name)"])
      launch.files = [(ends[1], 7)]
      let (process, error) = launch.start()
      try #require(error == 0)
      #expect((end(of: process) == 0) == (name == "7"), "\(name)")
    }
    // It is open here as before.
    #expect(fcntl(kept, F_GETFD) == 0)
  }

  @Test func aProgramThatIsNotThereIsReported() {
    let (_, error) = ProcessLaunch("/nowhere/auricle", []).start()
    #expect(error == ENOENT)
  }
}
