// Functions of every object: references, types, equality, hashes; allocators, booleans and numbers.
// SPDX-License-Identifier: Apache-2.0
#include "Objects.h"

static const int ownClass;
// The class of the constant strings that compilers lay out in a unit's data, under the name that they use for it.
__attribute__((visibility("hidden"))) int constantStringClass[64];
__asm__(
    ".globl \"$s10Foundation19_NSCFConstantStringCN\"\n"
    ".type \"$s10Foundation19_NSCFConstantStringCN\", @object\n"
    ".size \"$s10Foundation19_NSCFConstantStringCN\", 256\n"
    ".set \"$s10Foundation19_NSCFConstantStringCN\", constantStringClass\n");

#define IMMORTAL(type) {&ownClass, kImmortal, type}
static struct Object nullObject = IMMORTAL(kNullType), trueObject = IMMORTAL(kBooleanType),
                     falseObject = IMMORTAL(kBooleanType), allocatorObject = IMMORTAL(kAllocatorType);
const CFNullRef kCFNull = (CFNullRef)&nullObject;
const CFBooleanRef kCFBooleanTrue = (CFBooleanRef)&trueObject, kCFBooleanFalse = (CFBooleanRef)&falseObject;
const CFAllocatorRef kCFAllocatorDefault = NULL, kCFAllocatorSystemDefault = (CFAllocatorRef)&allocatorObject,
                     kCFAllocatorMalloc = (CFAllocatorRef)&allocatorObject, kCFAllocatorNull = (CFAllocatorRef)&allocatorObject;

void *makeObject(size_t size, uint64_t type) {
  struct Object *object = calloc(1, size);
  if (object == NULL) return NULL;
  object->isa = &ownClass;
  atomic_init(&object->count, 1);
  object->type = type;
  return object;
}

uint64_t typeOf(CFTypeRef object) {
  const struct Object *known = object;
  if (known == NULL) return 0;
  return known->isa == (const void *)constantStringClass ? kStringType : known->isa == &ownClass ? known->type : 0;
}

bool growList(void **list, CFIndex count, CFIndex *capacity, size_t size) {
  if (count < *capacity) return true;
  const CFIndex wanted = *capacity < 8 ? 8 : 2 * *capacity;
  void *grown = realloc(*list, (size_t)wanted * size);
  if (grown == NULL) return false;
  *list = grown;
  *capacity = wanted;
  return true;
}

CFTypeRef CFRetain(CFTypeRef object) {
  struct Object *known = (struct Object *)object;
  if (known != NULL && known->isa == &ownClass && atomic_load(&known->count) < (long)kImmortal) atomic_fetch_add(&known->count, 1);
  return object;
}

// Releases the values of a list.
static void dropArray(struct Array *array) {
  for (CFIndex i = 0; array->callBacks.release != NULL && i < array->count; i++)
    array->callBacks.release(NULL, array->values[i]);
  free(array->values);
}

static void dropDictionary(struct Dictionary *dictionary) {
  for (CFIndex i = 0; i < dictionary->count; i++) {
    if (dictionary->keyCallBacks.release != NULL) dictionary->keyCallBacks.release(NULL, dictionary->keys[i]);
    if (dictionary->valueCallBacks.release != NULL) dictionary->valueCallBacks.release(NULL, dictionary->values[i]);
  }
  free(dictionary->keys);
  free(dictionary->values);
}

void CFRelease(CFTypeRef object) {
  struct Object *known = (struct Object *)object;
  if (known == NULL || known->isa != &ownClass || atomic_load(&known->count) >= (long)kImmortal) return;
  if (atomic_fetch_sub(&known->count, 1) != 1) return;
  switch (known->type) {
    case kStringType: free(((struct String *)known)->units); break;
    case kDataType: free(((struct Bytes *)known)->bytes); break;
    case kArrayType: dropArray((struct Array *)known); break;
    case kDictionaryType: dropDictionary((struct Dictionary *)known); break;
    case kURLType: free(((struct URL *)known)->path);
  }
  free(known);
}

CFTypeID CFGetTypeID(CFTypeRef object) { return typeOf(object); }
CFAllocatorRef CFGetAllocator(CFTypeRef object) {
  (void)object;
  return kCFAllocatorSystemDefault;
}
CFTypeID CFNullGetTypeID(void) { return kNullType; }
CFTypeID CFAllocatorGetTypeID(void) { return kAllocatorType; }
CFTypeID CFBooleanGetTypeID(void) { return kBooleanType; }
Boolean CFBooleanGetValue(CFBooleanRef boolean) { return boolean == kCFBooleanTrue; }
CFTypeID CFNumberGetTypeID(void) { return kNumberType; }

CFAllocatorRef CFAllocatorGetDefault(void) { return kCFAllocatorSystemDefault; }
void *CFAllocatorAllocate(CFAllocatorRef allocator, CFIndex size, CFOptionFlags hint) {
  (void)allocator, (void)hint;
  return size > 0 ? malloc((size_t)size) : NULL;
}
void *CFAllocatorReallocate(CFAllocatorRef allocator, void *memory, CFIndex size, CFOptionFlags hint) {
  (void)allocator, (void)hint;
  return realloc(memory, size > 0 ? (size_t)size : 1);
}
void CFAllocatorDeallocate(CFAllocatorRef allocator, void *memory) {
  (void)allocator;
  free(memory);
}

CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value) {
  (void)allocator;
  struct Number *number = value == NULL ? NULL : makeObject(sizeof *number, kNumberType);
  if (number == NULL) return NULL;
  number->numberType = type;
  switch (type) {
    case kCFNumberSInt8Type: case kCFNumberCharType: number->integer = *(const SInt8 *)value; break;
    case kCFNumberSInt16Type: case kCFNumberShortType: number->integer = *(const SInt16 *)value; break;
    case kCFNumberSInt32Type: case kCFNumberIntType: number->integer = *(const SInt32 *)value; break;
    case kCFNumberFloat32Type: case kCFNumberFloatType: number->isReal = true, number->real = *(const float *)value; break;
    case kCFNumberFloat64Type: case kCFNumberDoubleType: number->isReal = true, number->real = *(const double *)value; break;
    default: number->integer = *(const SInt64 *)value;
  }
  if (number->isReal) {
    if (number->real >= -9.2e18 && number->real <= 9.2e18) number->integer = (SInt64)number->real;
  } else {
    number->real = (double)number->integer;
  }
  return (CFNumberRef)number;
}

CFNumberType CFNumberGetType(CFNumberRef number) { return ((const struct Number *)number)->numberType; }
Boolean CFNumberIsFloatType(CFNumberRef number) { return ((const struct Number *)number)->isReal; }

static CFIndex sizeOfNumber(CFNumberType type) {
  switch (type) {
    case kCFNumberSInt8Type: case kCFNumberCharType: return 1;
    case kCFNumberSInt16Type: case kCFNumberShortType: return 2;
    case kCFNumberSInt32Type: case kCFNumberIntType: case kCFNumberFloat32Type: case kCFNumberFloatType: return 4;
    default: return 8;
  }
}

CFIndex CFNumberGetByteSize(CFNumberRef number) { return sizeOfNumber(CFNumberGetType(number)); }

// Converts; false where the value does not fit, as much of it as does is written.
Boolean CFNumberGetValue(CFNumberRef reference, CFNumberType type, void *value) {
  const struct Number *number = (const struct Number *)reference;
  if (typeOf(number) != kNumberType || value == NULL) return false;
  const SInt64 whole = number->integer;
  const bool isWhole = !number->isReal || (double)whole == number->real;
  switch (type) {
    case kCFNumberFloat32Type: case kCFNumberFloatType: *(float *)value = (float)number->real; return true;
    case kCFNumberFloat64Type: case kCFNumberDoubleType: *(double *)value = number->real; return true;
    default: break;
  }
  switch (sizeOfNumber(type)) {
    case 1: *(SInt8 *)value = (SInt8)whole; return isWhole && (SInt8)whole == whole;
    case 2: *(SInt16 *)value = (SInt16)whole; return isWhole && (SInt16)whole == whole;
    case 4: *(SInt32 *)value = (SInt32)whole; return isWhole && (SInt32)whole == whole;
    default: *(SInt64 *)value = whole; return isWhole;
  }
}

CFComparisonResult CFNumberCompare(CFNumberRef number1, CFNumberRef number2, void *context) {
  (void)context;
  const struct Number *one = (const struct Number *)number1, *other = (const struct Number *)number2;
  if (!one->isReal && !other->isReal)
    return one->integer < other->integer ? kCFCompareLessThan : one->integer > other->integer ? kCFCompareGreaterThan : kCFCompareEqualTo;
  return one->real < other->real ? kCFCompareLessThan : one->real > other->real ? kCFCompareGreaterThan : kCFCompareEqualTo;
}

static bool areEqualArrays(const struct Array *one, const struct Array *other) {
  if (one->count != other->count) return false;
  for (CFIndex i = 0; i < one->count; i++) {
    const void *first = one->values[i], *second = other->values[i];
    if (first != second && (one->callBacks.equal == NULL || !one->callBacks.equal(first, second))) return false;
  }
  return true;
}

static bool areEqualDictionaries(const struct Dictionary *one, const struct Dictionary *other) {
  if (one->count != other->count) return false;
  for (CFIndex i = 0; i < one->count; i++) {
    const void *value = one->values[i], *found;
    if (!CFDictionaryGetValueIfPresent((CFDictionaryRef)other, one->keys[i], &found)) return false;
    if (value != found && (one->valueCallBacks.equal == NULL || !one->valueCallBacks.equal(value, found))) return false;
  }
  return true;
}

Boolean CFEqual(CFTypeRef one, CFTypeRef other) {
  if (one == other) return true;
  const uint64_t type = typeOf(one);
  if (type == 0 || type != typeOf(other)) return false;
  switch (type) {
    case kNumberType: return CFNumberCompare(one, other, NULL) == kCFCompareEqualTo;
    case kStringType: return CFStringCompare(one, other, 0) == kCFCompareEqualTo;
    case kDataType: {
      const struct Bytes *first = one, *second = other;
      return first->length == second->length && memcmp(first->bytes, second->bytes, (size_t)first->length) == 0;
    }
    case kArrayType: return areEqualArrays(one, other);
    case kDictionaryType: return areEqualDictionaries(one, other);
    case kURLType: return strcmp(((const struct URL *)one)->path, ((const struct URL *)other)->path) == 0;
  }
  return false;
}

CFHashCode CFHash(CFTypeRef object) {
  CFHashCode hash = typeOf(object);
  if (hash == kNumberType) return hash * 31 + (CFHashCode)((const struct Number *)object)->integer;
  if (hash != kStringType) return hash;
  const struct Text text = textOf(object);
  for (CFIndex i = 0; i < text.length; i++) hash = hash * 31 + unitAt(&text, i);
  return hash;
}
