// The work of a unit: other threads, calls of its render code, its cost, remains after it is closed.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import CRenderWatch
import Glibc
import Synchronization

extension UnitValidation {
  /// Parameters that another thread sets while the unit renders do no harm.
  func checkOtherThread() throws(AuricleError) {
    let parameters = settable(of: unit).filter { $0.minimum < $0.maximum }
    guard !parameters.isEmpty else { return }
    var random = random(6)
    let unit = unit
    try renderBeside(.otherThread, "sets parameters") {
      for parameter in parameters.prefix(64) {
        let value = Float.random(in: parameter.minimum...parameter.maximum, using: &random)
        try? unit.setParameter(parameter.id, value, scope: parameter.scope)
      }
    }
  }

  /// A state that another thread saves while the unit renders does no harm.
  func checkSavingThread() throws(AuricleError) {
    guard !isBroken(.classInfo) else { return }
    let unit = unit
    try renderBeside(.savingThread, "saves its state") {
      guard let state = unsafe Self.state(of: unit) else { return }
      unsafe CFRelease(UnsafeRawPointer(state))
    }
  }

  /// Renders while another thread does something again and again.
  private func renderBeside(
    _ check: ValidationCheck, _ deed: String, _ body: @escaping () -> Void
  ) throws(AuricleError) {
    let player = ValidationPlayer(unit, .soft(request.seed))
    // It uninitializes the unit at its end: not while the other thread uses it.
    defer { withExtendedLifetime(player) {} }
    try player.begin()
    let thread = RepeatingThread(body)
    thread.start()
    defer { thread.stop() }
    startNote(player)
    var slice = 0
    // Long enough for the other thread to have had its turns, on a busy machine as well.
    while slice < 500 || (thread.turns < 20 && slice < 50_000) {
      slice += 1
      let made = player.slice(32)
      guard
        isSound(
          made, check, "while another thread \(deed) it",
          [.count("slice", slice), .count("status", Int(made.status))])
      else { return }
    }
  }

  /// Render code calls nothing that may wait.
  func checkRealtime() throws(AuricleError) {
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin()
    // Calls in the first slices alone are preparation.
    for _ in 0..<8 { _ = player.slice(512) }
    AuricleRenderWatchInstall()
    let parameters = settable(of: unit).filter { $0.minimum < $0.maximum }.prefix(8)
    var random = random(7)
    var worst = [0, 0, 0]
    var first = ["", "", ""]
    for slice in 0..<48 {
      if slice % 8 == 4 { setAny(Array(parameters), of: unit, &random) }
      if playsNotes { _ = player.send(slice % 2 == 0 ? 0x90 : 0x80, 60, 100, at: 0) }
      let status = player.watchedSlice(512)
      guard status == 0 else { return }
      for kind in worst.indices {
        let count = Int(AuricleRenderWatchCount(Int32(kind)))
        if count > worst[kind] {
          worst[kind] = count
          first[kind] = unsafe String(cString: AuricleRenderWatchName(Int32(kind)))
        }
      }
    }
    for (kind, check) in [ValidationCheck.allocation, .lock, .file].enumerated() {
      expect(
        worst[kind] == 0, check,
        "while it renders it calls \(first[kind])"
          + (worst[kind] > 1 ? " and the like, \(worst[kind]) times in a slice" : ""),
        [UnitFault.Evidence("function", .text(first[kind])), .count("calls", worst[kind])])
    }
  }

  /// Checks that a slice needs less time than it lasts.
  func checkCost() throws(AuricleError) {
    let player = ValidationPlayer(unit, .soft(request.seed))
    try player.begin()
    startNote(player)
    guard player.sound(4096) != nil else { return }
    let deadline = 512 / 44_100.0
    var total = 0.0
    var worst = 0.0
    let count = 200
    for _ in 0..<count {
      let seconds = player.timedSlice(512)
      total += seconds
      worst = max(worst, seconds)
    }
    let mean = total / Double(count)
    figure("cost", mean / deadline * 100, "% of the time of a slice")
    figure("worst cost", worst / deadline * 100, "% of the time of a slice")
    expect(
      mean < deadline, .cost,
      "a slice of \(deadline * 1000) ms takes \(mean * 1000) ms of the processor",
      [UnitFault.Evidence("mean", .number(mean)), UnitFault.Evidence("worst", .number(worst))])
  }

