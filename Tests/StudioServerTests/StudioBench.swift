// A running studio for a test, and a client that speaks HTTP with it as a browser does.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// An answer of the studio.
struct StudioReply {
  var status = 0
  var headers: [String: String] = [:]
  var body = Data()

  /// The body as a JSON object; empty for anything else.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
  }

  /// The body as interleaved samples.
  var samples: [Float] {
    unsafe [UInt8](body).withUnsafeBytes { bytes in
      (0..<(bytes.count / 4)).map {
        unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
      }
    }
  }

  /// The status, and the sentence of an error.
  var summary: String { "\(status) \(String(decoding: body.prefix(2000), as: UTF8.self))" }
}

/// Folders with sounds, and a studio over one of them.
final class StudioBench {
  let folder: TemporaryFolder
  let child: ChildProcess
  let port: UInt16
  let token: String

  /// Makes sounds `voice.wav` and `music.wav` in `work`, and starts a studio over it.
  init(
    _ options: [String] = [], in supplied: TemporaryFolder? = nil,
    environment more: [String: String?] = [:]
  ) throws {
    folder = try supplied ?? TemporaryFolder("auricle-studio")
    if supplied == nil {
      try folder.makeFolder("work")
      let noise = TestSignal.noise(seed: 7, amplitude: 0.25, frameCount: 48_000)
      try Sound([noise, noise.map { -$0 / 2 }]).write(to: folder("work/voice.wav"))
      // A text of an odd length: the samples behind it lie where no pointer to them may point.
      var metadata = AudioFileMetadata()
      metadata.texts = [.title: "<b>Odd</b>"]
      try Sound([TestSignal.noise(seed: 8, amplitude: 0.1, frameCount: 24_000)])
        .write(to: folder("work/music.wav"), encoding: .pcm16, metadata: metadata)
    }
    let environment = Self.environment(folder).merging(more) { $1 }
    child = try ChildProcess(
      Places.auricle, ["studio", "--port", "0"] + options + ["work"], environment: environment,
      in: folder.path)
    let started = child
    guard child.waits(until: { started.standardOutput.hasSuffix("\n") }),
      let address = URLComponents(
        string: child.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)),
      let port = address.port, let token = address.queryItems?.first?.value
    else {
      throw StudioTestError(
        description: "no address: \(child.standardOutput) \(child.standardError)")
    }
    (self.port, self.token) = (UInt16(port), token)
  }

  deinit {
    child.send(signal: SIGTERM)
    _ = child.wait()
  }

  /// An environment that does not see the user's own files.
  static func environment(_ folder: TemporaryFolder) -> [String: String?] {
    [
      "HOME": folder("home"), "XDG_CONFIG_HOME": folder("config"),
      "XDG_STATE_HOME": folder("state"),
      "XDG_RUNTIME_DIR": folder.path, "XDG_CACHE_HOME": Places.builtProducts + "/studio-cache",
      // The units that ship are enough, and listed at once.
      "LV2_PATH": folder("none"), "CLAP_PATH": folder("none"), "VST3_PATH": folder("none"),
      "LADSPA_PATH": folder("none"), "AURICLE_COMPONENT_PATH": nil, "DISPLAY": nil,
      "WAYLAND_DISPLAY": nil, "AURICLE_DEVICE": nil,
    ]
  }

  /// Runs the program beside the studio.
  func run(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(arguments, environment: Self.environment(folder), in: folder.path)
  }

  // MARK: Requests

  /// Sends a request with the token, and reads its answer.
  func ask(
    _ method: String, _ path: String, _ body: [String: Any]? = nil, headers: [String: String] = [:]
  ) throws -> StudioReply {
    var all = ["Host": "127.0.0.1:\(port)", "Authorization": "Bearer \(token)"]
    all.merge(headers) { $1 }
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) }
    return try send(method, path, all, data)
  }

  /// Reads what an address answers.
  func get(_ path: String) throws -> StudioReply { try ask("GET", path) }

  /// Sends a body to an address.
  func post(_ path: String, _ body: [String: Any]) throws -> StudioReply {
    try ask("POST", path, body)
  }

  /// Sends headers and a body exactly so.
  ///
  /// - Parameter chunks: A body whose length is not said, without its end.
  func send(
    _ method: String, _ path: String, _ headers: [String: String], _ body: Data? = nil,
    chunks: Data? = nil
  ) throws -> StudioReply {
    let socket = try connect()
    defer { Glibc.close(socket) }
    var text = "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      text += "\(name): \(value)\r\n"
    }
    if let body { text += "Content-Length: \(body.count)\r\n" }
    if chunks != nil { text += "Transfer-Encoding: chunked\r\n" }
    let end = chunks == nil ? Data() : Data("0\r\n\r\n".utf8)
    try Self.write(Data((text + "\r\n").utf8) + (body ?? chunks ?? Data()) + end, to: socket)
    return try Self.reply(Self.readAll(socket))
  }

  /// A connection to the studio.
  func connect() throws -> Int32 {
    let made = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      Glibc.close(made)
      throw StudioTestError(description: "no connection: \(errno)")
    }
    // A common limit that only ends a hang.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    unsafe setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return made
  }

  static func write(_ data: Data, to socket: Int32) throws {
    var bytes = [UInt8](data)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw StudioTestError(description: "nothing can be sent: \(errno)") }
      bytes = bytes.dropFirst(count)
    }
  }

  static func readAll(_ socket: Int32) -> Data {
    var data = Data()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe recv(socket, &block, block.count, 0)
      guard count > 0 else { return data }
      data.append(contentsOf: block[..<count])
    }
  }

  private static func reply(_ data: Data) throws -> StudioReply {
    guard let end = data.range(of: Data("\r\n\r\n".utf8)) else {
      throw StudioTestError(description: "no answer: \(String(decoding: data, as: UTF8.self))")
    }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    var reply = StudioReply()
    reply.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      reply.headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
    }
    reply.body = Data(data[end.upperBound...])
    return reply
  }

  // MARK: Waiting

  /// Asks again until the state is one of several.
  func wait(for path: String, _ states: String...) throws -> [String: Any] {
    var last: [String: Any] = [:]
    _ = child.waits {
      last = (try? get(path).json) ?? [:]
      return states.contains(last["state"] as? String ?? "")
    }
    return last
  }

  /// Opens a chain, and returns its document.
  func open(_ body: [String: Any]) throws -> [String: Any] {
    let reply = try post("/api/chains", body)
    guard reply.status == 201 else { throw StudioTestError(description: reply.summary) }
    return reply.json
  }

  /// Edits a chain.
  func edit(_ chain: Any?, _ operations: [String: Any]..., client: String = "test") throws
    -> StudioReply
  {
    try post("/api/chains/\(chain ?? "")/operations", ["operations": operations, "client": client])
  }
}

