// The DSP of the matrix mixer.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Adds every input channel to every output channel by the gain of their crossing.
///
/// A gain is the product of the volumes on its way, those of buses that are switched off 0. Gains
/// glide in 20 ms, but scheduled ones hold from their frame on. A bus that is switched off and has
/// faded out is not pulled.
@safe public struct MatrixMixerKernel: UnitKernel, ~Copyable {
  private let values: ParameterStore
  private let metering: ParameterStore
  private let inputs: UnsafeMutablePointer<BusChannel>
  private let outputs: UnsafeMutablePointer<BusChannel>
  private let pulled: PulledBuses
  private let inputCount: Int
  private let outputCount: Int
  private let busCount: Int
  private let firstGlobal: Int
  private let firstInput: Int
  private let firstOutput: Int
  private let inputMeters: MatrixMeters
  private let outputMeters: MatrixMeters
  private var crossings: GlideBank
  private var faders: GlideBank
  private var clock = ControlClock()
  private var lastChange: UInt = 0
  private var isFresh = true
  /// Parameters of a channel.
  private static var stride: Int { @_noLocks get { 10 } }

  /// Allocates a glide a crossing. Context: control.
  init(_ format: RenderFormat, _ metering: ParameterStore) {
    values = format.values
    self.metering = metering
    let ins = BusChannel.all(format.inputChannelCounts)
    let outs = BusChannel.all(format.outputChannelCounts)
    inputCount = ins.count
    outputCount = outs.count
    busCount = format.inputChannelCounts.count
    unsafe inputs = .allocate(capacity: max(ins.count, 1))
    unsafe outputs = .allocate(capacity: max(outs.count, 1))
    pulled = PulledBuses(count: busCount)
    for (index, channel) in ins.enumerated() { unsafe (inputs + index).initialize(to: channel) }
    for (index, channel) in outs.enumerated() { unsafe (outputs + index).initialize(to: channel) }
    firstGlobal = format.firstValue(kAudioUnitScope_Global, element: 0)
    firstInput = format.firstValue(kAudioUnitScope_Input, element: 0)
    firstOutput = format.firstValue(kAudioUnitScope_Output, element: 0)
    let rate = format.sampleRate
    crossings = GlideBank(count: ins.count * outs.count, sampleRate: rate)
    faders = GlideBank(count: outs.count, sampleRate: rate)
    inputMeters = MatrixMeters(kAudioUnitScope_Input, count: ins.count, sampleRate: rate)
    outputMeters = MatrixMeters(kAudioUnitScope_Output, count: outs.count, sampleRate: rate)
  }

  /// Allocates a mixer without meters. Context: control.
  public init(_ format: RenderFormat) { self.init(format, MixerSettings.unmetered) }

  deinit {
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
    pulled.deallocate()
    crossings.deallocate()
    faders.deallocate()
    inputMeters.deallocate()
    outputMeters.deallocate()
  }

