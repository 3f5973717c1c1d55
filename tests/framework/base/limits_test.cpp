#include "base/limits.hpp"

#include <cerrno>
#include <cstddef>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "base/fd.hpp"

namespace inferbench::base {
namespace {

TEST(raise_descriptor_limit, raises_the_limit_to_the_maximum_and_returns_it) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{16, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::size_t said = raise_descriptor_limit();
  rlimit after{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(said, after.rlim_cur);
  EXPECT_GE(after.rlim_cur, before.rlim_max);
}

fd some_descriptor() { return fd(::eventfd(0, EFD_CLOEXEC)); }

bool known(int number) { return ::fcntl(number, F_GETFD) != -1; }

template <typename call>
void on_a_thread(const call& what) {
  std::thread(what).join();
}

TEST(own_descriptor_table, keeps_existing_descriptors_and_is_invisible_to_other_threads) {
  const fd before = some_descriptor();
  int opened = -1;
  on_a_thread([&] {
    ASSERT_TRUE(own_descriptor_table());
    EXPECT_TRUE(known(before.get()));
    ::close(before.get());
    fd mine = some_descriptor();  // has the number of the descriptor that was closed
    EXPECT_EQ(mine.get(), before.get());
    opened = ::eventfd(0, EFD_CLOEXEC);
    EXPECT_TRUE(known(opened));
    mine.reset();
  });
  // The thread closed this descriptor only in its own table, which was removed when the thread
  // ended.
  EXPECT_TRUE(known(before.get()));
  EXPECT_FALSE(known(opened));
}

TEST(own_descriptor_table, has_the_limit_for_itself) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{static_cast<rlim_t>(some_descriptor().get()) + 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto fill = [] {
    std::vector<fd> all;
    while (fd one = some_descriptor())
      all.push_back(std::move(one));
    return all;
  };
  const std::size_t room = fill().size();
  ASSERT_GT(room, 0U);
  std::promise<void> full;
  std::promise<void> go_on;
  std::thread one([&] {
    EXPECT_TRUE(own_descriptor_table());
    const std::vector<fd> all = fill();
    EXPECT_EQ(all.size(), room);
    full.set_value();
    go_on.get_future().wait();
  });
  full.get_future().wait();
  on_a_thread([&] {
    EXPECT_TRUE(own_descriptor_table());
    EXPECT_EQ(fill().size(), room);
  });
  EXPECT_EQ(fill().size(), room);
  go_on.set_value();
  one.join();
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
}

/// Makes the system call fail on this thread from now on. Returns false if that is not possible.
bool refuse(unsigned call) {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(code), code};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST(own_descriptor_table, can_be_made_if_unshare_is_refused) {
  bool could_refuse = false;
  int opened = -1;
  on_a_thread([&] {
    could_refuse = refuse(SYS_unshare);
    EXPECT_TRUE(own_descriptor_table());
    opened = ::eventfd(0, EFD_CLOEXEC);
    EXPECT_TRUE(known(opened));
  });
  if (!could_refuse) GTEST_SKIP() << "no seccomp filters here";
  EXPECT_FALSE(known(opened));
}

TEST(own_descriptor_table, reports_why_it_could_not_be_made) {
  bool could_refuse = false;
  on_a_thread([&] {
    could_refuse = refuse(SYS_unshare) && refuse(SYS_close_range);
    if (!could_refuse) return;
    EXPECT_FALSE(own_descriptor_table());
    EXPECT_EQ(errno, EPERM);
  });
  if (!could_refuse) GTEST_SKIP() << "no seccomp filters here";
}

TEST(is_shortage, distinguishes_a_shortage_of_this_machine_from_one_of_the_peer) {
  EXPECT_TRUE(is_shortage(EADDRNOTAVAIL));
  EXPECT_TRUE(is_shortage(EMFILE));
  EXPECT_FALSE(is_shortage(ECONNREFUSED));
  EXPECT_FALSE(is_shortage(0));
}

}  // namespace
}  // namespace inferbench::base
