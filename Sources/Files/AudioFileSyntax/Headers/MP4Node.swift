// Boxes of MP4 files in memory: a code, bytes, and boxes inside.
// SPDX-License-Identifier: Apache-2.0

/// A box that can be changed and written.
package struct MP4Node {
  /// Its code.
  package var code: UInt32
  /// The bytes in front of the boxes inside; all of a box without any.
  package var body: [UInt8]
  /// The boxes inside.
  package var children: [MP4Node]

  /// Makes a box.
  package init(_ code: StaticString, _ body: [UInt8] = [], _ children: [MP4Node] = []) {
    self.init(code: UInt32(code: code), body, children)
  }

  /// Makes a box of a code.
  package init(code: UInt32, _ body: [UInt8], _ children: [MP4Node] = []) {
    self.code = code
    self.body = body
    self.children = children
  }

  /// Boxes that are nothing but boxes.
  private static let parents: Set<UInt32> = [
    UInt32(code: "moov"), UInt32(code: "trak"), UInt32(code: "mdia"), UInt32(code: "minf"),
    UInt32(code: "stbl"), UInt32(code: "edts"), UInt32(code: "udta"), UInt32(code: "meta"),
    UInt32(code: "ilst"), UInt32(code: "mvex"), UInt32(code: "moof"), UInt32(code: "traf"),
  ]

  /// The boxes that bytes are; nil when they are not boxes throughout.
  package static func boxes(_ bytes: ArraySlice<UInt8>, depth: Int = 0) -> [MP4Node]? {
    var found: [MP4Node] = []
    var position = bytes.startIndex
    while bytes.endIndex - position >= 8 {
      let left = bytes.endIndex - position
      let head = Array(bytes[position...].prefix(8))
      let size = head.code(at: 0) == 0 ? left : Int(head.code(at: 0))
      guard size >= 8, size <= left else { return nil }
      let inner = bytes[(position + 8)..<(position + size)]
      found.append(box(head.code(at: 4), inner, depth: depth))
      position += size
    }
    // Some lists end with zeros.
    return bytes[position...].allSatisfy { $0 == 0 } ? found : nil
  }

  private static func box(_ code: UInt32, _ inner: ArraySlice<UInt8>, depth: Int) -> MP4Node {
    // Metadata has a version in front of its boxes, but not in QuickTime's files.
    let isMeta = code == UInt32(code: "meta")
    let isPlain = Array(inner.prefix(8)).code(at: 4) == UInt32(code: "hdlr")
    let lead = isMeta && !isPlain ? min(4, inner.count) : 0
    if parents.contains(code), depth < 16,
      let children = boxes(inner.dropFirst(lead), depth: depth + 1)
    {
      return MP4Node(code: code, Array(inner.prefix(lead)), children)
    }
    return MP4Node(code: code, Array(inner))
  }

  /// The box as it is written.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    put(&bytes)
    return bytes
  }

  private func put(_ bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += [0, 0, 0, 0] + [UInt8](code: code) + body
    for child in children { child.put(&bytes) }
    bytes.replaceSubrange(start..<(start + 4), with: [UInt8](code: UInt32(bytes.count - start)))
  }

  /// The box at the end of a way of codes: the first of each; setting nil removes it.
  package subscript(_ way: StaticString...) -> MP4Node? {
    get {
      var node: MP4Node? = self
      for code in way {
        node = node?.children.first { $0.code == UInt32(code: code) }
      }
      return node
    }
    set { set(way[...], newValue) }
  }

  private mutating func set(_ way: ArraySlice<StaticString>, _ node: MP4Node?) {
    guard let code = way.first else { return }
    let place = children.firstIndex { $0.code == UInt32(code: code) }
    if way.count > 1 {
      var child = place.map { children[$0] } ?? MP4Node(code)
      child.set(way.dropFirst(), node)
      if let place { children[place] = child } else { children.append(child) }
    } else if let place {
      if let node { children[place] = node } else { children.remove(at: place) }
    } else if let node {
      children.append(node)
    }
  }

  /// Changes every box of a code, at any depth.
  package mutating func changeAll(_ code: StaticString, _ change: (inout MP4Node) -> Void) {
    if self.code == UInt32(code: code) { change(&self) }
    for index in children.indices { children[index].changeAll(code, change) }
  }

  /// A box with a version and flags of zero.
  package static func full(
    _ code: StaticString, version: UInt8 = 0, flags: UInt32 = 0,
    _ fill: (inout ByteWriter) -> Void = { _ in }
  ) -> MP4Node {
    var writer = ByteWriter(bigEndian: true)
    writer.put(UInt32(version) << 24 | flags)
    fill(&writer)
    return MP4Node(code, writer.bytes)
  }
}
