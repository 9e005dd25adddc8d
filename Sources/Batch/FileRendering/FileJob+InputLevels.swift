// Reads the input of a job before it is rendered: for its loudness, for the levels that noise is set by, for whole sounds.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import ResultSettings
import UnitChains

extension FileJob {
  /// The level that the chain gets the input at; to know it, all of the input is read, and opened again.
  func inputLevel(
    _ reader: inout any SoundInput, _ range: InputRange, _ shouldStop: () -> Bool
  ) throws(JobFailure) -> InputLevel {
    guard let target = settings.inputLoudness else { return InputLevel() }
    do throws(AuricleError) {
      let level = try InputLevel(of: reader, range, to: target, settings) {
        () throws(AuricleError) in
        if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
      }
      (reader, _) = try openInput()
      return level
    } catch {
      throw JobFailure(kind: Self.kind(of: error), error: error)
    }
  }

  /// Reads the whole input for offline units and for noise, where the chain has them, and opens it again.
  ///
  /// - Returns: Notes about the parts before the offline units.
  func readAhead(
    _ reader: inout any SoundInput, _ seed: inout UInt64, for chain: UnitChain, _ range: InputRange,
    factor: Float, _ shouldStop: () -> Bool
  ) throws(JobFailure) -> [String] {
    var notes: [String] = []
    if chain.worksOnWholeSounds {
      notes = try renderWholeSounds(of: chain, range, factor: factor, shouldStop)
      (reader, seed) = try attempt(.input) { () throws(AuricleError) in try openInput() }
    }
    if chain.needsSignalLevels {
      (reader, seed) = try measureSignals(of: chain, reader, range, factor: factor, shouldStop)
    }
    return notes
  }

  /// Measures the levels that noise in the chain is set by, and opens the input again.
  private func measureSignals(
    of chain: UnitChain, _ reader: any SoundInput, _ range: InputRange, factor: Float,
    _ shouldStop: () -> Bool
  ) throws(JobFailure) -> (any SoundInput, UInt64) {
    do throws(AuricleError) {
      try chain.measureSignals(
        reader, range, factor: factor, framesPerSlice: settings.framesPerSlice,
        shouldStop: shouldStop)
      return try openInput()
    } catch {
      throw JobFailure(kind: Self.kind(of: error), error: error)
    }
  }

  /// Runs the offline units of a chain over the input, and returns notes about it.
  private func renderWholeSounds(
    of chain: UnitChain, _ range: InputRange, factor: Float, _ shouldStop: () -> Bool
  ) throws(JobFailure) -> [String] {
    do throws(AuricleError) {
      return try withoutActuallyEscaping(shouldStop) { (shouldStop) throws(AuricleError) in
        try WholeSoundRendering(
          range: range, settings: settings, inputFactor: factor, shouldStop: shouldStop,
          openInput: { () throws(AuricleError) in try openInput().0 }, spool: ends.spool,
          path: outputs[0]
        ).prepare(chain)
      }
    } catch {
      throw JobFailure(kind: Self.kind(of: error), error: error)
    }
  }
}
