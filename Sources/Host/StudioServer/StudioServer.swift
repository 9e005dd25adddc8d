// The studio: a local server for a page, in its own process and nobody else's.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleHost
import CAudioToolbox
import ChainPresets
import FlyingFox
import FlyingSocks
import Glibc
import HostSystem
import Synchronization

/// The folders and settings of a studio.
public struct StudioRequest: Sendable {
  /// The folders whose files pages may use.
  public var folders: [String]
  /// The port; 0 for any that is free.
  public var port: UInt16 = 0
  /// Whether no file is written and nothing is started that outlives a page.
  public var isReadOnly = false
  /// Where chains are kept; nil for the user's own place.
  public var stateFolder: String?

  /// Asks for a studio over folders.
  public init(folders: [String]) { self.folders = folders }
}

/// Serves the studio's page on the loopback interface.
public enum StudioServer {
  /// The word of a child that reports the values of a unit's preset.
  static let valuesWord = "studio-values"

  /// Reports the values that a unit has in a preset and ends the process, if it was started for that; otherwise
  /// returns at once.
  ///
  /// Context: control; the first thing in `main`, before other threads are started.
  public static func serveIfChild() {
    let words = ProgramArguments.words
    guard words.count == 2, words[0] == valuesWord else { return }
    let results = HostProcess.divert()
    // A unit that hangs ends with this process.
    alarm(60)
    do {
      let host = HostPlaces()
      host.enterSandboxAtFirstPlugIn(PlugInProcessFiles(presets: [words[1]]))
      let chain = try ResolvedChain(
        ChainPreset(path: words[1]), in: host.makeRegistry(), formats: .files)
      guard let stage = chain.stages.first else { _exit(0) }
      let unit = try stage.makeUnit()
      try stage.configure(unit)
      var values: [(String, JSONValue?)] = []
      for parameter in stage.allParameters where parameter.isReadable {
        let value = try? unit.parameter(
          parameter.id, scope: parameter.scope, element: parameter.element)
        if let value { values.append(("\(parameter.id)", JSONValue(Double(value)))) }
      }
      _ = FileTransfer.writeAll(Array(JSONValue.members(values).compactText.utf8), to: results)
      _exit(0)
    } catch {
      let fault = StudioFault(error)
      _ = FileTransfer.writeAll(Array("auricle: \(fault.message)\n".utf8), to: STDERR_FILENO)
      _exit(fault.kind == .notFound ? 69 : 70)
    }
  }

  /// Serves until Ctrl-C, or another request of the system to end. The second one ends the process at once.
  ///
  /// - Parameter onListening: Called with the address of the page once it is served.
  /// - Throws: `.noInput` for a folder that is not there, `.temporary` for a port that another program has.
  ///
  /// Context: control, before other threads are started.
  public static func run(
    _ request: StudioRequest, onListening: @escaping @Sendable (String) -> Void
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    // All threads leave these to the one that waits for them.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    defer { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    raiseFileLimit()
    let studio = try Studio(request)
    let token = keptToken(request, studio) ?? Gate.makeToken()
    let outcome = Outcome()
    let waited = signals
    WorkThreads.start {
      var signals = waited
      var number: Int32 = 0
      _ = unsafe sigwait(&signals, &number)
      outcome.end(nil)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
    for attempt in 0..<16 {
      let port = try request.port != 0 ? request.port : freePort()
      outcome.reset()
      let task = Task {
        await serve(studio, Gate(token: token, port: port), outcome) {
          onListening("http://127.0.0.1:\(port)/?token=\(token)")
        }
      }
      let failure = outcome.wait()
      task.cancel()
      guard let failure else { return studio.close() }
      guard !outcome.wasListening, request.port == 0, attempt < 15 else {
        studio.close()
        throw failure
      }
    }
  }

  private static func serve(
    _ studio: Studio, _ gate: Gate, _ outcome: Outcome,
    _ onListening: @escaping @Sendable () -> Void
  ) async {
    let watch = ConnectionWatch(limits: ConnectionWatch.Limits())
    let web = WebServer(
      gate: gate, router: studio.router, page: PageFiles(program: studio.program),
      hub: studio.hub, isReadOnly: studio.isReadOnly, hello: { studio.hello },
      receive: { studio.receive($0) })
    do {
      try await web.run(watch: watch) {
        outcome.noteListening()
        onListening()
      }
      outcome.end(AuricleError(.software, "the server of the studio ended"))
    } catch {
      let isOwn = outcome.wasListening
      outcome.end(
        AuricleError(
          isOwn ? .software : .temporary,
          isOwn
            ? "the server of the studio ended: \(error)"
            : "the studio cannot listen on port \(gate.port) of 127.0.0.1: another program uses it; choose another --port"
        ))
    }
  }

  /// The token of the last studio on this port, so that open pages go on; nil where the port is any.
  private static func keptToken(_ request: StudioRequest, _ studio: Studio) -> String? {
    guard request.port != 0, let folder = studio.chains.folder else { return nil }
    let path = "\(folder)/token-\(request.port)"
    if let file = try? HostSystem.FileDescriptor(opening: path),
      let bytes = FileTransfer.readAll(file.number, limit: 64)
    {
      let text = String(decoding: bytes, as: UTF8.self)
      if text.count == 32, text.allSatisfy(\.isHexDigit) { return text }
    }
    let token = Gate.makeToken()
    guard let file = try? AtomicFile(path: path, overwrite: true) else { return token }
    fchmod(file.descriptor, 0o600)
    if FileTransfer.writeAll(Array(token.utf8), to: file.descriptor) == 0 { try? file.commit() }
    return token
  }

  /// Lets this process have as many files as it may: a thousand connections are no reason to stop.
  private static func raiseFileLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 16_384)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// A port that no program has now.
  private static func freePort() throws -> UInt16 {
    let trial = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(trial) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(trial, $0, length) == 0 && getsockname(trial, $0, &length) == 0
      }
    }
    guard trial >= 0, status else {
      throw AuricleError(.temporary, "no port of 127.0.0.1 is free: \(systemReason(errno))")
    }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// The end of a server, waited for by the thread that started it.
private final class Outcome: Sendable {
  private struct State {
    var isOver = false
    var failure: AuricleError?
    var wasListening = false
  }

  private let state = Mutex(State())
  private let bell = WakeUp()

  var wasListening: Bool { state.withLock { $0.wasListening } }

  func noteListening() { state.withLock { $0.wasListening = true } }

  func reset() { state.withLock { $0 = State() } }

  func end(_ failure: AuricleError?) {
    state.withLock { state in
      guard !state.isOver else { return }
      (state.isOver, state.failure) = (true, failure)
    }
    bell.signal()
  }

  func wait() -> AuricleError? {
    while !state.withLock({ $0.isOver }) { bell.wait(milliseconds: -1) }
    return state.withLock { $0.failure }
  }
}
