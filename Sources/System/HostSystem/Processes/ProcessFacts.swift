// Facts of processes that the kernel reports in /proc: memory, age, children.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads the state of processes from outside. Context: control.
package enum ProcessFacts {
  /// Bytes of private and shared memory that a process has in use, without pages of files on disks;
  /// nil where they are not above a limit, or unknown.
  package static func memory(of id: pid_t, above limit: Int) -> Int? {
    let held = bytesOfMemoryFiles(of: id)
    // One short line says of most that they are far below.
    guard let pages = text("/proc/\(id)/statm")?.split(separator: " "), pages.count > 1,
      let resident = Int(pages[1]), resident * sysconf(Int32(_SC_PAGESIZE)) + held > limit,
      let status = text("/proc/\(id)/status")
    else { return nil }
    var (own, shared) = (0, 0)
    for line in status.split(separator: "\n") {
      let kibibytes = line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
      if line.hasPrefix("RssAnon:") { own += kibibytes << 10 }
      if line.hasPrefix("RssShmem:") { shared += kibibytes << 10 }
    }
    // A file in memory that is mapped is part of the shared memory already.
    let total = own + max(shared, held)
    return total > limit ? total : nil
  }

  /// Bytes of the files in memory (`memfd_create`) that a process has open, mapped or not.
  private static func bytesOfMemoryFiles(of id: pid_t) -> Int {
    let folder = "/proc/\(id)/fd"
    var seen: Set<UInt64> = []
    var bytes = 0
    var target = [CChar](repeating: 0, count: memoryFileMark.count)
    for name in FolderListing.names(in: folder) {
      let path = Path.joining(folder, name)
      var status = stat()
      guard unsafe readlink(path, &target, target.count) == target.count,
        target == memoryFileMark, unsafe stat(path, &status) == 0,
        seen.insert(UInt64(status.st_ino)).inserted
      else { continue }
      bytes += Int(status.st_blocks) * 512
    }
    return bytes
  }

  /// The beginning of the kernel's names of files in memory.
  private static let memoryFileMark = "/memfd:".utf8.map { CChar(bitPattern: $0) }

  /// When a process was started, in ticks since the system was; nil when it is gone.
  static func startTime(of id: pid_t) -> UInt64? {
    // The name in parentheses may hold anything; the time is the twentieth field after it.
    guard let text = text("/proc/\(id)/stat"), let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }

  /// Seconds in which the first thread of a process was ready to run and others had the processor; nil when it is
  /// gone, or where the kernel does not report them.
  package static func waitingTime(of id: pid_t) -> Double? {
    let fields = text("/proc/\(id)/schedstat")?.split { $0 == " " || $0 == "\n" } ?? []
    return fields.count > 1 ? Double(fields[1]).map { $0 / 1e9 } : nil
  }

  /// The names of the running processes of a group, without ended ones that wait for their parent.
  package static func names(ofGroup group: pid_t) -> [String] {
    FolderListing.names(in: "/proc").compactMap { entry in
      guard let id = pid_t(entry), let text = text("/proc/\(id)/stat"),
        let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end
      else { return nil }
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 2, pid_t(fields[2]) == group, !["Z", "X"].contains(fields[0]) else {
        return nil
      }
      return String(text[text.index(after: start)..<end])
    }
  }

  /// The children of this process; nil where the kernel does not list them.
  package static func children() -> [pid_t]? {
    let tasks = "/proc/self/task"
    var found: [pid_t]?
    for thread in FolderListing.names(in: tasks) {
      guard let list = text("\(tasks)/\(thread)/children") else { continue }
      found = (found ?? []) + list.split(separator: " ").compactMap { pid_t($0) }
    }
    return found
  }

  private static func text(_ path: String) -> String? {
    guard let file = FileDescriptor(ifReadable: path) else { return nil }
    return String(decoding: FileTransfer.readAll(file.number) ?? [], as: UTF8.self)
  }
}
