#pragma once

#include <stddef.h>

/// A file of the repository as it was when this was built.
struct embedded_file {
  /// In the repository, e.g. `Shared/NotificationModel/catalogue.yaml`.
  const char *path;
  const unsigned char *bytes;
  size_t size;
};

/// Answers the first of the files, which lie one after the other in the order of their paths.
const struct embedded_file *embedded_files(void);

size_t embedded_file_count(void);
