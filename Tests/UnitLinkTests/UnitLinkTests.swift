// Connections between a host and a unit: turns, events, deadlines, a side that lies.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import CUnitLink
import Glibc
import HostSystem
import Testing
import UnitLink

private let form = AuricleLinkForm(
  frameCapacity: 64, inputChannels: 2, outputChannels: 1, eventCapacity: 1024)

/// Both sides of a connection in this process.
private func makeSides() throws -> (host: LinkMemory, unit: LinkMemory) {
  let host = try LinkMemory(form)
  return (host, try LinkMemory(received: dup(host.descriptor), form))
}

/// Serves turns on a thread until the end of them.
private func serve(
  _ unit: LinkMemory, _ body: @escaping @Sendable (AuricleLinkTurn) -> AuricleLinkAnswer
) -> pthread_t? {
  startThread {
    while true {
      var turn = AuricleLinkTurn()
      guard unsafe AuricleLinkTake(unit.link, 60_000_000_000, &turn),
        turn.kind != UInt32(kAuricleLinkTurn_End)
      else { return }
      var answer = body(turn)
      unsafe AuricleLinkAnswerTurn(unit.link, &answer)
    }
  }
}

private func end(_ host: LinkMemory, _ thread: pthread_t?) throws {
  var turn = AuricleLinkTurn()
  turn.kind = UInt32(kAuricleLinkTurn_End)
  #expect(unsafe AuricleLinkPost(host.link, &turn, true))
  pthread_join(try #require(thread), nil)
}

private func renderTurn(_ frames: UInt32) -> AuricleLinkTurn {
  var turn = AuricleLinkTurn()
  (turn.kind, turn.frameCount) = (UInt32(kAuricleLinkTurn_Render), frames)
  return turn
}

private func doneAnswer(_ status: Int32 = 0) -> AuricleLinkAnswer {
  var answer = AuricleLinkAnswer()
  (answer.kind, answer.status) = (UInt32(kAuricleLinkAnswer_Done), status)
  return answer
}

@Suite struct UnitLinkTests {
  @Test(
    "A unit is at work from the turn that it began to its answer, also where it ends in between")
  func work() throws {
    let (host, unit) = try makeSides()
    func isAtWork() -> Bool { unsafe AuricleLinkIsAtWork(host.link) }
    var turn = renderTurn(64)
    #expect(!isAtWork())
    #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    #expect(!isAtWork(), "nobody began the turn yet")
    #expect(unsafe AuricleLinkTake(unit.link, 0, &turn))
    #expect(isAtWork())
    // The host gave the turn up, and the process is gone.
    unsafe AuricleLinkAbandon(host.link)
    #expect(isAtWork())
    var answer = doneAnswer()
    unsafe AuricleLinkFinishTurn(unit.link, &answer)
    #expect(!isAtWork(), "the units behind it are at work")
    unsafe AuricleLinkEndTurn(unit.link)
    #expect(!isAtWork())
  }

  @Test("The first slice of a connection has its memory: the system is not asked for a page")
  func memoryIsThere() throws {
    let form = AuricleLinkForm(
      frameCapacity: 4096, inputChannels: 64, outputChannels: 64, eventCapacity: 1024)
    let host = try LinkMemory(form)
    let unit = try LinkMemory(received: dup(host.descriptor), form)
    func faults() -> Int {
      var usage = rusage()
      // RUSAGE_THREAD, which the module has not.
      unsafe getrusage(1, &usage)
      return usage.ru_minflt
    }
    func write() {
      for channel in 0..<UInt32(64) {
        unsafe AuricleLinkInput(host.link, channel).update(repeating: 1, count: 4096)
        unsafe AuricleLinkOutput(unit.link, channel).update(repeating: 1, count: 4096)
      }
    }
    let before = faults()
    write()
    // 512 pages; a few others may be new to this thread.
    #expect(faults() - before < 32)
  }

  @Test func samplesAndEventsGoBothWays() throws {
    let (host, unit) = try makeSides()
    let thread = serve(unit) { turn in
      var event = AuricleLinkEvent()
      var bytes: UnsafePointer<UInt8>?
      var gain: Float = 1
      while unsafe AuricleLinkNextEvent(unit.link, false, &event, &bytes) {
        if event.kind == UInt32(kAuricleLinkEvent_Parameter) { gain = event.value }
        if event.kind == UInt32(kAuricleLinkEvent_SysEx) {
          unsafe _ = AuricleLinkAddAnswerEvent(unit.link, &event, bytes)
        }
      }
      for frame in 0..<Int(turn.frameCount) {
        unsafe AuricleLinkOutput(unit.link, 0)[frame] =
          gain * AuricleLinkInput(unit.link, 1)[frame]
      }
      return doneAnswer()
    }
    for round in 1...200 {
      for frame in 0..<64 { unsafe AuricleLinkInput(host.link, 1)[frame] = Float(round * frame) }
      var event = AuricleLinkEvent()
      (event.kind, event.value) = (UInt32(kAuricleLinkEvent_Parameter), Float(round))
      #expect(unsafe AuricleLinkAddEvent(host.link, &event, nil))
      let message: [UInt8] = [0xF0, 1, 2, UInt8(round % 128), 0xF7]
      (event.kind, event.byteCount) = (UInt32(kAuricleLinkEvent_SysEx), UInt32(message.count))
      #expect(unsafe AuricleLinkAddEvent(host.link, &event, message))
      var turn = renderTurn(64)
      #expect(unsafe AuricleLinkPost(host.link, &turn, true))
      var answer = AuricleLinkAnswer()
      let outcome = unsafe AuricleLinkAwait(host.link, 0, &answer)
      #expect(outcome == AuricleLinkOutcomeAnswered)
      #expect(unsafe AuricleLinkOutput(host.link, 0)[63] == Float(round * round * 63))
      var bytes: UnsafePointer<UInt8>?
      #expect(unsafe AuricleLinkNextEvent(host.link, true, &event, &bytes))
      #expect(
        unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(event.byteCount))) == message)
      #expect(unsafe !AuricleLinkNextEvent(host.link, true, &event, &bytes))
    }
    #expect(host.figures.answered == 200)
    #expect(host.figures.median <= host.figures.longest)
    try end(host, thread)
  }

  @Test func aLateUnitIsNotWaitedForAndLeavesNoStaleBlock() throws {
    let (host, unit) = try makeSides()
    var (turn, answer) = (renderTurn(8), AuricleLinkAnswer())
    #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    let late = unsafe AuricleLinkAwait(host.link, AuricleLinkNow() + 1_000_000, &answer)
    #expect(late == AuricleLinkOutcomeLate)
    #expect(unsafe !AuricleLinkIsIdle(host.link))
    #expect(unsafe !AuricleLinkPost(host.link, &turn, true))
    // It answers at last, with samples of a slice that is over.
    var used = AuricleLinkTurn()
    #expect(unsafe AuricleLinkTake(unit.link, 1, &used))
    unsafe AuricleLinkOutput(unit.link, 0)[0] = 111
    var done = doneAnswer()
    unsafe AuricleLinkAnswerTurn(unit.link, &done)
    #expect(unsafe AuricleLinkIsIdle(host.link))
    let thread = serve(unit) { _ in
      unsafe AuricleLinkOutput(unit.link, 0)[0] = 222
      return doneAnswer(7)
    }
    #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    #expect(unsafe AuricleLinkAwait(host.link, 0, &answer) == AuricleLinkOutcomeAnswered)
    #expect(answer.status == 7)
    #expect(unsafe AuricleLinkOutput(host.link, 0)[0] == 222)
    try end(host, thread)
  }

  @Test func aUnitAsksForInputInTheMiddle() throws {
    let (host, unit) = try makeSides()
    let thread = serve(unit) { _ in
      var sum: Float = 0
      for _ in 0..<3 {
        var turn = AuricleLinkTurn()
        guard unsafe AuricleLinkAskForInput(unit.link, 1, 16, 5, &turn) else {
          return doneAnswer(-1)
        }
        sum += unsafe AuricleLinkInput(unit.link, 0)[0]
      }
      unsafe AuricleLinkOutput(unit.link, 0)[0] = sum
      return doneAnswer()
    }
    var (turn, answer) = (renderTurn(8), AuricleLinkAnswer())
    #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    var asked = 0
    while unsafe AuricleLinkAwait(host.link, 0, &answer) == AuricleLinkOutcomeAnswered,
      answer.kind == UInt32(kAuricleLinkAnswer_Input)
    {
      asked += 1
      #expect(answer.bus == 1 && answer.frameCount == 16 && answer.sampleTime == 5)
      unsafe AuricleLinkInput(host.link, 0)[0] = Float(asked)
      turn.kind = UInt32(kAuricleLinkTurn_Input)
      #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    }
    #expect(asked == 3)
    #expect(unsafe AuricleLinkOutput(host.link, 0)[0] == 6)
    try end(host, thread)
  }

  @Test func aUnitThatIsGoneEndsTheWaiting() throws {
    let (host, _) = try makeSides()
    var (turn, answer) = (renderTurn(8), AuricleLinkAnswer())
    #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    let thread = startThread { host.abandon() }
    #expect(unsafe AuricleLinkAwait(host.link, 0, &answer) == AuricleLinkOutcomeGone)
    pthread_join(try #require(thread), nil)
    #expect(unsafe !AuricleLinkPost(host.link, &turn, true))
  }

  @Test func claimsOfTheOtherSideAreBounded() throws {
    let (host, unit) = try makeSides()
    // A word of the answer's count of events, and the size of an event, that lead out of the memory.
    var event = AuricleLinkEvent()
    event.byteCount = 16
    #expect(unsafe AuricleLinkAddAnswerEvent(unit.link, &event, [UInt8](repeating: 9, count: 16)))
    var turn = renderTurn(1)
    #expect(unsafe AuricleLinkPost(host.link, &turn, true))
    var used = AuricleLinkTurn()
    #expect(unsafe AuricleLinkTake(unit.link, 1, &used))
    event.byteCount = 16
    #expect(unsafe AuricleLinkAddAnswerEvent(unit.link, &event, [UInt8](repeating: 9, count: 16)))
    let size = AuricleLinkSize(form)
    let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, unit.descriptor, 0)
    guard let words = unsafe memory?.assumingMemoryBound(to: UInt32.self) else { return }
    var random = SystemRandomNumberGenerator()
    var done = doneAnswer()
    unsafe AuricleLinkAnswerTurn(unit.link, &done)
    for round in 0..<2000 {
      // Everything behind the words that number the turns.
      for index in 32..<(size / 4) where round % 4 == 0 || index % 7 == round % 7 {
        unsafe words[index] = UInt32.random(in: 0...(.max), using: &random)
      }
      var (answer, found) = (AuricleLinkAnswer(), AuricleLinkEvent())
      var bytes: UnsafePointer<UInt8>?
      #expect(unsafe AuricleLinkAwait(host.link, 1, &answer) == AuricleLinkOutcomeAnswered)
      var total = 0
      while unsafe AuricleLinkNextEvent(host.link, true, &found, &bytes) {
        total += Int(found.byteCount) + MemoryLayout<AuricleLinkEvent>.size
      }
      #expect(total <= Int(form.eventCapacity))
    }
    unsafe munmap(memory, size)
  }

  @Test func memoryThatCanShrinkIsRefused() throws {
    let size = AuricleLinkSize(form)
    let open = AuricleMakeMemoryFile()
    #expect(ftruncate(open, off_t(size)) == 0)
    #expect(throws: AuricleError.self) { try LinkMemory(received: open, form) }
    let host = try LinkMemory(form)
    var larger = form
    larger.frameCapacity = 4096
    #expect(throws: AuricleError.self) { try LinkMemory(received: dup(host.descriptor), larger) }
    larger.frameCapacity = 0
    #expect(throws: AuricleError.self) { try LinkMemory(larger) }
  }

  @Test func manyThreadsShareAQueueOfEvents() throws {
    guard let queue = unsafe AuricleEventQueueMake(64) else { return }
    let shared = UInt(bitPattern: queue)
    let threads = (0..<3).map { _ in
      startThread {
        guard let queue = unsafe OpaquePointer(bitPattern: shared) else { return }
        for value in 1...5000 {
          var event = AuricleLinkEvent()
          event.id = UInt32(value)
          while unsafe !AuricleEventQueueAdd(queue, &event) { sched_yield() }
        }
      }
    }
    var (count, found) = (0, 0)
    while count < 15_000 {
      var event = AuricleLinkEvent()
      if unsafe AuricleEventQueueRemove(queue, &event) {
        count += 1
        found += Int(event.id)
      } else {
        sched_yield()
      }
    }
    #expect(found == 3 * 5000 * 5001 / 2)
    for thread in threads { pthread_join(try #require(thread), nil) }
    unsafe AuricleEventQueueFree(queue)
  }
}

@Suite struct EventOrderTests {
  @Test func aKindIsRemovedInItsTurnAlone() throws {
    let queue = unsafe try #require(unsafe AuricleEventQueueMake(16))
    defer { unsafe AuricleEventQueueFree(queue) }
    func add(_ kind: Int, _ id: UInt32) {
      var event = AuricleLinkEvent()
      (event.kind, event.id) = (UInt32(kind), id)
      #expect(unsafe AuricleEventQueueAdd(queue, &event))
    }
    func removeParameter() -> UInt32? {
      var event = AuricleLinkEvent()
      let isThere = unsafe AuricleEventQueueRemoveKind(
        queue, UInt32(kAuricleLinkEvent_Parameter), &event)
      return isThere ? event.id : nil
    }
    add(kAuricleLinkEvent_Parameter, 1)
    add(kAuricleLinkEvent_MIDI, 2)
    add(kAuricleLinkEvent_Parameter, 3)
    #expect(removeParameter() == 1)
    #expect(removeParameter() == nil, "a note is in front of it")
    var event = AuricleLinkEvent()
    #expect(unsafe AuricleEventQueueRemove(queue, &event) && event.id == 2)
    #expect(removeParameter() == 3)
    #expect(removeParameter() == nil)
  }
}

@Suite struct LinkSocketTests {
  @Test func messagesAndFilesArriveWhole() throws {
    let (here, there) = try LinkSocket.pair()
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let file = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    let thread = startThread {
      try? here.send(LinkMessage(3, number: 9, large, files: [file]))
      try? here.send(LinkMessage(4))
    }
    let first = try there.receive(milliseconds: 60_000)
    #expect(first.kind == 3 && first.number == 9 && first.bytes == large && first.files.count == 1)
    #expect(try there.receive(milliseconds: 60_000).kind == 4)
    first.files.forEach { close($0) }
    pthread_join(try #require(thread), nil)
    close(file)
    #expect(throws: LinkFault.late) { try there.receive(milliseconds: 0) }
  }

  @Test func anEndAndNonsenseAreNoticed() throws {
    var (here, there): (LinkSocket?, LinkSocket) = try LinkSocket.pair()
    here = nil
    #expect(throws: LinkFault.ended) { try there.receive(milliseconds: 60_000) }
    #expect(throws: LinkFault.ended) { try there.send(LinkMessage(1)) }
    (here, there) = try LinkSocket.pair()
    let nonsense = [UInt8](repeating: 0xFF, count: 40)
    #expect(unsafe write(try #require(here).descriptor, nonsense, 40) == 40)
    #expect(throws: LinkFault.senseless) { try there.receive(milliseconds: 60_000) }
  }

  @Test func theMonitorCallsOnceForAnEnd() throws {
    let (here, there) = try LinkSocket.pair()
    var pipes: [Int32] = [-1, -1]
    #expect(unsafe pipe(&pipes) == 0)
    let signal = pipes[1]
    LinkMonitor.shared.watch(there.descriptor) {
      var byte: UInt8 = 1
      _ = unsafe write(signal, &byte, 1)
      return false
    }
    _ = shutdown(here.descriptor, Int32(SHUT_RDWR))
    var byte: UInt8 = 0
    #expect(unsafe read(pipes[0], &byte, 1) == 1)
    pipes.forEach { close($0) }
  }

  @Test func bytesAreReadBackBounded() {
    var writer = MessageWriter()
    writer.add(UInt32(7))
    writer.add("name")
    writer.add(["a", "b"])
    var reader = MessageReader(writer.bytes)
    #expect(reader.next(UInt32.self) == 7)
    #expect(reader.nextText() == "name")
    #expect(reader.nextTexts() == ["a", "b"])
    #expect(reader.next(UInt8.self) == nil)
    for length in 0..<writer.bytes.count {
      var short = MessageReader(Array(writer.bytes.prefix(length)))
      _ = short.next(UInt32.self)
      _ = short.nextText()
      #expect(short.nextTexts() == nil)
    }
    var claims = MessageReader([0xFF, 0xFF, 0xFF, 0x7F, 1])
    #expect(claims.nextTexts() == nil)
  }
}
