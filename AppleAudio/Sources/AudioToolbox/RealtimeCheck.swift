// Reports of what a program's render code does and may not, with the file of the code.
// SPDX-License-Identifier: Apache-2.0

import CRealtimeCheck
import Foundation

/// The check of a program's render code, which `AURICLE_REALTIME_CHECK=1` asks for.
package enum RealtimeCheck {
  /// Whether render code is checked.
  package static let isOn: Bool = {
    guard ProcessInfo.processInfo.environment["AURICLE_REALTIME_CHECK"] == "1" else { return false }
    AuricleRealtimeCheckStart()
    let reader = Thread {
      while true {
        AuricleRealtimeCheckWait()
        reportAll()
      }
    }
    reader.start()
    atexit { RealtimeCheck.reportAll() }
    return true
  }()
  private static let reporting = NSLock()
  private nonisolated(unsafe) static var reported: Set<String> = []

  /// Includes libraries that were loaded since the last time. Context: control.
  package static func update() { if isOn { AuricleRealtimeCheckStart() } }

  /// Begins a call of the program's code. Render thread.
  package static func enter() { if isOn { AuricleRealtimeCheckEnter() } }
  /// Ends it. Render thread.
  package static func leave() { if isOn { AuricleRealtimeCheckLeave() } }

  // MARK: Reports

  private static func verb(_ function: String) -> String {
    switch function {
    case "free": "frees memory"
    case "dispatch_sync": "waits for a queue"
    case let name where name.contains("lock"): "waits for a lock"
    default: "allocates memory"
    }
  }
  /// Reports the calls so far.
  private static func reportAll() {
    reporting.lock()
    defer { reporting.unlock() }
    var call = AuricleRealtimeCall()
    while AuricleRealtimeCheckTake(&call) != 0 { report(call) }
  }
  /// Reports a call, once for each line and function. Context: under the lock.
  private static func report(_ call: AuricleRealtimeCall) {
    let function = String(cString: call.function)
    let frames = withUnsafeBytes(of: call.frames) {
      Array($0.bindMemory(to: UnsafeRawPointer?.self).prefix(Int(call.frameCount)))
    }
    let place = place(frames.compactMap { $0 })
    let text =
      "auricle: \(place) \(verb(function)) in render (\(function)): move that out of the block, before the start"
    guard reported.insert(text).inserted else { return }
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
  /// The place of the innermost frame in a source file of the program; else the name of its image.
  private static func place(_ frames: [UnsafeRawPointer]) -> String {
    var image = "unknown code"
    for frame in frames {
      var offset: UInt = 0
      guard let path = AuricleImageOf(frame, &offset) else { continue }
      var file = String(cString: path)
      if !file.contains("/") || !FileManager.default.fileExists(atPath: file) {
        file = "/proc/self/exe"
      }
      if image == "unknown code" { image = (file as NSString).lastPathComponent }
      if let line = sourceLine(file, offset - 1) { return line }
    }
    return image
  }
  /// The folder of this package's sources, whose frames are not the program's.
  private static let ownSources =
    (("\(#filePath)" as NSString).deletingLastPathComponent as NSString)
    .deletingLastPathComponent
  private static let symbolizer: String? = {
    var offset: UInt = 0
    var folders: [String] = []
    if let core = dlsym(nil, "swift_allocObject"), let path = AuricleImageOf(core, &offset) {
      // TOOLCHAIN/usr/lib/swift/linux/libswiftCore.so
      let usr = (0..<4).reduce(String(cString: path)) { path, _ in
        (path as NSString).deletingLastPathComponent
      }
      folders.append(usr + "/bin")
    }
    folders += (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(
      String.init)
    return folders.flatMap { ["\($0)/llvm-symbolizer", "\($0)/addr2line"] }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()
  /// The file and line of an address in an image, by its debug information; nil without, and for a library's own code.
  private static func sourceLine(_ image: String, _ offset: UInt) -> String? {
    guard let symbolizer else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: symbolizer)
    let address = "0x" + String(offset, radix: 16)
    process.arguments =
      symbolizer.hasSuffix("addr2line")
      ? ["-i", "-e", image, address] : ["-e", image, "-f=none", address]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // Innermost first; code that was inlined from a library has no file here.
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard parts.count >= 2, parts[0].hasPrefix("/"), !parts[0].hasPrefix(ownSources),
        FileManager.default.fileExists(atPath: String(parts[0])), let number = Int(parts[1]),
        number > 0
      else { continue }
      return "\(parts[0]):\(number)"
    }
    return nil
  }
}
