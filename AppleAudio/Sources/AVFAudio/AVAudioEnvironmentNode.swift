// A mixer that places its inputs in space, around a listener.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The direction of a listener, by two vectors.
public struct AVAudio3DVectorOrientation: Equatable, Sendable {
  /// To the front.
  public var forward: AVAudio3DVector
  /// Up.
  public var up: AVAudio3DVector
  /// A direction.
  public init(forward: AVAudio3DVector, up: AVAudio3DVector) {
    self.forward = forward
    self.up = up
  }
}

/// The direction of a listener, by angles in degrees.
public struct AVAudio3DAngularOrientation: Equatable, Sendable {
  /// To the side.
  public var yaw: Float
  /// Up and down.
  public var pitch: Float
  /// The tilt of the head.
  public var roll: Float
  /// A direction.
  public init(yaw: Float, pitch: Float, roll: Float) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }
}
/// A direction by angles in degrees.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float)
  -> AVAudio3DAngularOrientation
{
  AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}

/// The law by which the level falls with the distance.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
  /// By a power.
  case exponential = 1
  /// By the inverse.
  case inverse = 2
  /// In a line.
  case linear = 3
}

/// The law by which the level of sources falls with the distance.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject {
  var changed: () -> Void = {}
  /// The model.
  open var distanceAttenuationModel = AVAudioEnvironmentDistanceAttenuationModel.inverse {
    didSet { changed() }
  }
  /// Metres at which the level is full.
  open var referenceDistance: Float = 1 { didSet { changed() } }
  /// Metres behind which the level stays.
  open var maximumDistance: Float = 100_000 { didSet { changed() } }
  /// The steepness.
  open var rolloffFactor: Float = 1 { didSet { changed() } }

  /// The factor of a distance.
  func gain(_ distance: Float) -> Float {
    let near = Swift.max(referenceDistance, 0.000_1)
    let far = Swift.min(Swift.max(distance, near), Swift.max(maximumDistance, near))
    switch distanceAttenuationModel {
    case .exponential: return pow(far / near, -rolloffFactor)
    case .inverse: return near / (near + rolloffFactor * (far - near))
    case .linear:
      return Swift.max(
        1 - rolloffFactor * (far - near) / Swift.max(maximumDistance - near, 0.000_1), 0)
    }
  }
}

/// Kinds of outputs of an environment.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
  /// Loudspeakers, as the kind of the device is not known.
  case auto = 0
  /// Headphones: sources with the algorithm `auto` are rendered through a head.
  case headphones = 1
  /// Loudspeakers in the machine.
  case builtInSpeakers = 2
  /// Loudspeakers beside it.
  case externalSpeakers = 3
}

/// The reverberation of an environment.
open class AVAudioEnvironmentReverbParameters: NSObject {
  private unowned let node: AVAudioEnvironmentNode
  /// The filter behind the reverberation.
  public let filterParameters: AVAudioUnitEQFilterParameters
  fileprivate init(_ node: AVAudioEnvironmentNode) {
    self.node = node
    filterParameters = AVAudioUnitEQFilterParameters(
      node,
      (
        type: Int(kReverbParam_FilterType), frequency: Int(kReverbParam_FilterFrequency),
        bandwidth: Int(kReverbParam_FilterBandwidth), gain: Int(kReverbParam_FilterGain)
      ), enable: Int(kReverbParam_FilterEnable))
  }
  /// Whether there is reverberation; there is none at first.
  open var enable: Bool {
    get { node.number(kAudioUnitProperty_UsesInternalReverb) != 0 }
    set { node.set(kAudioUnitProperty_UsesInternalReverb, newValue ? 1 : 0) }
  }
  /// Decibels of all reverberation, -40 to 40.
  open var level: Float {
    get { node.parameter(Int(kSpatialMixerParam_GlobalReverbGain)) }
    set { node.set(Int(kSpatialMixerParam_GlobalReverbGain), newValue, in: -40...40) }
  }
  /// Chooses a room.
  open func loadFactoryReverbPreset(_ preset: AVAudioUnitReverbPreset) {
    node.set(kAudioUnitProperty_ReverbRoomType, UInt32(preset.rawValue))
  }
}

