// Looks whether a chain that is reset sounds as the first of a fresh process.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes

extension ChainExamination {
  /// Where new chains sound as the first: does one that was used and reset, too?
  func compareReset() {
    do throws(AuricleError) {
      let used = try makeChain(request)
      let all = request.blocks(of: tailLength(used))
      try hearNoise(used, blocks: all)
      _ = OtherChains(others, besides: request, makeChain: makeChain)
      try used.reset()
      var first = ExaminationSignal(request)
      var second = ExaminationSignal(request)
      try first.render(used, blocks: all)
      let fresh = try makeChain(request)
      try second.render(fresh, blocks: all)
      guard first.sum(used) == second.sum(fresh) else { return tell(.reset(isClean: false)) }
      let opening = try self.opening(of: makeChain(request))
      tell(.reset(isClean: try soundSameOnceReset(used, as: opening)))
    } catch {
      tell(.reset(isClean: false))
    }
  }

  /// The second look, in another fresh process, where new chains differ from the first: is it by
  /// chance, and does resetting help?
  ///
  /// - Parameter blocks: How long the signal of the first look was.
  func compareResetChains(blocks: Int) {
    do throws(AuricleError) {
      let first = try makeChain(request)
      var signal = ExaminationSignal(request)
      let early = min(blocks, request.blocks(of: Self.opening))
      try signal.render(first, blocks: early)
      let opening = signal.sum(first)
      try signal.render(first, blocks: blocks - early)
      tell(.first(checksum: signal.sum(first), blocks: blocks, opening: opening))
      let all = max(blocks, request.blocks(of: tailLength(first)))
      try signal.render(first, blocks: all - blocks)
      let expected = signal.sum(first)
      guard request.variant == nil else { return tell(.reset(isClean: false)) }
      try hearNoise(first, blocks: all)
      _ = OtherChains(others, besides: request, makeChain: makeChain)
      try first.reset()
      var second = ExaminationSignal(request)
      try second.render(first, blocks: all)
      guard second.sum(first) == expected else { return tell(.reset(isClean: false)) }
      try hearNoise(first, blocks: all)
      let new = try makeChain(request)
      try new.reset()
      var third = ExaminationSignal(request)
      try third.render(new, blocks: all)
      guard third.sum(new) == expected else { return tell(.reset(isClean: false)) }
      tell(.reset(isClean: try soundSameOnceReset(first, as: opening)))
    } catch {
      tell(.reset(isClean: false))
    }
  }

  /// Whether a chain, and new ones, that are reset sound as the first after files of other lengths, too.
  private func soundSameOnceReset(
    _ chain: any RenderChain, as opening: UInt64
  ) throws(AuricleError) -> Bool {
    for frames in Self.otherLengths {
      try hearFile(chain, frames: frames)
      try chain.reset()
      guard try self.opening(of: chain) == opening else { return false }
      let new = try makeChain(request)
      try new.reset()
      guard try self.opening(of: new) == opening else { return false }
      try hearFile(new, frames: frames)
    }
    return true
  }
}
