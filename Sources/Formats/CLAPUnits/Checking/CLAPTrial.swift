// A plug-in that is tried by itself, without a unit around it.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns

/// An instance that renders single slices of a fixed noise, on the thread that calls it.
@safe final class CLAPTrial {
  private static let frameCount = 512
  private static let sampleRate = 48_000.0
  private static let eventCapacity = 64

  let object: CLAPObject
  private let run: UnsafeMutablePointer<AuricleCLAPRun>
  private let buffers: UnsafeMutablePointer<AuricleCLAPBuffer>
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let memory: UnsafeMutablePointer<Float>
  private let inputs: [CLAPBus]
  private let outputs: [CLAPBus]
  private let inputChannelCount: Int
  private let channelCount: Int
  private var seed: UInt32 = 1
  /// The misbehaviour that the plug-in logged.
  private(set) var complaints: [String] = []
  /// The last status that process returned.
  private(set) var status: Int32 = 1

  /// Makes and activates a plug-in; nil when it refuses.
  ///
  /// Context: control, in a process that may be lost.
  init?(_ description: CLAPDescription, path: String) {
    guard let made = try? CLAPInstance.load(description, path, isOffline: true) else { return nil }
    object = made
    inputs = description.ports.inputs
    outputs = description.ports.outputs
    let buses = inputs + outputs
    inputChannelCount = inputs.reduce(0) { $0 + Int($1.channelCount) }
    channelCount = buses.reduce(0) { $0 + Int($1.channelCount) }
    unsafe memory = .allocate(capacity: max(channelCount, 1) * Self.frameCount)
    unsafe memory.initialize(repeating: 0, count: max(channelCount, 1) * Self.frameCount)
    unsafe channels = .allocate(capacity: max(channelCount, 1))
    unsafe channels.initialize(repeating: nil, count: max(channelCount, 1))
    unsafe buffers = .allocate(capacity: max(buses.count, 1))
    unsafe run = .allocate(capacity: 1)
    unsafe run.initialize(to: AuricleCLAPRun())
    var first = 0
    for (place, bus) in buses.enumerated() {
      unsafe (buffers + place).initialize(to: AuricleCLAPBuffer())
      unsafe buffers[place].data32 = unsafe channels + first
      unsafe buffers[place].channel_count = bus.channelCount
      first += Int(bus.channelCount)
    }
    prepareRun()
    let complain: (Int32, String) -> Void = { [unowned self] severity, message in
      if severity >= 5, complaints.count < 8 { complaints.append(message) }
    }
    let isActive = PlugInLifeCycle.performOnMainThread { () -> Bool in
      object.loop.receiveMessage = complain
      defer { object.loop.settleAtFirst() }
      return object.activate(sampleRate: Self.sampleRate, maximumFrames: Self.frameCount)
    }
    guard isActive else { return nil }
    unsafe run.pointee.is_active = 1
  }

  private func prepareRun() {
    unsafe run.pointee.plugin = unsafe object.plugin
    unsafe run.pointee.host = unsafe object.host
    unsafe run.pointee.events = .allocate(capacity: Self.eventCapacity)
    unsafe run.pointee.event_capacity = UInt32(Self.eventCapacity)
    unsafe run.pointee.sent = .allocate(capacity: Int(kCLAPOutputEvents))
    unsafe run.pointee.sent_capacity = UInt32(kCLAPOutputEvents)
    unsafe run.pointee.exclusive = .allocate(capacity: Int(kCLAPExclusiveBytes))
    unsafe run.pointee.is_offline = 1
    unsafe run.pointee.rate = Self.sampleRate
    unsafe auricle_clap_prepare_run(run)
    unsafe run.pointee.process.inputs = unsafe UnsafePointer(buffers)
    unsafe run.pointee.process.outputs = unsafe buffers + inputs.count
    unsafe run.pointee.process.input_count = UInt32(inputs.count)
    unsafe run.pointee.process.output_count = UInt32(outputs.count)
  }

  /// Adds the value of a parameter for the next slice, or flush.
  func add(_ value: Double, to parameter: UInt32, cookie: UInt = 0, space: UInt16 = 0) {
    let place = unsafe Int(run.pointee.event_count)
    unsafe auricle_clap_add_value(
      run, 0, parameter, UnsafeMutableRawPointer(bitPattern: cookie), value, false)
    if unsafe Int(run.pointee.event_count) > place {
      unsafe run.pointee.events[place].header.space = space
    }
  }

  /// Renders a slice of noise; the samples of the outputs, channel after channel.
  ///
  /// - Parameter isInPlace: Whether the first output has the memory of the first input.
  func render(isInPlace: Bool = false) -> [Float] {
    for channel in 0..<channelCount {
      unsafe channels[channel] = unsafe memory + channel * Self.frameCount
    }
    if isInPlace, let bus = outputs.first {
      for channel in 0..<Int(bus.channelCount) {
        unsafe channels[inputChannelCount + channel] = unsafe channels[channel]
      }
    }
    for index in 0..<inputChannelCount * Self.frameCount {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      unsafe memory[index] = (Float(seed >> 8) - 8_388_608) / 8_388_608 * 0.25
    }
    _ = unsafe auricle_clap_process(run, UInt32(Self.frameCount))
    unsafe status = run.pointee.status
    unsafe auricle_clap_forget_sent(run)
    return (inputChannelCount..<channelCount).flatMap { channel in
      (0..<Self.frameCount).map { unsafe channels[channel]?[$0] ?? 0 }
    }
  }

  /// Passes the values that were added by flush.
  func flush() {
    let table = unsafe object.table("clap.params", AuricleCLAPParameters.self)
    PlugInLifeCycle.perform { () -> Void in unsafe auricle_clap_flush(run, table) }
    unsafe auricle_clap_forget_sent(run)
  }

  /// The value that the plug-in has.
  func value(of parameter: CLAPParameter) -> Double? {
    PlugInLifeCycle.performOnMainThread { () -> Double? in
      object.values(of: [parameter])[parameter.id]
    }
  }

  /// Asks the plug-in on its main thread.
  func onMainThread<Value>(_ body: (CLAPObject) -> Value) -> Value {
    PlugInLifeCycle.performOnMainThread { () -> Value in body(object) }
  }

  deinit {
    PlugInLifeCycle.perform { () -> Void in unsafe auricle_clap_stop(run) }
    PlugInLifeCycle.performOnMainThread { () -> Void in
      object.loop.receiveMessage = nil
      if unsafe run.pointee.is_active != 0 { object.deactivate() }
    }
    unsafe run.pointee.events.deallocate()
    unsafe run.pointee.sent.deallocate()
    unsafe run.pointee.exclusive.deallocate()
    unsafe run.deallocate()
    unsafe buffers.deallocate()
    unsafe channels.deallocate()
    unsafe memory.deallocate()
  }
}
