// The guard restores state that foreign code changes; each test in a separate process.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlugInGuard
import RealtimeSupport
import Testing

@Suite("Process state guard")
struct ProcessStateGuardTests {
  @Test func untouchedStateIsNoChange() {
    var changes: ProcessStateChanges = []
    let result = withProtectedProcessState(changes: &changes) { 42 }
    #expect(result == 42)
    #expect(changes.isEmpty)
    #expect(changes.description == "nothing")
  }

  @Test func putsBackTheFileModeMask() async {
    await #expect(processExitsWith: .success) {
      umask(0o027)
      var changes: ProcessStateChanges = []
      withProtectedProcessState(changes: &changes) { _ = umask(0) }
      #expect(changes == .fileModeMask)
      #expect(umask(0) == 0o027)
    }
  }

  @Test func putsBackAfterEachRun() async {
    await #expect(processExitsWith: .success) {
      umask(0o027)
      let state = ProcessStateGuard()
      for _ in 0..<2 {
        var changes: ProcessStateChanges = []
        state.run(changes: &changes) { _ = umask(0) }
        #expect(changes == .fileModeMask)
        #expect(umask(0o027) == 0o027)
      }
    }
  }

  @Test func putsBackTheWorkingDirectory() async {
    await #expect(processExitsWith: .success) {
      let before = FileManager.default.currentDirectoryPath
      var changes: ProcessStateChanges = []
      withProtectedProcessState(changes: &changes) { _ = unsafe chdir("/proc") }
      #expect(changes == .workingDirectory)
      #expect(FileManager.default.currentDirectoryPath == before)
    }
  }

  @Test func putsBackTheLocale() async {
    await #expect(processExitsWith: .success) {
      unsafe setlocale(LC_ALL, "C")
      var changes: ProcessStateChanges = []
      withProtectedProcessState(changes: &changes) {
        _ = unsafe setlocale(LC_ALL, "C.UTF-8")
        unsafe uselocale(newlocale(1 << LC_NUMERIC, "C", nil))
      }
      #expect(changes == .locale)
      let name = unsafe String(cString: try #require(setlocale(LC_ALL, nil)))
      #expect(name == "C")
    }
  }

  @Test func putsBackSignals() async {
    await #expect(processExitsWith: .success) {
      // Threads of the test library may block signals already.
      var open = sigset_t()
      unsafe sigemptyset(&open)
      unsafe pthread_sigmask(SIG_SETMASK, &open, nil)
      var changes: ProcessStateChanges = []
      withProtectedProcessState(changes: &changes) {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
      }
      #expect(changes == .signals)
      var now = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &now)
      unsafe #expect(sigismember(&now, SIGTERM) == 0)
    }
    await #expect(processExitsWith: .exitCode(3)) {
      signal(SIGUSR1) { _ in _exit(3) }
      var changes: ProcessStateChanges = []
      withProtectedProcessState(changes: &changes) { _ = signal(SIGUSR1, SIG_IGN) }
      guard changes == .signals else { return }
      var open = sigset_t()
      unsafe sigemptyset(&open)
      unsafe pthread_sigmask(SIG_SETMASK, &open, nil)
      raise(SIGUSR1)
    }
  }

  @Test func putsBackEachKindOfActionOnce() async {
    await #expect(processExitsWith: .success) {
      signal(SIGSEGV) { _ in }
      signal(SIGINT, SIG_IGN)
      let state = ProcessStateGuard()
      let changes: [() -> Void] = [
        { signal(SIGSEGV) { _ in _exit(3) } }, { signal(SIGSEGV, SIG_DFL) },
        { signal(SIGINT, SIG_DFL) }, { signal(SIGINT) { _ in } }, { signal(SIGUSR1) { _ in } },
        { signal(64, SIG_IGN) },
        {
          var action = sigaction()
          action.sa_flags = Int32(SA_NOCLDWAIT)
          unsafe sigaction(SIGCHLD, &action, nil)
        },
      ]
      for change in changes {
        var first: ProcessStateChanges = []
        var second: ProcessStateChanges = []
        state.run(changes: &first, change)
        state.run(changes: &second) {}
        #expect(first == .signals)
        #expect(second.isEmpty)
      }
    }
  }

  @Test func putsBackTheRoundingMode() async {
    await #expect(processExitsWith: .success) {
      var changes: ProcessStateChanges = []
      withProtectedProcessState(changes: &changes) { _ = fesetround(0x0C00) }
      #expect(fegetround() == FE_TONEAREST)
      #if arch(x86_64)
        #expect(changes == .floatingPoint)
      #endif
    }
  }

  @Test func restoresAfterAnError() async {
    await #expect(processExitsWith: .success) {
      umask(0o022)
      #expect(throws: CancellationError.self) {
        try withProtectedProcessState {
          umask(0o777)
          throw CancellationError()
        }
      }
      #expect(umask(0) == 0o022)
    }
  }
}
