// A temporary folder for one run, and copying of sound through pipes.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import Foundation
import Glibc
import HostSystem

/// A temporary folder for one run, removed at its end.
struct ScratchFolder {
  let path: String

  init() throws(AuricleError) {
    var base = NSTemporaryDirectory()
    while base.count > 1, base.hasSuffix("/") { base.removeLast() }
    var template = Array((base + "/auricle-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw systemError(errno, "write into", base)
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Creates a folder in it; nil when that fails.
  func makeFolder(_ name: String) -> String? {
    unsafe mkdir(path + "/" + name, 0o700) == 0 ? path + "/" + name : nil
  }

  /// Copies a file to standard output, or to another descriptor; an `errno` number, 0 on success.
  static func copy(_ path: String, to target: Int32) -> Int32 {
    let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { return errno }
    defer { close(source) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { unsafe read(source, &block, block.count) }
      guard count > 0 else { return count < 0 ? errno : 0 }
      let failure = write(block[..<count], to: target)
      guard failure == 0 else { return failure }
    }
  }

  /// Writes all bytes; an `errno` number, 0 on success.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    unsafe bytes.withUnsafeBytes { unsafe FileTransfer.writeAll($0, to: descriptor) }
  }

  func remove() { _ = unsafe AuricleRemoveFolder(path) }

  /// Waits for bytes: a pipe may be silent for hours.
  private func wait(
    for source: Int32, _ shouldStop: () -> Bool
  ) throws(AuricleError) {
    var one = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
    while !shouldStop() {
      if unsafe poll(&one, 1, 100) > 0 { return }
    }
    throw AuricleError(
      .interrupted,
      "interrupted while standard input was being read: nothing was begun; give the command again")
  }

  /// Copies standard input, or another descriptor, to a file.
  func spool(
    _ source: Int32, to file: String, shouldStop: () -> Bool
  ) throws(AuricleError) {
    let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError(errno, "write", file) }
    defer { close(descriptor) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      try wait(for: source, shouldStop)
      let count = retrying { unsafe read(source, &block, block.count) }
      if count < 0 { throw systemError(errno, "read", "standard input") }
      if count == 0 { return }
      let failure = Self.write(block[..<count], to: descriptor)
      guard failure == 0 else { throw systemError(failure, "write", file) }
    }
  }
}
