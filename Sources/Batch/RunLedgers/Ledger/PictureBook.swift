// The pictures of a run: one line for each file, in a file beside the ledger, which records the place.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import Glibc
package import HostSystem

/// The place of a file's pictures.
public struct PicturePlace: Sendable, Equatable {
  /// The number of the book, from 1.
  public var book: Int
  /// The offset of the line.
  public var offset: Int

  package var json: JSONValue {
    .members([("book", JSONValue(book)), ("offset", JSONValue(offset))])
  }

  package init(book: Int, offset: Int) {
    self.book = book
    self.offset = offset
  }

  package init?(json: JSONValue) {
    guard let book = json["book"]?.integer, let offset = json["offset"]?.integer, book > 0,
      offset >= 0
    else { return nil }
    self.init(book: book, offset: offset)
  }
}

/// The pictures of a file: PNG files in base 64.
public struct FilePictures: Sendable, Equatable {
  /// The input.
  public var before: String
  /// The result.
  public var after: String

  /// The longest that a picture may be.
  package static let longest = 1 << 16

  /// Pictures that were made.
  package init(before: String, after: String) {
    self.before = before
    self.after = after
  }

  /// The pictures as JSON.
  package var json: JSONValue {
    .members([("before", .string(before)), ("after", .string(after))])
  }

  /// Reads pictures from a worker's message; nil when they are malformed.
  package init?(json: JSONValue?) {
    guard let before = json?["before"]?.text, let after = json?["after"]?.text,
      before.utf8.count <= Self.longest, after.utf8.count <= Self.longest,
      Base64.isValid(before), Base64.isValid(after)
    else { return nil }
    self.before = before
    self.after = after
  }
}

/// Writes the pictures of one session of a run.
///
/// They matter less than results: a full disk ends the book, not the run, and nothing waits for them to be on
/// the disk.
public final class PictureBook {
  private let number: Int
  private let descriptor: Int32
  private var length = 0
  private var hasFailed = false

  package init(number: Int, path: String) throws(AuricleError) {
    self.number = number
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
  }

  deinit { close(descriptor) }

  /// Writes the pictures of a file; nil when they cannot be stored.
  package func add(_ pictures: FilePictures, index: Int) -> PicturePlace? {
    guard !hasFailed,
      let line = CheckedLine.encode([
        JSONValue.Member("index", JSONValue(index)),
        JSONValue.Member("before", .string(pictures.before)),
        JSONValue.Member("after", .string(pictures.after)),
      ])
    else { return nil }
    let written = unsafe pwrite(descriptor, line, line.count, off_t(length))
    guard written == line.count else {
      hasFailed = true
      return nil
    }
    let place = PicturePlace(book: number, offset: length)
    length += line.count
    return place
  }
}

/// Reads the pictures of a run.
public final class PictureReader {
  private let folder: RunFolder
  private var readers: [Int: LineFileReader] = [:]

  /// Makes a reader, which opens files when needed.
  public init(_ folder: RunFolder) { self.folder = folder }

  /// The pictures of a file; nil when it has none.
  ///
  /// Context: control.
  public func pictures(of record: FileRecord) -> FilePictures? {
    guard let place = record.pictures else { return nil }
    if readers[place.book] == nil {
      readers[place.book] = try? LineFileReader(path: folder.picturePath(place.book))
    }
    guard let line = readers[place.book]?.line(at: place.offset),
      let json = CheckedLine.decode(line), json["index"]?.integer == record.index
    else { return nil }
    return FilePictures(json: json)
  }
}
