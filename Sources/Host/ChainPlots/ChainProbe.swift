// Sends a test signal through a chain.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AuricleHost
import ChainPresets
import FileRendering
import UnitChains

/// A chain that a signal is sent through. Context: one control thread; units run in this process.
struct ChainProbe: PlotSubject {
  let name: String
  let label: String
  private let resolved: ResolvedChain
  private let sampleRate: Double
  private let channelCount: Int
  private static let sliceFrames = 512

  /// Finds a preset or a unit.
  ///
  /// - Throws: `.unavailable` where there is neither; the fault of the preset or a setting.
  init(
    _ source: PlotSource, _ request: PlotRequest, _ registry: AudioComponentRegistry,
    _ presets: PresetLibrary
  ) throws {
    let isUnit = try Self.isUnit(source, registry, presets)
    let chain: ChainRequest
    if isUnit {
      var entry = UnitEntry(unit: source.name)
      entry.parameters = source.settings + source.variant
      chain = .units([entry])
    } else {
      guard source.settings.isEmpty, source.variant.isEmpty else {
        throw AuricleError(
          .usage, "\(source.name) is a preset, which brings its own values: --set belongs to a unit"
        )
      }
      chain = .preset(source.name)
    }
    let preset = try chain.read(presets)
    resolved = try ResolvedChain(preset, in: registry, formats: .files)
    func text(_ settings: [ParameterSetting]) -> [String] {
      settings.map { "\($0.name.value) \($0.value.value)" }
    }
    let unit = isUnit ? resolved.stages.first?.label ?? source.name : preset.name
    name = ([unit] + text(source.settings)).joined(separator: ", ")
    let isOneOfMany = request.sources.contains { $0.name != source.name }
    label = source.variant.isEmpty || isOneOfMany ? name : text(source.variant).joined()
    sampleRate = request.sampleRate
    channelCount = request.channelCount
  }

  /// Whether a text names a unit rather than a preset.
  private static func isUnit(
    _ source: PlotSource, _ registry: AudioComponentRegistry, _ presets: PresetLibrary
  ) throws -> Bool {
    if PresetLibrary.fileEndings.contains(where: source.name.hasSuffix) { return false }
    if source.name.contains(":") { return true }
    if (try? presets.path(of: source.name)) != nil { return false }
    do throws(AuricleError) {
      _ = try registry.resolve(source.name)
      return true
    } catch {
      guard case .unknownName? = error.cause else { throw error }
      let near = presets.proposal(for: source.name)
      let text = "no preset has the name '\(source.name)'"
      throw AuricleError(
        error.category, near.isEmpty ? "\(text), and \(error.message)" : "\(text)\(near)",
        cause: error.cause)
    }
  }

  /// Returns the output of every channel for one signal in all of them; as long as the signal, without latency.
  func run(_ signal: [Float]) throws(AuricleError) -> [[Float]] {
    let variant = resolved.hasRandomValues ? VariantRequest(index: 1, seed: 1, key: "") : nil
    let chain = try resolved.makeChain(
      ChainSpecification(
        sampleRate: sampleRate, channelCount: channelCount, maximumFrameCount: Self.sliceFrames,
        variant: variant, inputFrameCount: signal.count))
    try chain.prepareWholeSounds(
      makeStore: { () throws(AuricleError) in
        SoundSpool(channelCount: channelCount, path: name, file: -1)
      }
    ) { (part, store) throws(AuricleError) in
      let made = try send(signal, through: part)
      let rows = PlanarBuffer(channelCount: channelCount, frameCapacity: signal.count)
      for channel in 0..<channelCount {
        for (frame, sample) in made[channel].enumerated() {
          unsafe rows.rows[channel][frame] = sample
        }
      }
      try unsafe store.append(rows.rows, signal.count)
      return signal.count
    }
    return try send(signal, through: chain)
  }

  private func send(
    _ signal: [Float], through chain: UnitChain
  ) throws(AuricleError) -> [[Float]] {
    let rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe rows[channel] = .allocate(capacity: Self.sliceFrames)
    }
    defer {
      for channel in 0..<channelCount { unsafe rows[channel].deallocate() }
      unsafe rows.deallocate()
    }
    var made = [[Float]](repeating: [], count: channelCount)
    var place = 0
    // A unit may report its latency when it has run; one that adds to it without end is not followed.
    while place < signal.count + min(chain.latencyFrames, 30 * Int(sampleRate)) {
      for channel in 0..<channelCount {
        for frame in 0..<Self.sliceFrames {
          let index = place + frame
          unsafe rows[channel][frame] = index < signal.count ? signal[index] : 0
        }
      }
      let out = try unsafe chain.render(
        input: UnsafePointer(rows), frameCount: Self.sliceFrames)
      for channel in 0..<channelCount {
        unsafe made[channel].append(
          contentsOf: UnsafeBufferPointer(start: out[channel], count: Self.sliceFrames))
      }
      place += Self.sliceFrames
    }
    return made.map { Array($0.dropFirst(chain.latencyFrames).prefix(signal.count)) }
  }
}
