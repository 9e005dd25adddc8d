// The functions of AuricleHost.h about chains that keep their state.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleHost
public import CAudioToolbox
import ChainPresets
import FileRendering
import Foundation
import Synchronization
import UnitChains

/// A chain behind its handle; used by one thread at a time.
private final class HostedChain: @unchecked Sendable {
  let chain: UnitChain
  /// Stages in front of those of the preset, which nobody counts.
  let levellers: Int

  init(_ chain: UnitChain, levellers: Int) { (self.chain, self.levellers) = (chain, levellers) }
}

/// The chains of this process: a handle is a number that is never used again.
private struct KnownChains {
  var chains: [UInt: HostedChain] = [:]
  var next: UInt = 1
}

private let known = Mutex(KnownChains())

private func found(_ handle: AuricleChain?) throws(AuricleError) -> HostedChain {
  let number = UInt(bitPattern: handle)
  guard let found = known.withLock({ $0.chains[number] }) else {
    throw AuricleError(
      .usage, status: kAudio_ParamError, "the handle is no chain, or one that was disposed of")
  }
  return found
}

private func hosted(_ handle: AuricleChain?) throws(AuricleError) -> UnitChain {
  try unsafe found(handle).chain
}

/// Finds a stage by its number among those of the preset.
private func checked(_ stage: UInt32, of hosted: HostedChain) throws(AuricleError) -> Int {
  let count = hosted.chain.stages.count - hosted.levellers
  guard stage < count else {
    throw AuricleError(
      .usage, status: kAudio_ParamError,
      "there is no stage \(stage): the chain has \(count), counted from 0")
  }
  return hosted.levellers + Int(stage)
}

/// Makes the chain of a preset.
///
/// - Returns: 65 for mistakes in the preset, 66 where there is none, 69 for a unit that is not installed, 70 for one that
///   refuses, -50.
///
/// Context: control.
@c @implementation
public func AuricleChainNew(
  _ preset: UnsafePointer<CChar>?, _ sampleRate: Float64, _ channels: UInt32,
  _ maximumFrames: UInt32, _ outChain: UnsafeMutablePointer<AuricleChain?>?
) -> OSStatus {
  LastFailure.status {
    guard let outChain = unsafe outChain else {
      throw AuricleError(.usage, status: kAudio_ParamError, "the place for the chain is NULL")
    }
    guard sampleRate >= 8000, sampleRate <= 768_000, (1...64).contains(channels),
      (1...65_536).contains(maximumFrames)
    else {
      throw AuricleError(
        .usage, status: kAudio_ParamError,
        "a chain takes 8000 to 768000 Hz, 1 to 64 channels, and 1 to 65536 frames a render")
    }
    let text = try unsafe BorderText.required(preset, "the preset")
    let host = try LibraryInstallation.host()
    let start = text.drop { $0.isWhitespace }
    let read =
      start.hasPrefix("auricle:") || start.hasPrefix("{")
      ? try ChainPreset(text: text, name: "the preset's text") : try host.presets.preset(text)
    let registry = host.makeRegistry()
    let levelled = read.levelled(in: registry)
    let resolved = try ResolvedChain(levelled, in: registry, formats: .files)
    let variant = resolved.hasRandomValues ? VariantRequest(index: 1, seed: 1, key: "") : nil
    let chain = try resolved.makeChain(
      ChainSpecification(
        sampleRate: sampleRate, channelCount: Int(channels),
        maximumFrameCount: Int(maximumFrames), variant: variant))
    try chain.refuseWholeSounds()
    let number = known.withLock { known in
      defer { known.next += 1 }
      known.chains[known.next] = HostedChain(
        chain, levellers: levelled.entries.count - read.entries.count)
      return known.next
    }
    unsafe outChain.pointee = AuricleChain(bitPattern: number)
  }
}

/// Frees a chain.
///
/// - Returns: -50 for none.
///
/// Context: control.
@c @implementation
public func AuricleChainDispose(_ chain: AuricleChain?) -> OSStatus {
  LastFailure.status {
    _ = try unsafe hosted(chain)
    let number = UInt(bitPattern: chain)
    // Units close outside of the lock.
    let old = known.withLock { $0.chains.removeValue(forKey: number) }
    withExtendedLifetime(old) {}
  }
}

