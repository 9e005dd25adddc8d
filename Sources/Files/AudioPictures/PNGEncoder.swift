// Pictures of few colours as PNG files.
// SPDX-License-Identifier: Apache-2.0

import CZlib

/// A picture of at most sixteen colours.
package struct IndexedPicture {
  let width: Int
  let height: Int
  /// The number of a colour for every pixel, row by row.
  var pixels: [UInt8]

  init(width: Int, height: Int) {
    self.init(
      width: width, height: height, pixels: Array(repeating: 0, count: width * height))
  }

  /// A picture of `width` times `height` pixels.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A colour: red, green, blue, opacity.
  package typealias Color = (red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8)

  /// The picture as a PNG file; empty when there is no memory for it.
  package func png(_ palette: [Color]) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // Four bits a pixel, colours from a table, nothing interlaced.
    Self.chunk("IHDR", Self.bytes(width) + Self.bytes(height) + [4, 3, 0, 0, 0], to: &file)
    Self.chunk("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
    Self.chunk("tRNS", palette.map(\.opacity), to: &file)
    var rows: [UInt8] = []
    rows.reserveCapacity((width / 2 + 2) * height)
    for row in 0..<height {
      // No filter: of colours from a table the neighbours predict nothing.
      rows.append(0)
      var column = 0
      while column < width {
        let left = pixels[row * width + column] & 15
        let right = column + 1 < width ? pixels[row * width + column + 1] & 15 : 0
        rows.append(left << 4 | right)
        column += 2
      }
    }
    guard let packed = Self.packed(rows) else { return [] }
    Self.chunk("IDAT", packed, to: &file)
    Self.chunk("IEND", [], to: &file)
    return file
  }

  private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    var length = compressBound(uLong(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(length))
    let status = unsafe compress2(&packed, &length, bytes, uLong(bytes.count), 6)
    guard status == Z_OK else { return nil }
    return Array(packed[0..<Int(length)])
  }

  private static func chunk(_ name: String, _ content: [UInt8], to file: inout [UInt8]) {
    let body = Array(name.utf8) + content
    file += bytes(content.count) + body
    let sum = unsafe crc32(0, body, uInt(body.count))
    file += bytes(Int(sum))
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}
