// Parameters by name: constants for places in the definition, so that a kernel names its parameters.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
public import RealtimeSupport

/// The place of a parameter among those of its scope, in the order of the definition.
///
/// For a `UnitKernel`; units of `AuricleUnit` read their properties. A kernel names its parameters once,
/// and reads `slice[.mix]`:
///
/// ```swift
/// extension ParameterIndex {
///   static var mix: Self { @_noLocks get { Self(0) } }
///   static var time: Self { @_noLocks get { Self(1) } }
/// }
/// ```
///
/// Costs nothing: it is the number. Context: any, render included.
public struct ParameterIndex: Equatable, Sendable {
  /// The number, from 0.
  public let number: Int

  /// Makes the name of a place.
  ///
  /// - Parameter number: The place, from 0.
  @inlinable @_noLocks public init(_ number: Int) { self.number = number }
}

extension RenderSlice {
  /// Value of a parameter of the global scope, in its unit, as it is in this slice.
  @inlinable public subscript(_ index: ParameterIndex) -> Float {
    @_noLocks get { parameter(index.number) }
  }

  /// Returns the value of a parameter of an input bus, one of the definition's `inputParameters`.
  @inlinable @_noLocks public func inputParameter(bus: Int, _ index: ParameterIndex) -> Float {
    inputParameter(bus: bus, index.number)
  }

  /// Returns the value of a parameter of an output bus, one of the definition's `outputParameters`.
  @inlinable @_noLocks public func outputParameter(bus: Int, _ index: ParameterIndex) -> Float {
    outputParameter(bus: bus, index.number)
  }

  /// Returns whether the host scheduled the value that a parameter has in this slice; see the other function.
  @inlinable @_noLocks public func parameterIsScheduled(
    _ index: ParameterIndex, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0
  ) -> Bool {
    parameterIsScheduled(index.number, scope: scope, element: element)
  }

  /// Returns the ramp that a parameter is on in this slice; see the other function.
  @inlinable @_noLocks public func parameterRamp(
    _ index: ParameterIndex, scope: AudioUnitScope = kAudioUnitScope_Global, element: Int = 0
  ) -> ParameterRamp? {
    parameterRamp(index.number, scope: scope, element: element)
  }

  /// Sets a meter of the global scope, which hosts read at their own pace.
  @inlinable @_noLocks public func setMeter(_ index: ParameterIndex, _ value: Float) {
    setMeter(index.number, value)
  }
}

extension ParameterStore {
  /// Value of a parameter of global scope.
  @inlinable public subscript(_ index: ParameterIndex) -> Float {
    @_noLocks get { value(at: index.number) }
  }
}
