// Volume, pan and place of a source in mixers.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A place in space, metres.
public struct AVAudio3DPoint: Equatable, Sendable {
  /// To the right.
  public var x: Float = 0
  /// Up.
  public var y: Float = 0
  /// To the back.
  public var z: Float = 0
  /// The origin.
  public init() {}
  /// A place.
  public init(x: Float, y: Float, z: Float) {
    self.x = x
    self.y = y
    self.z = z
  }
}
/// A place in space.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
  AVAudio3DPoint(x: x, y: y, z: z)
}
/// A direction in space.
public typealias AVAudio3DVector = AVAudio3DPoint
/// A direction in space.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
  AVAudio3DPoint(x: x, y: y, z: z)
}

/// Ways to place a sound.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
  /// By levels alone.
  case equalPowerPanning = 0
  /// By the model of a sphere.
  case sphericalHead = 1
  /// By measured heads.
  case HRTF = 2
  /// As a sound field.
  case soundField = 3
  /// Not placed.
  case stereoPassThrough = 5
  /// By measured heads, better.
  case HRTFHQ = 6
  /// As the output has it.
  case auto = 7
}

/// Ways to render the channels of a source that is placed.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
  /// One channel is placed, more are passed on.
  case spatializeIfMono = 0
  /// All channels are passed on.
  case bypass = 1
  /// The channels are mixed to one, which is placed.
  case pointSource = 2
  /// Each channel is placed in its direction, far away.
  case ambienceBed = 3
}

/// Ways to render a source of several channels inside the head.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
  /// As one channel.
  case mono = 0
  /// With its channels as they are.
  case bypass = 1
}

/// Properties of a source that is placed in space.
public protocol AVAudio3DMixing: AnyObject {
  /// The way to place it.
  var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
  /// Its place.
  var position: AVAudio3DPoint { get set }
  /// Decibels of its reverberation.
  var reverbBlend: Float { get set }
  /// Attenuation by an obstacle before it, in decibels.
  var obstruction: Float { get set }
  /// Attenuation by a wall, in decibels.
  var occlusion: Float { get set }
  /// The factor of its speed.
  var rate: Float { get set }
  /// The way to render its channels.
  var sourceMode: AVAudio3DMixingSourceMode { get set }
  /// The way to render its channels inside the head.
  var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }
}

/// Properties of a source in mixers.
public protocol AVAudioMixing: AVAudio3DMixing {
  /// The factor of its level.
  var volume: Float { get set }
  /// From -1, left, to 1, right.
  var pan: Float { get set }
  /// The properties in one mixer alone; nil where they are not connected.
  func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?
}

/// The properties in space of a source.
final class Mixing3DState: @unchecked Sendable {
  var algorithm = AVAudio3DMixingRenderingAlgorithm.equalPowerPanning
  var position = AVAudio3DPoint()
  var reverbBlend: Float = 0
  var obstruction: Float = 0
  var occlusion: Float = 0
  var rate: Float = 1
  var sourceMode = AVAudio3DMixingSourceMode.spatializeIfMono
  var inHeadMode = AVAudio3DMixingPointSourceInHeadMode.mono
}

extension AVAudioMixing where Self: AVAudioNode {
  private func forLinks(_ body: (InputLink) -> Void) {
    for link in locked({ outputs.first?.links ?? [] }) {
      body(link)
      link.placeInSpace()
    }
  }

