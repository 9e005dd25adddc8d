// The log extension: prints a limited number of plug-ins' lines on standard error.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import Glibc
internal import LV2Bundles
internal import Synchronization

/// The log of one instance. Errors and warnings go to standard error; notes and traces too when
/// `AURICLE_LV2_LOG` is "all", otherwise they are dropped.
@safe final class LV2Log {
  /// The C form, for the feature.
  let pointer: UnsafeMutablePointer<LV2_Log_Log>
  private let sink: UnsafeMutablePointer<AuricleLogSink>
  private let lines: LV2LogLines
  private let thread: LV2LogWriter?

  /// Makes a log that names the plug-in in each line.
  ///
  /// - Parameter thread: Writes the lines in real time; nil to write at once.
  init(name: String, thread: LV2LogWriter?) {
    self.thread = thread
    lines = LV2LogLines(name: name, thread: thread)
    unsafe sink = .allocate(capacity: 1)
    unsafe pointer = .allocate(capacity: 1)
    unsafe sink.initialize(
      to: AuricleLogSink(
        context: Unmanaged.passUnretained(lines).toOpaque(),
        write: { context, type, text in
          guard let context = unsafe context, let text = unsafe text else { return }
          unsafe Unmanaged<LV2LogLines>.fromOpaque(context).takeUnretainedValue()
            .receive(type, text)
        }))
    unsafe auricle_lv2_log_init(pointer, sink)
    let lines = lines
    thread?.setLog { lines.flush() }
  }

  /// Logs a message of the host about the plug-in, under the same limit.
  func warn(_ text: String) {
    lines.add(text)
    lines.flush()
  }

  deinit {
    thread?.end()
    lines.flush()
    unsafe pointer.deallocate()
    unsafe sink.deallocate()
  }
}

/// Passes lines from any thread of a plug-in to the one that writes them: a ring of slots, each free, being
/// filled, or full. Without a free slot a line is counted as lost.
@safe final class LV2LogLines: @unchecked Sendable {
  private static let placeCount = 16
  private static let placeSize = 320
  /// Lines of one instance in `window`.
  private static let limit = 5
  private static let window = Duration.seconds(10)
  private static let free = 0
  private static let filling = 1
  private static let full = 2

  private let name: String
  private let thread: LV2LogWriter?
  /// Whether notes and traces are printed as well, for debugging.
  private let showsAll: Bool
  private let error = URIDMap.shared.number(LV2Names.log + "Error")
  private let warning = URIDMap.shared.number(LV2Names.log + "Warning")
  private let states: UnsafeMutablePointer<Atomic<Int>>
  private let texts: UnsafeMutablePointer<UInt8>
  private let next = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)
  private let writer = Mutex(Writer())

  /// The state of the writing side.
  private struct Writer {
    var next = 0
    var count = 0
    var start = ContinuousClock.now
  }

  init(name: String, thread: LV2LogWriter?) {
    self.name = name
    self.thread = thread
    showsAll = environment("AURICLE_LV2_LOG") == "all"
    unsafe states = .allocate(capacity: Self.placeCount)
    for index in 0..<Self.placeCount {
      unsafe (states + index).initialize(to: Atomic(Self.free))
    }
    let size = Self.placeCount * Self.placeSize
    unsafe texts = .allocate(capacity: size)
    unsafe texts.initialize(repeating: 0, count: size)
  }

  deinit {
    unsafe states.deinitialize(count: Self.placeCount)
    unsafe states.deallocate()
    unsafe texts.deallocate()
  }

  /// Receives a line of the plug-in. Context: any; in real time it neither waits nor allocates.
  func receive(_ type: UInt32, _ text: UnsafePointer<CChar>) {
    guard type == error || type == warning || showsAll else { return }
    unsafe put(text, count: strlen(text))
    guard let thread else { return flush() }
    thread.wake()
  }

  /// Adds a line of the host. Context: control.
  func add(_ text: String) {
    unsafe text.withCString { unsafe put($0, count: strlen($0)) }
  }

  private func put(_ text: UnsafePointer<CChar>, count: Int) {
    let number = next.load(ordering: .relaxed) % Self.placeCount
    let place = unsafe states + number
    let (isMine, _) = unsafe place.pointee.compareExchange(
      expected: Self.free, desired: Self.filling, ordering: .acquiring)
    guard isMine else {
      lost.wrappingAdd(1, ordering: .relaxed)
      return
    }
    next.wrappingAdd(1, ordering: .relaxed)
    let size = min(count, Self.placeSize - 1)
    let start = unsafe texts + number * Self.placeSize
    unsafe auricle_copy(start, text, size)
    unsafe start[size] = 0
    unsafe place.pointee.store(Self.full, ordering: .releasing)
  }

  /// Writes pending lines. Context: control.
  func flush() {
    writer.withLock { writer in
      while true {
        let number = writer.next % Self.placeCount
        let place = unsafe states + number
        guard unsafe place.pointee.load(ordering: .acquiring) == Self.full else { break }
        let text = unsafe String(cString: texts + number * Self.placeSize)
        unsafe place.pointee.store(Self.free, ordering: .releasing)
        writer.next += 1
        show(text, &writer)
      }
    }
  }

  private func show(_ text: String, _ writer: inout Writer) {
    if ContinuousClock.now - writer.start > Self.window {
      let hidden = max(writer.count - Self.limit, 0) + lost.exchange(0, ordering: .relaxed)
      writer.count = 0
      writer.start = .now
      if hidden > 0 { write("\(hidden) further messages of it were not shown") }
    }
    writer.count += 1
    guard writer.count <= Self.limit else { return }
    write(
      LV2Text.line(text, limit: 300)
        + (writer.count == Self.limit ? " (what it says in the next seconds is not shown)" : ""))
  }

  private func write(_ text: String) {
    let line = "\(name): \(text)\n"
    unsafe _ = Glibc.write(STDERR_FILENO, line, line.utf8.count)
  }
}
