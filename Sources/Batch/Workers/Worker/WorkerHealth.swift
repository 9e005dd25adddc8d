// Whether a worker may go on: units leave no descriptors, threads or memory behind.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// The descriptors, threads and memory of a process, compared with its start.
struct WorkerHealth {
  private let freeDescriptor = WorkerHealth.lowestFreeDescriptor
  private let threadCount = WorkerHealth.threadCount
  /// Memory after the first job, in bytes.
  private var firstMemory = 0
  /// The permitted growth of memory: half a GiB plus a quarter of the limit.
  private let mostGrowth: Int

  /// Measures the process; `memoryLimit` is in bytes, 0 for none.
  init(memoryLimit: Int) {
    mostGrowth = min(512 << 20, memoryLimit > 0 ? memoryLimit / 4 : .max)
  }

  /// Whether another job may be done; call it after every job.
  mutating func isGood() -> Bool {
    let memory = Self.residentMemory
    if firstMemory == 0 { firstMemory = memory }
    return Self.lowestFreeDescriptor < freeDescriptor + 64 && Self.threadCount < threadCount + 128
      && memory < firstMemory + mostGrowth
  }

  /// Resident memory of this process in bytes.
  private static var residentMemory: Int {
    let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(descriptor, &text, text.count)
    guard count > 0 else { return 0 }
    // The second number: pages.
    let fields = text[0..<count].split(separator: 0x20)
    let pages = fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var lowestFreeDescriptor: Int32 {
    let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0 ? descriptor : Int32.max / 2
  }

  /// The number of threads of this process; 0 if unknown.
  static var threadCount: Int {
    let descriptor = unsafe open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 1024)
    let count = unsafe read(descriptor, &text, text.count)
    // Behind the name in brackets, the 18th field is the number of threads.
    guard count > 0, let bracket = text[0..<count].lastIndex(of: UInt8(ascii: ")")) else {
      return 0
    }
    let fields = text[(bracket + 1)..<count].split(separator: 0x20)
    return fields.count > 17 ? Int(String(decoding: fields[17], as: UTF8.self)) ?? 0 : 0
  }
}
