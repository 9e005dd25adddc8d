// The session of a program: its requests to the sound system, and its route.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The inputs and outputs of a session.
open class AVAudioSession: NSObject, @unchecked Sendable {
  /// The use that a program makes of sound.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The name of C.
    public let rawValue: String
    /// A category by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Sounds beside those of others.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Sounds in place of those of others, at first.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Music, speech.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Recording.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Both.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Several routes.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }
  /// The purpose within a category.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The name of C.
    public let rawValue: String
    /// A mode by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// None.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// A talk.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// A talk with pictures.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// A game's talk.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Recording of pictures.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Measuring.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// A film.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Speech.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Directions.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
  }
  /// Further wishes.
  public struct CategoryOptions: OptionSet, Sendable {
    /// The number of C.
    public let rawValue: UInt
    /// Wishes by their number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Beside the sound of others.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// Others are quieter.
    public static let duckOthers = CategoryOptions(rawValue: 2)
    /// Bluetooth's telephone profile.
    public static let allowBluetooth = CategoryOptions(rawValue: 4)
    /// Bluetooth's telephone profile.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
    /// The loudspeaker.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
    /// Speech of others waits.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
    /// Bluetooth's music profile.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
    /// AirPlay.
    public static let allowAirPlay = CategoryOptions(rawValue: 64)
    /// A muted microphone interrupts nothing.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
  }
  /// The consequences of an activation for others.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// The number of C.
    public let rawValue: UInt
    /// Options by their number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Others go on.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }
  /// The kind of a port.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// The name of C.
    public let rawValue: String
    /// A kind by its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The microphone.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// The loudspeaker.
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    /// A device with a line.
    public static let lineIn = Port(rawValue: "LineIn")
    /// A device with a line.
    public static let lineOut = Port(rawValue: "LineOut")
    /// Headphones.
    public static let headphones = Port(rawValue: "Headphones")
    /// A headset's microphone.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// USB.
    public static let usbAudio = Port(rawValue: "USBAudio")
    /// HDMI.
    public static let HDMI = Port(rawValue: "HDMI")
    /// Bluetooth's music profile.
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    /// Bluetooth's telephone profile.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// Bluetooth's low energy.
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    /// AirPlay.
    public static let airPlay = Port(rawValue: "AirPlay")
    /// A car.
    public static let carAudio = Port(rawValue: "CarAudio")
    /// The telephone's loudspeaker.
    public static let builtInReceiver = Port(rawValue: "Receiver")
  }
  /// Whether a program may record.
  public enum RecordPermission: UInt, Sendable {
    /// Nobody was asked.
    case undetermined = 0x756E_6474
    /// No.
    case denied = 0x6465_6E79
    /// Yes.
    case granted = 0x6772_6E74
  }
  /// The reason of a new route.
  public enum RouteChangeReason: UInt, Sendable {
    /// None is known.
    case unknown = 0
    /// A device came.
    case newDeviceAvailable = 1
    /// A device went.
    case oldDeviceUnavailable = 2
    /// Another category.
    case categoryChange = 3
    /// Chosen by the program.
    case override = 4
    /// The machine woke.
    case wakeFromSleep = 6
    /// There is no route.
    case noSuitableRouteForCategory = 7
    /// The configuration changed.
    case routeConfigurationChange = 8
  }
  /// The end of an interruption that a notification is about.
  public enum InterruptionType: UInt, Sendable {
    /// It ended.
    case ended = 0
    /// It began.
    case began = 1
  }
  /// The ways to go on after an interruption.
  public struct InterruptionOptions: OptionSet, Sendable {
    /// The number of C.
    public let rawValue: UInt
    /// Options by their number.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Play on.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }
  /// The output in place of the route.
  public enum PortOverride: UInt, Sendable {
    /// As the route has it.
    case none = 0
    /// To the loudspeaker.
    case speaker = 0x7370_6B72
  }

  /// Posted when sound was interrupted, which Linux does not do.
  public static let interruptionNotification = Notification.Name(
    "AVAudioSessionInterruptionNotification")
  /// Posted when the route changed.
  public static let routeChangeNotification = Notification.Name(
    "AVAudioSessionRouteChangeNotification")
  /// Posted when the sound system was lost, which Linux does not do.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")
  /// Posted when the sound system was started anew, which Linux does not do.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")

  private static let shared: AVAudioSession = {
    let session = AVAudioSession()
    session.watchRoute()
    return session
  }()
  /// The session of the process.
  open class func sharedInstance() -> AVAudioSession { shared }

  private let lock = NSLock()
  private var wishes = Wishes()
  /// The route of the last notice, and its devices.
  private var present: (route: AVAudioSessionRouteDescription, devices: [AudioObjectID])?
  private struct Wishes {
    var category = Category.soloAmbient
    var mode = Mode.default
    var options: CategoryOptions = []
    var rate = 0.0
    var duration = 0.0
    var inputs = 0
    var outputs = 0
    var haptics = false
    var input: AVAudioSessionPortDescription?
  }
  private func wish<Value>(_ path: WritableKeyPath<Wishes, Value>) -> Value {
    lock.withLock { wishes[keyPath: path] }
  }
  private func setWish<Value>(_ path: WritableKeyPath<Wishes, Value>, _ value: Value) {
    lock.withLock { wishes[keyPath: path] = value }
  }

  /// The categories.
  open var availableCategories: [Category] {
    [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
  }
  /// The modes.
  open var availableModes: [Mode] {
    [
      .default, .voiceChat, .videoChat, .gameChat, .videoRecording, .measurement, .moviePlayback,
      .spokenAudio, .voicePrompt,
    ]
  }
  /// The category.
  open var category: Category { wish(\.category) }
  /// The mode.
  open var mode: Mode { wish(\.mode) }
  /// The further wishes.
  open var categoryOptions: CategoryOptions { wish(\.options) }
  /// Sets the category.
  open func setCategory(_ category: Category) throws {
    let isNew = category != self.category
    setWish(\.category, category)
    if isNew { postRoute(.categoryChange, since: currentRoute) }
  }
  /// Sets the category with wishes.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try setCategory(category, mode: mode, options: options)
  }
  /// Sets category, mode and wishes.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    setWish(\.mode, mode)
    setWish(\.options, options)
    try setCategory(category)
  }
  /// Sets the mode.
  open func setMode(_ mode: Mode) throws { setWish(\.mode, mode) }
  /// Begins or ends the use of sound: always possible.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
  /// Whether vibrations go on while it records.
  open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    setWish(\.haptics, inValue)
  }
  /// Whether vibrations go on while it records.
  open var allowHapticsAndSystemSoundsDuringRecording: Bool { wish(\.haptics) }
  /// Whether a program may record: yes.
  open var recordPermission: RecordPermission { .granted }
  /// Asks whether the program may record: yes.
  open func requestRecordPermission(_ response: @escaping (Bool) -> Void) { response(true) }

  // MARK: The route

  /// Has changes of the default devices posted as changes of the route.
  private func watchRoute() {
    present = (currentRoute, [outputDevice, inputDevice])
    for selector in [
      kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultInputDevice,
    ] {
      var address = AudioObjectPropertyAddress(
        mSelector: AudioObjectPropertySelector(selector),
        mScope: AudioObjectPropertyScope(kAudioObjectPropertyScopeGlobal), mElement: 0)
      let changed: AudioObjectPropertyListenerProc = { _, _, _, _ in
        AVAudioSession.sharedInstance().routeDidChange()
        return noErr
      }
      AudioObjectAddPropertyListener(
        AudioObjectID(kAudioObjectSystemObject), &address, changed, nil)
    }
  }
  private func routeDidChange() {
    let (route, devices) = (currentRoute, [outputDevice, inputDevice])
    let before = lock.withLock {
      let before = present
      present = (route, devices)
      return before
    }
    guard let before, before.devices != devices else { return }
    let isLost = before.devices.contains {
      $0 != 0
        && value($0, AudioObjectPropertySelector(kAudioDevicePropertyDeviceIsAlive), UInt32(0)) == 0
    }
    postRoute(isLost ? .oldDeviceUnavailable : .newDeviceAvailable, since: before.route)
  }
  private func postRoute(
    _ reason: RouteChangeReason, since route: AVAudioSessionRouteDescription
  ) {
    NotificationCenter.default.post(
      name: AVAudioSession.routeChangeNotification, object: self,
      userInfo: [
        AVAudioSessionRouteChangeReasonKey: reason.rawValue,
        AVAudioSessionRouteChangePreviousRouteKey: route,
      ])
  }
  private func device(_ selector: AudioObjectPropertySelector) -> AudioObjectID {
    var address = AudioObjectPropertyAddress(
      mSelector: selector, mScope: AudioObjectPropertyScope(kAudioObjectPropertyScopeGlobal),
      mElement: 0)
    var (id, size): (AudioObjectID, UInt32) = (0, 4)
    AudioObjectGetPropertyData(
      AudioObjectID(kAudioObjectSystemObject), &address, 0, nil, &size, &id)
    return id
  }
  private var outputDevice: AudioObjectID {
    device(AudioObjectPropertySelector(kAudioHardwarePropertyDefaultOutputDevice))
  }
  private var inputDevice: AudioObjectID {
    device(AudioObjectPropertySelector(kAudioHardwarePropertyDefaultInputDevice))
  }
  private func value<Value: BitwiseCopyable>(
    _ device: AudioObjectID, _ selector: AudioObjectPropertySelector, input: Bool = false,
    _ empty: Value
  ) -> Value {
    var address = AudioObjectPropertyAddress(
      mSelector: selector,
      mScope: AudioObjectPropertyScope(
        input ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput), mElement: 0)
    var value = empty
    var size = UInt32(MemoryLayout<Value>.size)
    return AudioObjectGetPropertyData(device, &address, 0, nil, &size, &value) == noErr
      ? value : empty
  }
  private func channels(_ device: AudioObjectID, input: Bool) -> Int {
    var address = AudioObjectPropertyAddress(
      mSelector: AudioObjectPropertySelector(kAudioDevicePropertyStreamConfiguration),
      mScope: AudioObjectPropertyScope(
        input ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput), mElement: 0)
    var size: UInt32 = 0
    guard AudioObjectGetPropertyDataSize(device, &address, 0, nil, &size) == noErr, size >= 8 else {
      return 0
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size) + 32, alignment: 8)
    defer { memory.deallocate() }
    guard AudioObjectGetPropertyData(device, &address, 0, nil, &size, memory) == noErr else {
      return 0
    }
    let list = UnsafeMutableAudioBufferListPointer(
      memory.assumingMemoryBound(to: AudioBufferList.self))
    return list.reduce(0) { $0 + Int($1.mNumberChannels) }
  }
  private func port(_ device: AudioObjectID, input: Bool) -> AVAudioSessionPortDescription? {
    guard device != 0, channels(device, input: input) > 0 else { return nil }
    func text(_ selector: Int) -> String {
      let reference = value(
        device, AudioObjectPropertySelector(selector), input: input, UnsafeRawPointer?.none)
      return reference.map {
        String(describing: Unmanaged<NSString>.fromOpaque($0).takeRetainedValue())
      } ?? ""
    }
    return AVAudioSessionPortDescription(
      input ? .builtInMic : .builtInSpeaker, text(Int(kAudioObjectPropertyName)),
      text(Int(kAudioDevicePropertyDeviceUID)),
      channels(device, input: input))
  }

  /// The sample rate of the output, Hz.
  open var sampleRate: Double {
    value(
      outputDevice, AudioObjectPropertySelector(kAudioDevicePropertyNominalSampleRate), 44_100.0)
  }
  /// The sample rate that the program would like; a wish.
  open var preferredSampleRate: Double { wish(\.rate) }
  /// Wishes a sample rate.
  open func setPreferredSampleRate(_ sampleRate: Double) throws { setWish(\.rate, sampleRate) }
  /// Seconds of a cycle.
  open var ioBufferDuration: TimeInterval {
    Double(
      value(
        outputDevice, AudioObjectPropertySelector(kAudioDevicePropertyBufferFrameSize), UInt32(512))
    ) / sampleRate
  }
  /// Seconds of a cycle that the program would like; a wish.
  open var preferredIOBufferDuration: TimeInterval { wish(\.duration) }
  /// Wishes a cycle.
  open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    setWish(\.duration, duration)
  }
  /// The number of channels in.
  open var inputNumberOfChannels: Int { channels(inputDevice, input: true) }
  /// The number of channels out.
  open var outputNumberOfChannels: Int { channels(outputDevice, input: false) }
  /// The greatest number of channels in.
  open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
  /// The greatest number of channels out.
  open var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }
  /// The number of channels in that the program would like; a wish.
  open var preferredInputNumberOfChannels: Int { wish(\.inputs) }
  /// Wishes a number of channels in.
  open func setPreferredInputNumberOfChannels(_ count: Int) throws { setWish(\.inputs, count) }
  /// The number of channels out that the program would like; a wish.
  open var preferredOutputNumberOfChannels: Int { wish(\.outputs) }
  /// Wishes a number of channels out.
  open func setPreferredOutputNumberOfChannels(_ count: Int) throws { setWish(\.outputs, count) }
  /// Seconds from the microphone.
  open var inputLatency: TimeInterval {
    Double(
      value(
        inputDevice, AudioObjectPropertySelector(kAudioDevicePropertyLatency), input: true,
        UInt32(0))) / sampleRate
  }
  /// Seconds to the loudspeaker.
  open var outputLatency: TimeInterval {
    Double(value(outputDevice, AudioObjectPropertySelector(kAudioDevicePropertyLatency), UInt32(0)))
      / sampleRate
  }
  /// Whether there is an input.
  open var isInputAvailable: Bool { inputNumberOfChannels > 0 }
  /// Whether others play: unknown here.
  open var isOtherAudioPlaying: Bool { false }
  /// Whether sounds of less weight should be left out: no.
  open var secondaryAudioShouldBeSilencedHint: Bool { false }
  /// The level of the system: full.
  open var outputVolume: Float { 1 }
  /// The default devices.
  open var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(
      inputs: port(inputDevice, input: true).map { [$0] } ?? [],
      outputs: port(outputDevice, input: false).map { [$0] } ?? [])
  }
  /// The inputs.
  open var availableInputs: [AVAudioSessionPortDescription]? { currentRoute.inputs }
  /// The input that the program would like; a wish.
  open var preferredInput: AVAudioSessionPortDescription? { wish(\.input) }
  /// Wishes an input.
  open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    setWish(\.input, inPort)
  }
  /// The parts of the input that can be chosen: none.
  open var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// The part of the input that is chosen.
  open var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Chooses a part of the input.
  open func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}
  /// The parts of the output that can be chosen: none.
  open var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// The part of the output that is chosen.
  open var outputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Chooses a part of the output.
  open func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}
  /// Sends sound elsewhere: there is one route.
  open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}
}

