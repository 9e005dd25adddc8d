// Copies, reads and writes files of plug-ins' states, confined to a folder.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HostSystem

/// File operations that never follow a path out of the folder it belongs to. Context: control.
package enum LV2Files {
  /// The most files copied from a folder, and the most bytes kept in memory.
  private static let fileLimit = 4096
  private static let byteLimit = 256 << 20

  /// `folder/relative`; nil if that leads out of the folder by ".." or a symbolic link.
  package static func join(_ folder: String, _ relative: String) -> String? {
    var parts: [Substring] = []
    for part in relative.split(separator: "/") where part != "." {
      if part == ".." || part.utf8.contains(0) { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty, !relative.hasPrefix("/") else { return nil }
    let whole = folder.hasSuffix("/") ? folder : folder + "/"
    let joined = whole + parts.joined(separator: "/")
    // The existing part must really be below the folder.
    var existing = joined
    while !exists(existing), let slash = existing.lastIndex(of: "/"), slash > existing.startIndex {
      existing = String(existing[..<slash])
    }
    guard let real = resolved(existing), let base = resolved(folder) else { return nil }
    return real == base || real.hasPrefix(base + "/") ? joined : nil
  }

  /// The part of an absolute path below a folder, with links resolved; nil when it is not below it.
  package static func path(_ path: String, below folder: String) -> String? {
    guard let real = resolved(path), let base = resolved(folder) else {
      return suffix(of: path, below: folder).flatMap { join(folder, $0) == nil ? nil : $0 }
    }
    return suffix(of: real, below: base)
  }

  /// The part of a path after a folder's, compared as text.
  package static func suffix(of path: String, below folder: String) -> String? {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    guard path.hasPrefix(base), path.utf8.count > base.utf8.count else { return nil }
    return String(path.dropFirst(base.count))
  }

  /// Copies a file, or a folder with its contents, under a free name; returns the name.
  package static func copy(_ path: String, into folder: String) -> String? {
    guard let real = resolved(path) else { return nil }
    let last = path.split(separator: "/").last.map(String.init) ?? "file"
    var name = last
    var number = 2
    while exists(folder + "/" + name) {
      name = "\(number)-\(last)"
      number += 1
    }
    var count = 0
    return copy(real, to: folder + "/" + name, &count) ? name : nil
  }

  private static func copy(_ source: String, to target: String, _ count: inout Int) -> Bool {
    count += 1
    var status = stat()
    guard count <= fileLimit, unsafe stat(source, &status) == 0 else { return false }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      guard unsafe mkdir(target, 0o777) == 0 else { return false }
      for entry in entries(of: source)
      where !copy(source + "/" + entry, to: target + "/" + entry, &count) { return false }
      return true
    case S_IFREG:
      let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
      guard input >= 0 else { return false }
      defer { close(input) }
      let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard output >= 0 else { return false }
      var left = Int(status.st_size)
      while left > 0 {
        let sent = sendfile(output, input, nil, left)
        if sent <= 0 { break }
        left -= sent
      }
      return close(output) == 0 && left == 0
    default: return false
    }
  }

  /// All files below a folder, with relative paths; nil when they exceed the limits.
  package static func contents(of folder: String) -> [(path: String, bytes: [UInt8])]? {
    var found: [(path: String, bytes: [UInt8])] = []
    var size = 0
    func visit(_ relative: String) -> Bool {
      for entry in entries(of: folder + "/" + relative).sorted() {
        let path = relative.isEmpty ? entry : relative + "/" + entry
        var status = stat()
        guard unsafe lstat(folder + "/" + path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          guard visit(path) else { return false }
        } else if status.st_mode & S_IFMT == S_IFREG {
          size += Int(status.st_size)
          guard size <= byteLimit, found.count < fileLimit,
            let bytes = read(folder + "/" + path, Int(status.st_size))
          else { return false }
          found.append((path, bytes))
        }
      }
      return true
    }
    return visit("") ? found : nil
  }

  private static func read(_ path: String, _ size: Int) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let start = buffer.baseAddress {
        let got = unsafe Glibc.read(descriptor, start + count, size - count)
        if got <= 0 { break }
        count += got
      }
    }
  }

  /// The bytes of a file; nil when it cannot be read or exceeds the limit.
  package static func contents(ofFile path: String) -> [UInt8]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) <= byteLimit
    else { return nil }
    return read(path, Int(status.st_size))
  }

  /// Writes a file below a folder, creating its parents; false on failure.
  package static func write(_ bytes: [UInt8], to relative: String, below folder: String) -> Bool {
    guard let path = join(folder, relative) else { return false }
    makeFolders(above: path, below: folder)
    let descriptor = unsafe open(
      path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    var written = 0
    unsafe bytes.withUnsafeBytes { raw in
      while written < raw.count, let start = raw.baseAddress {
        let count = unsafe Glibc.write(descriptor, start + written, raw.count - written)
        if count <= 0 { break }
        written += count
      }
    }
    return close(descriptor) == 0 && written == bytes.count
  }

  /// Creates the parents of a path below an existing folder.
  package static func makeFolders(above path: String, below folder: String) {
    guard let rest = suffix(of: path, below: folder) else { return }
    var partial = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    for part in rest.split(separator: "/").dropLast() {
      partial += "/" + part
      unsafe mkdir(partial, 0o777)
    }
  }

  /// Creates an empty folder that only this user can enter.
  package static func makeTemporaryFolder() -> String? {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/auricle-lv2-XXXXXX").utf8CString)
    return unsafe mkdtemp(&template).map { unsafe String(cString: $0) }
  }

  /// Removes a folder and its contents; links are removed, not followed.
  package static func remove(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for entry in entries(of: path) { remove(path + "/" + entry) }
      unsafe rmdir(path)
    } else {
      unsafe unlink(path)
    }
  }

  /// Whether there is something at a path.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  private static func entries(of folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe FileNameText.text(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe FileNameText.text(cString: real)
  }
}
