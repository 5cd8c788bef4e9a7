// Swift's module Glibc leaves these out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