  /// Checks for remains of instances that were closed.
  func checkTraces() throws(AuricleError) {
    try watching { () throws(AuricleError) in try live() }
    let before = (Self.entries("/proc/self/task"), Self.entries("/proc/self/fd"))
    for _ in 0..<4 { try live() }
    var after = (0, 0)
    // A thread that is on its way out may need a moment, and its end is no event.
    for _ in 0..<50 {
      after = (Self.entries("/proc/self/task"), Self.entries("/proc/self/fd"))
      if after.0 <= before.0 && after.1 <= before.1 { break }
      usleep(10_000)
    }
    expect(
      after.0 < before.0 + 4, .threads, "four lives left \(after.0 - before.0) threads behind",
      [.count("threads", after.0 - before.0)], remedy: "join threads in Close")
    expect(
      after.1 < before.1 + 4, .threads, "four lives left \(after.1 - before.1) files open",
      [.count("files", after.1 - before.1)], remedy: "close files in Close")
    if let changes = changesText {
      fault(
        .process, "it changes what belongs to the process: \(changes)",
        [UnitFault.Evidence("changed", .text(changes))])
    }
  }

  /// Memory does not grow with the number of lives.
  func checkLeaks() throws(AuricleError) {
    for _ in 0..<20 { try live() }
    let before = Self.usedMemory
    for _ in 0..<50 { try live() }
    let middle = Self.usedMemory
    for _ in 0..<50 { try live() }
    let after = Self.usedMemory
    let (first, second) = ((middle - before) / 50, (after - middle) / 50)
    expect(
      first < 64 || second < 64, .leaks, "each life leaves \(min(first, second)) bytes behind",
      [.count("bytes", min(first, second))])
  }

  /// Opens an instance, renders, and closes it.
  private func live() throws(AuricleError) {
    let unit = try fresh()
    try unit.initialize()
    guard canRender else { return }
    let player = ValidationPlayer(unit)
    player.open(512)
    for _ in 0..<2 { _ = player.slice(512) }
    try unit.uninitialize()
  }

  private static var usedMemory: Int { Int(AuricleUsedMemory()) }

  private static func entries(_ folder: String) -> Int {
    guard let stream = unsafe opendir(folder) else { return 0 }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    return count
  }
}

extension ValidationPlayer {
  /// Renders a slice while the unit's calls are noted.
  fileprivate func watchedSlice(_ frames: Int) -> OSStatus {
    prepare(frames)
    AuricleRenderWatchBegin()
    defer { AuricleRenderWatchEnd() }
    return render(frames)
  }

  /// Renders a slice; returns the processor time of this thread (s).
  fileprivate func timedSlice(_ frames: Int) -> Double {
    prepare(frames)
    return Self.processorSeconds { _ = render(frames) }
  }

  private static func processorSeconds(_ body: () -> Void) -> Double {
    var start = timespec()
    var end = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
    body()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
  }
}

/// A thread that does something again and again until it is stopped.
@safe private final class RepeatingThread: @unchecked Sendable {
  // @unchecked Sendable because the body is the thread's own from `start` to `stop`.
  private let body: () -> Void
  private let isOver = Atomic<Bool>(false)
  private let turnCount = Atomic<Int>(0)
  private var thread = pthread_t()
  private var isRunning = false

  init(_ body: @escaping () -> Void) { self.body = body }

  func start() {
    isRunning =
      unsafe pthread_create(
        &thread, nil,
        { argument in
          guard let argument = unsafe argument else { return nil }
          unsafe Unmanaged<RepeatingThread>.fromOpaque(argument).takeUnretainedValue().work()
          return nil
        }, Unmanaged.passUnretained(self).toOpaque()) == 0
  }

  /// The number of turns so far.
  var turns: Int { turnCount.load(ordering: .acquiring) }

  private func work() {
    while !isOver.load(ordering: .acquiring) {
      body()
      turnCount.add(1, ordering: .acquiringAndReleasing)
      // The rhythm of its turns, beside those of the thread that renders.
      usleep(50)
    }
  }

  func stop() {
    isOver.store(true, ordering: .releasing)
    if isRunning { pthread_join(thread, nil) }
  }
}
