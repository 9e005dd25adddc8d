// A display for one test with its pointer, and a live chain with a control socket.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// Whether the program for windows was built, and there is a display to show them on.
let hasWindows =
  FileManager.default.fileExists(atPath: Places.builtProducts + "/Windows/auricle-window")
  && FileManager.default.fileExists(atPath: "/usr/bin/Xvfb")

/// A server of X11 without a screen, plug-ins with windows, and folders of their own.
final class Screen {
  /// The plug-ins: a fader in CLAP, and one in VST3.
  static let clap = "clap:org.auricle.test.fader"
  static let vst3 = "vst3:41757269636C65005465737400000009"

  private let server: ChildProcess
  private let folder: TemporaryFolder
  /// `DISPLAY`.
  let name: String
  /// The environment of programs of the test.
  let environment: [String: String?]

  init() throws {
    folder = try TemporaryFolder("auricle-windows")
    server = try ChildProcess(
      "Xvfb", ["-displayfd", "1", "-noreset", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
    let server = server
    guard server.waits(until: { server.standardOutput.hasSuffix("\n") }) else {
      throw ScreenError(description: "Xvfb does not start: \(server.standardError)")
    }
    name = ":" + server.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    let fixtures = try Self.fixtures.get()
    environment = [
      "DISPLAY": name, "HOME": folder("home"), "XDG_CACHE_HOME": fixtures + "/cache",
      "LV2_PATH": nil, "CLAP_PATH": fixtures + "/clap", "VST3_PATH": fixtures + "/vst3",
      "WAYLAND_DISPLAY": nil,
      "AURICLE_COMPONENT_PATH": nil, "COLUMNS": "80", "TERM": "dumb", "XDG_CONFIG_HOME": nil,
    ]
  }

  /// The folder of plug-ins and of the program for the display, compiled once for all tests.
  private static let fixtures = Result {
    let folder = Places.builtProducts + "/test-windows"
    let library = "\(folder)/vst3/Fader.vst3/Contents/\(architecture)/Fader.so"
    for path in [folder + "/clap", (library as NSString).deletingLastPathComponent] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try compile("FaderCLAP", ["-shared", "-fPIC"], to: folder + "/clap/Fader.clap")
    try compile("FaderVST3", ["-shared", "-fPIC"], to: library)
    try compile("Eye", ["-lXtst"], to: folder + "/eye")
    return folder
  }

  deinit {
    server.send(signal: SIGKILL)
    _ = server.wait()
  }

  private static var architecture: String {
    #if arch(arm64)
      "aarch64-linux"
    #else
      "x86_64-linux"
    #endif
  }

  /// Compiles into another file first: a test that was cut off must not leave half of one.
  static func compile(_ source: String, _ flags: [String], to path: String) throws {
    let file = Places.inPackage("Tests/Fixtures/Windows/\(source).c")
    let result = try runProcess(
      "cc", ["-O1", "-w", "-o", path + ".next", file] + flags + ["-lX11"])
    guard result.exitCode == 0 else {
      throw ScreenError(description: "cc: \(result.standardError)")
    }
    guard unsafe rename(path + ".next", path) == 0 else {
      throw ScreenError(description: "\(path) cannot be replaced")
    }
  }

  /// A path in the folder of the test.
  func callAsFunction(_ name: String) -> String { folder(name) }

  /// Starts the program.
  func start(_ arguments: [String], environment more: [String: String?] = [:]) throws
    -> ChildProcess
  {
    try ChildProcess(
      Places.auricle, arguments, environment: environment.merging(more) { $1 }, in: folder.path)
  }

  /// Runs the program to its end.
  func run(_ arguments: [String], environment more: [String: String?] = [:]) throws
    -> ProcessResult
  {
    try start(arguments, environment: more).wait()
  }

  /// Does something at the display; nil where there is no such window.
  @discardableResult func eye(_ words: String...) -> String? {
    guard let program = try? Self.fixtures.get() + "/eye" else { return nil }
    let result = try? runProcess(program, words, environment: ["DISPLAY": name])
    guard let result, result.exitCode == 0 else { return nil }
    return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Starts live sound of a unit between silence and a file.
  func startLive(
    _ unit: String, environment: [String: String?] = [:]
  ) throws -> LiveChild {
    // Ten minutes of silence, longer than a test on any busy machine: the header of a file, and a hole.
    let path = folder("silence.wav")
    let count: UInt32 = 48_000 * 4 * 600
    var header = Data("RIFF".utf8)
    func add(_ value: UInt32) {
      for place in 0..<4 { header.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(place)))) }
    }
    add(36 + count)
    header += Data("WAVEfmt ".utf8)
    for value: UInt32 in [16, 0x2_0001, 48_000, 48_000 * 4, 0x10_0004] { add(value) }
    header += Data("data".utf8)
    add(count)
    try header.write(to: URL(fileURLWithPath: path))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64(44 + count))
    let socket = "/tmp/auricle-\(UUID().uuidString.prefix(13))"
    let child = try start(
      [
        "live", "--unit", unit, "--control", "unix:\(socket)", "--input",
        "file:\(folder("out.wav")),in=\(path),clock=real",
      ], environment: environment)
    return LiveChild(child, socket)
  }
}

/// A running `auricle live` and its control socket.
final class LiveChild {
  let child: ChildProcess
  let socket: String

  init(_ child: ChildProcess, _ socket: String) { (self.child, self.socket) = (child, socket) }

  deinit {
    child.send(signal: SIGKILL)
    _ = child.wait()
    try? FileManager.default.removeItem(atPath: socket)
  }

  /// Sends a line; nil where nobody answers.
  func ask(_ line: String) -> String? {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: Array(socket.utf8))
    }
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { return nil }
    let text = Array((line + "\n").utf8)
    unsafe _ = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(descriptor, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
    return byte == 0x0A ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The value of a parameter of the first stage, as the socket for windows has it.
  func value(_ id: Int) -> Double? {
    let words = (ask("values 1") ?? "").split(separator: " ")
    let word = words.first { $0.hasPrefix("\(id)=") }
    return word.flatMap { Double($0.split(separator: "=")[1]) }
  }

  /// The processes for units below this one.
  var unitProcesses: [pid_t] {
    func text(_ path: String) -> String {
      (FileManager.default.contents(atPath: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    func children(of id: pid_t) -> [pid_t] {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
      let found = tasks.flatMap { text("/proc/\(id)/task/\($0)/children").split(separator: " ") }
        .compactMap { pid_t($0) }
      return found + found.flatMap(children)
    }
    return children(of: child.id).filter { text("/proc/\($0)/cmdline").contains("serve-units") }
  }

  /// The process of the window that a program shows; nil for none.
  static func window(of child: ChildProcess) -> pid_t? {
    let text = try? String(
      contentsOfFile: "/proc/\(child.id)/task/\(child.id)/children", encoding: .utf8)
    return (text ?? "").split(separator: " ").compactMap { pid_t($0) }.first { id in
      let name = try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)
      return name?.hasPrefix("auricle-window") ?? false
    }
  }
}

/// A part of the test's surroundings that is not there.
struct ScreenError: Error, CustomStringConvertible {
  let description: String
}
