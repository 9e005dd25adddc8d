// A change tried out: the bytes of a store as they would be, while the store stays as it is.
// SPDX-License-Identifier: Apache-2.0

/// Bytes of another store, with changes that only this one knows. One caller at a time.
package final class TrialStore: ByteStore {
  /// A contiguous run of bytes.
  private struct Run {
    /// Its start in this store.
    var start: Int64
    var count: Int64
    var origin: Origin

    var end: Int64 { start + count }

    /// The part of it between two positions of this store.
    func part(from low: Int64, to high: Int64) -> Run? {
      let (first, last) = (max(start, low), min(end, high))
      guard first < last else { return nil }
      return Run(start: first, count: last - first, origin: origin.advanced(by: first - start))
    }
  }

  /// The place of a run's bytes.
  private enum Origin {
    /// In the store below, from a position.
    case below(Int64)
    /// Among the bytes that were written, from an index.
    case written(Int64)

    func advanced(by offset: Int64) -> Origin {
      switch self {
      case .below(let position): .below(position + offset)
      case .written(let index): .written(index + offset)
      }
    }
  }

  private let below: BufferedStore
  private var runs: [Run] = []
  private var written: [UInt8] = []

  /// Begins with the bytes of a store, which nobody may change meanwhile.
  package init(over below: BufferedStore) throws(AudioFileFailure) {
    self.below = below
    let count = try below.byteCount
    if count > 0 { runs = [Run(start: 0, count: count, origin: .below(0))] }
  }

  package var byteCount: Int64 { runs.last?.end ?? 0 }

  /// Whether a place holds the bytes that the store below has at another, by where they came from.
  package func holds(_ count: Int64, of origin: Int64, at position: Int64) -> Bool {
    var checked = position
    for run in runs[firstRun(endingBehind: position)...] where checked < position + count {
      guard run.start <= checked, case .below(let place) = run.origin,
        place + checked - run.start == origin + checked - position
      else { return false }
      checked = run.end
    }
    return checked >= position + count
  }

  package func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    let end = min(byteCount, position + Int64(buffer.count))
    guard position < end else { return 0 }
    for run in runs[firstRun(endingBehind: position)...] {
      guard let part = run.part(from: position, to: end) else { break }
      let target = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[Int(part.start - position)..<Int(part.end - position)])
      switch part.origin {
      case .below(let place):
        guard try unsafe below.read(at: place, into: target) == target.count else { throw .broken }
      case .written(let index):
        unsafe target.copyBytes(from: written[Int(index)..<Int(index + part.count)])
      }
    }
    return Int(end - position)
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64
  ) throws(AudioFileFailure) {
    guard position >= 0, position < 1 << 62 else { throw .parameter }
    guard bytes.count > 0 else { return }
    if position > byteCount { try resize(to: position) }
    let run = Run(
      start: position, count: Int64(bytes.count), origin: .written(Int64(written.count)))
    unsafe written.append(contentsOf: bytes)
    replace(with: [run])
  }

  package func resize(to count: Int64) throws(AudioFileFailure) {
    guard count >= 0 else { throw .parameter }
    let present = byteCount
    if count <= present {
      runs = runs.compactMap { $0.part(from: 0, to: count) }
    } else {
      // A hole of any length, of the same zeros.
      guard count - present <= 1 << 28 else { throw .tooLong }
      let hole = Run(start: present, count: count - present, origin: .written(Int64(written.count)))
      written += repeatElement(0, count: Int(count - present))
      runs.append(hole)
    }
  }

  package func move(
    from source: Int64, to target: Int64, count: Int64
  ) throws(AudioFileFailure) -> Bool {
    guard count > 0 else { return true }
    guard source >= 0, target >= 0, source + count <= byteCount else { throw .broken }
    if target > byteCount { try resize(to: target) }
    replace(
      with: runs[firstRun(endingBehind: source)...].lazy
        .compactMap { $0.part(from: source, to: source + count) }
        .map { Run(start: $0.start + target - source, count: $0.count, origin: $0.origin) })
    return true
  }

  /// Replaces bytes by runs that follow one another.
  private func replace(with new: [Run]) {
    guard let first = new.first, let last = new.last else { return }
    let head = runs.compactMap { $0.part(from: 0, to: first.start) }
    let tail = runs.compactMap { $0.part(from: last.end, to: .max) }
    runs = head + new + tail
  }

  /// The first run that ends behind a position.
  private func firstRun(endingBehind position: Int64) -> Int {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
