// A kernel's view of parameters in one slice: values, ramps, and the meters that it sets.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
public import RealtimeSupport

extension RenderSlice {
  /// Returns the value of a parameter of the global scope, by its place in the definition.
  ///
  /// - Parameter index: Place, from 0, in the definition's `parameters`; it is not checked.
  /// - Returns: The value in the parameter's unit. It is the same in the whole slice, except on a ramp.
  @inlinable @_noLocks public func parameter(_ index: Int) -> Float {
    unsafe state.pointee.values.value(at: index)
  }

  /// Returns the ramp of a parameter in this slice; nil while its value is constant.
  ///
  /// For parameters whose definition says `isRampedByKernel`. A slice never goes beyond the end of a ramp.
  ///
  /// - Parameters:
  ///   - index: Place of the parameter among those of its scope.
  ///   - scope: Global by default.
  ///   - element: An element that exists.
  @_noLocks public func parameterRamp(
    _ index: Int, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0
  ) -> ParameterRamp? {
    var event = ScheduledEvent(
      start: 0, duration: 0, index: 0, isKernelRamp: false, startValue: 0, endValue: 0)
    let place = table.firstIndex(scope, element) + index
    guard events.ramp(of: place, at: frameOffset, &event) else { return nil }
    return ParameterRamp(event, at: frameOffset)
  }

  /// Whether the host scheduled the value of any parameter for this slice.
  ///
  /// Cheap, and mostly false: ask it before `isScheduled(in:)` of single parameters.
  ///
  /// ```swift
  /// if slice.hasScheduledValues, parameters.$gain.isScheduled(in: slice) {
  ///   gain.jump(to: parameters.gain)
  /// }
  /// ```
  public var hasScheduledValues: Bool {
    @_noLocks get { !events.isIdle }
  }

  /// Returns whether the host scheduled the value that a parameter has in this slice: for its first frame, or
  /// as a ramp that it is on or that ends there.
  ///
  /// Such a value holds from the first frame on: a kernel that glides jumps to it. Values that a host
  /// sets without a time may glide.
  ///
  /// - Parameters:
  ///   - index: Place of the parameter among those of its scope.
  ///   - scope: Global by default.
  ///   - element: An element that exists.
  @_noLocks public func parameterIsScheduled(
    _ index: Int, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0
  ) -> Bool {
    events.isScheduled(table.firstIndex(scope, element) + index)
  }

  /// Sets a meter of the global scope, by its place in the definition.
  ///
  /// - Parameters:
  ///   - index: Place, from 0, in the definition's `parameters`, of one that `isMeter`.
  ///   - value: In the meter's unit; not brought into its range.
  @inlinable @_noLocks public func setMeter(_ index: Int, _ value: Float) {
    unsafe state.pointee.values.setMeter(value, at: index)
  }

  /// Returns the value of a parameter of an input bus.
  ///
  /// - Parameters:
  ///   - bus: Input bus, from 0.
  ///   - index: Place in the definition's `inputParameters`.
  @_noLocks public func inputParameter(bus: Int, _ index: Int) -> Float {
    table.values.value(at: table.firstIndex(kAudioUnitScope_Input, bus) + index)
  }

  /// Returns the value of a parameter of an output bus.
  ///
  /// - Parameters:
  ///   - bus: Output bus, from 0.
  ///   - index: Place in the definition's `outputParameters`.
  @_noLocks public func outputParameter(bus: Int, _ index: Int) -> Float {
    table.values.value(at: table.firstIndex(kAudioUnitScope_Output, bus) + index)
  }

  /// Returns the value of a parameter of an element of any scope.
  ///
  /// - Parameters:
  ///   - index: Place among the parameters of the scope.
  ///   - scope: A `kAudioUnitScope_…` code.
  ///   - element: Element, from 0.
  /// - Returns: The value; 0 for an element that there is not.
  @_noLocks public func parameter(
    _ index: Int, scope: AudioUnitScope, element: Int
  ) -> Float {
    guard element >= 0, element < table.elementCount(scope) else { return 0 }
    return table.values.value(at: table.firstIndex(scope, element) + index)
  }

  /// Sets a meter of an input bus.
  ///
  /// - Parameters:
  ///   - bus: Input bus, from 0.
  ///   - index: Place in the definition's `inputParameters`.
  ///   - value: In the meter's unit.
  @_noLocks public func setInputMeter(bus: Int, _ index: Int, _ value: Float) {
    table.values.setMeter(value, at: table.firstIndex(kAudioUnitScope_Input, bus) + index)
  }

  /// Sets a meter of an output bus.
  ///
  /// - Parameters:
  ///   - bus: Output bus, from 0.
  ///   - index: Place in the definition's `outputParameters`.
  ///   - value: In the meter's unit.
  @_noLocks public func setOutputMeter(bus: Int, _ index: Int, _ value: Float) {
    table.values.setMeter(value, at: table.firstIndex(kAudioUnitScope_Output, bus) + index)
  }
}
