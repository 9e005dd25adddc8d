// A program on the headers and the runtime's library: strings, numbers, dictionaries, property lists.
// SPDX-License-Identifier: Apache-2.0
//
// It prints one line, and ends with the line number of the first thing that is not as it must be.
// The same source is built as C and as C++.
#include <CoreFoundation/CoreFoundation.h>
#include <os/log.h>

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    if (!(condition)) {                                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                 \
      return 1;                                                                               \
    }                                                                                         \
  } while (0)

#if defined(__cplusplus)
// At file scope, as sources for the Mac have it in their headers.
static CFStringRef fileScope = CFSTR("file scope");
static const CFStringRef fileScopeNames[2] = {CFSTR("left"), CFSTR("right")};
#endif

static CFStringRef constantString(void) { return CFSTR("the same each time"); }

static int checkStrings(void) {
  char text[64];
  CFStringRef made = CFStringCreateWithCString(NULL, "Äther", kCFStringEncodingUTF8);
  CFStringRef formatted = CFStringCreateWithFormat(NULL, NULL, CFSTR("%@ %d %s"), made, 7, "dB");
  CHECK(made != NULL && formatted != NULL);
  CHECK(CFStringGetLength(made) == 5);
  CHECK(CFStringGetCString(formatted, text, sizeof(text), kCFStringEncodingUTF8));
  CHECK(strcmp(text, "Äther 7 dB") == 0);
  CHECK(CFGetTypeID(made) == CFStringGetTypeID());
#if defined(__cplusplus) || __STDC_VERSION__ >= 201112L
  // A constant is text as well, not its bytes.
  CHECK(CFEqual(made, CFSTR("Äther")) && CFHash(made) == CFHash(CFSTR("Äther")));
  CHECK(CFStringGetLength(CFSTR("𝄞 …")) == 4);
#endif
  CHECK(CFStringCompare(CFSTR("abc"), CFSTR("ABC"), kCFCompareCaseInsensitive) == 0);
  CHECK(!CFStringGetCString(formatted, text, 3, kCFStringEncodingUTF8));
  CFRelease(formatted);
  CFRelease(made);
  return 0;
}

static int checkConstants(void) {
  int i;
  CFStringRef constant = constantString();
  CHECK(constant == constantString());
  CHECK(CFStringGetLength(constant) == 18);
  CHECK(CFGetTypeID(constant) == CFStringGetTypeID());
  // Released more often than retained: a constant string does not mind.
  for (i = 0; i < 1000; ++i) CFRelease(constant);
  CFRetain(constant);
  CHECK(CFStringHasPrefix(constant, CFSTR("the same")));
#if defined(__cplusplus)
  CHECK(CFStringGetLength(fileScope) == 10);
  CHECK(CFEqual(fileScopeNames[1], CFSTR("right")));
#endif
  return 0;
}

static int checkState(void) {
  const SInt32 version = 0;
  const UInt8 bytes[8] = {0, 0, 0, 0, 0, 0, 0, 1};
  SInt32 read = -1;
  CFMutableDictionaryRef state = CFDictionaryCreateMutable(
      NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  CFNumberRef number = CFNumberCreate(NULL, kCFNumberSInt32Type, &version);
  CFMutableDataRef data = CFDataCreateMutable(NULL, 0);
  CFDataRef list;
  CFDictionaryRef back;
  CFDataAppendBytes(data, bytes, sizeof(bytes));
  CHECK(CFDataGetLength(data) == 8 && CFDataGetBytePtr(data)[7] == 1);
  CFDictionarySetValue(state, CFSTR("version"), number);
  CFDictionarySetValue(state, CFSTR("data"), data);
  CHECK(CFDictionaryGetCount(state) == 2 && CFDictionaryContainsKey(state, CFSTR("data")));
  list = CFPropertyListCreateData(NULL, state, kCFPropertyListXMLFormat_v1_0, 0, NULL);
  CHECK(list != NULL);
  back = (CFDictionaryRef)CFPropertyListCreateWithData(
      NULL, list, kCFPropertyListImmutable, NULL, NULL);
  CHECK(back != NULL && CFGetTypeID(back) == CFDictionaryGetTypeID());
  CHECK(CFEqual(back, state));
  CHECK(CFNumberGetValue(
      (CFNumberRef)CFDictionaryGetValue(back, CFSTR("version")), kCFNumberSInt32Type, &read));
  CHECK(read == 0);
  CFRelease(back);
  CFRelease(list);
  CFRelease(data);
  CFRelease(number);
  CFRelease(state);
  return 0;
}

static int checkOthers(void) {
  const void *values[2] = {CFSTR("one"), CFSTR("two")};
  CFArrayRef array = CFArrayCreate(NULL, values, 2, &kCFTypeArrayCallBacks);
  CFURLRef url =
      CFURLCreateWithFileSystemPath(NULL, CFSTR("/tmp/a b.wav"), kCFURLPOSIXPathStyle, false);
  UInt8 path[64];
  CHECK(CFArrayGetCount(array) == 2);
  CHECK(CFEqual(CFArrayGetValueAtIndex(array, 1), CFSTR("two")));
  CHECK(CFURLGetFileSystemRepresentation(url, true, path, sizeof(path)));
  CHECK(strcmp((const char *)path, "/tmp/a b.wav") == 0);
  CHECK(CFSwapInt32HostToBig(0x61756678u) == 0x78667561u && CFSwapInt16BigToHost(1) == 256);
  CHECK(CFConvertFloat32SwappedToHost(CFConvertFloat32HostToSwapped(0.5f)) == 0.5f);
  CHECK(CFAbsoluteTimeGetCurrent() > 0);
  CHECK(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false) != kCFRunLoopRunStopped);
  CHECK(CFBooleanGetValue(kCFBooleanTrue) && kCFNull != NULL);
  CFRelease(url);
  CFRelease(array);
  return 0;
}