  /// Forgets the past. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    crossings.reset()
    faders.reset()
    inputMeters.reset()
    outputMeters.reset()
    pulled.reset()
    isFresh = true
  }

  /// Mixes one slice. Context: render.
  @_noLocks public mutating func process(_ slice: borrowing RenderSlice) {
    pulled.begin(slice)
    let change = values.changeCount
    if isFresh || change != lastChange {
      isFresh = false
      lastChange = change
      readValues(slice)
    }
    let status = pull(slice)
    guard status == 0 else { return slice.fail(status) }
    for output in 0..<outputCount {
      unsafe SampleRun.clear(self.output(slice, output), slice.frameCount)
    }
    let isAudible = addCrossings(slice)
    measureInputs(slice)
    finish(slice)
    clock.advance(slice.frameCount)
    if !isAudible { slice.markOutputSilent() }
  }

  @_noLocks private func output(
    _ slice: borrowing RenderSlice, _ index: Int
  ) -> UnsafeMutablePointer<Float> {
    let place = unsafe outputs[index]
    return unsafe slice.output(bus: place.bus, channel: place.channel)
  }

  @_noLocks private func input(
    _ slice: borrowing RenderSlice, _ index: Int
  ) -> UnsafeMutablePointer<Float> {
    let place = unsafe inputs[index]
    return unsafe slice.input(bus: place.bus, channel: place.channel)
  }

  /// The gain of an input channel, 0 where its bus is switched off.
  @_noLocks private func inputGain(_ index: Int) -> Float {
    let bus = unsafe inputs[index].bus
    guard values.value(at: firstInput + bus * Self.stride + 1) >= 0.5 else { return 0 }
    return values.value(at: firstInput + index * Self.stride)
  }

  /// Sets where the gains go; scheduled ones are there at once.
  @_noLocks private mutating func readValues(_ slice: borrowing RenderSlice) {
    let isScheduled = slice.hasScheduledValues
    for input in 0..<inputCount {
      let gain = inputGain(input)
      for output in 0..<outputCount {
        let row = matrixSize.row(input: input, output: output)
        let index = input * outputCount + output
        guard crossings.aim(index, gain * values.value(at: firstGlobal + row)), isScheduled
        else { continue }
        let bus = unsafe inputs[input].bus
        if isTimed(slice, kAudioUnitScope_Global, row) {
          crossings.jump(index)
        } else if isTimed(slice, kAudioUnitScope_Input, input, bus) {
          crossings.jump(index)
        }
      }
    }
    let whole = values.value(at: firstGlobal)
    for output in 0..<outputCount {
      let bus = unsafe outputs[output].bus
      let isOn = values.value(at: firstOutput + bus * Self.stride + 1) >= 0.5
      let gain = isOn ? values.value(at: firstOutput + output * Self.stride) * whole : 0
      guard faders.aim(output, gain), isScheduled else { continue }
      if isTimed(slice, kAudioUnitScope_Global, 0) {
        faders.jump(output)
      } else if isTimed(slice, kAudioUnitScope_Output, output, bus) {
        faders.jump(output)
      }
    }
  }

  /// Whether a volume, or the switch of its bus, is scheduled for the slice.
  @_noLocks private func isTimed(
    _ slice: borrowing RenderSlice, _ scope: AudioUnitScope, _ row: Int, _ bus: Int? = nil
  ) -> Bool {
    if slice.parameterIsScheduled(0, scope: scope, element: row) { return true }
    guard let bus else { return false }
    return slice.parameterIsScheduled(1, scope: scope, element: bus)
  }

  /// Fills the audible buses.
  @_noLocks private func pull(_ slice: borrowing RenderSlice) -> OSStatus {
    var first = 0
    for bus in 0..<busCount {
      let end = first + slice.inputChannelCount(bus: bus)
      defer { first = end }
      if values.value(at: firstInput + bus * Self.stride + 1) < 0.5 {
        var isOff = true
        for index in first * outputCount..<end * outputCount where !crossings.isOff(index) {
          isOff = false
        }
        if isOff { continue }
      }
      let status = pulled.pull(slice, bus)
      guard status == 0 else { return status }
    }
    return 0
  }

  /// Whether an input channel may be audible in the slice.
  @_noLocks private func isInMix(_ slice: borrowing RenderSlice, _ index: Int) -> Bool {
    let bus = unsafe inputs[index].bus
    guard pulled[bus] else { return false }
    return !slice.inputIsSilent(bus: bus)
  }

  /// Adds all channels; false if all were silent.
  @_noLocks private mutating func addCrossings(_ slice: borrowing RenderSlice) -> Bool {
    var clock = self.clock
    var frame = 0
    var isAudible = false
    while frame < slice.frameCount {
      if clock.isAtGridPoint { crossings.advance() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: crossings.isMoving)
      for index in 0..<inputCount where isInMix(slice, index) {
        isAudible = true
        let source = unsafe input(slice, index) + frame
        for target in 0..<outputCount {
          let gain = crossings[index * outputCount + target]
          let samples = unsafe output(slice, target) + frame
          if !gain.isSettled {
            unsafe SampleRun.add(source, glide: gain, phase: clock.phase, to: samples, run)
          } else if gain.value != 0 {
            unsafe SampleRun.add(source, gain: gain.value, to: samples, run)
          }
        }
      }
      clock.advance(run)
      frame += run
    }
    return isAudible
  }

  /// Measures the inputs that are metered.
  @_noLocks private func measureInputs(_ slice: borrowing RenderSlice) {
    for index in 0..<inputCount {
      let bus = unsafe inputs[index].bus
      guard metering.value(at: matrixSize.maximumOutputs + bus) != 0 else { continue }
      if isInMix(slice, index) {
        let samples = unsafe input(slice, index)
        unsafe inputMeters.measure(index, isPost: false, samples, slice.frameCount)
        unsafe inputMeters.measure(
          index, isPost: true, samples, gain: inputGain(index), slice.frameCount)
      } else {
        inputMeters.measureSilence(index, slice.frameCount)
      }
      inputMeters.show(slice, index)
    }
  }

  /// Applies the gains of the outputs to the sums, and measures them.
  @_noLocks private mutating func finish(_ slice: borrowing RenderSlice) {
    measureOutputs(slice, isPost: false)
    var clock = self.clock
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { faders.advance() }
      let run = clock.run(of: slice.frameCount - frame, isMoving: faders.isMoving)
      for index in 0..<outputCount {
        let gain = faders[index]
        let samples = unsafe output(slice, index) + frame
        if !gain.isSettled {
          for place in 0..<run { unsafe samples[place] *= gain.value(at: clock.phase + place) }
        } else if gain.value != 1 {
          unsafe SampleRun.scale(samples, gain: gain.value, run)
        }
      }
      clock.advance(run)
      frame += run
    }
    measureOutputs(slice, isPost: true)
  }

  @_noLocks private func measureOutputs(_ slice: borrowing RenderSlice, isPost: Bool) {
    for index in 0..<outputCount {
      let bus = unsafe outputs[index].bus
      guard metering.value(at: bus) != 0 else { continue }
      unsafe outputMeters.measure(
        index, isPost: isPost, output(slice, index), slice.frameCount)
      if isPost { outputMeters.show(slice, index) }
    }
  }
}
