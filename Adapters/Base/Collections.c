// Data, arrays and dictionaries.
// SPDX-License-Identifier: Apache-2.0
#include "Objects.h"

static const void *retainValue(CFAllocatorRef allocator, const void *value) {
  (void)allocator;
  return CFRetain(value);
}
static void releaseValue(CFAllocatorRef allocator, const void *value) {
  (void)allocator;
  CFRelease(value);
}
static const void *copyKey(CFAllocatorRef allocator, const void *value) { return CFStringCreateCopy(allocator, value); }

const CFArrayCallBacks kCFTypeArrayCallBacks = {0, retainValue, releaseValue, NULL, CFEqual};
const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks = {0, retainValue, releaseValue, NULL, CFEqual, CFHash};
const CFDictionaryKeyCallBacks kCFCopyStringDictionaryKeyCallBacks = {0, copyKey, releaseValue, NULL, CFEqual, CFHash};
const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks = {0, retainValue, releaseValue, NULL, CFEqual};

CFTypeID CFDataGetTypeID(void) { return kDataType; }
CFIndex CFDataGetLength(CFDataRef data) { return typeOf(data) == kDataType ? ((const struct Bytes *)data)->length : 0; }
const UInt8 *CFDataGetBytePtr(CFDataRef data) { return typeOf(data) == kDataType ? ((const struct Bytes *)data)->bytes : NULL; }
UInt8 *CFDataGetMutableBytePtr(CFMutableDataRef data) { return ((struct Bytes *)data)->bytes; }

void CFDataGetBytes(CFDataRef data, CFRange range, UInt8 *buffer) {
  memcpy(buffer, ((const struct Bytes *)data)->bytes + range.location, (size_t)range.length);
}

// Makes room for so many bytes.
static bool reserve(struct Bytes *data, CFIndex length) {
  if (length <= data->capacity) return true;
  const CFIndex wanted = length < 2 * data->capacity ? 2 * data->capacity : length;
  UInt8 *bytes = realloc(data->bytes, (size_t)wanted);
  if (bytes == NULL) return false;
  data->bytes = bytes;
  data->capacity = wanted;
  return true;
}

CFMutableDataRef CFDataCreateMutable(CFAllocatorRef allocator, CFIndex capacity) {
  (void)allocator, (void)capacity;
  struct Bytes *data = makeObject(sizeof *data, kDataType);
  if (data != NULL && !reserve(data, 16)) {
    free(data);
    return NULL;
  }
  return (CFMutableDataRef)data;
}

void CFDataAppendBytes(CFMutableDataRef reference, const UInt8 *bytes, CFIndex length) {
  struct Bytes *data = (struct Bytes *)reference;
  if (length <= 0 || !reserve(data, data->length + length)) return;
  memcpy(data->bytes + data->length, bytes, (size_t)length);
  data->length += length;
}

void CFDataSetLength(CFMutableDataRef reference, CFIndex length) {
  struct Bytes *data = (struct Bytes *)reference;
  if (length < 0 || !reserve(data, length)) return;
  if (length > data->length) memset(data->bytes + data->length, 0, (size_t)(length - data->length));
  data->length = length;
}

CFDataRef CFDataCreate(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length) {
  CFMutableDataRef data = length < 0 ? NULL : CFDataCreateMutable(allocator, 0);
  if (data == NULL) return NULL;
  CFDataAppendBytes(data, bytes, length);
  if (((struct Bytes *)data)->length == length) return data;
  CFRelease(data);
  return NULL;
}

CFDataRef CFDataCreateCopy(CFAllocatorRef allocator, CFDataRef data) {
  return CFDataCreate(allocator, CFDataGetBytePtr(data), CFDataGetLength(data));
}
CFMutableDataRef CFDataCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity, CFDataRef data) {
  (void)capacity;
  return (CFMutableDataRef)CFDataCreateCopy(allocator, data);
}

CFTypeID CFArrayGetTypeID(void) { return kArrayType; }

CFMutableArrayRef CFArrayCreateMutable(CFAllocatorRef allocator, CFIndex capacity, const CFArrayCallBacks *callBacks) {
  (void)allocator, (void)capacity;
  struct Array *array = makeObject(sizeof *array, kArrayType);
  if (array != NULL && callBacks != NULL) array->callBacks = *callBacks;
  return (CFMutableArrayRef)array;
}

void CFArrayInsertValueAtIndex(CFMutableArrayRef reference, CFIndex index, const void *value) {
  struct Array *array = (struct Array *)reference;
  if (index < 0 || index > array->count || !growList((void **)&array->values, array->count, &array->capacity, sizeof value)) return;
  memmove(array->values + index + 1, array->values + index, (size_t)(array->count - index) * sizeof value);
  array->values[index] = array->callBacks.retain == NULL ? value : array->callBacks.retain(NULL, value);
  array->count += 1;
}

void CFArrayAppendValue(CFMutableArrayRef array, const void *value) {
  CFArrayInsertValueAtIndex(array, ((struct Array *)array)->count, value);
}