static int performed, observed;
static void perform(void *info) { *(int *)info += 1; }
static void observe(CFRunLoopObserverRef observer, CFRunLoopActivity activity, void *info) {
  (void)observer;
  if (activity & kCFRunLoopEntry) *(int *)info += 1;
}

static int checkRunLoop(void) {
  CFRunLoopRef loop = CFRunLoopGetCurrent();
  CFRunLoopSourceContext context;
  CFRunLoopObserverContext watching;
  CFRunLoopSourceRef source;
  CFRunLoopObserverRef observer;
  memset(&context, 0, sizeof(context));
  memset(&watching, 0, sizeof(watching));
  context.info = &performed;
  context.perform = perform;
  watching.info = &observed;
  source = CFRunLoopSourceCreate(NULL, 0, &context);
  observer = CFRunLoopObserverCreate(NULL, kCFRunLoopAllActivities, true, 0, observe, &watching);
  CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode);
  CFRunLoopAddObserver(loop, observer, kCFRunLoopDefaultMode);
  CHECK(CFRunLoopContainsSource(loop, source, kCFRunLoopDefaultMode));
  CHECK(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true) == kCFRunLoopRunTimedOut);
  CHECK(performed == 0 && observed == 1);
  CFRunLoopSourceSignal(source);
  CFRunLoopWakeUp(loop);
  CHECK(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5, true) == kCFRunLoopRunHandledSource);
  CHECK(performed == 1);
  CFRunLoopSourceInvalidate(source);
  CHECK(!CFRunLoopSourceIsValid(source));
  CFRunLoopObserverInvalidate(observer);
  CFRelease(source);
  CFRelease(observer);
  return 0;
}

static int checkURLAccess(void) {
  char path[64];
  CFURLRef url;
  CFDataRef data, read = NULL;
  SInt32 error = 0;
  CFNumberRef length;
  long long size = 0;
  snprintf(path, sizeof(path), "/tmp/auricle-url-access-%ld", (long)getpid());
  url = CFURLCreateFromFileSystemRepresentation(
      NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
  data = CFDataCreate(NULL, (const UInt8 *)"sound", 5);
  CHECK(CFURLWriteDataAndPropertiesToResource(url, data, NULL, &error) && error == 0);
  CHECK(CFURLCreateDataAndPropertiesFromResource(NULL, url, &read, NULL, NULL, &error));
  CHECK(read && CFEqual(read, data));
  length = (CFNumberRef)CFURLCreatePropertyFromResource(NULL, url, kCFURLFileLength, &error);
  CHECK(length && CFNumberGetValue(length, kCFNumberLongLongType, &size) && size == 5);
  CHECK(CFURLDestroyResource(url, &error) && access(path, F_OK) != 0);
  CHECK(!CFURLCreateDataAndPropertiesFromResource(NULL, url, &read, NULL, NULL, &error));
  CHECK(error < 0);
  CFRelease(length);
  CFRelease(data);
  CFRelease(url);
  return 0;
}

int main(void) {
  os_log_error(OS_LOG_DEFAULT, "%{public}s checked, %d %%", "strings", 100);
  if (checkStrings() || checkConstants() || checkState() || checkOthers()) return 1;
  if (checkRunLoop() || checkURLAccess()) return 1;
  puts("ok");
  return 0;
}
