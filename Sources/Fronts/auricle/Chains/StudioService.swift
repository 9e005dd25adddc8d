// The server of the studio, in a library that is opened when it is needed.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import Synchronization

/// The functions of the studio's library.
enum StudioService {
  private static let fileName = "libStudioLibrary.so"
  private typealias Report =
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>) -> Void
  private typealias Run =
    @convention(c) (
      UnsafePointer<CChar>, UInt16, Bool, UnsafeMutableRawPointer?, Report
    ) -> Void

  /// Serves a child of the studio and ends the process, if it was started for that; otherwise returns at once.
  ///
  /// Context: control; before other threads are started.
  static func serveIfChild() {
    guard ProgramArguments.words.first == "studio-values",
      let function = unsafe try? address("AuricleStudioServeIfChild")
    else { return }
    unsafe unsafeBitCast(function, to: (@convention(c) () -> Void).self)()
  }

  /// Serves the studio's page until Ctrl-C.
  ///
  /// - Parameter onListening: Called with the address of the page once it is served.
  /// - Throws: `.unavailable` without the library, and the failures of the server.
  ///
  /// Context: control.
  static func run(
    folders: [String], port: UInt16, isReadOnly: Bool,
    onListening: @escaping @Sendable (String) -> Void
  ) throws(AuricleError) {
    let run = unsafe unsafeBitCast(try address("AuricleStudioRun"), to: Run.self)
    let listener = Listener(onListening)
    var paths: [CChar] = []
    for folder in folders { paths += Array(folder.utf8CString) }
    paths.append(0)
    unsafe run(paths, port, isReadOnly, Unmanaged.passUnretained(listener).toOpaque()) {
      context, code, sentence in
      guard let context = unsafe context else { return }
      let listener = unsafe Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
      listener.receive(code, unsafe String(cString: sentence))
    }
    if let failure = listener.failure { throw failure }
  }

  private static func address(_ name: String) throws(AuricleError) -> UnsafeMutableRawPointer {
    let flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE
    guard let library = unsafe dlopen(fileName, flags),
      let function = unsafe dlsym(library, name)
    else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "it has no \(name)"
      throw AuricleError(
        .unavailable, "the studio needs \(fileName), which cannot be opened: \(reason)")
    }
    return unsafe function
  }

  /// The receiver of the server's two reports: its address by one of its threads, a failure by the caller's.
  private final class Listener: Sendable {
    private let onListening: @Sendable (String) -> Void
    private let kept = Mutex<AuricleError?>(nil)
    var failure: AuricleError? { kept.withLock { $0 } }

    init(_ onListening: @escaping @Sendable (String) -> Void) { self.onListening = onListening }

    func receive(_ code: Int32, _ sentence: String) {
      guard code != 0 else { return onListening(sentence) }
      kept.withLock { $0 = AuricleError(.init(rawValue: code) ?? .software, sentence) }
    }
  }
}