/// A port of a route.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  /// The kind.
  public let portType: AVAudioSession.Port
  /// A name for people.
  public let portName: String
  /// A name that stays.
  public let uid: String
  /// The channels.
  public let channels: [AVAudioSessionChannelDescription]?
  init(_ type: AVAudioSession.Port, _ name: String, _ uid: String, _ count: Int) {
    portType = type
    portName = name
    self.uid = uid
    channels = (0..<count).map { AVAudioSessionChannelDescription(name, uid, $0 + 1) }
  }
  /// The parts of a port that can be chosen: none.
  open var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// The part that is chosen.
  open var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// The part that the program would like.
  open var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Chooses a part.
  open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}
}

/// A channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
  /// A name for people.
  public let channelName: String
  /// The name of the port that stays.
  public let owningPortUID: String
  /// The number, from 1.
  public let channelNumber: Int
  init(_ name: String, _ uid: String, _ number: Int) {
    channelName = "\(name) \(number)"
    owningPortUID = uid
    channelNumber = number
  }
}

/// A part of a port.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
  /// The number.
  public let dataSourceID: NSNumber
  /// A name for people.
  public let dataSourceName: String
  init(_ id: Int, _ name: String) {
    dataSourceID = NSNumber(value: id)
    dataSourceName = name
  }
}

/// The ports of a session.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  /// The ports in.
  public let inputs: [AVAudioSessionPortDescription]
  /// The ports out.
  public let outputs: [AVAudioSessionPortDescription]
  init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// Key of a notification: the kind of interruption.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// Key of a notification: the permitted actions.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// Key of a notification: the reason.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// Key of a notification: the route before.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

/// The application's permission to record: granted.
open class AVAudioApplication: NSObject, @unchecked Sendable {
  /// Whether a program may record.
  public enum recordPermission: Int, Sendable {
    /// Nobody was asked.
    case undetermined = 0x756E_6474
    /// No.
    case denied = 0x6465_6E79
    /// Yes.
    case granted = 0x6772_6E74
  }
  private static let instance = AVAudioApplication()
  /// The application.
  open class var shared: AVAudioApplication { instance }
  /// Whether the program may record: yes.
  open var recordPermission: AVAudioApplication.recordPermission { .granted }
  /// Asks whether the program may record: yes.
  open class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
    response(true)
  }
  /// Asks whether the program may record: yes.
  open class func requestRecordPermission() async -> Bool { true }
}
