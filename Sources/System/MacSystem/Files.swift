// The functions of Files.h: references to files, which are numbers of the paths that this process has seen.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import Glibc
import Synchronization

/// Paths, absolute and without symbolic links, as bytes; each once.
private struct KnownPaths {
  private(set) var paths: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]

  mutating func number(of path: [UInt8]) -> Int {
    if let number = numbers[path] { return number }
    paths.append(path)
    numbers[path] = paths.count - 1
    return paths.count - 1
  }
}

private let known = Mutex(KnownPaths())

/// The beginning of a reference, behind which is its number: other bytes are foreign.
private let mark: UInt64 = 0x4175_7269_4653_7266

/// Makes a reference to a file or folder that is there; links are followed.
///
/// - Returns: 0; -43 for a missing file; -50 for a null pointer or an empty path.
///
/// Context: control.
@c @implementation
public func FSPathMakeRef(
  _ path: UnsafePointer<UInt8>?, _ reference: UnsafeMutablePointer<FSRef>?,
  _ isDirectory: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  guard let path = unsafe path, let reference = unsafe reference, unsafe path.pointee != 0 else {
    return OSStatus(paramErr)
  }
  var status = stat()
  let resolved = unsafe path.withMemoryRebound(to: CChar.self, capacity: 1) {
    unsafe stat($0, &status) == 0 ? unsafe realpath($0, nil) : nil
  }
  guard let resolved = unsafe resolved else { return OSStatus(fnfErr) }
  defer { unsafe free(resolved) }
  let bytes = unsafe (0..<strlen(resolved)).map { unsafe UInt8(bitPattern: resolved[$0]) }
  let number = known.withLock { $0.number(of: bytes) }
  var made = FSRef()
  unsafe withUnsafeMutableBytes(of: &made) {
    unsafe $0.storeBytes(of: mark, as: UInt64.self)
    unsafe $0.storeBytes(of: UInt64(number), toByteOffset: 8, as: UInt64.self)
  }
  unsafe reference.pointee = made
  unsafe isDirectory?.pointee = status.st_mode & S_IFMT == S_IFDIR
  return noErr
}

/// The path of a reference, with its 0.
///
/// - Returns: 0; -50 for a reference that was not made in this process, a null pointer, or too few bytes.
///
/// Context: control.
@c @implementation
public func FSRefMakePath(
  _ reference: UnsafePointer<FSRef>?, _ path: UnsafeMutablePointer<UInt8>?, _ size: UInt32
) -> OSStatus {
  guard let bytes = unsafe knownPath(reference), let path = unsafe path, bytes.count < Int(size)
  else { return OSStatus(paramErr) }
  for (index, byte) in bytes.enumerated() { unsafe path[index] = byte }
  unsafe path[bytes.count] = 0
  return noErr
}

/// Makes a reference to the file that a URL names.
///
/// - Returns: Whether it is a file's URL, and the file is there.
///
/// Context: control.
@c @implementation
public func CFURLGetFSRef(_ url: CFURLRef?, _ reference: UnsafeMutablePointer<FSRef>?) -> Bool {
  guard let bytes = unsafe filePath(of: url) else { return false }
  return unsafe FSPathMakeRef(bytes, reference, nil) == noErr
}

/// The URL of a reference, to be released; null for one that was not made in this process.
///
/// Context: control.
@c @implementation
public func CFURLCreateFromFSRef(
  _ allocator: CFAllocatorRef?, _ reference: UnsafePointer<FSRef>?
) -> CFURLRef? {
  guard let bytes = unsafe knownPath(reference) else { return nil }
  var status = stat()
  let isThere = unsafe stat(String(decoding: bytes, as: UTF8.self), &status) == 0
  return unsafe CFURLCreateFromFileSystemRepresentation(
    allocator, bytes, CFIndex(bytes.count), isThere && status.st_mode & S_IFMT == S_IFDIR)
}

/// Whether two references name the same.
///
/// - Returns: 0; -1301 for two files; -50 for one that was not made in this process.
///
/// Context: any.
@c @implementation
public func FSCompareFSRefs(
  _ reference1: UnsafePointer<FSRef>?, _ reference2: UnsafePointer<FSRef>?
) -> OSErr {
  guard let path1 = unsafe knownPath(reference1), let path2 = unsafe knownPath(reference2) else {
    return OSErr(paramErr)
  }
  return path1 == path2 ? 0 : -1301
}

/// The path of a reference; nil for other bytes.
private func knownPath(_ reference: UnsafePointer<FSRef>?) -> [UInt8]? {
  guard var copy = unsafe reference?.pointee else { return nil }
  let (found, number) = unsafe withUnsafeBytes(of: &copy) {
    unsafe ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
  }
  guard found == mark else { return nil }
  return known.withLock { known in
    known.paths.indices.contains(Int(clamping: number)) ? known.paths[Int(number)] : nil
  }
}

/// The path that a URL of a file names, with a zero behind it; nil for another URL, and for none.
///
/// Context: control.
package func filePath(of url: CFURLRef?) -> [UInt8]? {
  guard let url = unsafe url else { return nil }
  // A URL with another scheme than that of files would have a path, too.
  let scheme = unsafe String(consumingCFString: CFURLCopyScheme(url))
  guard scheme == nil || scheme?.lowercased() == "file" else { return nil }
  var bytes = [UInt8](repeating: 0, count: 4097)
  let isFile = unsafe bytes.withUnsafeMutableBufferPointer {
    unsafe CFURLGetFileSystemRepresentation(url, true, $0.baseAddress, CFIndex($0.count))
  }
  guard isFile, bytes[0] != 0 else { return nil }
  return Array(bytes.prefix { $0 != 0 }) + [0]
}
