// The table of routes: a method, a pattern of the path, and what answers.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// Finds what answers a request.
struct Router: Sendable {
  /// Answers a request; the words of the pattern's `*` come beside it.
  typealias Handler = @Sendable (Question, [String]) throws -> Answer

  private struct Route: Sendable {
    var method: String
    var pattern: [String]
    var changes: Bool
    var handler: Handler
  }

  private var routes: [Route] = []

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: The path without `/api/`, `*` for any part.
  ///   - changes: Whether a studio that may change nothing refuses it.
  mutating func add(
    _ method: String, _ pattern: String, changes: Bool = false, _ handler: @escaping Handler
  ) {
    routes.append(
      Route(
        method: method, pattern: pattern.split(separator: "/").map(String.init), changes: changes,
        handler: handler))
  }

  /// Answers a request whose path begins with `api`.
  func answer(_ question: Question, isReadOnly: Bool) -> Answer {
    let parts = Array(question.parts.dropFirst())
    let fitting = routes.filter { route in
      route.pattern.count == parts.count
        && zip(route.pattern, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }
    let method = question.method == "HEAD" ? "GET" : question.method
    guard let route = fitting.first(where: { $0.method == method }) else {
      guard let other = fitting.first else {
        return .fault(
          StudioFault(.notFound, "there is nothing at /\(question.parts.joined(separator: "/"))"))
      }
      var answer = Answer.fault(
        StudioFault(.usage, "this address answers \(other.method), not \(question.method)"))
      answer.status = 405
      return answer
    }
    if route.changes, isReadOnly {
      return .fault(
        StudioFault(.readOnly, "the studio was started with --read-only: nothing is written"))
    }
    do {
      let words = zip(route.pattern, parts).filter { $0.0 == "*" }.map(\.1)
      return try route.handler(question, words)
    } catch { return .fault(StudioFault(error)) }
  }
}
