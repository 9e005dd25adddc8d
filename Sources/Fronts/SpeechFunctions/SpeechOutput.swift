// The units behind a channel of this library: one that speaks, and a device that plays it, in a graph.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// A graph with a speech unit; it plays, or is rendered into a file. Context: control, under the channel's lock.
///
/// @unchecked Sendable because of that lock.
@safe final class SpeechOutput: @unchecked Sendable {
  private enum Mode: Equatable {
    case nothing
    case device(AudioDeviceID)
    case rendered
  }

  let graph: AUGraph
  let unit: SpeechUnit
  private let speaker: AUNode
  private var head: AUNode?
  private var mode = Mode.nothing
  private var isRunning = false
  private var renderedFrames = 0.0

  /// Frames a second of files (Hz): the rate of voices.
  static let fileRate = 22_050.0
  /// Frames that are rendered at once.
  static let sliceFrames = 1024

  /// Opens a speech unit.
  ///
  /// - Throws: -240 where none is installed.
  init() throws(SpeechFailure) {
    var (made, node, handle): (AUGraph?, AUNode, AudioUnitHandle?) = (nil, 0, nil)
    var wanted = SpeechUnit.description
    guard unsafe NewAUGraph(&made) == noErr, let made = unsafe made else {
      throw SpeechFailure(memFullErr)
    }
    guard unsafe AUGraphAddNode(made, &wanted, &node) == noErr,
      unsafe AUGraphOpen(made) == noErr,
      unsafe AUGraphNodeInfo(made, node, nil, &handle) == noErr, let handle = unsafe handle
    else {
      unsafe DisposeAUGraph(made)
      throw SpeechFailure(noSynthFound)
    }
    unsafe graph = unsafe made
    unit = unsafe SpeechUnit(handle: handle)
    speaker = node
  }

  deinit {
    leave()
    unsafe _ = DisposeAUGraph(graph)
  }

  /// Leaves its destination.
  private func leave() {
    stop()
    if mode == .rendered { unsafe _ = AudioUnitUninitialize(unit.handle) }
    unsafe _ = AUGraphUninitialize(graph)
    if let head {
      unsafe _ = AUGraphClearConnections(graph)
      unsafe _ = AUGraphRemoveNode(graph, head)
    }
    (head, mode) = (nil, .nothing)
  }

  private func setFormat(_ rate: Double, _ channels: Int) throws(SpeechFailure) {
    var format = AudioStreamFormat(sampleRate: rate, channelCount: channels).asbd
    let status = unsafe AudioUnitSetProperty(
      unit.handle, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size))
    if status != noErr { throw SpeechFailure(synthOpenFailed) }
  }

  /// Plays into a device; 0 for the default one.
  ///
  /// - Throws: -241 where it cannot be had.
  func useDevice(_ device: AudioDeviceID) throws(SpeechFailure) {
    guard mode != .device(device) else { return }
    leave()
    try setFormat(44_100, 2)
    var wanted = AudioComponentDescription(
      componentType: kAudioUnitType_Output,
      componentSubType: device == 0
        ? kAudioUnitSubType_DefaultOutput : kAudioUnitSubType_HALOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var (node, handle): (AUNode, AudioUnitHandle?) = (0, nil)
    guard unsafe AUGraphAddNode(graph, &wanted, &node) == noErr else {
      throw SpeechFailure(synthOpenFailed)
    }
    head = node
    var id = device
    guard unsafe AUGraphNodeInfo(graph, node, nil, &handle) == noErr, let handle = unsafe handle,
      unsafe device == 0
        || AudioUnitSetProperty(
          handle, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &id, 4)
          == noErr,
      unsafe AUGraphConnectNodeInput(graph, speaker, 0, node, 0) == noErr,
      unsafe AUGraphInitialize(graph) == noErr
    else {
      leave()
      throw SpeechFailure(synthOpenFailed)
    }
    mode = .device(device)
  }

  /// Is rendered by `render`.
  func useFile() throws(SpeechFailure) {
    guard mode != .rendered else { return }
    leave()
    try setFormat(Self.fileRate, 1)
    guard unsafe AudioUnitInitialize(unit.handle) == noErr else {
      throw SpeechFailure(synthOpenFailed)
    }
    mode = .rendered
  }

  /// Has the device play.
  func start() throws(SpeechFailure) {
    guard case .device = mode, !isRunning else { return }
    guard unsafe AUGraphStart(graph) == noErr else { throw SpeechFailure(synthOpenFailed) }
    isRunning = true
  }

  /// Has the device stop.
  func stop() {
    guard isRunning else { return }
    unsafe _ = AUGraphStop(graph)
    isRunning = false
  }

  /// Renders frames into a file.
  func render(_ frames: Int, into file: ExtAudioFileRef) -> OSStatus {
    var samples = [Float](repeating: 0, count: frames)
    return unsafe samples.withUnsafeMutableBytes { memory in
      var list = AudioBufferList()
      list.mNumberBuffers = 1
      unsafe list.mBuffers = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress)
      var (flags, time): (AudioUnitRenderActionFlags, AudioTimeStamp) = (
        0, AudioTimeStamp()
      )
      time.mFlags = kAudioTimeStampSampleTimeValid
      time.mSampleTime = renderedFrames
      let status = unsafe AudioUnitRender(unit.handle, &flags, &time, 0, UInt32(frames), &list)
      guard status == noErr else { return status }
      renderedFrames += Double(frames)
      return unsafe ExtAudioFileWrite(file, UInt32(frames), &list)
    }
  }
}
