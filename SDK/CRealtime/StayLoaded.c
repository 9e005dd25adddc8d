// Keeps the library that this file is linked into loaded: the Swift runtime does not forget the types of a library.
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

// A listener or a thread of a library runs on after `dlclose`. The program itself has an empty name.
__attribute__((constructor)) static void stayLoaded(void) {
  Dl_info info;
  struct link_map *map = NULL;
  if (dladdr1((void *)stayLoaded, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) return;
  if (map->l_name == NULL || map->l_name[0] == 0) return;
  (void)dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
