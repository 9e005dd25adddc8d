// The way into the unit: its factory, its selectors, and its requests to the host while it opens.
// SPDX-License-Identifier: Apache-2.0

#include <new>

#include "Door.hpp"

namespace calling {

static Unit *of(void *self) { return static_cast<Unit *>(self); }

// One lock for the opening of all units, as a framework of classes would hold it.
static std::recursive_mutex openLock;

static OSStatus openUnit(void *self, AudioComponentInstance instance) {
  std::lock_guard<std::recursive_mutex> guard(openLock);
  Unit *unit = of(self);
  unit->instance = instance;
  AudioComponent component = AudioComponentInstanceGetComponent(instance);
  OSStatus status = component ? AudioComponentGetDescription(component, &unit->description)
                              : kAudioUnitErr_InvalidElement;
  if (status == noErr) status = AudioComponentGetVersion(component, &unit->version);
  CFStringRef name = nullptr;
  if (status == noErr) status = AudioComponentCopyName(component, &name);
  if (name) CFRelease(name);
  if (status == noErr && !AudioComponentInstanceCanDo(instance, kAudioUnitRenderSelect))
    status = kAudioUnitErr_FailedInitialization;
  if (status != noErr) delete unit;  // a unit that fails to open frees itself
  return status;
}

static OSStatus closeUnit(void *self) {
  delete of(self);
  return noErr;
}

static OSStatus initialize(void *self) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  return of(self)->initialize();
}

OSStatus uninitializeUnit(void *self) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  of(self)->isInitialized = false;
  of(self)->storage = {};
  return noErr;
}

static OSStatus getInfo(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  UInt32 knownSize = 0;
  Boolean knownWritable = 0;
  OSStatus status = of(self)->info(id, scope, element, &knownSize, &knownWritable);
  if (size) *size = knownSize;
  if (isWritable) *isWritable = knownWritable;
  return status;
}

static OSStatus getProperty(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data,
    UInt32 *size) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  return of(self)->get(id, scope, element, data, size);
}

static OSStatus setProperty(
    void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  return of(self)->set(id, scope, element, data, size);
}

static OSStatus addListener(
    void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure, void *data) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  of(self)->listeners.push_back({id, procedure, data});
  return noErr;
}

static OSStatus removeListeners(
    Unit *unit, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure, void *data,
    bool isAnyData) {
  std::lock_guard<std::recursive_mutex> guard(unit->mutex);
  auto &all = unit->listeners;
  for (size_t place = all.size(); place-- > 0;)
    if (all[place].property == id && all[place].procedure == procedure &&
        (isAnyData || all[place].data == data))
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(place));
  return noErr;
}

static OSStatus removeListener(
    void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure) {
  return removeListeners(of(self), id, procedure, nullptr, true);
}

static OSStatus removeListenerWithData(
    void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc procedure, void *data) {
  return removeListeners(of(self), id, procedure, data, false);
}

static OSStatus addNotify(void *self, AURenderCallback procedure, void *data) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  of(self)->observers.push_back({procedure, data});
  return noErr;
}

static OSStatus removeNotify(void *self, AURenderCallback procedure, void *data) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  auto &all = of(self)->observers;
  for (size_t place = all.size(); place-- > 0;)
    if (all[place].procedure == procedure && all[place].data == data)
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(place));
  return noErr;
}

static OSStatus getParameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
    Float32 *value) {
  return of(self)->getParameter(id, scope, element, value);
}

static OSStatus setParameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
    Float32 value, UInt32) {
  return of(self)->setParameter(id, scope, element, value);
}

static OSStatus schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  return of(self)->schedule(events, count);
}

static OSStatus reset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  std::lock_guard<std::recursive_mutex> guard(of(self)->mutex);
  if (scope > kAudioUnitScope_Output) return kAudioUnitErr_InvalidScope;
  return element ? kAudioUnitErr_InvalidElement : of(self)->reset();
}

static OSStatus render(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
    UInt32 frames, AudioBufferList *list) {
  return of(self)->render(flags, time, bus, frames, list);
}

static OSStatus process(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 frames,
    AudioBufferList *list) {
  return of(self)->process(flags, time, frames, list);
}

AudioComponentMethod lookUp(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return erased(initialize);
    case kAudioUnitUninitializeSelect: return erased(uninitializeUnit);
    case kAudioUnitGetPropertyInfoSelect: return erased(getInfo);
    case kAudioUnitGetPropertySelect: return erased(getProperty);
    case kAudioUnitSetPropertySelect: return erased(setProperty);
    case kAudioUnitAddPropertyListenerSelect: return erased(addListener);
    case kAudioUnitRemovePropertyListenerSelect: return erased(removeListener);
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: return erased(removeListenerWithData);
    case kAudioUnitAddRenderNotifySelect: return erased(addNotify);
    case kAudioUnitRemoveRenderNotifySelect: return erased(removeNotify);
    case kAudioUnitGetParameterSelect: return erased(getParameter);
    case kAudioUnitSetParameterSelect: return erased(setParameter);
    case kAudioUnitScheduleParametersSelect: return erased(schedule);
    case kAudioUnitResetSelect: return erased(reset);
    case kAudioUnitRenderSelect: return erased(render);
    case kAudioUnitProcessSelect: return erased(process);
    default: return nullptr;
  }
}

// Makes one instance; the host opens it next.
AudioComponentPlugInInterface *make(Kind kind, AudioComponentMethod (*lookUp)(SInt16)) {
  auto *unit = new (std::nothrow) Unit;
  if (!unit) return nullptr;
  unit->kind = kind;
  unit->interface = {openUnit, closeUnit, lookUp, nullptr};
  return &unit->interface;
}

}  // namespace calling

extern "C" __attribute__((visibility("default"))) AudioComponentPlugInInterface *CallingUnitFactory(
    const AudioComponentDescription *) {
  return calling::make(calling::Kind::effect, calling::lookUp);
}
