// Stream formats and the sources of the input buses.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension UnitInstance {
  /// Format of a bus that exists.
  func format(
    _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> AudioStreamBasicDescription {
    scope == kAudioUnitScope_Input ? inputFormats[Int(element)] : outputFormats[Int(element)]
  }

  /// Accepted sample rates (Hz): a damaged file may have any, and kernels allocate by them.
  static let sampleRates: ClosedRange<Double> = 1...3_072_000

  /// Sets the format of a bus: linear PCM of a channel count that can work.
  ///
  /// Other formats than planar 32-bit float are converted at the input or output. The last reserved field of
  /// the description may be missing.
  func setFormat(
    _ scope: AudioUnitScope, _ element: AudioUnitElement, _ data: UnsafeRawPointer, _ size: UInt32
  ) -> OSStatus {
    guard size >= 36 else { return kAudioUnitErr_InvalidPropertyValue }
    var asked = AudioStreamBasicDescription()
    unsafe withUnsafeMutableBytes(of: &asked) { (bytes) in
      unsafe bytes.copyMemory(
        from: UnsafeRawBufferPointer(start: data, count: min(Int(size), bytes.count)))
    }
    guard let layout = SampleFormat(asked), Self.sampleRates.contains(asked.mSampleRate) else {
      return kAudioUnitErr_FormatNotSupported
    }
    let wanted = layout.description(sampleRate: asked.mSampleRate)
    guard allows(Int(asked.mChannelsPerFrame), scope, Int(element)) else {
      return kAudioUnitErr_FormatNotSupported
    }
    let present = format(scope, element)
    // Setting the current value is allowed at any time.
    if present.mSampleRate == wanted.mSampleRate, Self.sampleFormat(present) == layout { return 0 }
    guard !isInitialized else { return kAudioUnitErr_Initialized }
    let rateBefore = sampleRate
    if scope == kAudioUnitScope_Input {
      inputFormats[Int(element)] = wanted
    } else {
      outputFormats[Int(element)] = wanted
    }
    countChannels()
    followSampleRate(from: rateBefore)
    propertyChanged(kAudioUnitProperty_StreamFormat, scope: scope, element: element)
    return 0
  }

  /// Sets the numbers of channels in the table of a matrix.
  func countChannels() {
    func sum(_ formats: [AudioStreamBasicDescription]) -> Int {
      formats.reduce(0) { $0 + Int($1.mChannelsPerFrame) }
    }
    table.setChannelCounts(inputs: sum(inputFormats), outputs: sum(outputFormats))
  }

  /// Returns whether a combination of channel counts is supported.
  func supports(inputs: [Int], outputs: [Int]) -> Bool {
    for (scope, counts) in [(kAudioUnitScope_Input, inputs), (kAudioUnitScope_Output, outputs)] {
      for (bus, count) in counts.enumerated() {
        let allowed = definition.bus(scope, bus).allowedChannelCounts
        if let allowed, !allowed.contains(count) { return false }
      }
    }
    if let capabilities = definition.channelCapabilities {
      return capabilities.contains { $0.covers(inputs: inputs, outputs: outputs) }
    }
    guard let input = inputs.first, let output = outputs.first else { return true }
    return input == output
  }

  /// Returns whether a channel count is possible on a bus with any count on the other side.
  func allows(_ count: Int, _ scope: AudioUnitScope, _ element: Int) -> Bool {
    guard count > 0, count <= 1024 else { return false }
    let bus = definition.bus(scope, element)
    if let allowed = bus.allowedChannelCounts { return allowed.contains(count) }
    guard element == 0, let capabilities = definition.channelCapabilities else { return true }
    return capabilities.contains { pair in
      let declared = scope == kAudioUnitScope_Input ? pair.inputs : pair.outputs
      return declared < 0 ? (declared >= -2 || count <= -Int(declared)) : Int(declared) == count
    }
  }

  /// Sets the sample rate (Hz) of one bus.
  func setSampleRate(
    _ scope: AudioUnitScope, _ element: AudioUnitElement, _ rate: Float64
  ) -> OSStatus {
    guard Self.sampleRates.contains(rate) else { return kAudioUnitErr_InvalidPropertyValue }
    guard format(scope, element).mSampleRate != rate else { return 0 }
    guard !isInitialized else { return kAudioUnitErr_Initialized }
    let rateBefore = sampleRate
    if scope == kAudioUnitScope_Input {
      inputFormats[Int(element)].mSampleRate = rate
    } else {
      outputFormats[Int(element)].mSampleRate = rate
    }
    followSampleRate(from: rateBefore)
    propertyChanged(kAudioUnitProperty_SampleRate, scope: scope, element: element)
    propertyChanged(kAudioUnitProperty_StreamFormat, scope: scope, element: element)
    return 0
  }

  /// Sets the callback of an input bus; a null callback removes the source.
  func setCallback(_ element: AudioUnitElement, _ callback: AURenderCallbackStruct) -> OSStatus {
    guard Int(element) < inputFormats.count else { return kAudioUnitErr_InvalidElement }
    guard let procedure = unsafe callback.inputProc else {
      replaceSource(Int(element), with: nil)
      return 0
    }
    unsafe replaceSource(
      Int(element),
      with: InputSource(
        callback: procedure, refCon: callback.inputProcRefCon, connection: AudioUnitConnection()))
    return 0
  }

  /// Connects an input bus to another unit's output; a null source disconnects.
  ///
  /// If the source reports its format, it must be that of the bus.
  func connect(_ scope: AudioUnitScope, _ connection: AudioUnitConnection) -> OSStatus {
    let element = unsafe Int(connection.destInputNumber)
    guard element < inputFormats.count else { return kAudioUnitErr_InvalidElement }
    guard let source = unsafe connection.sourceAudioUnit else {
      replaceSource(element, with: nil)
      return 0
    }
    guard unsafe source.pointee.magic == kAuricleInstanceMagic else { return kAudio_ParamError }
    if let getProperty = unsafe source.pointee.getProperty,
      let plugIn = unsafe source.pointee.plugIn
    {
      var format = AudioStreamBasicDescription()
      var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
      let status = unsafe getProperty(
        plugIn, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output,
        connection.sourceOutputNumber, &format, &size)
      guard status == 0 else { return status }
      let own = inputFormats[element]
      if format.mSampleRate != own.mSampleRate || SampleFormat(format) != SampleFormat(own) {
        let adapted = unsafe withUnsafeBytes(of: format) { bytes in
          unsafe bytes.baseAddress.map {
            unsafe setFormat(
              kAudioUnitScope_Input, AudioUnitElement(element), $0, UInt32(bytes.count))
          }
        }
        guard adapted == 0 else { return adapted ?? kAudio_ParamError }
      }
    }
    unsafe replaceSource(
      element, with: InputSource(callback: nil, refCon: nil, connection: connection))
    return 0
  }

  /// Replaces the source for the render thread.
  func replaceSource(_ bus: Int, with source: InputSource?) {
    var made: UnsafeMutablePointer<InputSource>?
    if let source = source {
      let fresh = UnsafeMutablePointer<InputSource>.allocate(capacity: 1)
      unsafe fresh.initialize(to: source)
      unsafe made = fresh
    }
    if bus == 0 {
      // The host does not provide the new one's samples; the fast path opens only once it is set.
      unsafe render.pointee.directSource = nil
      unsafe render.pointee.closeFastPaths()
    }
    let old = unsafe render.pointee.sources[bus].exchange(made, ordering: .acquiringAndReleasing)
    unsafe render.pointee.updateFastPaths()
    if let old = unsafe old {
      // While initialised a render may still be inside the old source.
      if isInitialized { unsafe retiredSources.append(old) } else { unsafe old.deallocate() }
    }
  }
}
