// The names of the functions that a shared object exports, without loading it.
// SPDX-License-Identifier: Apache-2.0

/// Reads the dynamic symbols of an ELF file of 64 bits in the order of bytes of this machine.
enum ExportedSymbols {
  /// The names of defined, visible symbols; nil when the file cannot be understood.
  ///
  /// Context: any.
  static func names(in file: [UInt8]) -> Set<String>? {
    guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let sections = number(file, 40, 8),
      let width = number(file, 58, 2), let count = number(file, 60, 2), width >= 64
    else { return nil }
    for index in 0..<count {
      let header = sections + index * width
      guard let type = number(file, header + 4, 4) else { return nil }
      // SHT_DYNSYM, whose link is the section of its names.
      guard type == 11 else { continue }
      guard let start = number(file, header + 24, 8), let size = number(file, header + 32, 8),
        let link = number(file, header + 40, 4), link < count,
        let texts = number(file, sections + link * width + 24, 8)
      else { return nil }
      return symbols(file, start, size, texts)
    }
    return nil
  }

  private static func symbols(
    _ file: [UInt8], _ start: Int, _ size: Int, _ texts: Int
  ) -> Set<String> {
    var names: Set<String> = []
    for offset in stride(from: 0, to: min(size, 1 << 24), by: 24) {
      guard let name = number(file, start + offset, 4),
        let info = number(file, start + offset + 4, 1),
        let section = number(file, start + offset + 6, 2)
      else { break }
      // Defined here (not section 0), and global or weak.
      guard section != 0, [1, 2].contains(info >> 4), texts + name < file.count else { continue }
      names.insert(String(decoding: file[(texts + name)...].prefix { $0 != 0 }, as: UTF8.self))
    }
    return names
  }

  /// A number of some bytes, the least significant first; nil beyond the end or the range of `Int`.
  private static func number(_ file: [UInt8], _ place: Int, _ bytes: Int) -> Int? {
    guard place >= 0, place <= file.count - bytes else { return nil }
    let value = (0..<bytes).reduce(UInt64(0)) { $0 | UInt64(file[place + $1]) << UInt64(8 * $1) }
    return value < 1 << 40 ? Int(value) : nil
  }
}