/// A failure of a test's own means.
struct StudioTestError: Error, CustomStringConvertible { let description: String }

/// The socket of a page.
final class PageClient {
  private let socket: Int32
  private var received = Data()

  /// Opens a page's socket as a browser does.
  init(_ bench: StudioBench, headers more: [String: String] = [:]) throws {
    socket = try bench.connect()
    var headers = [
      "Host": "127.0.0.1:\(bench.port)", "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
      "Origin": "http://127.0.0.1:\(bench.port)",
      "Cookie": "other=1; auricle-studio-\(bench.port)=\(bench.token)",
    ]
    headers.merge(more) { $1 }
    var text = "GET /api/socket HTTP/1.1\r\n"
    for (name, value) in headers where !value.isEmpty { text += "\(name): \(value)\r\n" }
    try StudioBench.write(Data((text + "\r\n").utf8), to: socket)
    while received.range(of: Data("\r\n\r\n".utf8)) == nil {
      guard fill() else { break }
    }
    let head = String(decoding: received, as: UTF8.self)
    guard head.hasPrefix("HTTP/1.1 101"), let end = received.range(of: Data("\r\n\r\n".utf8)) else {
      throw StudioTestError(description: head)
    }
    received = Data(received[end.upperBound...])
  }

  deinit { close(socket) }

  private func fill() -> Bool {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(socket, &block, block.count, 0)
    guard count > 0 else { return false }
    received.append(contentsOf: block[..<count])
    return true
  }

  /// The next message; nil at the end.
  func next() -> [String: Any]? {
    while true {
      let bytes = [UInt8](received)
      if bytes.count >= 2 {
        var (length, place) = (Int(bytes[1] & 0x7F), 2)
        let size = length == 126 ? 2 : length == 127 ? 8 : 0
        if bytes.count >= 2 + size {
          if size > 0 { length = bytes[2..<(2 + size)].reduce(0) { $0 << 8 | Int($1) } }
          place += size
          if bytes.count >= place + length {
            received = Data(bytes[(place + length)...])
            guard bytes[0] & 0x0F == 1 else { return nil }
            return (try? JSONSerialization.jsonObject(with: Data(bytes[place..<(place + length)])))
              as? [String: Any]
          }
        }
      }
      guard fill() else { return nil }
    }
  }

  /// The next message of a type that fits.
  func next(_ type: String, where fits: ([String: Any]) -> Bool = { _ in true }) -> [String: Any]? {
    while let message = next() {
      if message["type"] as? String == type, fits(message) { return message }
    }
    return nil
  }

  /// Sends a message.
  func send(_ message: [String: Any]) throws {
    let text = [UInt8](try JSONSerialization.data(withJSONObject: message))
    let mask: [UInt8] = [1, 2, 3, 4]
    let head: [UInt8] = [0x81, 0x80 | UInt8(text.count)] + mask
    let masked = text.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    try StudioBench.write(Data(head + masked), to: socket)
  }
}
