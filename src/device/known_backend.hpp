/// Which backend `automatic` has chosen on this machine before: what was measured once need not be opened again.
#pragma once

#include <glsolve/device.hpp>
#include <string>

#include "base/disk_cache.hpp"

namespace glsolve::inline v0_1 {

class KnownBackend {
  public:
    /// In the folder DeviceOptions::program_cache. With DeviceOptions::measure, and on other systems than Linux,
    /// nothing is known.
    explicit KnownBackend(const DeviceOptions& options);

    /// automatic: not known.
    BackendKind kind() const { return kind_; }
    /// DeviceInfo::choice of then.
    const std::string& words() const { return words_; }
    void keep(const DeviceInfo& chosen);

  private:
    DiskCache disk_;
    std::string key_;
    BackendKind kind_ = BackendKind::automatic;
    std::string words_;
};

}  // namespace glsolve::inline v0_1