void CFArrayRemoveValueAtIndex(CFMutableArrayRef reference, CFIndex index) {
  struct Array *array = (struct Array *)reference;
  if (index < 0 || index >= array->count) return;
  const void *value = array->values[index];
  memmove(array->values + index, array->values + index + 1, (size_t)(array->count - index - 1) * sizeof value);
  array->count -= 1;
  if (array->callBacks.release != NULL) array->callBacks.release(NULL, value);
}

void CFArraySetValueAtIndex(CFMutableArrayRef array, CFIndex index, const void *value) {
  CFArrayInsertValueAtIndex(array, index, value);
  CFArrayRemoveValueAtIndex(array, index + 1);
}

void CFArrayRemoveAllValues(CFMutableArrayRef array) {
  while (((struct Array *)array)->count > 0) CFArrayRemoveValueAtIndex(array, ((struct Array *)array)->count - 1);
}

CFArrayRef CFArrayCreate(CFAllocatorRef allocator, const void **values, CFIndex count, const CFArrayCallBacks *callBacks) {
  CFMutableArrayRef array = CFArrayCreateMutable(allocator, count, callBacks);
  for (CFIndex i = 0; array != NULL && i < count; i++) CFArrayAppendValue(array, values[i]);
  return array;
}

CFArrayRef CFArrayCreateCopy(CFAllocatorRef allocator, CFArrayRef reference) {
  const struct Array *array = (const struct Array *)reference;
  return CFArrayCreate(allocator, (const void **)array->values, array->count, &array->callBacks);
}
CFMutableArrayRef CFArrayCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity, CFArrayRef array) {
  (void)capacity;
  return (CFMutableArrayRef)CFArrayCreateCopy(allocator, array);
}

CFIndex CFArrayGetCount(CFArrayRef array) { return typeOf(array) == kArrayType ? ((const struct Array *)array)->count : 0; }

const void *CFArrayGetValueAtIndex(CFArrayRef reference, CFIndex index) {
  const struct Array *array = (const struct Array *)reference;
  return index < 0 || index >= array->count ? NULL : array->values[index];
}

void CFArrayGetValues(CFArrayRef array, CFRange range, const void **values) {
  for (CFIndex i = 0; i < range.length; i++) values[i] = CFArrayGetValueAtIndex(array, range.location + i);
}

CFIndex CFArrayGetFirstIndexOfValue(CFArrayRef reference, CFRange range, const void *value) {
  const struct Array *array = (const struct Array *)reference;
  for (CFIndex i = range.location; i < range.location + range.length && i < array->count; i++)
    if (array->values[i] == value || (array->callBacks.equal != NULL && array->callBacks.equal(array->values[i], value))) return i;
  return kCFNotFound;
}
Boolean CFArrayContainsValue(CFArrayRef array, CFRange range, const void *value) {
  return CFArrayGetFirstIndexOfValue(array, range, value) != kCFNotFound;
}

CFTypeID CFDictionaryGetTypeID(void) { return kDictionaryType; }

CFMutableDictionaryRef CFDictionaryCreateMutable(
    CFAllocatorRef allocator, CFIndex capacity, const CFDictionaryKeyCallBacks *keyCallBacks,
    const CFDictionaryValueCallBacks *valueCallBacks) {
  (void)allocator, (void)capacity;
  struct Dictionary *dictionary = makeObject(sizeof *dictionary, kDictionaryType);
  if (dictionary != NULL && keyCallBacks != NULL) dictionary->keyCallBacks = *keyCallBacks;
  if (dictionary != NULL && valueCallBacks != NULL) dictionary->valueCallBacks = *valueCallBacks;
  return (CFMutableDictionaryRef)dictionary;
}

static CFIndex placeOf(const struct Dictionary *dictionary, const void *key) {
  for (CFIndex i = 0; i < dictionary->count; i++) {
    const void *known = dictionary->keys[i];
    if (known == key || (dictionary->keyCallBacks.equal != NULL && dictionary->keyCallBacks.equal(known, key))) return i;
  }
  return kCFNotFound;
}

static bool grow(struct Dictionary *dictionary) {
  CFIndex capacity = dictionary->capacity;
  return growList((void **)&dictionary->keys, dictionary->count, &capacity, sizeof(void *)) &&
         growList((void **)&dictionary->values, dictionary->count, &dictionary->capacity, sizeof(void *));
}

static const void *heldValue(const struct Dictionary *dictionary, const void *value) {
  return dictionary->valueCallBacks.retain == NULL ? value : dictionary->valueCallBacks.retain(NULL, value);
}