  /// The factor of its level, in all mixers.
  public var volume: Float {
    get { mixingDefaults.volume }
    set {
      mixingDefaults.volume = newValue
      forLinks { $0.mixing.volume = newValue }
    }
  }
  /// From -1, left, to 1, right, in all mixers.
  public var pan: Float {
    get { mixingDefaults.pan }
    set {
      mixingDefaults.pan = newValue
      forLinks { $0.mixing.pan = newValue }
    }
  }
  private func changed(_ body: (Mixing3DState) -> Void) {
    body(mixing3D)
    forLinks { _ in }
  }
  /// The way to place it.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { mixing3D.algorithm }
    set { changed { $0.algorithm = newValue } }
  }
  /// Its place.
  public var position: AVAudio3DPoint {
    get { mixing3D.position }
    set { changed { $0.position = newValue } }
  }
  /// The level of its reverberation, 0 to 1.
  public var reverbBlend: Float {
    get { mixing3D.reverbBlend }
    set { changed { $0.reverbBlend = newValue } }
  }
  /// Attenuation by an obstacle before it, in decibels.
  public var obstruction: Float {
    get { mixing3D.obstruction }
    set { changed { $0.obstruction = newValue } }
  }
  /// Attenuation by a wall, in decibels.
  public var occlusion: Float {
    get { mixing3D.occlusion }
    set { changed { $0.occlusion = newValue } }
  }
  /// The factor of its speed.
  public var rate: Float {
    get { mixing3D.rate }
    set { changed { $0.rate = newValue } }
  }
  /// The way to render its channels.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { mixing3D.sourceMode }
    set { changed { $0.sourceMode = newValue } }
  }
  /// The way to render its channels inside the head.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { mixing3D.inHeadMode }
    set { changed { $0.inHeadMode = newValue } }
  }
  /// The properties in one mixer alone; nil where they are not connected.
  public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus)
    -> AVAudioMixingDestination?
  {
    locked {
      outputs.first?.links.first { $0.destination === mixer && $0.destinationBus == bus }
    }.map { AVAudioMixingDestination($0, mixing3D) }
  }
}

extension InputLink {
  /// Applies the properties of the connection, where it leads into a mixer in space.
  func placeInSpace() { (destination as? AVAudioEnvironmentNode)?.place(self) }
}

/// The properties of a source in one mixer.
open class AVAudioMixingDestination: NSObject, AVAudioMixing {
  private let link: InputLink
  private let space: Mixing3DState
  init(_ link: InputLink, _ space: Mixing3DState) {
    self.link = link
    self.space = space
  }
  private func changed(_ body: (Mixing3DState) -> Void) {
    body(space)
    link.placeInSpace()
  }
  /// The connection.
  open var connectionPoint: AVAudioConnectionPoint {
    AVAudioConnectionPoint(node: link.destination ?? link.source, bus: link.destinationBus)
  }
  /// The factor of its level.
  open var volume: Float {
    get { link.mixing.volume }
    set {
      link.mixing.volume = newValue
      link.placeInSpace()
    }
  }
  /// From -1, left, to 1, right.
  open var pan: Float {
    get { link.mixing.pan }
    set { link.mixing.pan = newValue }
  }
  /// The way to place it.
  open var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { space.algorithm }
    set { changed { $0.algorithm = newValue } }
  }
  /// Its place.
  open var position: AVAudio3DPoint {
    get { space.position }
    set { changed { $0.position = newValue } }
  }
  /// The level of its reverberation.
  open var reverbBlend: Float {
    get { space.reverbBlend }
    set { changed { $0.reverbBlend = newValue } }
  }
  /// Attenuation by an obstacle before it, in decibels.
  open var obstruction: Float {
    get { space.obstruction }
    set { changed { $0.obstruction = newValue } }
  }
  /// Attenuation by a wall, in decibels.
  open var occlusion: Float {
    get { space.occlusion }
    set { changed { $0.occlusion = newValue } }
  }
  /// The factor of its speed.
  open var rate: Float {
    get { space.rate }
    set { changed { $0.rate = newValue } }
  }
  /// The way to render its channels.
  open var sourceMode: AVAudio3DMixingSourceMode {
    get { space.sourceMode }
    set { changed { $0.sourceMode = newValue } }
  }
  /// The way to render its channels inside the head.
  open var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { space.inHeadMode }
    set { changed { $0.inHeadMode = newValue } }
  }
  /// Itself, where it is of that mixer.
  open func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus)
    -> AVAudioMixingDestination?
  {
    link.destination === mixer && link.destinationBus == bus ? self : nil
  }
}
