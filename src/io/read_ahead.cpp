#include "io/read_ahead.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t most_blocks = 4;

class ReadAhead final : public TextSource {
  public:
    /// Takes `source` where the thread could be started.
    explicit ReadAhead(std::unique_ptr<TextSource>& source)
        : source_(source.get()),
          stored_(source->stored_bytes()),
          most_(source->most_text_bytes()),
          thread_([this] { read_all(); }) {
        kept_ = std::move(source);
    }
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead() override {
        {
            const std::lock_guard lock(mutex_);
            is_given_up_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    std::size_t read(std::span<char> out) override {
        if (used_ == block_.text.size()) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return !blocks_.empty() || is_over_; });
            if (blocks_.empty()) {
                share_ = 1;
                if (error_) std::rethrow_exception(error_);
                return 0;
            }
            block_ = std::move(blocks_.front());
            blocks_.pop_front();
            used_ = 0;
            share_ = block_.share_done;
            lock.unlock();
            changed_.notify_all();
        }
        const std::size_t count = std::min(out.size(), block_.text.size() - used_);
        std::copy_n(block_.text.data() + used_, count, out.data());
        used_ += count;
        return count;
    }

    std::uint64_t stored_bytes() const override { return stored_; }
    std::uint64_t most_text_bytes() const override { return most_; }
    double share_done() const override { return share_; }

  private:
    struct Block {
        std::vector<char> text;
        double share_done = 0;
    };

    void read_all() {
        try {
            for (bool goes_on = true; goes_on;) {
                Block block{std::vector<char>(block_bytes)};
                block.text.resize(source_->read(block.text));
                block.share_done = source_->share_done();
                if (block.text.empty()) break;
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return blocks_.size() < most_blocks || is_given_up_; });
                goes_on = !is_given_up_;
                if (goes_on) blocks_.push_back(std::move(block));
                lock.unlock();
                changed_.notify_all();
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            error_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        is_over_ = true;
        changed_.notify_all();
    }

    std::unique_ptr<TextSource> kept_;
    TextSource* source_;  // of the thread
    std::uint64_t stored_, most_;
    // Of who reads:
    Block block_;
    std::size_t used_ = 0;
    double share_ = 0;
    // Of both:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Block> blocks_;
    std::exception_ptr error_;
    bool is_over_ = false, is_given_up_ = false;
    std::thread thread_;  // begins when all else is there
};

}  // namespace

std::unique_ptr<TextSource> read_ahead(std::unique_ptr<TextSource> source) {
    try {
        return std::make_unique<ReadAhead>(source);
    } catch (const std::system_error&) {  // there are too many threads
        return source;
    }
}

}  // namespace glsolve::inline v0_1
