// Who gets in, how far, and what others cost.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct StudioGateTests {
  @Test("The page is for those with the token, under its own host and origin")
  func gate() throws {
    let bench = try StudioBench()
    let host = "127.0.0.1:\(bench.port)"
    let cookie = "auricle-studio-\(bench.port)=\(bench.token)"
    func status(
      _ method: String, _ path: String, _ headers: [String: String], body: String? = nil
    ) throws -> Int {
      try bench.send(method, path, headers, body.map { Data($0.utf8) }).status
    }
    #expect(bench.token.count == 32)
    let wrong = String(bench.token.reversed())
    #expect(try status("GET", "/api/studio", ["Host": host, "Cookie": cookie]) == 200)
    #expect(
      try status("GET", "/api/studio", ["Host": "localhost:\(bench.port)", "Cookie": cookie]) == 200
    )
    #expect(try status("GET", "/api/studio", ["Host": host]) == 403)
    #expect(try status("GET", "/api/studio?token=\(bench.token)", ["Host": host]) == 403)
    #expect(
      try status("GET", "/api/studio", ["Host": host, "Authorization": "Bearer \(wrong)"]) == 403)
    #expect(
      try status("GET", "/api/studio", ["Host": host, "Cookie": "auricle-studio-1=\(bench.token)"])
        == 403)
    for other in ["evil.example:\(bench.port)", "127.0.0.1", "0.0.0.0:\(bench.port)", ""] {
      #expect(
        try status("GET", "/api/studio", ["Host": other, "Cookie": cookie]) == 403, "\(other)")
    }
    let origin = ["Host": host, "Cookie": cookie, "Origin": "http://\(host)"]
    #expect(try status("POST", "/api/chains", origin, body: "{}") == 201)
    #expect(try status("POST", "/api/chains", ["Host": host, "Cookie": cookie], body: "{}") == 403)
    for other in ["http://evil.example", "http://127.0.0.1:1", "null", "https://\(host)"] {
      var headers = origin
      headers["Origin"] = other
      #expect(try status("POST", "/api/chains", headers, body: "{}") == 403, "\(other)")
      #expect(throws: StudioTestError.self) { try PageClient(bench, headers: ["Origin": other]) }
    }
    #expect(throws: StudioTestError.self) { try PageClient(bench, headers: ["Cookie": ""]) }
    #expect(throws: StudioTestError.self) { try PageClient(bench, headers: ["Origin": ""]) }
    let page = try bench.send("GET", "/?token=\(bench.token)", ["Host": host])
    #expect(page.status == 200)
    #expect(page.headers["set-cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
    let policy = page.headers["content-security-policy"] ?? ""
    #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe-inline"))
    #expect(try bench.send("GET", "/?token=\(wrong)", ["Host": host]).status == 403)
  }

  @Test("Files are those below the folders, whatever a path says")
  func folders() throws {
    let bench = try StudioBench()
    let manager = FileManager.default
    try Data("secret".utf8).write(to: URL(fileURLWithPath: bench.folder("secret.wav")))
    try manager.createSymbolicLink(
      atPath: bench.folder("work/out.wav"), withDestinationPath: bench.folder("secret.wav"))
    try manager.createSymbolicLink(
      atPath: bench.folder("work/up"), withDestinationPath: bench.folder.path)
    try manager.createSymbolicLink(
      atPath: bench.folder("work/same.wav"), withDestinationPath: bench.folder("work/voice.wav"))
    #expect(try bench.get("/api/files/raw?file=0/voice.wav").status == 200)
    #expect(try bench.get("/api/files/raw?file=0/same.wav").status == 200)
    for path in [
      "0/../secret.wav", "0/%2e%2e/secret.wav", "0/%252e%252e/secret.wav", "0/out.wav",
      "0/up/secret.wav", "0//secret.wav", "1/secret.wav", "-1/secret.wav",
      bench.folder("secret.wav"),
      "0/./voice.wav", "0/..%2fsecret.wav", "0/voice.wav%00",
    ] {
      let reply = try bench.get("/api/files/raw?file=\(path)")
      #expect([403, 404].contains(reply.status), "\(path): \(reply.summary)")
      #expect(reply.json["error"] is String, "\(path): \(reply.summary)")
    }
    for path in [
      "/page/../studio", "/page/%2e%2e/Web/Gate.swift", "/page/..%2fx.js", "/%2e%2e/etc/passwd",
    ] {
      #expect(try bench.get(path).status == 404, "\(path)")
    }
    let list = try bench.get("/api/files?folder=0").json
    let names = (list["entries"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    #expect(names == ["music.wav", "same.wav", "voice.wav"])
    let chain = try bench.open([:])
    let saved = try bench.post(
      "/api/chains/\(chain["id"] ?? "")/save", ["file": "0/up/stolen.yaml"])
    #expect(saved.status == 403, "\(saved.summary)")
    #expect(!manager.fileExists(atPath: bench.folder("stolen.yaml")))
    let text =
      "auricle: 1\nname: x\nunits:\n  - noise: {file: \(bench.folder("secret.wav"))}\n    snr: 10 dB\n"
    let outside = try bench.post("/api/chains", ["text": text])
    #expect(outside.status == 403, "\(outside.summary)")
  }

  @Test("A browser keeps the files of the page until one of them changes")
  func keptFiles() throws {
    let folder = try TemporaryFolder("auricle-studio")
    for name in ["work", "page"] { try folder.makeFolder(name) }
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder("page/\(name)")))
    }
    try write("<script src=\"/page/app.js\"></script>", "index.html")
    try write("1", "app.js")
    let bench = try StudioBench(in: folder, environment: ["AURICLE_STUDIO_PAGE": folder("page")])
    func named() throws -> String {
      let page = try bench.get("/")
      #expect(page.headers["cache-control"] == "no-cache")
      let parts = String(decoding: page.body, as: UTF8.self).split(separator: "\"")
      return parts.count > 1 ? String(parts[1]) : ""
    }
    let first = try named()
    let kept = try bench.get(first)
    #expect(kept.headers["cache-control"]?.contains("immutable") == true, "\(first)")
    #expect(kept.body == Data("1".utf8))
    try write("22", "app.js")
    let second = try named()
    #expect(second != first)
    #expect(try bench.get(second).body == Data("22".utf8))
    // A page that was read before the change gets the new file, and asks again.
    #expect(try bench.get(first).headers["cache-control"] == "no-cache")
    #expect(try bench.get("/page/app.js").headers["cache-control"] == "no-cache")
    for path in ["\(second.prefix { $0 != "." })", "/page/v-/../x.js", "/page/v-1/v-1/app.js"] {
      #expect(try bench.get(path).status == 404, "\(path)")
    }
  }

  @Test("A studio that may only read writes nothing")
  func readOnly() throws {
    let bench = try StudioBench(["--read-only"])
    let chain = try bench.open(["units": ["aufx:lpas:appl"]])
    let id = chain["id"] ?? ""
    let before = try FileManager.default.subpathsOfDirectory(atPath: bench.folder("work")).sorted()
    let refused = [
      try bench.post("/api/chains/\(id)/save", ["file": "0/x.yaml"]),
      try bench.post("/api/runs", ["inputs": ["0"], "output": "0/out", "chain": id]),
      try bench.post("/api/favourites", ["unit": "aufx:lpas:appl", "favourite": true]),
      try bench.post("/api/live/start", ["chain": id]),
      try bench.post("/api/windows", ["unit": "aufx:lpas:appl"]),
    ]
    for reply in refused {
      #expect(
        reply.status == 403 && reply.json["kind"] as? String == "readOnly", "\(reply.summary)")
    }
    let render = try bench.post("/api/renders", ["chain": id, "file": "0/voice.wav"]).json
    let done = try bench.wait(for: "/api/renders/\(render["id"] ?? "")", "done", "failed")
    #expect(done["state"] as? String == "done", "\(done)")
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: bench.folder("work")).sorted() == before)
    #expect(!FileManager.default.fileExists(atPath: bench.folder("config/auricle/studio.json")))
  }

  @Test("Slow clients and a thousand connections keep nobody else out")
  func crowd() throws {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 4096)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let bench = try StudioBench()
    var crowd: [Int32] = []
    defer { for socket in crowd { close(socket) } }
    // Some ask for a large file and read nothing; some say half a word; the others say nothing.
    let big = Sound([TestSignal.noise(seed: 3, amplitude: 0.1, frameCount: 2_000_000)])
    try big.write(to: bench.folder("work/big.wav"))
    for number in 0..<1000 {
      let socket = try bench.connect()
      crowd.append(socket)
      if number % 100 == 0 {
        let text =
          "GET /api/files/raw?file=0/big.wav HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\n"
          + "Authorization: Bearer \(bench.token)\r\n\r\n"
        try? StudioBench.write(Data(text.utf8), to: socket)
      } else if number % 3 == 0 {
        try? StudioBench.write(Data("GET /api/st".utf8), to: socket)
      }
    }
    for _ in 0..<20 { #expect(try bench.get("/api/studio").status == 200) }
    let page = try PageClient(bench)
    #expect(page.next("hello") != nil)
    let descriptors = try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(bench.child.id)/fd"
    ).count
    #expect(descriptors < 600, "\(descriptors) files are open")
    #expect(
      try bench.ask("GET", "/api/files/raw?file=0/big.wav", headers: ["Range": "bytes=-4"]).body
        .count == 4)
  }

  @Test("A line without an end is cut off, and holds nobody up")
  func endless() throws {
    let bench = try StudioBench()
    let line = Data(("GET /" + String(repeating: "a", count: 3_000_000)).utf8)
    // As many as there are threads for requests, and more.
    let sockets = try (0..<(sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2)).map { _ in
      try bench.connect()
    }
    defer { for socket in sockets { close(socket) } }
    for socket in sockets { try? StudioBench.write(line, to: socket) }
    #expect(try bench.get("/api/studio").status == 200)
    for socket in sockets { #expect(StudioBench.readAll(socket).isEmpty) }
    let name = String(repeating: "b", count: 12_000)
    #expect(try bench.get("/api/units?search=" + name).status == 200)
  }

  @Test("A request that is too large, or malformed, has a separate error")
  func malformed() throws {
    let bench = try StudioBench()
    let headers = [
      "Host": "127.0.0.1:\(bench.port)", "Authorization": "Bearer \(bench.token)",
    ]
    // The answer arrives, though the client has sent all before it reads.
    for count in [1_100_000, 20_000_000] {
      let body = Data(repeating: UInt8(ascii: " "), count: count)
      let large = try bench.send("POST", "/api/chains", headers, body)
      #expect(
        large.status == 413 && large.json["kind"] as? String == "tooLarge", "\(large.summary)")
      let stranger = try bench.send("POST", "/api/chains", ["Host": headers["Host"] ?? ""], body)
      #expect(stranger.status == 403, "\(stranger.summary)")
    }
    let part = "10000\r\n" + String(repeating: " ", count: 0x10000) + "\r\n"
    let parts = try bench.send(
      "POST", "/api/chains", headers, chunks: Data((String(repeating: part, count: 20)).utf8))
    #expect(parts.status == 413, "\(parts.summary)")
    let text = try bench.send("POST", "/api/chains", headers, Data("[1, 2".utf8))
    #expect(text.status == 400 && text.json["error"] is String, "\(text.summary)")
    #expect(try bench.get("/api/nowhere").status == 404)
    #expect(try bench.ask("PUT", "/api/chains", [:]).status == 405)
    #expect(try bench.get("/api/files?folder=0&limit=x").status == 400)
    let range = try bench.ask(
      "GET", "/api/files/raw?file=0/voice.wav", headers: ["Range": "bytes=4-7"])
    #expect(range.status == 206 && range.body.count == 4, "\(range.summary)")
    #expect(range.headers["content-range"]?.hasPrefix("bytes 4-7/") == true)
    let beyond = try bench.ask(
      "GET", "/api/files/raw?file=0/voice.wav", headers: ["Range": "bytes=99999999-"])
    #expect(beyond.status == 416)
  }
}
