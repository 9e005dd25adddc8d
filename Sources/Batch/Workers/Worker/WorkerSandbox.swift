// Restricts a worker before the first plug-in is loaded, as far as the kernel can.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import COpenWatch
import Glibc
import HostSystem
package import RunLedgers

/// The sandbox of a worker.
package enum WorkerSandbox {
  /// Enters the sandbox and returns what is in force, such as
  /// `strict: memory 4096 MiB, no new privileges, Landlock 7, seccomp`.
  ///
  /// Context: control, before the first plug-in is loaded; it cannot be left again.
  @discardableResult
  package static func enter(_ request: SandboxRequest, readablePaths: [String]) -> String {
    var reached: [String] = []
    var missing: [String] = []
    func note(_ error: Int32, _ name: String) {
      if error == 0 { reached.append(name) } else { missing.append("\(name) (\(reason(error)))") }
    }
    let memory = request.memoryLimit
    note(
      AuricleLimitResources(UInt64(memory), 1024),
      memory > 0 ? "memory \(memory >> 20) MiB" : "limits")
    if request.level != .off {
      note(AuricleRenouncePrivileges(), "no new privileges")
      let version = AuricleLandlockVersion()
      // Stays open: the rule for `/proc/self` is tied to this folder's inode.
      _ = unsafe open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      note(
        restrictFiles(request, readablePaths), version > 0 ? "Landlock \(version)" : "Landlock")
      var allowed = 0
      if request.level == .compat { allowed |= Int(AuricleCallsProcesses) }
      if request.allowsNetwork { allowed |= Int(AuricleCallsNetwork) }
      note(AuricleRestrictCalls(Int32(allowed)), "seccomp")
      if request.level == .strict { AuricleOpenWatchBegin() }
    }
    var text = "\(request.level.rawValue): " + reached.joined(separator: ", ")
    if !missing.isEmpty { text += "; not reached: " + missing.joined(separator: ", ") }
    return text
  }

  private static func restrictFiles(_ request: SandboxRequest, _ paths: [String]) -> Int32 {
    var readable: [String]
    var writable = ["/dev/null", "/dev/tty"]
    switch request.level {
    case .compat:
      readable = ["/"]
      writable += ["/tmp", "/var/tmp", "/dev/shm"]
      if let folder = unsafe getenv("TMPDIR") { unsafe writable.append(String(cString: folder)) }
    case .strict, .off:
      readable = SystemFiles.all(forNetwork: request.allowsNetwork) + paths + request.readablePaths
      if let scratch = request.scratchFolder.map(ownFolder) {
        writable.append(scratch)
        unsafe setenv("TMPDIR", scratch, 1)
      }
    }
    readable = readable.filter { !$0.isEmpty }
    return unsafe withPointers(readable) { readableList, readableCount in
      unsafe withPointers(writable) { writableList, writableCount in
        unsafe AuricleRestrictFiles(
          readableList, readableCount, writableList, writableCount, request.allowsNetwork)
      }
    }
  }

  /// A folder in the scratch folder for this worker alone, which the supervisor removes.
  private static func ownFolder(in scratch: String) -> String {
    let own = Path.joining(scratch, "\(getpid())")
    // Leftovers of an earlier process with this id.
    _ = unsafe AuricleRemoveFolder(own)
    return unsafe mkdir(own, 0o700) == 0 ? own : scratch
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?, Int) -> Result
  ) -> Result {
    var copies = unsafe texts.map { unsafe UnsafePointer(strdup($0)) }
    defer {
      unsafe copies.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) }
      unsafe copies.removeAll()
    }
    return unsafe copies.withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
  }

  private static func reason(_ error: Int32) -> String {
    error == ENOSYS ? "the kernel has none" : systemReason(error)
  }
}
