// The turns of a program whose sound goes through a chain: slices, the end of the sound, a new beginning.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CUnitLink
import FileRendering
import HostSystem
import ResultSettings
import UnitChains
import UnitLink

/// A chain, and the memory of its slices.
///
/// Context: the thread that renders.
struct ServedChain {
  /// The turns besides slices, which `chain_process.c` names as well.
  private enum Turn {
    /// Renders what the chain holds behind the last slice; the answer has its frames, and `more` where there is more.
    static let end = UInt32(kAuricleLinkTurn_First)
    /// Forgets the past: another sound begins.
    static let reset = UInt32(kAuricleLinkTurn_First) + 1
    static let more: UInt32 = 1
  }

  private let chain: UnitChain
  private let settings: JobSettings
  private let memory: LinkMemory
  private let rows: PlanarBuffer
  private var frameCount = 0
  private var end: ChainEnd?

  init(
    _ chain: UnitChain, _ settings: JobSettings, _ memory: LinkMemory, _ form: AuricleLinkForm
  ) {
    (self.chain, self.settings, self.memory) = (chain, settings, memory)
    rows = PlanarBuffer(
      channelCount: Int(form.inputChannels), frameCapacity: Int(form.frameCapacity))
  }

  /// Answers turns, until there is no other turn.
  func serve() {
    var served = self
    let link = unsafe memory.link
    var turn = AuricleLinkTurn()
    while true {
      // The end of the program ends this process; a turn wakes at once.
      guard unsafe AuricleLinkTake(link, 1_000_000_000, &turn) else { continue }
      guard let answer = served.answer(turn) else { return }
      var said = answer
      unsafe AuricleLinkAnswerTurn(link, &said)
    }
  }

  /// The answer to a turn; nil for one that ends all.
  private mutating func answer(_ turn: AuricleLinkTurn) -> AuricleLinkAnswer? {
    var answer = AuricleLinkAnswer()
    answer.kind = UInt32(kAuricleLinkAnswer_Done)
    do throws(AuricleError) {
      switch turn.kind {
      case UInt32(kAuricleLinkTurn_Render): try render(Int(turn.frameCount))
      case Turn.end:
        let end = end ?? ChainEnd(chain, settings, inputFrameCount: frameCount)
        self.end = end
        let count = try unsafe end.render(into: rows.rows, frameCount: rows.frameCapacity)
        unsafe copy(rows.rows, count)
        answer.frameCount = UInt32(count)
        answer.flags = end.isOver ? 0 : Turn.more
      case Turn.reset:
        (end, frameCount) = (nil, 0)
        try chain.reset()
      default: return nil
      }
    } catch { answer.status = error.status == 0 ? -1 : error.status }
    return answer
  }

  private mutating func render(_ count: Int) throws(AuricleError) {
    guard count > 0 else { return }
    let link = unsafe memory.link
    for channel in 0..<rows.channelCount {
      unsafe rows.rows[channel].update(from: AuricleLinkInput(link, UInt32(channel)), count: count)
    }
    unsafe copy(try chain.render(input: UnsafePointer(rows.rows), frameCount: count), count)
    frameCount += count
  }

  private func copy(_ made: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int) {
    let link = unsafe memory.link
    for channel in 0..<rows.channelCount {
      unsafe AuricleLinkOutput(link, UInt32(channel)).update(from: made[channel], count: count)
    }
  }
}
