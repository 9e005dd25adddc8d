// Child processes: their ends, and their environment.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import TestSupport
import Testing

@Suite struct ProcessTests {
  private func shell(_ script: String, timeLimit: Duration = .seconds(1800))
    -> HostSystem.ChildProcess
  {
    HostSystem.ChildProcess.run("/bin/sh", ["-c", script], timeLimit: timeLimit)
  }

  @Test func anExitCodeComesWithTheOutput() {
    let child = shell("printf 'one\\ntwo'; echo wrong >&2; exit 7")
    #expect(child.end == .exited(7))
    #expect(String(decoding: child.output, as: UTF8.self) == "one\ntwo")
  }

  @Test(arguments: [SIGKILL, SIGSEGV])
  func aSignalIsReported(signal: Int32) {
    #expect(shell("ulimit -c 0; kill -\(signal) $$").end == .signalled(signal))
  }

  @Test func theTimeLimitEndsAChildThatWaitsAndOneThatClosedItsOutput() {
    #expect(shell("echo begun; exec sleep 600", timeLimit: .milliseconds(300)).end == .timedOut)
    #expect(shell("exec sleep 600 >&-", timeLimit: .milliseconds(300)).end == .timedOut)
  }

  @Test func muchOutputComesWhole() {
    let child = shell("head -c 1000000 /dev/zero")
    #expect(child.end == .exited(0) && child.output.count == 1_000_000)
  }

  @Test func aProgramThatIsNotThereIsReported() {
    let child = HostSystem.ChildProcess.run("/nowhere/program", [], timeLimit: .seconds(1800))
    #expect(child.end == .notStarted(ENOENT) && child.output.isEmpty)
  }

  @Test func filesHaveTheirAssignedNumbers() throws {
    let folder = try TemporaryFolder("auricle-launch")
    try folder.write("from a file", to: "in")
    let input = try FileDescriptor(opening: folder("in"))
    let output = try FileDescriptor(opening: folder("out"), O_WRONLY | O_CREAT)
    var launch = ProcessLaunch(
      "/bin/sh", ["-c", "cat <&7 >&9; readlink /proc/self/fd/0 >&9; ls /proc/$$/fd >&9"])
    launch.files = [(input.number, 7), (output.number, 9)]
    launch.leadsGroup = true
    let (process, error) = launch.start()
    try #require(error == 0)
    var status: Int32 = -1
    retrying { unsafe waitpid(process, &status, 0) }
    #expect(status == 0)
    let text = try String(contentsOf: folder("out"))
    let numbers = text.split(separator: "\n").dropFirst().compactMap { Int32($0) }
    #expect(text.hasPrefix("from a file/dev/null\n"))
    #expect([0, 1, 2, 7, 9].allSatisfy(numbers.contains))
  }

  @Test func filesThatTradeNumbersDoNotClobberEachOther() throws {
    let folder = try TemporaryFolder("auricle-launch")
    try folder.write("in", to: "in")
    let input = try FileDescriptor(opening: folder("in"))
    let output = try FileDescriptor(opening: folder("out"), O_WRONLY | O_CREAT)
    let (from, to) = (output.number, input.number)
    var launch = ProcessLaunch("/bin/sh", ["-c", "cat /proc/self/fd/\(from) >/proc/self/fd/\(to)"])
    launch.files = [(input.number, from), (output.number, to)]
    let (process, error) = launch.start()
    try #require(error == 0)
    var status: Int32 = -1
    retrying { unsafe waitpid(process, &status, 0) }
    #expect(status == 0)
    #expect(try String(contentsOf: folder("out")) == "in")
  }

  @Test func signalsHaveTheirUsualNames() {
    #expect(SignalName.text(SIGSEGV) == "SIGSEGV" && SignalName.text(SIGXCPU) == "SIGXCPU")
    #expect(SignalName.text(64) == "signal 64")
  }

  @Test func whetherAChildIsAtWorkIsKnown() {
    let own = HostSystem.ChildProcess.activity(of: getpid())
    #expect(own != nil && own.map { $0.seconds >= 0 } == true)
    #expect(HostSystem.ChildProcess.activity(of: -1) == nil)
  }
}

extension String {
  /// The text of a file.
  fileprivate init(contentsOf path: String) throws {
    let file = try FileDescriptor(opening: path)
    self.init(decoding: FileTransfer.readAll(file.number) ?? [], as: UTF8.self)
  }
}