/// A mixer in space: mono inputs are placed, others pass.
open class AVAudioEnvironmentNode: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  /// The law by which levels fall with the distance.
  public let distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters()
  /// The reverberation.
  open private(set) lazy var reverbParameters = AVAudioEnvironmentReverbParameters(self)
  private var levels: Float = 1
  /// The kind of the output.
  open var outputType = AVAudioEnvironmentOutputType.auto {
    didSet {
      set(
        kAudioUnitProperty_SpatialMixerOutputType,
        outputType == .auto ? kSpatialMixerOutputType_ExternalSpeakers : UInt32(outputType.rawValue)
      )
    }
  }

  /// A mixer with the listener at the origin.
  public init() {
    super.init(description: auricleUnit(kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer))
    // Levels by distance are this node's: the unit places alone.
    var parameters = MixerDistanceParams(
      mReferenceDistance: 100_000, mMaxDistance: 200_000, mMaxAttenuation: 0)
    for bus in inputLinks.indices {
      AudioUnitSetProperty(
        audioUnit, kAudioUnitProperty_SpatialMixerDistanceParams, kAudioUnitScope_Input,
        UInt32(bus), &parameters,
        UInt32(MemoryLayout.size(ofValue: parameters)))
    }
    set(kAudioUnitProperty_UsesInternalReverb, 0)
    distanceAttenuationParameters.changed = { [unowned self] in placeAll() }
  }
  /// The first bus without a connection.
  open var nextAvailableInputBus: AVAudioNodeBus {
    locked { inputLinks.firstIndex { $0 == nil } ?? inputLinks.count }
  }
  /// The factor of the output.
  open var outputVolume: Float {
    get { levels }
    set {
      levels = newValue
      set(
        Int(kSpatialMixerParam_Gain), 20 * log10(Swift.max(newValue, 0.000_001)), in: -120...20,
        kAudioUnitScope_Output, 0)
    }
  }
  /// Position of the listener, metres.
  open var listenerPosition = AVAudio3DPoint() { didSet { placeAll() } }
  /// Direction of the listener's head, by vectors; at first to -z, with y up.
  open var listenerVectorOrientation = AVAudio3DVectorOrientation(
    forward: AVAudio3DPoint(x: 0, y: 0, z: -1), up: AVAudio3DPoint(x: 0, y: 1, z: 0))
  { didSet { placeAll() } }
  /// Direction of the listener's head, by angles.
  open var listenerAngularOrientation: AVAudio3DAngularOrientation {
    get {
      let (f, u) = (listenerVectorOrientation.forward, listenerVectorOrientation.up)
      let degrees = Float(180) / .pi
      return AVAudio3DAngularOrientation(
        yaw: atan2(f.x, -f.z) * degrees, pitch: asin(Swift.min(Swift.max(f.y, -1), 1)) * degrees,
        roll: atan2(u.x, u.y) * degrees)
    }
    set {
      let (yaw, pitch, roll) = (
        newValue.yaw * .pi / 180, newValue.pitch * .pi / 180, newValue.roll * .pi / 180
      )
      let forward = AVAudio3DPoint(
        x: sin(yaw) * cos(pitch), y: sin(pitch), z: -cos(yaw) * cos(pitch))
      let side = AVAudio3DPoint(x: cos(yaw), y: 0, z: sin(yaw))
      let up = AVAudio3DPoint(
        x: side.y * forward.z - side.z * forward.y, y: side.z * forward.x - side.x * forward.z,
        z: side.x * forward.y - side.y * forward.x)
      listenerVectorOrientation = AVAudio3DVectorOrientation(
        forward: forward,
        up: AVAudio3DPoint(
          x: up.x * cos(roll) + side.x * sin(roll), y: up.y * cos(roll) + side.y * sin(roll),
          z: up.z * cos(roll) + side.z * sin(roll)))
    }
  }
  /// The ways to place that this node has.
  open var applicableRenderingAlgorithms: [NSNumber] {
    [0, 1, 2, 5, 6, 7].map { NSNumber(value: $0) }
  }

  private func placeAll() { for case let link? in locked({ inputLinks }) { place(link) } }
  private func set(_ property: AudioUnitPropertyID, _ value: UInt32, input bus: Int) {
    var value = value
    AudioUnitSetProperty(audioUnit, property, kAudioUnitScope_Input, UInt32(bus), &value, 4)
  }
  func place(_ link: InputLink) {
    let (space, bus) = (link.source.mixing3D, link.destinationBus)
    let scope = kAudioUnitScope_Input
    let (f, u) = (listenerVectorOrientation.forward, listenerVectorOrientation.up)
    let right = AVAudio3DPoint(
      x: f.y * u.z - f.z * u.y, y: f.z * u.x - f.x * u.z, z: f.x * u.y - f.y * u.x)
    let d = AVAudio3DPoint(
      x: space.position.x - listenerPosition.x, y: space.position.y - listenerPosition.y,
      z: space.position.z - listenerPosition.z)
    func dot(_ a: AVAudio3DPoint, _ b: AVAudio3DPoint) -> Float {
      a.x * b.x + a.y * b.y + a.z * b.z
    }
    let (x, y, z) = (dot(d, right), dot(d, u), dot(d, f))
    let distance = (x * x + y * y + z * z).squareRoot()
    // Inside the head, about a decimetre, a point has no direction.
    let isPassed =
      space.sourceMode == .spatializeIfMono && link.format.channelCount > 1
      || space.sourceMode == .pointSource && space.inHeadMode == .bypass && distance < 0.1
    set(
      kAudioUnitProperty_SpatializationAlgorithm,
      isPassed ? kSpatializationAlgorithm_StereoPassThrough : UInt32(space.algorithm.rawValue),
      input: bus)
    set(kAudioUnitProperty_SpatialMixerSourceMode, UInt32(space.sourceMode.rawValue), input: bus)
    let degrees = Float(180) / .pi
    set(
      Int(kSpatialMixerParam_Azimuth), distance == 0 ? 0 : atan2(x, z) * degrees, in: -180...180,
      scope, bus)
    set(
      Int(kSpatialMixerParam_Elevation), distance == 0 ? 0 : asin(y / distance) * degrees,
      in: -90...90, scope, bus)
    set(Int(kSpatialMixerParam_Distance), distance, in: 0...10_000, scope, bus)
    let gain = distanceAttenuationParameters.gain(distance) * link.mixing.volume
    set(
      Int(kSpatialMixerParam_Gain), 20 * log10(Swift.max(gain, 0.000_001)), in: -120...20, scope,
      bus)
    set(Int(kSpatialMixerParam_PlaybackRate), space.rate, in: 0.5...2, scope, bus)
    set(Int(kSpatialMixerParam_ReverbBlend), space.reverbBlend * 100, in: 0...100, scope, bus)
    set(Int(kSpatialMixerParam_OcclusionAttenuation), space.occlusion, in: -100...0, scope, bus)
    set(Int(kSpatialMixerParam_ObstructionAttenuation), space.obstruction, in: -100...0, scope, bus)
  }
}
