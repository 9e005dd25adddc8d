// The door of a program that publishes units: its socket, its entries of the registry, its connections.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem
import Synchronization
import UnitLink

/// The published units of this process.
package final class NodeServer: Sendable {
  /// The one of this process.
  package static let shared = NodeServer()

  /// A component, the unit behind it, and its file in the registry, which stays open and locked.
  struct Publication {
    let entry: ProgramEntry
    let unit: any PublishedUnit
    let file: Int32
  }

  private struct State {
    var publications: [Publication] = []
    var socketPath: String?
    var connections: [ObjectIdentifier: NodeConnection] = [:]
    /// The units that play for a host, by that connection.
    var busy: [ObjectIdentifier: ObjectIdentifier] = [:]
  }

  private let state = Mutex(State())
  /// Held while a unit is published: the socket is made once.
  private let publishing = Mutex<Void>(())

  private init() {}

  /// Publishes a unit as a component.
  ///
  /// - Throws: `.badData` for a component that its installed entry names otherwise; what the system refuses.
  ///
  /// Context: control. The corresponding Core Audio function is `AudioOutputUnitPublish`.
  package func publish(_ entry: ProgramEntry, _ unit: any PublishedUnit) throws(AuricleError) {
    guard ProgramEntry.types.contains(entry.description.componentType),
      entry.description.componentSubType != 0, entry.description.componentManufacturer != 0,
      !entry.name.isEmpty
    else {
      throw AuricleError(
        .badData, status: kAudio_ParamError,
        "a program publishes a unit of type aurg, auri, aurx or aurm, with a subtype, a manufacturer and a name"
      )
    }
    var entry = entry
    if let known = ProgramRegistry.find(entry.description).installed {
      guard known.name == entry.name, known.version == entry.version else {
        throw AuricleError(
          .badData, status: kAudio_ParamError,
          "\(known.path) has another name or version than the unit that the program publishes: make them equal"
        )
      }
      (entry.icons, entry.comment, entry.url) = (known.icons, known.comment, known.url)
    }
    try publishing.withLock { (_) throws(AuricleError) in
      let isThere = state.withLock { state in
        state.publications.contains { $0.entry.identity == entry.identity && $0.unit === unit }
      }
      guard !isThere else { return }
      (entry.process, entry.socket) = (getpid(), try openSocket())
      let (file, hidden, path) = try write(entry)
      entry.path = path
      // Known here before anybody can see it.
      state.withLock {
        $0.publications.append(Publication(entry: entry, unit: unit, file: file))
      }
      guard unsafe rename(hidden, path) == 0 else {
        let number = errno
        unsafe unlink(hidden)
        withdraw(unit)
        throw systemError(number, "write", path)
      }
      // The lock ends with this process, whatever it has forked.
      UnforkedDescriptors.add(file)
    }
  }

  /// Writes the entry under a hidden name, and locks it.
  private func write(
    _ entry: ProgramEntry
  ) throws(AuricleError) -> (file: Int32, hidden: String, path: String) {
    let folder = Path.folder(of: entry.socket)
    let name = "\(entry.identity)-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let (hidden, path) = ("\(folder)/.\(name)", "\(folder)/\(name)\(ProgramRegistry.nodeEnding)")
    let file = unsafe open(hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw systemError(errno, "write", hidden) }
    var number = retrying { flock(file, LOCK_EX | LOCK_NB) } == 0 ? 0 : errno
    if number == 0 { number = FileTransfer.writeAll(Array(entry.text.utf8), to: file) }
    guard number == 0 else {
      close(file)
      unsafe unlink(hidden)
      throw systemError(number, "write", hidden)
    }
    return (file, hidden, path)
  }

  /// The socket of this process, which is made when the first unit is published.
  private func openSocket() throws(AuricleError) -> String {
    if let path = state.withLock({ $0.socketPath }) { return path }
    guard let folder = ProgramRegistry.nodeFolder else {
      throw AuricleError(
        .unavailable, "there is no folder for programs that run: set XDG_RUNTIME_DIR")
    }
    try FolderMaker.make(folder)
    unsafe chmod(folder, 0o700)
    let path = "\(folder)/\(getpid())-\(UInt32.random(in: 0...UInt32.max)).socket"
    let door = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard door >= 0 else { throw systemError(errno, "make", path) }
    guard NodeAddress.bind(door, path), listen(door, 16) == 0 else {
      let number = errno
      close(door)
      throw systemError(number, "make", path)
    }
    guard let thread = startThread({ self.accept(door) }) else {
      close(door)
      unsafe unlink(path)
      throw systemError(EAGAIN, "start", "a thread for hosts")
    }
    pthread_detach(thread)
    UnforkedDescriptors.add(door)
    state.withLock { $0.socketPath = path }
    atexit { NodeServer.shared.removeFiles() }
    return path
  }

  /// Waits for hosts of this user, as long as the process runs.
  private func accept(_ door: Int32) {
    // Closed where the process has no descriptor left, so that the host is refused at once.
    var spare = Self.spare()
    while true {
      let end = Glibc.accept(door, nil, nil)
      guard end >= 0 else {
        guard errno == EMFILE || errno == ENFILE else { continue }
        if spare >= 0 { close(spare) }
        let refused = Glibc.accept(door, nil, nil)
        if refused >= 0 {
          close(refused)
        } else {
          // Nothing says when the process has a descriptor again.
          usleep(20_000)
        }
        spare = Self.spare()
        continue
      }
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      guard NodeAddress.isOwnUser(end) else {
        close(end)
        continue
      }
      serve(end)
    }
  }

  private static func spare() -> Int32 { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }

  /// Serves a host on a socket, which belongs to its connection from here on.
  func serve(_ end: Int32) {
    let isFull = state.withLock { $0.connections.count >= 64 }
    guard !isFull, let connection = NodeConnection(end, self) else {
      close(end)
      return
    }
    state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
    if !connection.start() { forget(connection) }
  }

  /// Forgets a connection that has ended.
  func forget(_ connection: NodeConnection) {
    let key = ObjectIdentifier(connection)
    state.withLock { state in
      state.connections[key] = nil
      state.busy = state.busy.filter { $0.value != key }
    }
    knock()
  }

  /// Has hosts that wait for a unit try again.
  private func knock() {
    for connection in state.withLock({ Array($0.connections.values) }) { connection.knock() }
  }

  /// The published unit of a description; nil where it was withdrawn.
  func unit(of description: AudioComponentDescription) -> (any PublishedUnit)? {
    state.withLock { state in
      state.publications.last { $0.entry.isSame(as: description) }?.unit
    }
  }

  /// Reserves a unit of a description for a connection; nil while all of them play for other hosts.
  func reserve(
    _ description: AudioComponentDescription, for connection: NodeConnection
  ) -> (any PublishedUnit)? {
    state.withLock { state in
      let free = state.publications.last {
        $0.entry.isSame(as: description) && state.busy[ObjectIdentifier($0.unit)] == nil
      }
      guard let unit = free?.unit else { return nil }
      state.busy[ObjectIdentifier(unit)] = ObjectIdentifier(connection)
      return unit
    }
  }

  /// Makes a unit free for other hosts.
  func release(_ unit: any PublishedUnit) {
    state.withLock { $0.busy[ObjectIdentifier(unit)] = nil }
    knock()
  }

  /// Ends all that a unit is published as, and its connections. Context: control.
  package func withdraw(_ unit: any PublishedUnit) {
    let (gone, connections) = state.withLock { state in
      let gone = state.publications.filter { $0.unit === unit }
      state.publications.removeAll { $0.unit === unit }
      return (gone, Array(state.connections.values))
    }
    for publication in gone {
      unsafe unlink(publication.entry.path)
      UnforkedDescriptors.remove(publication.file)
      close(publication.file)
    }
    for connection in connections where connection.serves(unit) { connection.end() }
  }

  /// Removes the files of this process. Context: its end.
  private func removeFiles() {
    let (entries, socket) =
      state.withLockIfAvailable { state in
        (state.publications.map(\.entry), state.socketPath)
      } ?? ([], nil)
    // A child that was forked without another program has the parent's memory, and not its files.
    for entry in entries where entry.process == getpid() { unsafe unlink(entry.path) }
    if let socket, entries.allSatisfy({ $0.process == getpid() }) { unsafe unlink(socket) }
  }
}

/// Addresses of sockets in folders.
package enum NodeAddress {
  /// Binds a socket to a path; false sets errno.
  static func bind(_ socket: Int32, _ path: String) -> Bool {
    guard let (found, size) = address(of: path) else { return false }
    var address = found
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(socket, $0, size) == 0
      }
    }
  }

  /// A socket that is connected to a path; -1 sets errno. Context: control.
  package static func connect(_ path: String) -> Int32 {
    guard let (found, size) = address(of: path) else { return -1 }
    var address = found
    let end = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard end >= 0 else { return -1 }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        retrying { unsafe Glibc.connect(end, place, size) }
      }
    }
    guard status == 0, isOwnUser(end) else {
      let number = status == 0 ? EPERM : errno
      close(end)
      errno = number
      return -1
    }
    return end
  }

  private static func address(of path: String) -> (sockaddr_un, socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return nil
    }
    return (address, socklen_t(MemoryLayout<sockaddr_un>.size))
  }

  /// Whether the other end is a process of this user.
  static func isOwnUser(_ socket: Int32) -> Bool {
    // Process, user, group.
    var peer: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    return unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && size == 12
      && peer[1] == geteuid()
  }
}
