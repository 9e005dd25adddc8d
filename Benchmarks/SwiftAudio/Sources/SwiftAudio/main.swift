// Measures the classes of AVFAudio beside the C functions below them, in turns; prints the least time of each and the ratio.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
//
// usage: SwiftAudio ROUNDS FILE...

@preconcurrency import AVFoundation
import CSoxr

let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 9 : 9
let chunk: AVAudioFrameCount = 8_192

func seconds(_ body: () throws -> Void) rethrows -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  let start = Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
  try body()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec) - start
}
/// Runs two in turns, and prints the least of each.
func compare(_ name: String, _ ours: () throws -> Void, floor: () throws -> Void) rethrows {
  var least = (Double.infinity, Double.infinity)
  for _ in 0...rounds {
    least.0 = min(least.0, try seconds(ours))
    least.1 = min(least.1, try seconds(floor))
  }
  print(
    name, String(format: "%.3f", least.0 * 1e3), String(format: "%.3f", least.1 * 1e3),
    String(format: "%.2f", least.0 / least.1), separator: "\t")
}
func check(_ status: OSStatus) { precondition(status == noErr, "\(status)") }
func standard(_ rate: Double, _ channels: AVAudioChannelCount) -> AVAudioFormat {
  AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels)!
}
func buffer(_ format: AVAudioFormat, _ frames: AVAudioFrameCount) -> AVAudioPCMBuffer {
  AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)!
}

// MARK: Files

func readByClass(_ url: URL) throws {
  let file = try AVAudioFile(forReading: url)
  let block = buffer(file.processingFormat, chunk)
  while file.framePosition < file.length { try file.read(into: block) }
}
func readByFunctions(_ url: URL, _ format: AVAudioFormat) {
  var file: ExtAudioFileRef?
  check(ExtAudioFileOpenURL(url as CFURL, &file))
  var raw = format.streamDescription.pointee
  check(
    ExtAudioFileSetProperty(
      file!, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: raw)), &raw))
  let block = buffer(format, chunk)
  var frames = chunk
  repeat {
    frames = chunk
    block.frameLength = chunk
    check(ExtAudioFileRead(file!, &frames, block.mutableAudioBufferList))
  } while frames > 0
  check(ExtAudioFileDispose(file!))
}

// MARK: Graphs

let filter = AudioComponentDescription(
  componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_LowPassFilter,
  componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
let nodeCount = 10
let sliceFrames: AVAudioFrameCount = 512
let slices = 20 * 44_100 / Int(sliceFrames)
let stereo = standard(44_100, 2)

func fill(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: UInt32) {
  for channel in UnsafeMutableAudioBufferListPointer(list) {
    let samples = channel.mData!.assumingMemoryBound(to: Float.self)
    for frame in 0..<Int(frames) { samples[frame] = 0.5 }
  }
}
func makeEngine() throws -> AVAudioEngine {
  let engine = AVAudioEngine()
  try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: sliceFrames)
  var last: AVAudioNode = AVAudioSourceNode(format: stereo) { _, _, frames, list in
    fill(list, frames)
    return noErr
  }
  engine.attach(last)
  for _ in 0..<nodeCount {
    let unit = AVAudioUnitEffect(audioComponentDescription: filter)
    engine.attach(unit)
    engine.connect(last, to: unit, format: stereo)
    last = unit
  }
  engine.connect(last, to: engine.outputNode, format: stereo)
  try engine.start()
  return engine
}
func makeGraph() -> (graph: AUGraph, end: AudioUnit) {
  var made: AUGraph?
  check(NewAUGraph(&made))
  let graph = made!
  var nodes: [AUNode] = []
  func add(_ description: AudioComponentDescription) {
    var (description, node) = (description, AUNode())
    check(AUGraphAddNode(graph, &description, &node))
    nodes.append(node)
  }
  for _ in 0..<nodeCount { add(filter) }
  var output = filter
  output.componentType = kAudioUnitType_Output
  output.componentSubType = kAudioUnitSubType_GenericOutput
  add(output)
  check(AUGraphOpen(graph))
  var raw = stereo.streamDescription.pointee
  var units: [AudioUnit] = []
  for node in nodes {
    var unit: AudioUnit?
    check(AUGraphNodeInfo(graph, node, nil, &unit))
    units.append(unit!)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      check(
        AudioUnitSetProperty(
          unit!, kAudioUnitProperty_StreamFormat, scope, 0, &raw,
          UInt32(MemoryLayout.size(ofValue: raw))))
    }
  }
  for index in 0..<nodeCount {
    check(AUGraphConnectNodeInput(graph, nodes[index], 0, nodes[index + 1], 0))
  }
  var source = AURenderCallbackStruct(
    inputProc: { _, _, _, _, frames, list in
      fill(list!, frames)
      return noErr
    }, inputProcRefCon: nil)
  check(AUGraphSetNodeInputCallback(graph, nodes[0], 0, &source))
  check(AUGraphInitialize(graph))
  check(AudioOutputUnitStart(units[nodeCount]))
  return (graph, units[nodeCount])
}

// MARK: Conversion

/// A second of sound, whole, from a converter that is made for it: the loaders of models.
func convert(_ input: AVAudioPCMBuffer, _ output: AVAudioPCMBuffer) {
  let converter = AVAudioConverter(from: input.format, to: output.format)!
  var isSupplied = false
  converter.convert(to: output, error: nil) { _, status in
    status.pointee = isSupplied ? .endOfStream : .haveData
    defer { isSupplied = true }
    return isSupplied ? nil : input
  }
}
func convertBare(_ input: AVAudioPCMBuffer, _ output: AVAudioPCMBuffer) {
  var (taken, made) = (0, 0)
  var quality = AuricleSoxrQuality()
  let error = soxr_oneshot(
    48_000, 16_000, 1, input.floatChannelData![0], Int(input.frameLength), &taken,
    output.floatChannelData![0], Int(output.frameCapacity), &made, nil, &quality, nil)
  precondition(error == nil)
}

print("case", "ours (ms)", "floor (ms)", "ratio", separator: "\t")
for path in CommandLine.arguments.dropFirst(2) {
  let url = URL(fileURLWithPath: path)
  let format = try AVAudioFile(forReading: url).processingFormat
  try compare("AVAudioFile beside ExtAudioFile, \(url.pathExtension)") {
    try readByClass(url)
  } floor: {
    readByFunctions(url, format)
  }
}
let (engine, graph) = (try makeEngine(), makeGraph())
let block = buffer(stereo, sliceFrames)
var stamp = AudioTimeStamp()
stamp.mFlags = .sampleTimeValid
try compare("engine of \(nodeCount) nodes beside AUGraph") {
  for _ in 0..<slices { _ = try engine.renderOffline(sliceFrames, to: block) }
} floor: {
  for _ in 0..<slices {
    var flags = AudioUnitRenderActionFlags()
    block.frameLength = sliceFrames
    check(AudioUnitRender(graph.end, &flags, &stamp, 0, sliceFrames, block.mutableAudioBufferList))
    stamp.mSampleTime += Double(sliceFrames)
  }
}
let second = buffer(standard(48_000, 1), 48_000)
second.frameLength = 48_000
for frame in 0..<48_000 { second.floatChannelData![0][frame] = sinf(Float(frame) * 0.05) }
let converted = buffer(standard(16_000, 1), 16_500)
compare("1 s, 48 kHz to 16 kHz, 100 times, beside soxr") {
  for _ in 0..<100 { convert(second, converted) }
} floor: {
  for _ in 0..<100 { convertBare(second, converted) }
}
