// Restricts a process of ours before the first plug-in is loaded, as far as the kernel can.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import COpenWatch
import Glibc
import HostSystem
import PlugInGuard
package import RunLedgers

/// The sandbox of workers, and of all processes of ours that open foreign code.
package enum WorkerSandbox {
  /// Enters the sandbox and returns the state of it.
  ///
  /// - Parameter leaves: Calls that this process needs besides, `AuricleCallsPriorities` and its kin.
  ///
  /// Context: control, before the first plug-in is loaded; it cannot be left again.
  @discardableResult
  package static func enter(
    _ request: SandboxRequest, readablePaths: [String], leaves calls: Int = 0
  ) -> SandboxState {
    var reached: [String] = []
    var missing: [(name: String, effect: String)] = []
    func note(_ error: Int32, _ name: String, lacking effect: String) {
      if error == 0 { return reached.append(name) }
      missing.append(("\(name) (\(reason(error)))", effect))
    }
    let memory = request.memoryLimit
    note(
      AuricleLimitResources(UInt64(memory), 1024),
      memory > 0 ? "memory \(memory >> 20) MiB" : "limits", lacking: "use all memory")
    if request.level != .off {
      note(AuricleRenouncePrivileges(), "no new privileges", lacking: "gain privileges")
      let version = landlockVersion
      // Stays open: the rule for `/proc/self` is tied to this folder's inode.
      _ = unsafe open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      note(
        restrictFiles(request, readablePaths, version),
        version > 0 ? "Landlock \(version)" : "Landlock", lacking: "read and write your files")
      var allowed = calls
      if request.level == .compat { allowed |= Int(AuricleCallsProcesses) }
      if request.allowsNetwork { allowed |= Int(AuricleCallsNetwork) }
      note(
        AuricleRestrictCalls(Int32(allowed), version), "seccomp",
        lacking: "start programs and send signals")
      if request.level == .strict { AuricleOpenWatchBegin() }
    }
    ForeignLibrary.permit()
    var state = SandboxState(
      text: "\(request.level.rawValue): " + reached.joined(separator: ", "))
    guard !missing.isEmpty else { return state }
    let names = missing.map(\.name).joined(separator: ", ")
    state.text += "; not reached: " + names
    state.weakness =
      "the sandbox is weaker on this system, without \(names): units can "
      + missing.map(\.effect).joined(separator: ", and ")
    return state
  }

  /// Enters the strict sandbox of a process that opens units to report on them.
  ///
  /// - Parameter writablePaths: Files and folders that this process itself writes afterwards.
  ///
  /// Context: as `enter`.
  package static func enterForReport(
    readablePaths: [String], writablePaths: [String] = [], memoryLimit: Int = 4 << 30
  ) {
    var request = SandboxRequest()
    request.memoryLimit = memoryLimit
    request.writablePaths = writablePaths
    enter(request, readablePaths: readablePaths)
  }

  /// The version of Landlock that is used: that of the kernel, or the one in `AURICLE_LANDLOCK_VERSION`,
  /// which can only be earlier.
  package static var landlockVersion: Int32 {
    let version = AuricleLandlockVersion()
    let text = unsafe getenv("AURICLE_LANDLOCK_VERSION").map { unsafe String(cString: $0) }
    return min(version, text.flatMap { Int32($0) }.map { max($0, 0) } ?? version)
  }

  private static func restrictFiles(
    _ request: SandboxRequest, _ paths: [String], _ version: Int32
  ) -> Int32 {
    var readable: [String]
    var writable = ["/dev/null"] + request.writablePaths
    switch request.level {
    case .compat:
      readable = ["/"]
      writable += ["/tmp", "/var/tmp", "/dev/shm"]
      if let folder = unsafe getenv("TMPDIR") {
        writable.append(unsafe FileNameText.text(cString: folder))
      }
    case .strict, .off:
      readable = SystemFiles.all(forNetwork: request.allowsNetwork) + paths + request.readablePaths
      if let scratch = request.scratchFolder.map(ownFolder) {
        writable.append(scratch)
        unsafe scratch.withFileName { _ = unsafe setenv("TMPDIR", $0, 1) }
      }
    }
    readable = readable.filter { !$0.isEmpty }
    return unsafe withPointers(readable) { readableList, readableCount in
      unsafe withPointers(writable) { writableList, writableCount in
        unsafe AuricleRestrictFiles(
          version, readableList, readableCount, writableList, writableCount, request.allowsNetwork)
      }
    }
  }

  /// A folder in the scratch folder for this worker alone, which the supervisor removes.
  private static func ownFolder(in scratch: String) -> String {
    let own = Path.joining(scratch, "\(getpid())")
    // Leftovers of an earlier process with this id.
    unsafe own.withFileName { _ = unsafe AuricleRemoveFolder($0) }
    return unsafe mkdir(own, 0o700) == 0 ? own : scratch
  }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?, Int) -> Result
  ) -> Result {
    var copies = unsafe texts.map { unsafe $0.withFileName { unsafe UnsafePointer(strdup($0)) } }
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