/// Renders frames.
///
/// - Returns: -50 for NULL or too many frames, the unit's status, 70 for values that are not finite numbers.
///
/// Context: control, one thread at a time.
@c @implementation
public func AuricleChainRender(
  _ chain: AuricleChain?, _ input: UnsafePointer<UnsafePointer<Float>?>?,
  _ output: UnsafePointer<UnsafeMutablePointer<Float>?>?, _ frames: UInt32
) -> OSStatus {
  LastFailure.status {
    let chain = try unsafe hosted(chain)
    guard frames > 0, Int(frames) <= chain.maximumFrames else {
      throw AuricleError(
        .usage, status: kAudio_ParamError, "a render has 1 to \(chain.maximumFrames) frames")
    }
    let rows = try unsafe (0..<chain.channelCount).map { channel in
      guard let input = unsafe input, let output = unsafe output,
        let from = unsafe input[channel], let to = unsafe output[channel]
      else {
        throw AuricleError(
          .usage, status: kAudio_ParamError, "channel \(channel) has no samples: it is NULL")
      }
      return unsafe (UnsafeMutablePointer(mutating: from), to)
    }
    let (ins, outs) = unsafe (rows.map { unsafe $0.0 }, rows.map { unsafe $0.1 })
    try unsafe ins.withUnsafeBufferPointer { ins in
      try unsafe outs.withUnsafeBufferPointer { outs in
        guard let input = ins.baseAddress, let output = outs.baseAddress else { return }
        try unsafe chain.render(input: input, output: output, frameCount: Int(frames))
      }
    }
  }
}

/// Clears the history of the chain. Context: control.
@c @implementation
public func AuricleChainReset(_ chain: AuricleChain?) -> OSStatus {
  LastFailure.status { try unsafe hosted(chain).reset() }
}

/// Sets a parameter of a stage.
///
/// - Returns: 65 where the parameter or its value is none, -50.
///
/// Context: control, between two renders.
@c @implementation
public func AuricleChainSetParameter(
  _ chain: AuricleChain?, _ stage: UInt32, _ parameter: UnsafePointer<CChar>?,
  _ value: UnsafePointer<CChar>?
) -> OSStatus {
  LastFailure.status {
    let hosted = try unsafe found(chain)
    let setting = try unsafe ParameterSetting(
      name: Located(BorderText.required(parameter, "the parameter")),
      value: Located(BorderText.required(value, "the value")))
    try hosted.chain.set(setting, ofStage: checked(stage, of: hosted))
  }
}

/// The value of a parameter of a stage.
///
/// - Returns: As `AuricleChainSetParameter`.
///
/// Context: control.
@c @implementation
public func AuricleChainGetParameter(
  _ chain: AuricleChain?, _ stage: UInt32, _ parameter: UnsafePointer<CChar>?,
  _ outValue: UnsafeMutablePointer<Float32>?
) -> OSStatus {
  LastFailure.status {
    let hosted = try unsafe found(chain)
    let index = try checked(stage, of: hosted)
    let value = try unsafe hosted.chain.value(
      of: BorderText.required(parameter, "the parameter"), ofStage: index)
    guard let value, let outValue = unsafe outValue else {
      throw AuricleError(
        .usage, status: kAudio_ParamError, "there is no value, or no place for it")
    }
    unsafe outValue.pointee = value
  }
}

/// The names of the stages as JSON. Context: control.
@c @implementation
public func AuricleChainCopyStages(
  _ chain: AuricleChain?, _ outJSON: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  LastFailure.status {
    let hosted = try unsafe found(chain)
    let stages = hosted.chain.stages.dropFirst(hosted.levellers)
    try unsafe BorderText.pass(stages.map(\.label), to: outJSON)
  }
}

/// Frames by which the chain is late. Context: control.
@c @implementation
public func AuricleChainGetLatency(
  _ chain: AuricleChain?, _ outFrames: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  LastFailure.status {
    let chain = try unsafe hosted(chain)
    guard let outFrames = unsafe outFrames else {
      throw AuricleError(.usage, status: kAudio_ParamError, "the place for the latency is NULL")
    }
    unsafe outFrames.pointee = UInt32(clamping: chain.latencyFrames)
  }
}

/// Seconds that the chain rings on; -1 where a unit does not know. Context: control.
@c @implementation
public func AuricleChainGetTail(
  _ chain: AuricleChain?, _ outSeconds: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  LastFailure.status {
    let chain = try unsafe hosted(chain)
    guard let outSeconds = unsafe outSeconds else {
      throw AuricleError(.usage, status: kAudio_ParamError, "the place for the tail is NULL")
    }
    unsafe outSeconds.pointee = chain.tailSeconds ?? -1
  }
}
