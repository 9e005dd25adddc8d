// What the kernel tells of processes in /proc: memory, age, children.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Looks at processes from outside. Context: control.
enum ProcessFacts {
  /// Bytes that a process has in use of its own and of shared memory, without what belongs to files
  /// on disks; nil where they are not above a limit, or not told.
  static func memory(of id: pid_t, above limit: Int) -> Int? {
    // One short line says of most that they are far below.
    guard let pages = text("/proc/\(id)/statm")?.split(separator: " "), pages.count > 1,
      let resident = Int(pages[1]), resident * sysconf(Int32(_SC_PAGESIZE)) > limit,
      let status = text("/proc/\(id)/status")
    else { return nil }
    var kibibytes = 0
    for line in status.split(separator: "\n")
    where line.hasPrefix("RssAnon:") || line.hasPrefix("RssShmem:") {
      kibibytes += line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
    return kibibytes << 10 > limit ? kibibytes << 10 : nil
  }

  /// When a process was started, in ticks since the system was; nil when it is gone.
  static func startTime(of id: pid_t) -> UInt64? {
    // The name in parentheses may hold anything; the time is the twentieth field after it.
    guard let text = text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }

  /// The children of this process; nil where the kernel does not tell them.
  static func children() -> [pid_t]? {
    let tasks = "/proc/self/task"
    var found: [pid_t]?
    for thread in RunFolder.names(in: tasks) {
      guard let list = text("\(tasks)/\(thread)/children") else { continue }
      found = (found ?? []) + list.split(separator: " ").compactMap { pid_t($0) }
    }
    return found
  }

  private static func text(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += block[0..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
