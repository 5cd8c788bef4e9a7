#pragma once

#include <stddef.h>

/// A file of the repository as it was when this was built.
struct embedded_file {
  /// In the repository, e.g. `Shared/NotificationModel/catalogue.yaml`.
  const char *path;
  const unsigned char *bytes;
  size_t size;
};

/// Several of them, one after the other in the order of their paths.
struct embedded_files {
  const struct embedded_file *first;
  size_t count;
};

/// What is inside `belfry`.
struct embedded_files product_files(void);
