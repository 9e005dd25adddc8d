// A control socket for one stage of a chain: its window moves the same parameters as the pages.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleHost
import Glibc
import HostSystem
import Synchronization

/// Answers a window as a live chain with one stage does.
final class StageControl: Sendable {
  /// The path of the socket.
  let path: String
  private let listener: Int32
  private let studio: Studio
  private let chain: String
  private let stage: String
  private let isClosed = Atomic<Bool>(false)
  private let bell = WakeUp()
  private static let longestLine = 65_536

  /// Makes the socket, which this user alone may use.
  ///
  /// - Throws: `.inputOutput` where it cannot be made.
  init(_ studio: Studio, chain: String, stage: String) throws {
    (self.studio, self.chain, self.stage) = (studio, chain, stage)
    path = try studio.sockets.newPath(".control")
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw StudioFault(.inputOutput, "the path of a socket is too long: \(path)")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard listener >= 0, status == 0, listen(listener, 2) == 0 else {
      throw systemError(errno, "make", path)
    }
    WorkThreads.start { [self] in serve() }
  }

  /// Ends it.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    bell.signal()
  }

  private func serve() {
    var clients: [(descriptor: Int32, received: [UInt8])] = []
    while !isClosed.load(ordering: .sequentiallyConsistent) {
      var entries = ([listener, bell.number] + clients.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard retrying({ unsafe poll(&entries, nfds_t(entries.count), -1) }) > 0 else { break }
      for index in clients.indices.reversed() where entries[index + 2].revents != 0 {
        if !talk(&clients[index]) {
          Glibc.close(clients[index].descriptor)
          clients.remove(at: index)
        }
      }
      if entries[0].revents != 0 {
        let made = accept(listener, nil, nil)
        if made >= 0 {
          _ = fcntl(made, F_SETFD, FD_CLOEXEC)
          clients.append((made, []))
        }
      }
    }
    for client in clients { Glibc.close(client.descriptor) }
    Glibc.close(listener)
    _ = unsafe path.withFileName { unsafe unlink($0) }
  }

  private func talk(_ client: inout (descriptor: Int32, received: [UInt8])) -> Bool {
    var block = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(client.descriptor, &block, block.count, 0)
    guard count > 0, client.received.count < Self.longestLine else { return false }
    client.received += block[..<count]
    while let end = client.received.firstIndex(of: 0x0A) {
      let line = String(decoding: client.received[..<end], as: UTF8.self)
      client.received.removeSubrange(...end)
      let bytes = Array((answer(line) + "\n").utf8)
      let sent = unsafe send(client.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      guard sent == bytes.count else { return false }
    }
    return true
  }

  private func answer(_ line: String) -> String {
    do {
      let said = try perform(ControlClient.words(line))
      return said.isEmpty ? "ok" : "ok \(said)"
    } catch { return "error \(StudioFault(error).message)" }
  }

  private func perform(_ words: [String]) throws -> String {
    switch (words.first ?? "", words.count) {
    case ("unit", 2): return "1 \(ControlClient.quoted(try name))"
    case ("stats", 1): return "rate=48000"
    case ("values", 2):
      let values = try values.map { "\($0.id)=\($0.value)" }
      return ([ControlClient.quoted(try name)] + values).joined(separator: " ")
    case ("put", 4):
      guard let id = UInt32(words[2]), let value = Float(words[3]), value.isFinite else {
        throw StudioFault(.usage, "put takes a stage, a number of a parameter, and a value")
      }
      try put(id, value)
      return ""
    // Messages of LV2 go between a window and a unit that renders; here none does.
    case ("number", 2): return "0"
    case ("uri", 2), ("message", 5...), ("messages", 2): return ""
    default:
      throw StudioFault(.usage, "the studio has no command '\(words.first ?? "")' for windows")
    }
  }

  private var unit: UnitStage {
    get throws {
      guard case .unit(let unit)? = try studio.chains.document(chain).state.stage(stage)?.kind
      else {
        throw StudioFault(.notFound, "the stage is not in the chain any more")
      }
      return unit
    }
  }

  /// The unit as the registry names it alone.
  private var name: String {
    get throws {
      let unit = try unit
      let line = studio.shelf.line(unit.unit)
      return line?.uri ?? line.map(UnitShelf.identity) ?? unit.unit
    }
  }

  private var values: [(id: UInt32, value: Float)] {
    get throws {
      let unit = try unit
      let shapes = try studio.shelf.shapes(unit.unit).shapes
      let known = unit.preset.flatMap { try? studio.values.values(unit.unit, preset: $0) } ?? [:]
      return shapes.values(unit, known: known).compactMap { json in
        guard let id = json["id"]?.integer, let value = json["value"]?.number else { return nil }
        return (UInt32(id), Float(value))
      }
    }
  }

  private func put(_ id: UInt32, _ value: Float) throws {
    let shapes = try studio.shelf.shapes(unit.unit).shapes
    guard let parameter = shapes.parameters.first(where: { $0.id == id }), parameter.isWritable
    else {
      return
    }
    _ = try studio.edit(
      chain,
      .members([
        ("client", .string("window \(stage)")), ("gesture", .string("window \(id)")),
        (
          "operations",
          .array([
            .members([
              ("op", "set"), ("stage", .string(stage)),
              ("parameter", .string(shapes.key(of: parameter))),
              ("value", JSONValue(Double(value))),
            ])
          ])
        ),
      ]))
  }
}
