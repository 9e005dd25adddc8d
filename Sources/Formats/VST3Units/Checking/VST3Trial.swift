// A plug-in that is tried by itself, without a unit around it.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns

/// An instance that renders single slices of a fixed noise, on the thread that calls it.
@safe final class VST3Trial {
  static let frameCount = 512
  static let sampleRate = 48_000.0

  /// The format that a processor is set up for.
  struct Setup {
    var sampleRate = VST3Trial.sampleRate
    var frames = VST3Trial.frameCount
    var isOffline = true
  }

  let object: VST3Object
  let run: UnsafeMutablePointer<AuricleVST3Run>
  /// Whether it works in double precision only.
  let isDouble: Bool
  /// The latency in frames when it was last activated.
  private(set) var latencyAtFirst: UInt32
  /// The result of the last process call.
  private(set) var result: Int32 = 0
  /// Whether the last slice left the inputs as they were.
  private(set) var keptInputs = true
  private let memory: UnsafeMutablePointer<Float>
  private let inputChannelCount: Int
  /// The channels of the first input that the first output may share.
  private let sharedChannelCount: Int
  private let channelCount: Int
  private var seed: UInt32 = 1

  /// Makes, sets up and activates a plug-in in its first layout; nil when it refuses.
  ///
  /// Context: control, in a process that may be lost.
  init?(_ description: VST3Description, binary: String) {
    let made = PlugInLifeCycle.performOnMainThread { () -> (VST3Object, Bool, UInt32)? in
      guard let object = Self.make(description, binary: binary) else { return nil }
      guard let isDouble = Self.setUp(object, Setup()) else {
        object.leaveLoop()
        return nil
      }
      object.settle()
      return (object, isDouble, object.latency)
    }
    guard let made else { return nil }
    (object, isDouble, latencyAtFirst) = made
    let first = description.layouts.first ?? VST3Layout()
    func counts(_ buses: [VST3Bus], _ arrangement: UInt64) -> [Int] {
      buses.enumerated().map { $0 == 0 ? arrangement.nonzeroBitCount : Int($1.channelCount) }
    }
    let inputs = counts(description.inputs, first.input)
    let outputs = counts(description.outputs, first.output)
    inputChannelCount = inputs.reduce(0, +)
    sharedChannelCount = min(inputs.first ?? 0, outputs.first ?? 0)
    channelCount = outputs.reduce(inputChannelCount, +)
    unsafe memory = .allocate(capacity: max(channelCount, 1) * Self.frameCount)
    unsafe memory.initialize(repeating: 0, count: max(channelCount, 1) * Self.frameCount)
    let queues = max(Int32(clamping: description.parameters.count), 1)
    guard
      let run = unsafe auricle_vst3_make_run(
        Int32(channelCount), Int32(inputs.count + outputs.count), 0, queues,
        Int32(Self.frameCount), isDouble)
    else { return nil }
    unsafe self.run = unsafe run
    prepare(inputs, outputs)
    unsafe run.pointee.sends_events = !description.eventInputs.isEmpty
  }

  /// An initialised plug-in, in its first layout. Context: the main thread of plug-ins.
  static func make(_ description: VST3Description, binary: String) -> VST3Object? {
    guard let library = try? VST3Library(path: binary),
      let object = try? VST3Object(library, classID: description.classID, isOffline: true)
    else { return nil }
    object.settle()
    if let layout = description.layouts.first { _ = object.arrange(description, layout) }
    return object
  }

  /// Sets an inactive plug-in up and activates it; whether it works in double precision, nil when it refuses.
  ///
  /// Context: the main thread of plug-ins.
  private static func setUp(_ object: VST3Object, _ setup: Setup) -> Bool? {
    guard let processor = unsafe object.plugin.pointee.processor else { return nil }
    let table = unsafe processor.pointee.table.pointee
    let isSingle = unsafe table.can_process(processor, Int32(kVST3_Sample32)) == 0
    let isDouble = unsafe !isSingle && table.can_process(processor, Int32(kVST3_Sample64)) == 0
    guard object.accepts(setup, isDouble: isDouble) else { return nil }
    unsafe auricle_vst3_activate_buses(object.plugin)
    return unsafe auricle_vst3_activate(object.plugin) ? isDouble : nil
  }

  private func prepare(_ inputs: [Int], _ outputs: [Int]) {
    unsafe run.pointee.processor = unsafe object.plugin.pointee.processor
    unsafe run.pointee.handler = unsafe object.plugin.pointee.handler
    unsafe run.pointee.input_channels = Int32(inputChannelCount)
    unsafe run.pointee.process.mode = Int32(kVST3_Offline)
    unsafe run.pointee.process.input_count = Int32(inputs.count)
    unsafe run.pointee.process.output_count = Int32(outputs.count)
    unsafe run.pointee.process.inputs = unsafe run.pointee.buffers
    unsafe run.pointee.process.outputs = unsafe run.pointee.buffers + inputs.count
    var first = 0
    for (index, count) in (inputs + outputs).enumerated() {
      unsafe run.pointee.buffers[index].channel_count = Int32(count)
      unsafe run.pointee.buffers[index].channels = unsafe run.pointee.channels + first
      first += count
    }
    unsafe run.pointee.context.sample_rate = Self.sampleRate
    unsafe run.pointee.context.tempo = 120
    unsafe run.pointee.context.numerator = 4
    unsafe run.pointee.context.denominator = 4
    unsafe run.pointee.context.state = UInt32(kVST3Context_Playing | kVST3Context_Tempo)
    unsafe run.pointee.is_active = true
  }

