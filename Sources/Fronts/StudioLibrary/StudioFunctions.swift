// The functions of libStudioLibrary.so, which the program opens for `auricle studio` alone: a start maps none of the server's libraries.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import StudioServer

/// Serves a child of the studio and ends the process, if it was started for that; otherwise returns at once.
///
/// Context: control; before other threads are started.
@c(AuricleStudioServeIfChild)
public func auricleStudioServeIfChild() { StudioServer.serveIfChild() }

/// A sentence for the caller, with a number: 0 with the address of the page, an exit code with a failure.
public typealias StudioReport =
  @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>) -> Void

/// Serves the studio's page until Ctrl-C.
///
/// - Parameters:
///   - folders: The folders whose files pages may use, as paths, each ended by a zero byte; an empty path ends them.
///   - port: The port; 0 for any that is free.
///   - isReadOnly: Whether no file is written.
///   - context: The first argument of `report`.
///   - report: Called with the address once the page is served, and with a failure, which ends the service.
///
/// Context: control, before other threads are started.
@c(AuricleStudioRun)
public func auricleStudioRun(
  _ folders: UnsafePointer<CChar>, _ port: UInt16, _ isReadOnly: Bool,
  _ context: UnsafeMutableRawPointer?, _ report: @escaping StudioReport
) {
  var paths: [String] = []
  var next = unsafe folders
  while unsafe next.pointee != 0 {
    paths.append(unsafe String(cString: next))
    unsafe next += unsafe strlen(next) + 1
  }
  var request = StudioRequest(folders: paths)
  request.port = port
  request.isReadOnly = isReadOnly
  let listener = unsafe StudioListener(context: context, report: report)
  do {
    try StudioServer.run(request) { address in unsafe listener.send(0, address) }
  } catch {
    let failure = error as? AuricleError
    unsafe listener.send(failure?.category.exitCode ?? 70, failure?.message ?? "\(error)")
  }
}

/// The caller of a studio; its function may be called by any thread.
@unsafe private struct StudioListener: @unchecked Sendable {
  let context: UnsafeMutableRawPointer?
  let report: StudioReport

  func send(_ code: Int32, _ sentence: String) {
    unsafe sentence.withCString { unsafe report(context, code, $0) }
  }
}
