/// The option that all benchmarks of a device have.
#pragma once

#include <CLI/CLI.hpp>
#include <glsolve/device.hpp>
#include <map>
#include <string>

namespace glsolve::bench {

/// --stage auto|fragment|compute
inline void add_stage_option(CLI::App& app, Stage& stage) {
    app.add_option("--stage", stage, "of OpenGL")
        ->transform(CLI::CheckedTransformer(std::map<std::string, Stage>{{"auto", Stage::automatic},
                                                                         {"fragment", Stage::fragment},
                                                                         {"compute", Stage::compute}})
                        .description(""))
        ->type_name("auto|fragment|compute");
}

}  // namespace glsolve::bench