  /// Adds the value of a parameter for the next slice, or flush.
  func add(_ value: Double, to parameter: UInt32) {
    _ = unsafe auricle_vst3_add_value(run, parameter, 0, value)
  }

  /// Renders a slice of noise; the samples of the outputs, channel after channel. What it sent is in the run's lists.
  ///
  /// - Parameters:
  ///   - frames: Frames of the slice, at most `frameCount`.
  ///   - isInPlace: Whether the first outputs have the memory of the first inputs.
  func render(frames: Int = frameCount, isInPlace: Bool = false) -> [Float] {
    for channel in 0..<channelCount {
      let shares =
        isInPlace && channel >= inputChannelCount
        && channel < inputChannelCount + sharedChannelCount
      let place = shares ? channel - inputChannelCount : channel
      unsafe run.pointee.floats[channel] = unsafe memory + place * Self.frameCount
    }
    unsafe run.pointee.is_in_place = isInPlace
    for index in 0..<inputChannelCount * Self.frameCount {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      unsafe memory[index] = (Float(seed >> 8) - 8_388_608) / 8_388_608 * 0.25
    }
    func inputs() -> [Float] {
      (0..<inputChannelCount * Self.frameCount).map { unsafe memory[$0] }
    }
    let before = inputs()
    unsafe result = auricle_vst3_process(run, Int32(frames), false)
    keptInputs = isInPlace || before == inputs()
    showSentValues()
    unsafe auricle_vst3_clear_lists(run)
    return (inputChannelCount..<channelCount).flatMap { channel in
      (0..<frames).map { unsafe run.pointee.floats[channel]?[$0] ?? 0 }
    }
  }

  /// Has the controller show the values that the processor sent, as a host does: some report a new latency by them.
  private func showSentValues() {
    let count = Int(unsafe run.pointee.changes_out.count)
    let sent = (0..<count).compactMap { index -> (UInt32, Double)? in
      let queue = unsafe run.pointee.changes_out.queues[index]
      guard unsafe queue.count > 0 else { return nil }
      return unsafe (queue.parameter, queue.points[Int(queue.count) - 1].value)
    }
    guard !sent.isEmpty else { return }
    onMainThread { object in for (id, value) in sent { object.setValue(id, value) } }
  }

  /// Passes the values that were added by a call without frames and buses.
  func flush() {
    _ = unsafe auricle_vst3_flush(run)
    unsafe auricle_vst3_clear_lists(run)
  }

  /// Stops the processor, sets it up for another format, and starts it again; false when it refuses.
  func setUpAgain(_ setup: Setup) -> Bool {
    let isActive = onMainThread { object in
      unsafe auricle_vst3_deactivate(object.plugin)
      return Self.setUp(object, setup) != nil
    }
    if isActive { latencyAtFirst = onMainThread { $0.latency } }
    unsafe run.pointee.context.sample_rate = setup.sampleRate
    unsafe run.pointee.process.mode = Int32(setup.isOffline ? kVST3_Offline : kVST3_Realtime)
    return isActive
  }

  /// Asks the plug-in on its main thread.
  func onMainThread<Value>(_ body: (VST3Object) -> Value) -> Value {
    PlugInLifeCycle.performOnMainThread { () -> Value in body(object) }
  }

  deinit {
    PlugInLifeCycle.performOnMainThread { () -> Void in
      object.leaveLoop()
      unsafe auricle_vst3_deactivate(object.plugin)
    }
    unsafe auricle_vst3_free_run(run)
    unsafe memory.deallocate()
  }
}

extension VST3Object {
  /// The latency in frames of an active plug-in. Context: the main thread of plug-ins.
  var latency: UInt32 {
    guard let processor = unsafe plugin.pointee.processor else { return 0 }
    return unsafe processor.pointee.table.pointee.latency(processor)
  }

  /// Whether an inactive plug-in accepts a format. Context: the main thread of plug-ins.
  func accepts(_ setup: VST3Trial.Setup, isDouble: Bool) -> Bool {
    guard let processor = unsafe plugin.pointee.processor else { return false }
    var wanted = AuricleVST3Setup(
      mode: Int32(setup.isOffline ? kVST3_Offline : kVST3_Realtime),
      sample_size: Int32(isDouble ? kVST3_Sample64 : kVST3_Sample32),
      maximum_frames: Int32(setup.frames), sample_rate: setup.sampleRate)
    return unsafe processor.pointee.table.pointee.set_up(processor, &wanted) == 0
  }

  /// The component's state in pieces of a few bytes; nil without one. Context: the main thread of plug-ins.
  func savedInPieces(of size: Int32) -> [UInt8]? {
    guard let memory = unsafe auricle_vst3_state_in_pieces(plugin, size) else { return nil }
    defer { unsafe auricle_vst3_memory_drop(memory) }
    return unsafe Array(
      UnsafeBufferPointer(start: memory.pointee.bytes, count: Int(memory.pointee.size)))
  }

  /// Whether the component loads a state, in pieces of a few bytes or at once. Context: the main thread of plug-ins.
  func loads(_ bytes: [UInt8], pieceSize: Int32 = 0) -> Bool {
    unsafe bytes.withUnsafeBytes {
      unsafe auricle_vst3_load_in_pieces(plugin, $0.baseAddress, Int64($0.count), pieceSize) == 0
    }
  }
}
