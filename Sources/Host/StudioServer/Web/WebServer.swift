// The HTTP server: requests through the gate to routes, files of the page, and pages' sockets.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FlyingFox
import FlyingSocks
import Foundation
import Glibc
import HostSystem

/// Serves routes and the page on the loopback interface.
struct WebServer: Sendable {
  let gate: Gate
  let router: Router
  let page: PageFiles
  let hub: SocketHub
  let isReadOnly: Bool
  /// The first message to each page's socket, and what answers its messages.
  let hello: @Sendable () -> JSONValue
  let receive: @Sendable (JSONValue) -> JSONValue?

  /// The largest body of a request, in bytes.
  static let largestBody = 1 << 20
  /// The most bytes of a refused request that are read and thrown away, for the answer to arrive: a connection that
  /// is closed with bytes unread is reset, and takes the answer with it.
  private static let mostThrownAway = 256 << 20
  /// Bytes of a body that are read at once. A longer one is not kept by the server: it is read once.
  private static let bodyPart = 1 << 16

  /// Answers requests at a socket that listens, until the task is cancelled.
  ///
  /// - Parameter onListening: Called when it listens.
  func run(watch: ConnectionWatch, onListening: @escaping @Sendable () -> Void) async throws {
    let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: gate.port)
    let server = HTTPServer(
      config: HTTPServer.Configuration(
        address: address, timeout: 600, sharedRequestBufferSize: Self.bodyPart,
        sharedRequestReplaySize: Self.bodyPart, pool: watch, logger: .disabled))
    await server.appendRoute("*") { request in await answer(request, watch) }
    let notice = Task {
      try await server.waitUntilListening(timeout: 30)
      onListening()
    }
    defer { notice.cancel() }
    try await server.run()
  }

  private func answer(_ request: HTTPRequest, _ watch: ConnectionWatch) async -> HTTPResponse {
    let port = Self.port(of: request)
    watch.began(port)
    var question = Self.question(request)
    let isUpgrade = question.parts == ["api", "socket"] && question.method == "GET"
    let answer: Answer
    var body = Body()
    do {
      try gate.check(question, isUpgrade: isUpgrade)
      if isUpgrade { return try await upgrade(request, port, watch) }
      body = await Self.body(of: request, keeping: Self.largestBody)
      question.body = try body.checked
      watch.received(port)
      let asked = question
      answer = await WorkThreads.run { route(asked) }
    } catch {
      if !body.wasRead { body = await Self.body(of: request, keeping: 0) }
      watch.received(port)
      // The rest of the body is no further request.
      if !body.isWhole { watch.finish(port) }
      answer = refusal(StudioFault(error), question)
    }
    watch.answered(port)
    return response(answer, question)
  }

  private func route(_ question: Question) -> Answer {
    switch question.parts.first {
    case "api": return router.answer(question, isReadOnly: isReadOnly)
    case "page": return page.answer(Array(question.parts.dropFirst()), question)
    case nil:
      var answer = page.answer([], question)
      if question.query["token"] != nil { answer.headers.append(("Set-Cookie", gate.cookie)) }
      return answer
    default: return page.answer(question.parts, question)
    }
  }

  /// A refusal, with advice for people who open the bare address.
  private func refusal(_ fault: StudioFault, _ question: Question) -> Answer {
    guard question.parts.isEmpty else { return .fault(fault) }
    let text =
      "<!doctype html><title>Auricle studio</title><p>The address has no valid token: "
      + "open the one that <code>auricle studio</code> printed.</p>"
    var answer = Answer.bytes(Array(text.utf8), type: "text/html; charset=utf-8")
    answer.status = fault.kind.status
    return answer
  }

  private func upgrade(
    _ request: HTTPRequest, _ port: UInt16?, _ watch: ConnectionWatch
  ) async throws -> HTTPResponse {
    let handler = WebSocketHTTPHandler(
      handler: PageHandler(
        hub: hub, hello: hello(), receive: receive, onEnd: { watch.ended(port) }))
    let response = try await handler.handleRequest(request)
    if response.statusCode == .switchingProtocols {
      watch.upgraded(port)
    } else {
      watch.answered(port)
    }
    return response
  }

  // MARK: Conversion

  private static func question(_ request: HTTPRequest) -> Question {
    var headers: [String: String] = [:]
    for name in request.headers.keys { headers[name.rawValue.lowercased()] = request.headers[name] }
    var query: [String: String] = [:]
    for item in request.query where query[item.name] == nil { query[item.name] = item.value }
    // The path as it was sent: dots are no steps in it.
    let parts = request.target.path(percentEncoded: true).split(separator: "/").map {
      String($0).removingPercentEncoding ?? String($0)
    }
    return Question(
      method: request.method.rawValue, parts: parts, query: query, headers: headers, body: [])
  }

  /// The body of a request as far as it was read.
  private struct Body {
    var bytes: [UInt8] = []
    var count = 0
    /// Its length as the head of the request has it; 0 where it has none.
    var announced = 0
    var wasRead = false
    /// Whether nothing of it is left.
    var isWhole = false

    /// All of it.
    ///
    /// - Throws: `.tooLarge`, and `.badData` for one that ended early.
    var checked: [UInt8] {
      get throws {
        guard max(count, announced) <= WebServer.largestBody else {
          throw StudioFault(.tooLarge, "the request has more than \(WebServer.largestBody) bytes")
        }
        guard isWhole else { throw StudioFault(.badData, "the request ended early") }
        return bytes
      }
    }
  }

  /// Reads the body of a request, and throws away all of one that is longer than a limit.
  private static func body(of request: HTTPRequest, keeping limit: Int) async -> Body {
    let expected = request.bodySequence.count
    var body = Body(announced: expected ?? 0, wasRead: true)
    guard expected != 0 else {
      body.isWhole = true
      return body
    }
    do {
      // A body is read once, by one loop: it cannot be begun again in its middle.
      for try await chunk in request.bodySequence {
        body.count += chunk.count
        if body.count <= limit { body.bytes += chunk }
        guard body.count <= mostThrownAway else { return body }
      }
      body.isWhole = expected.map { $0 == body.count } ?? true
    } catch {}
    return body
  }

  private static func port(of request: HTTPRequest) -> UInt16? {
    switch request.remoteAddress {
    case .ip4(_, let port), .ip6(_, let port): port
    default: nil
    }
  }

  private func response(_ answer: Answer, _ question: Question) -> HTTPResponse {
    var headers = HTTPHeaders()
    headers[.contentType] = answer.type
    for (name, value) in answer.headers + security(answer.policy) {
      headers.addValue(value, for: HTTPHeader(name))
    }
    let phrase = Self.phrases[answer.status] ?? "Answer"
    let status = HTTPStatusCode(answer.status, phrase: phrase)
    let isEmpty = question.method == "HEAD" || answer.status == 304
    switch answer.body {
    case .bytes(let bytes):
      if isEmpty {
        headers[.contentLength] = "\(bytes.count)"
        if answer.status == 304 { headers[.contentLength] = nil }
        return HTTPResponse(statusCode: status, headers: headers)
      }
      return HTTPResponse(
        statusCode: status, headers: headers,
        body: HTTPBodySequence(data: Data(bytes), suggestedBufferSize: 1 << 16))
    case .file(let part):
      if isEmpty {
        headers[.contentLength] = "\(part.count)"
        return HTTPResponse(statusCode: status, headers: headers)
      }
      return HTTPResponse(
        statusCode: status, headers: headers,
        body: HTTPBodySequence(from: part, count: part.count, suggestedBufferSize: 1 << 16))
    }
  }

  private static let phrases = [
    200: "OK", 201: "Created", 202: "Accepted", 206: "Partial Content", 304: "Not Modified",
    400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    409: "Conflict", 413: "Payload Too Large", 416: "Range Not Satisfiable",
    422: "Unprocessable Content", 500: "Internal Server Error", 503: "Service Unavailable",
  ]

  private func security(_ own: String?) -> [(String, String)] {
    let sockets = "ws://127.0.0.1:\(gate.port) ws://localhost:\(gate.port)"
    let policy = [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
      "media-src 'self' blob:", "connect-src 'self' \(sockets)", "font-src 'self'",
      "worker-src 'self' blob:", "frame-src 'self'", "manifest-src 'self'", "form-action 'none'",
      "base-uri 'none'", "frame-ancestors 'self'",
    ].joined(separator: "; ")
    return [
      ("Content-Security-Policy", own ?? policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
  }
}
