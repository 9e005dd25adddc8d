// A worker as its supervisor sees it: started, fed, watched, ended.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import RealtimeSupport

/// How a process ended.
enum ProcessEnd: Equatable {
  case exited(Int32)
  case signalled(Int32)
  /// It had closed its socket and went on, until this process ended it.
  case stopped

  init(status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// `SIGSEGV`, `exit 0`.
  var name: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signalled(let signal): SignalName.text(signal)
    case .stopped: Supervisor.closedFiles
    }
  }
}

/// The usual names of signals.
public enum SignalName {
  /// `SIGSEGV`, or `signal 64`.
  ///
  /// Context: any.
  public static func text(_ signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGSEGV: "SIGSEGV", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGALRM: "SIGALRM",
      SIGSYS: "SIGSYS", SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT",
      SIGPIPE: "SIGPIPE", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGXCPU: "SIGXCPU",
      SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF", SIGIO: "SIGIO",
    ]
    return names[signal] ?? "signal \(signal)"
  }
}

/// A worker process.
@safe final class WorkerProcess {
  /// What it is at.
  enum State {
    /// It has been told its work and makes its first chain.
    case starting
    /// It takes jobs.
    case ready
  }

  let id: pid_t
  let channel: WorkerChannel
  /// What it prints comes here.
  let words: Int32
  var state = State.starting
  /// Jobs it has, the one it works on first.
  var jobs: [Job] = []
  var doneCount = 0
  /// The number of the job that it has said to be at; nil for none.
  var begunJob: Int?
  /// Whether it has told anything.
  var hasSpoken = false
  /// Whether units have rendered in it.
  var hasRendered = false
  /// What it has made chains for.
  var formats: Set<ChainFormat> = []
  /// The last sign of life, and since when.
  var lastProgress: (value: UInt64, since: ContinuousClock.Instant)
  /// When the present job began, and how long it may take.
  var jobStart: ContinuousClock.Instant
  var jobLimit: Duration?
  /// When it was last looked at how much memory it has in use.
  var lastMemoryLook: ContinuousClock.Instant
  private let memory: UnsafeMutableRawPointer
  private var said: [UInt8] = []
  private var begun: [UInt8] = []
  private var toldCount = 0
  private var hasEnded = false

  /// Starts a worker.
  init(program: String, arguments: [String]) throws(AuricleError) {
    func refuse(_ what: String, _ number: Int32) -> AuricleError {
      // What the system is short of may be there later.
      let isShort = [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(number)
      return AuricleError(
        isShort ? .temporary : .software,
        "no worker can be started: \(what): \(Path.reason(number))")
    }
    var sockets: [Int32] = [-1, -1]
    var pipes: [Int32] = [-1, -1]
    let shared = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    guard shared >= 0 else { throw refuse("shared memory", errno) }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw refuse("shared memory", errno)
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw refuse("socket", errno) }
    guard unsafe pipe(&pipes) == 0 else { throw refuse("pipe", errno) }
    // A worker that does not listen must not hold its supervisor up for ever.
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    unsafe setsockopt(
      sockets[0], SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    // Out of the way of the numbers they get in the worker.
    let theirs = [sockets[1], shared, pipes[1]].map { descriptor in
      let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, WorkerProgram.beaconDescriptor + 1)
      Glibc.close(descriptor)
      return moved
    }
    defer { for descriptor in theirs where descriptor >= 0 { Glibc.close(descriptor) } }
    guard !theirs.contains(-1) else { throw refuse("open files", EMFILE) }
    _ = fcntl(pipes[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(pipes[0], F_SETFL, O_NONBLOCK)

    var child: pid_t = 0
    let status = Self.spawn(&child, program, arguments, theirs)
    channel = WorkerChannel(descriptor: sockets[0])
    words = pipes[0]
    id = child
    unsafe self.memory = memory
    let now = ContinuousClock.now
    lastProgress = (0, now)
    jobStart = now
    lastMemoryLook = now
    guard status == 0 else {
      hasEnded = true
      throw refuse(program, status)
    }
  }

  private static func spawn(
    _ child: inout pid_t, _ program: String, _ arguments: [String], _ descriptors: [Int32]
  ) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptors[2], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptors[2], STDERR_FILENO)
    unsafe posix_spawn_file_actions_adddup2(
      &actions, descriptors[0], WorkerProgram.socketDescriptor)
    unsafe posix_spawn_file_actions_adddup2(
      &actions, descriptors[1], WorkerProgram.beaconDescriptor)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // A group of its own: Ctrl-C is for the supervisor.
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    let environment = unsafe WorkerEnvironment()
    return unsafe posix_spawn(
      &child, program, &actions, &attributes, words, environment.entries)
  }

  deinit {
    end()
    close(words)
    unsafe munmap(memory, AuricleHeartbeatSize())
  }

  /// What it does now.
  var reading: AuricleHeartbeatReading {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    return reading
  }

  /// The name of a unit it told; nil when it told none, or what stands there is no name.
  func unitName(_ unit: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 200)
    guard unsafe AuricleHeartbeatName(memory, unit, &name, name.count) else { return nil }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Self.isUnitName(text) ? text : nil
  }

  /// Reads what it printed, keeps the end of it, and throws the rest away.
  ///
  /// - Returns: Its first whole lines; few, because a flood is of no use to anybody.
  @discardableResult
  func takeWords() -> [String] {
    var block = [UInt8](repeating: 0, count: 65_536)
    var lines: [String] = []
    for _ in 0..<8 {
      let count = unsafe read(words, &block, block.count)
      guard count > 0 else { break }
      said += block[0..<count]
      toldCount += count
      guard toldCount <= Self.mostTold else {
        if said.count > 2048 { said.removeFirst(said.count - 2048) }
        continue
      }
      begun += block[0..<count]
      let parts = begun.split(separator: 0x0A, omittingEmptySubsequences: false)
      begun = Array(parts.last ?? [])
      lines += parts.dropLast().map { String(String(decoding: $0, as: UTF8.self).prefix(300)) }
    }
    return lines.filter { $0.contains { !$0.isWhitespace } }
  }

  /// Bytes of a worker's words that are looked at.
  private static let mostTold = 16_384

  /// The last line it printed; nil when there was none.
  var lastWords: String? {
    let lines = said.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return nil }
    return String(String(decoding: line, as: UTF8.self).prefix(300))
  }

  /// Forgets what it printed.
  func forgetWords() { said = [] }

  /// Ends it now, and tells how it ended: by itself before, or by this.
  @discardableResult
  func end(afterWaiting patience: Duration = .zero) -> ProcessEnd? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var status: Int32 = 0
    let deadline = ContinuousClock.now + patience
    repeat {
      let result = unsafe waitpid(id, &status, WNOHANG)
      if result == id { return ProcessEnd(status: status) }
      if patience > .zero { usleep(1000) }
    } while ContinuousClock.now < deadline
    // The whole group: a plug-in may have started programs of its own. Those that left it are for
    // `Orphans`.
    kill(-id, SIGKILL)
    kill(id, SIGKILL)
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    let end = ProcessEnd(status: status)
    return end == .signalled(SIGKILL) && patience > .zero ? .stopped : end
  }
}
