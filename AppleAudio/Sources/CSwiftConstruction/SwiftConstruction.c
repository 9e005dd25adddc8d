// Making an object of a class that is known at run time alone, by an initializer that is not required.
// SPDX-License-Identifier: Apache-2.0
//
// Swift calls initializers of a class's value only where they are `required`, and refuses `override` for those. Programs
// for a Mac override this one. Its place in the table of a class's functions is that of the base class.
#include "include/SwiftConstruction.h"

#include <stddef.h>

// AudioToolbox.AUAudioUnit.__allocating_init(componentDescription:options:) throws
extern void auricleBaseInitializer(void) __asm__(
    "$s12AudioToolbox11AUAudioUnitC20componentDescription7optionsACSo0a9ComponentF0V_"
    "So0aH20InstantiationOptionsVtKcfC");

typedef __attribute__((swiftcall)) void *(*Initializer)(
    AuricleInitialArguments arguments, uint32_t options, __attribute__((swift_context)) const void *class,
    __attribute__((swift_error_result)) void **error);

// Bytes of a class's record behind its address point, which the compiler writes there.
static size_t recordSize(const void *class) {
  const uint8_t *record = class;
  uint32_t size = *(const uint32_t *)(record + 32);
  uint32_t addressPoint = *(const uint32_t *)(record + 36);
  return size > addressPoint ? size - addressPoint : 0;
}

void *AuricleMakeAudioUnit(
    const void *baseClass, const void *ownClass, AuricleInitialArguments arguments, uint32_t options, void **outError) {
  void *const *functions = baseClass;
  size_t count = recordSize(baseClass) / sizeof(void *);
  for (size_t place = 5; place < count; ++place) {
    if (functions[place] != (void *)auricleBaseInitializer) continue;
    Initializer initializer = (Initializer)((void *const *)ownClass)[place];
    void *error = NULL;
    void *object = initializer(arguments, options, ownClass, &error);
    *outError = error;
    return error ? NULL : object;
  }
  *outError = NULL;
  return NULL;
}
