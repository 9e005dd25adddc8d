// Two programs as one chain over the network: one sends, the other plays; refusals with their reasons.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct NetworkLiveTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  private let port = FreePorts.pair()

  private func samples(_ name: String) -> [Float] {
    (try? Sound(path: box(name)).channels.first) ?? []
  }

  @Test("live to the network and live from it are one chain")
  func chain() throws {
    let rows = [1, 2].map { TestSignal.noise(seed: $0, amplitude: 0.25, frameCount: 240_000) }
    try Sound(rows).write(to: box("in.wav"))
    let booth = try box.start(
      "live", "--input", "net:,listen=127.0.0.1:\(port)", "--output", "file:\(box("out.wav"))",
      "--period", "256")
    // The stage calls until the booth is there.
    let stage = try box.start(
      "live", "--input", "file:,in=\(box("in.wav"))", "--output", "net:127.0.0.1:\(port)",
      "--period", "256")
    let isComplete = booth.waits {
      samples("out.wav").filter { $0 != 0 }.count > 96_000 || !stage.isRunning
    }
    #expect(isComplete, "\(booth.standardError) \(stage.standardError)")
    for program in [stage, booth] { program.send(signal: SIGTERM) }
    _ = stage.wait()
    let result = booth.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    let out = samples("out.wav")
    let first = try #require(out.firstIndex { $0 != 0 })
    // Somewhere behind the fade it is the same sound; a busy machine may have gaps.
    let isFound = stride(from: first + 500, to: out.count - 64, by: 1000).contains { begin in
      (0..<rows[0].count - 32).contains { place in
        (0..<32).allSatisfy { rows[0][place + $0] == out[begin + $0] }
      }
    }
    #expect(isFound)
  }

  /// The resident memory of a process (bytes).
  private func memory(of id: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    let words = (text.split(separator: ")").last ?? "").split(separator: " ")
    try #require(words.count > 21)
    return (Int(words[21]) ?? 0) * Int(getpagesize())
  }

  @Test("A flood of datagrams costs a receiver no memory, and it goes on")
  func flood() throws {
    let receiver = try box.start(
      "record", "x.wav", "--duration", "600", "--device", "net:,listen=127.0.0.1:\(port)",
      "--channels", "2")
    let isOpen = receiver.waits {
      let table = (try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8)) ?? ""
      return table.contains(String(format: "0100007F:%04X", port))
    }
    try #require(isOpen, "\(receiver.standardError)")
    let before = try memory(of: receiver.id)
    // Two programs send as fast as they can: strangers' packets, first words, and nonsense.
    let flood =
      "import os,socket,time;s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM);"
      + "a=[b'aurs\\x01\\x01\\x00\\x11'+os.urandom(16)+b'\\x01'+bytes(231),b'\\x80a'+bytes(490),os.urandom(1200)];"
      + "e=time.time()+2;n=0\nwhile time.time()<e:\n s.sendto(a[n%3],('127.0.0.1',\(port)));n+=1\nprint(n)"
    let senders = try (0..<2).map { _ in try ChildProcess("python3", ["-c", flood]) }
    let counts = senders.map { Int($0.wait().standardOutput.dropLast()) ?? 0 }
    let memory = try self.memory(of: receiver.id) - before
    #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    #expect(memory < 16 << 20, "\(memory)")
    receiver.send(signal: SIGINT)
    let result = receiver.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test(
    "Impossible settings are one sentence with a remedy",
    arguments: [
      ("net:,listen=0.0.0.0", "who may send", Int32(64)), ("net:host:0", "no host", 64),
      ("net:127.0.0.1,format=mp3", "no format", 64), ("net:127.0.0.1,wait=1", "means nothing", 64),
      ("net:127.0.0.1,password-file=nowhere", "password file", 69),
      ("net:,plain,sdp=nowhere.sdp", "SDP", 69),
      ("net:,listen=192.0.2.1,from=192.0.2.2", "192.0.2.1", 69),
    ])
  func refusals(device: String, words: String, code: Int32) throws {
    let result = try box.run("record", "x.wav", "--duration", "1", "--device", device)
    #expect(result.exitCode == code, "\(result.summary)")
    #expect(result.standardError.contains(words), "\(result.summary)")
    #expect(
      result.errorLines.filter { $0.hasPrefix("auricle:") || $0.hasPrefix("Error:") }.count == 1)
  }
}
