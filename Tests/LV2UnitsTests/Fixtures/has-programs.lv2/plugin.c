// Three internal programs; the second and third set the gain port, and an inner gain.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

typedef struct {
  uint32_t bank;
  uint32_t program;
  const char* name;
} Program;
typedef struct {
  const Program* (*get_program)(LV2_Handle handle, uint32_t index);
  void (*select_program)(LV2_Handle handle, uint32_t bank, uint32_t program);
} Programs;
static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i)
    self->out[i] = self->in[i] * *self->control[2] * (1 + self->value);
}
static const Program* get_program(LV2_Handle handle, uint32_t index) {
  (void)handle;
  static const Program list[] = {{0, 0, "Plain"}, {0, 1, "Double"}, {1, 0, "Six"}};
  return index < 3 ? &list[index] : NULL;
}
static void select_program(LV2_Handle handle, uint32_t bank, uint32_t program) {
  Fixture* self = handle;
  self->value = bank ? 1 : 0;
  *self->control[2] = bank ? 3 : (float)program + 1;
}
static const void* extension_data(const char* uri) {
  static const Programs programs = {get_program, select_program};
  return strcmp(uri, "http://kxstudio.sf.net/ns/lv2ext/programs#Interface") ? NULL : &programs;
}
FIXTURE("urn:auricle:test:has-programs", fixture_instantiate, extension_data)