void CFDictionarySetValue(CFMutableDictionaryRef reference, const void *key, const void *value) {
  struct Dictionary *dictionary = (struct Dictionary *)reference;
  const CFIndex place = placeOf(dictionary, key);
  const void *held = heldValue(dictionary, value);
  if (place != kCFNotFound) {
    const void *former = dictionary->values[place];
    dictionary->values[place] = held;
    if (dictionary->valueCallBacks.release != NULL) dictionary->valueCallBacks.release(NULL, former);
    return;
  }
  if (!grow(dictionary)) return;
  dictionary->keys[dictionary->count] = dictionary->keyCallBacks.retain == NULL ? key : dictionary->keyCallBacks.retain(NULL, key);
  dictionary->values[dictionary->count++] = held;
}

void CFDictionaryAddValue(CFMutableDictionaryRef dictionary, const void *key, const void *value) {
  if (!CFDictionaryContainsKey(dictionary, key)) CFDictionarySetValue(dictionary, key, value);
}
void CFDictionaryReplaceValue(CFMutableDictionaryRef dictionary, const void *key, const void *value) {
  if (CFDictionaryContainsKey(dictionary, key)) CFDictionarySetValue(dictionary, key, value);
}

void CFDictionaryRemoveValue(CFMutableDictionaryRef reference, const void *key) {
  struct Dictionary *dictionary = (struct Dictionary *)reference;
  const CFIndex place = placeOf(dictionary, key);
  if (place == kCFNotFound) return;
  const void *formerKey = dictionary->keys[place], *former = dictionary->values[place];
  const size_t behind = (size_t)(dictionary->count - place - 1) * sizeof(void *);
  memmove(dictionary->keys + place, dictionary->keys + place + 1, behind);
  memmove(dictionary->values + place, dictionary->values + place + 1, behind);
  dictionary->count -= 1;
  if (dictionary->keyCallBacks.release != NULL) dictionary->keyCallBacks.release(NULL, formerKey);
  if (dictionary->valueCallBacks.release != NULL) dictionary->valueCallBacks.release(NULL, former);
}

void CFDictionaryRemoveAllValues(CFMutableDictionaryRef reference) {
  struct Dictionary *dictionary = (struct Dictionary *)reference;
  while (dictionary->count > 0) CFDictionaryRemoveValue(reference, dictionary->keys[dictionary->count - 1]);
}

CFDictionaryRef CFDictionaryCreate(
    CFAllocatorRef allocator, const void **keys, const void **values, CFIndex count,
    const CFDictionaryKeyCallBacks *keyCallBacks, const CFDictionaryValueCallBacks *valueCallBacks) {
  CFMutableDictionaryRef dictionary = CFDictionaryCreateMutable(allocator, count, keyCallBacks, valueCallBacks);
  for (CFIndex i = 0; dictionary != NULL && i < count; i++) CFDictionaryAddValue(dictionary, keys[i], values[i]);
  return dictionary;
}

CFDictionaryRef CFDictionaryCreateCopy(CFAllocatorRef allocator, CFDictionaryRef reference) {
  const struct Dictionary *dictionary = (const struct Dictionary *)reference;
  return CFDictionaryCreate(
      allocator, (const void **)dictionary->keys, (const void **)dictionary->values, dictionary->count,
      &dictionary->keyCallBacks, &dictionary->valueCallBacks);
}
CFMutableDictionaryRef CFDictionaryCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity, CFDictionaryRef dictionary) {
  (void)capacity;
  return (CFMutableDictionaryRef)CFDictionaryCreateCopy(allocator, dictionary);
}

CFIndex CFDictionaryGetCount(CFDictionaryRef dictionary) {
  return typeOf(dictionary) == kDictionaryType ? ((const struct Dictionary *)dictionary)->count : 0;
}

Boolean CFDictionaryGetValueIfPresent(CFDictionaryRef reference, const void *key, const void **value) {
  const struct Dictionary *dictionary = (const struct Dictionary *)reference;
  const CFIndex place = typeOf(dictionary) == kDictionaryType ? placeOf(dictionary, key) : kCFNotFound;
  if (place != kCFNotFound && value != NULL) *value = dictionary->values[place];
  return place != kCFNotFound;
}

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key) {
  const void *value = NULL;
  CFDictionaryGetValueIfPresent(dictionary, key, &value);
  return value;
}
Boolean CFDictionaryContainsKey(CFDictionaryRef dictionary, const void *key) {
  return CFDictionaryGetValueIfPresent(dictionary, key, NULL);
}

void CFDictionaryGetKeysAndValues(CFDictionaryRef reference, const void **keys, const void **values) {
  const struct Dictionary *dictionary = (const struct Dictionary *)reference;
  for (CFIndex i = 0; i < dictionary->count; i++) {
    if (keys != NULL) keys[i] = dictionary->keys[i];
    if (values != NULL) values[i] = dictionary->values[i];
  }
}

void CFDictionaryApplyFunction(CFDictionaryRef reference, CFDictionaryApplierFunction applier, void *context) {
  const struct Dictionary *dictionary = (const struct Dictionary *)reference;
  for (CFIndex i = 0; i < dictionary->count; i++) applier(dictionary->keys[i], dictionary->values[i], context);
}
